// The mode fp64 (N19): local floats are float64, arrays keep their dtypes, everything a user reads
// about memory is as in the other modes.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "interp/diag/render.h"
#include "interp/tests/hand_tree.h"
#include "refops/float16.h"

namespace ascemu::interp {
namespace {

using namespace test;
using refops::Float16;
using refops::NumericMode;

std::uint16_t half(double value) {
  return static_cast<std::uint16_t>(Scalar::from_double(Dtype::float16, value).bits);
}
Constant number_as(Dtype dtype, double value) { return {Scalar::from_double(dtype, value), value}; }

struct Outcome {
  std::vector<std::byte> bytes;
  std::string findings;
  std::string printed;
};

// Runs the tree on one array, its first parameter.
Outcome run(Program program, NumericMode mode, std::vector<std::byte> bytes, Dtype dtype,
            std::int64_t blocks = 1, int threads = 1, std::size_t limit = std::size_t{1} << 30) {
  const auto count = static_cast<std::int64_t>(bytes.size() / refops::dtype_size_bytes(dtype));
  const std::vector<Argument> arguments{ArrayArgument{bytes.data(), count, true}};
  LaunchOptions options;
  program.policy.mode = mode;
  options.blocks = blocks;
  options.threads = threads;
  options.local_bytes_limit = limit;
  const LaunchResult result = launch(program, arguments, options);
  std::string findings;
  for (const Diagnostic& finding : result.findings)
    findings += render_text(finding, program.sources) + "\n";
  return {std::move(bytes), std::move(findings), result.printed};
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <class T>
T element(const Outcome& outcome, std::size_t index) {
  T value;
  std::memcpy(&value, outcome.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

// Sixteen patterns of every kind: both zeros, subnormals, infinities, quiet and signalling NaNs.
std::vector<std::byte> patterns_of(Dtype dtype, std::size_t count) {
  static const std::vector<std::uint16_t> kFloat16{0x0000, 0x8000, 0x0001, 0x83FF, 0x3C00, 0xC248,
                                                   0x7BFF, 0xFC00, 0x7C00, 0x7E00, 0xFE01, 0x7D55,
                                                   0x7C01, 0x1234, 0xBEEF, 0x5555};
  static const std::vector<std::uint16_t> kBfloat16{0x0000, 0x8000, 0x0001, 0x807F, 0x3F80, 0xC049,
                                                    0x7F7F, 0xFF80, 0x7F80, 0x7FC0, 0xFFC1, 0x7FA5,
                                                    0x7F81, 0x1234, 0xBEEF, 0x5555};
  static const std::vector<std::uint32_t> kFloat32{0x00000000, 0x80000000, 0x00000001, 0x807FFFFF,
                                                   0x3F800000, 0xC0490FDB, 0x7F7FFFFF, 0xFF800000,
                                                   0x7F800000, 0x7FC00000, 0xFFC00001, 0x7FA55555,
                                                   0x7F800001, 0x12345678, 0xDEADBEEF, 0x55555555};
  std::vector<std::byte> once = dtype == Dtype::float32   ? bytes_of(kFloat32)
                                : dtype == Dtype::float16 ? bytes_of(kFloat16)
                                                          : bytes_of(kBfloat16);
  std::vector<std::byte> bytes;
  while (bytes.size() < count * refops::dtype_size_bytes(dtype))
    bytes.insert(bytes.end(), once.begin(), once.end());
  return bytes;
}

// Every way to move elements, with rows that end early, accesses outside the array and an
// accumulator nobody wrote: the array ends with the same bits, and the findings are the same texts.
void add_movements(HandTree& tree, Dtype dtype) {
  const Slot base = tree.array("x_ptr", dtype);
  const Slot square = tree.global(base, numbers({8, 8}), "square");
  const Slot line = tree.global(base, numbers({512}), "line");
  const Slot large = tree.global(base, numbers({600}), "large");
  std::int64_t row = 64;
  const auto store = [&](Slot tile, std::int64_t count) {
    tree.copy_out(tile, line, {number(row)});
    row += count;
  };
  const Slot tile = tree.copy_in(square, numbers({0, 0}), Shape{4, 4});
  const Slot turned = tree.tile(Shape{4, 4}, dtype);
  tree.add(Transpose{turned, {1, 0}, at(tile)});
  const Slot flat = tree.tile(Shape{16}, dtype);
  tree.add(Reshape{flat, at(turned)});
  store(flat, 16);
  const Slot wide = tree.tile(Shape{2, 16}, dtype);
  tree.add(BroadcastTo{wide, at(flat)});
  const Slot wide_flat = tree.tile(Shape{32}, dtype);
  tree.add(Reshape{wide_flat, at(wide)});
  store(wide_flat, 32);
  const Slot both = tree.tile(Shape{32}, dtype, Space::ub, "both");
  tree.add(Concat{both, {at(flat), at(flat)}});
  store(both, 32);
  const Slot part = tree.tile(Shape{20}, dtype);
  tree.add(CopyLocal{part, at(both), numbers({24})});  // 12 elements outside
  store(part, 20);
  const Slot yes = tree.tile(Shape{16}, Dtype::int1);
  tree.add(Fill{yes, Scalar{Dtype::int1, 1}});
  const Slot chosen = tree.tile(Shape{16}, dtype);
  tree.add(Where{chosen, at(yes), at(flat), Constant(Scalar{dtype, 0})});
  store(chosen, 16);
  store(tree.copy_in(square, numbers({6, 3}), Shape{16}), 16);  // zeros to the block, then poison
  store(tree.copy_in(line, numbers({-3}), Shape{8}), 8);
  tree.add(CopyOut{at(tree.copy_in(large, numbers({505}), Shape{16})), at(large), numbers({590}),
                   std::nullopt});
  const Slot index = tree.tile(Shape{4}, Dtype::int32);
  tree.add(Fill{index, int32(5)});
  const Slot gathered = tree.tile(Shape{4, 8}, dtype);
  tree.add(Gather{gathered, at(square), numbers({0}), 0, at(index), true, number(3), {}});
  const Slot gathered_flat = tree.tile(Shape{32}, dtype);
  tree.add(Reshape{gathered_flat, at(gathered)});
  store(gathered_flat, 32);
  tree.add(Scatter{at(gathered), 0, at(index), at(square), numbers({0}), true, {}});
  const Slot element = tree.scalar(dtype);
  tree.add(LoadScalar{element, at(line), numbers({11})});
  tree.add(StoreScalar{at(element), at(line), numbers({500})});
  const Slot outside = tree.scalar(dtype);
  tree.add(LoadScalar{outside, at(large), numbers({520})});
  tree.add(StoreScalar{at(outside), at(line), numbers({501})});
  const Slot moved = tree.scalar(dtype);
  tree.program.slots[moved].is_variable = true;
  tree.add(Move{{moved}, {at(element)}});
  tree.add(StoreScalar{at(moved), at(line), numbers({502})});
  const Slot untouched = tree.tile(Shape{4}, dtype, Space::l0c);
  tree.add(ZerosAcc{untouched, {}});
  tree.copy_out(untouched, line, numbers({504}));
}

TEST(EvalDouble, MovedElementsAndFindingsAreThoseOfTheOtherModes) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16, Dtype::float32}) {
    HandTree tree;
    add_movements(tree, dtype);
    const std::vector<std::byte> before = patterns_of(dtype, 512);
    const Outcome ieee = run(tree.program, NumericMode::ieee, before, dtype);
    EXPECT_NE(ieee.bytes, before);
    EXPECT_NE(ieee.findings.find("outside the local tensor 'both'"), std::string::npos);
    EXPECT_NE(ieee.findings.find("extent: [20]"), std::string::npos);
    for (const NumericMode mode : {NumericMode::fp64, NumericMode::npu}) {
      const Outcome other = run(tree.program, mode, before, dtype);
      EXPECT_EQ(other.bytes, ieee.bytes) << refops::dtype_name(dtype);
      EXPECT_EQ(other.findings, ieee.findings);
    }
  }
}

TEST(EvalDouble, IntegersAreNotConcerned) {
  for (const Dtype dtype : {Dtype::int16, Dtype::int32, Dtype::int64}) {
    HandTree tree;
    add_movements(tree, dtype);
    std::vector<std::byte> before(512 * refops::dtype_size_bytes(dtype));
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<std::byte>(i * 37);
    const Outcome ieee = run(tree.program, NumericMode::ieee, before, dtype);
    const Outcome wide = run(tree.program, NumericMode::fp64, before, dtype);
    EXPECT_EQ(wide.bytes, ieee.bytes);
    EXPECT_EQ(wide.findings, ieee.findings);
  }
}

TEST(EvalDouble, TheMemoryLimitCountsDeclaredBytes) {
  for (const std::int64_t count : {500, 501}) {
    HandTree tree;
    const Slot base = tree.array("x_ptr", Dtype::float16);
    const Slot line = tree.global(base, numbers({1000}), "line");
    tree.copy_in(line, numbers({0}), Shape{count});
    const std::vector<std::byte> before(2000);
    const auto found = [&](NumericMode mode) {
      return run(tree.program, mode, before, Dtype::float16, 1, 1, 1000).findings;
    };
    EXPECT_EQ(found(NumericMode::fp64), found(NumericMode::ieee));
    EXPECT_EQ(
        found(NumericMode::fp64).find("a local tensor of 1002 bytes does not fit: 0 of 1000") !=
            std::string::npos,
        count == 501);
  }
}

class EvalDoubleScalars : public ::testing::Test {
 protected:
  EvalDoubleScalars() {
    base_ = tree_.array("x_ptr", Dtype::float32);
    line_ = tree_.global(base_, numbers({8}), "line");
  }
  Slot load(std::int64_t index) {
    const Slot made = tree_.scalar(Dtype::float32);
    tree_.add(LoadScalar{made, at(line_), numbers({index})});
    return made;
  }
  void store(Operand value, std::int64_t index) {
    tree_.add(StoreScalar{value, at(line_), numbers({index})});
  }
  float result(NumericMode mode, std::vector<float> values, std::size_t index) {
    values.resize(8);
    return element<float>(run(tree_.program, mode, bytes_of(values), Dtype::float32), index);
  }

  HandTree tree_;
  Slot base_ = 0;
  Slot line_ = 0;
};

TEST_F(EvalDoubleScalars, ChainsRoundWhenTheyAreStored) {
  const Slot sum = tree_.scalar_binary(ScalarOp::add, at(load(0)), at(load(1)), Dtype::float32);
  store(at(tree_.scalar_binary(ScalarOp::add, at(sum), at(load(2)), Dtype::float32)), 3);
  const std::vector<float> values{1, 0x1p-24F, 0x1p-50F};
  EXPECT_EQ(result(NumericMode::ieee, values, 3), 1);
  EXPECT_EQ(result(NumericMode::fp64, values, 3), 1 + 0x1p-23F);
}

TEST_F(EvalDoubleScalars, BranchesSeeTheDouble) {
  const Slot sum = tree_.scalar_binary(ScalarOp::add, at(load(0)), at(load(1)), Dtype::float32);
  const Slot larger =
      tree_.scalar_binary(ScalarOp::greater, at(sum), number_as(Dtype::float32, 1), Dtype::int1);
  Stmt& branch = tree_.add(If{at(larger), {}, {}});
  tree_.begin(std::get<If>(branch.node).then_block);
  store(number_as(Dtype::float32, 7), 3);
  tree_.end();
  EXPECT_EQ(result(NumericMode::ieee, {1, 0x1p-30F}, 3), 0);
  EXPECT_EQ(result(NumericMode::fp64, {1, 0x1p-30F}, 3), 7);
}

TEST_F(EvalDoubleScalars, ConstantsAreTheNumbersThatWereWritten) {
  // 3 * 0.1 - 0.3 in double, and in float32.
  const Slot tenth = tree_.scalar_binary(ScalarOp::mul, at(load(0)), number_as(Dtype::float32, 0.1),
                                         Dtype::float32);
  store(at(tree_.scalar_binary(ScalarOp::sub, at(tenth), number_as(Dtype::float32, 0.3),
                               Dtype::float32)),
        3);
  EXPECT_EQ(result(NumericMode::fp64, {3}, 3), static_cast<float>(3.0 * 0.1 - 0.3));
  EXPECT_EQ(result(NumericMode::ieee, {3}, 3), 3.0F * 0.1F - 0.3F);
  EXPECT_NE(result(NumericMode::fp64, {3}, 3), result(NumericMode::ieee, {3}, 3));
}

TEST_F(EvalDoubleScalars, CastsBetweenFloatsChangeNothingAndThoseToIntegersTruncate) {
  const Slot sum = tree_.scalar_binary(ScalarOp::add, at(load(0)), at(load(1)), Dtype::float32);
  const Slot narrow = tree_.scalar(Dtype::float16);
  tree_.add(ScalarCast{narrow, Dtype::float16, at(sum)});
  const Slot wide = tree_.scalar(Dtype::float32);
  tree_.add(ScalarCast{wide, Dtype::float32, at(narrow)});
  store(at(wide), 3);
  const Slot whole = tree_.scalar(Dtype::int32);
  tree_.add(ScalarCast{whole, Dtype::int32, at(sum)});
  const Slot back = tree_.scalar(Dtype::float32);
  tree_.add(ScalarCast{back, Dtype::float32, at(whole)});
  store(at(back), 4);
  const std::vector<float> values{5, -0x1p-20F};
  EXPECT_EQ(result(NumericMode::fp64, values, 3), 5 - 0x1p-20F);
  EXPECT_EQ(result(NumericMode::ieee, values, 3), 5);
  EXPECT_EQ(result(NumericMode::fp64, values, 4), 4);
}

TEST_F(EvalDoubleScalars, ArgumentsAreNumbersOfTheirDtype) {
  const Slot scale = tree_.scalar_param("scale", Dtype::float16);
  const Slot wide = tree_.scalar(Dtype::float32);
  tree_.add(ScalarCast{wide, Dtype::float32, at(scale)});
  store(at(wide), 0);
  std::vector<float> values(8);
  const std::vector<Argument> arguments{array_of(values), Scalar::from_double(Dtype::float16, 0.1)};
  LaunchOptions options;
  tree_.program.policy.mode = NumericMode::fp64;
  EXPECT_EQ(messages(launch(tree_.program, arguments, options)), "");
  EXPECT_EQ(values[0], Float16::from_bits(half(0.1)).to_float());
}

TEST(EvalDouble, FilledTilesHoldTheWrittenNumberAndPrintIt) {
  HandTree tree;
  const Slot line = tree.global(tree.array("x_ptr", Dtype::float32), numbers({4}), "line");
  const Slot tile = tree.tile(Shape{2}, Dtype::float16);
  tree.add(Fill{tile, number_as(Dtype::float16, 100000.1)});
  tree.add(Print{{at(tile), std::string("and "), number_as(Dtype::float16, 0.1)}});
  const Slot wide = tree.tile(Shape{2});
  tree.add(Cast{wide, RoundMode::default_mode, at(tile)});
  tree.copy_out(wide, line, numbers({0}));
  const std::vector<std::byte> before(16);
  const Outcome fp64 = run(tree.program, NumericMode::fp64, before, Dtype::float32);
  EXPECT_EQ(fp64.printed, "float16 [2]\n[100000.100000, 100000.100000]\nand 0.100000");
  EXPECT_EQ(element<float>(fp64, 1), 100000.1F);
  const Outcome ieee = run(tree.program, NumericMode::ieee, before, Dtype::float32);
  EXPECT_EQ(ieee.printed, "float16 [2]\n[inf, inf]\nand 0.099976");
}

// atomic_add of 1 + 2^-20 to 2048 in float16: rounded first it is 1, a tie that stays 2048; in
// double it passes the middle.
TEST(EvalDouble, AtomicsRoundOnceToTheArraysDtype) {
  HandTree tree;
  const Slot line = tree.global(tree.array("x_ptr", Dtype::float16), numbers({2, 4}), "grid");
  const Slot tile = tree.tile(Shape{2, 2}, Dtype::float16);
  tree.add(Fill{tile, number_as(Dtype::float16, 1 + 0x1p-20)});
  tree.add(Atomic{OpId::atomic_add_, at(tile), at(line), numbers({0, 1})});
  const std::vector<std::byte> before = bytes_of(std::vector<std::uint16_t>(8, half(2048)));
  for (const int threads : {1, 2}) {
    const Outcome fp64 = run(tree.program, NumericMode::fp64, before, Dtype::float16, 2, threads);
    const Outcome ieee = run(tree.program, NumericMode::ieee, before, Dtype::float16, 2, threads);
    for (std::size_t i = 0; i < 8; ++i) {
      const bool is_target = i % 4 == 1 || i % 4 == 2;
      // Twice: 2048 -> 2050 -> 2052 (2051 + 2^-20 is nearer to 2052).
      EXPECT_EQ(element<std::uint16_t>(fp64, i), half(is_target ? 2052 : 2048)) << i;
      EXPECT_EQ(element<std::uint16_t>(ieee, i), half(2048)) << i;
    }
    EXPECT_EQ(fp64.findings, "");
  }
}

}  // namespace
}  // namespace ascemu::interp
