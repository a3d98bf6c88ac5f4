// Element-wise, layout, reduction and cube statements (spec asc2 §6, §12.3, §12.10).
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "interp/memory/poison.h"
#include "interp/tests/hand_tree.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

using namespace test;

class EvalTensor : public ::testing::Test {
 protected:
  EvalTensor() : x_(64), out_(128, -1) {
    std::iota(x_.begin(), x_.end(), 1.0F);
    x_base_ = tree_.array("x_ptr", Dtype::float32);
    out_base_ = tree_.array("out_ptr", Dtype::float32);
    out_gm_ = tree_.global(out_base_, numbers({128}), "out_gm");
  }
  Slot load(std::initializer_list<std::int64_t> dims, const Shape& shape, Space space = Space::ub) {
    const Slot gm = tree_.global(x_base_, numbers(dims), "x_gm");
    std::vector<Operand> offsets(dims.size(), number(0));
    return tree_.copy_in(gm, offsets, shape, space);
  }
  void store(Slot tile, std::int64_t count, Space space = Space::ub) {
    const Slot flat = tree_.tile(Shape{count}, Dtype::float32, space);
    tree_.add(Reshape{flat, at(tile)});
    tree_.copy_out(flat, out_gm_, numbers({0}));
  }
  std::vector<std::uint32_t> run(std::size_t count) {
    const std::vector<Argument> arguments{array_of(x_), array_of(out_)};
    result_ = launch(tree_.program, arguments, options_);
    return bits({out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(count)});
  }

  HandTree tree_;
  LaunchOptions options_;
  LaunchResult result_;
  std::vector<float> x_;
  std::vector<float> out_;
  Slot x_base_ = 0;
  Slot out_base_ = 0;
  Slot out_gm_ = 0;
};

TEST_F(EvalTensor, BinaryBroadcastsAndTakesScalars) {
  const Slot rows = load({2, 1}, Shape{2, 1});
  const Slot columns = load({3}, Shape{3});
  const Slot sum = tree_.tile(Shape{2, 3});
  tree_.add(Binary{sum, OpId::add_, at(rows), at(columns), {}});
  const Slot scaled = tree_.tile(Shape{2, 3});
  tree_.add(Binary{scaled, OpId::mul_, at(sum), float32(10), {}});
  store(scaled, 6);
  EXPECT_EQ(run(6), bits({20, 30, 40, 30, 40, 50}));
}

TEST_F(EvalTensor, CompareAndWhere) {
  const Slot x = load({4}, Shape{4});
  const Slot mask = tree_.tile(Shape{4}, Dtype::int1);
  tree_.add(Binary{mask, OpId::greater_, at(x), float32(2), {}});
  const Slot chosen = tree_.tile(Shape{4});
  tree_.add(Where{chosen, at(mask), at(x), float32(-9)});
  store(chosen, 4);
  EXPECT_EQ(run(4), bits({-9, -9, 3, 4}));
}

TEST_F(EvalTensor, MaskedLanesTakeOtherOrPoison) {
  const Slot x = load({4}, Shape{4});
  MaskSpec with_other{refops::lane_mask_from_count(2), Operand{float32(7)}};
  MaskSpec without{refops::lane_mask_from_bits(0, 0b1010), std::nullopt};
  const Slot a = tree_.tile(Shape{4});
  tree_.add(Unary{a, OpId::negative_, at(x), with_other});
  const Slot b = tree_.tile(Shape{4});
  tree_.add(Binary{b, OpId::add_, at(x), at(x), without});
  const Slot both = tree_.tile(Shape{8});
  tree_.add(Concat{both, {at(a), at(b)}});
  store(both, 8);
  EXPECT_EQ(run(8), bits({-1, -2, 7, 7, kPoison, 4, kPoison, 8}));
}

TEST_F(EvalTensor, CastReduceAndScalarResult) {
  const Slot x = load({2, 3}, Shape{2, 3});
  const Slot rows = tree_.tile(Shape{2});
  tree_.add(Reduce{rows, OpId::reduce_sum_, 0b10, at(x)});
  const Slot total = tree_.scalar(Dtype::float32);
  tree_.add(Reduce{total, OpId::reduce_max_, 0, at(x)});
  const Slot whole = tree_.tile(Shape{2}, Dtype::int32);
  tree_.add(Cast{whole, RoundMode::default_mode, at(rows)});
  const Slot back = tree_.tile(Shape{2});
  tree_.add(Cast{back, RoundMode::default_mode, at(whole)});
  const Slot sum = tree_.tile(Shape{2});
  tree_.add(Binary{sum, OpId::add_, at(back), at(total), {}});
  store(sum, 2);
  EXPECT_EQ(run(2), bits({12, 21}));
}

TEST_F(EvalTensor, TransposeBroadcastAndFill) {
  const Slot x = load({2, 3}, Shape{2, 3});
  const Slot turned = tree_.tile(Shape{3, 2});
  tree_.add(Transpose{turned, {1, 0}, at(x)});
  const Slot wide = tree_.tile(Shape{2, 3, 2});
  tree_.add(BroadcastTo{wide, at(turned)});
  store(wide, 12);
  EXPECT_EQ(run(12), bits({1, 4, 2, 5, 3, 6, 1, 4, 2, 5, 3, 6}));
}

TEST_F(EvalTensor, NormalisationsReachRefops) {
  const Slot x = tree_.filled(Shape{2, 4}, float32(3));
  const Slot soft = tree_.tile(Shape{2, 4});
  tree_.add(Softmax{soft, at(x)});
  const Slot ones = tree_.filled(Shape{4}, float32(1));
  const Slot zeros = tree_.filled(Shape{4}, float32(0));
  const Slot normed = tree_.tile(Shape{2, 4});
  const Slot mean = tree_.tile(Shape{2});
  const Slot spread = tree_.tile(Shape{2});
  tree_.add(LayerNorm{normed, mean, spread, false, at(x), at(ones), at(zeros), float32(0.5)});
  const Slot all = tree_.tile(Shape{4});
  tree_.add(Concat{all, {at(mean), at(spread)}});
  store(all, 4);
  EXPECT_EQ(run(4), bits({3, 3, 0, 0}));
  tree_.copy_out(soft, tree_.global(out_base_, numbers({2, 4}), "soft"), numbers({0, 0}));
  EXPECT_EQ(run(2), bits({0.25, 0.25}));
}

TEST_F(EvalTensor, AccumulatorIsPoisonUntilTheFirstMatmulAcc) {
  const Slot acc = tree_.tile(Shape{2, 2}, Dtype::float32, Space::l0c);
  tree_.add(ZerosAcc{acc, {}});
  store(acc, 4, Space::l0c);
  EXPECT_EQ(run(4), bits({kPoison, kPoison, kPoison, kPoison}));
}

TEST_F(EvalTensor, MatmulAccStartsFromZeroAndAccumulates) {
  const Slot a = load({2, 2}, Shape{2, 2}, Space::l0a);
  const Slot acc = tree_.tile(Shape{2, 2}, Dtype::float32, Space::l0c);
  tree_.add(ZerosAcc{acc, {}});
  tree_.add(MatmulAcc{at(acc), at(a), at(a), false});
  tree_.add(MatmulAcc{at(acc), at(a), at(a), false});
  store(acc, 4, Space::l0c);
  EXPECT_EQ(run(4), bits({14, 20, 30, 44}));
}

TEST_F(EvalTensor, ZerosAccInALoopResetsAndTakesItsBiasAgain) {
  const Slot a = load({1, 1}, Shape{1, 1}, Space::l0a);
  const Slot bias = load({2}, Shape{2}, Space::bt);
  const Slot b = load({1, 2}, Shape{1, 2}, Space::l0b);
  const Slot i = tree_.begin_for(number(0), number(2), number(1));
  const Slot acc = tree_.tile(Shape{1, 2}, Dtype::float32, Space::l0c);
  tree_.add(ZerosAcc{acc, at(bias)});
  tree_.begin_for(number(0), number(3), number(1), "k");
  tree_.add(MatmulAcc{at(acc), at(a), at(b), false});
  tree_.end();
  const Slot flat = tree_.tile(Shape{2}, Dtype::float32, Space::l0c);
  tree_.add(Reshape{flat, at(acc)});
  tree_.copy_out(flat, out_gm_, {at(tree_.scalar_binary(ScalarOp::mul, at(i), number(2)))});
  tree_.end();
  EXPECT_EQ(run(4), bits({1 + 3, 2 + 6, 1 + 3, 2 + 6}));
}

TEST_F(EvalTensor, MatmulWithNarrowBias) {
  const Slot a = load({2, 1}, Shape{2, 1}, Space::l0a);
  const Slot b = load({1, 2}, Shape{1, 2}, Space::l0b);
  const Slot bias = tree_.tile(Shape{2}, Dtype::float16, Space::bt);
  tree_.add(Fill{bias, Scalar::from_double(Dtype::float16, 0.5)});
  const Slot product = tree_.tile(Shape{2, 2}, Dtype::float32, Space::l0c);
  tree_.add(Matmul{product, at(a), at(b), at(bias), false});
  store(product, 4, Space::l0c);
  EXPECT_EQ(run(4), bits({1.5, 2.5, 2.5, 4.5}));
}

TEST_F(EvalTensor, CubeLoadsZeroTheTailOfK) {
  // Valid part 1x2 of a [2, 12] tile; C0 of float32 is 8.
  const Slot a = load({1, 2}, Shape{2, 12}, Space::l0a);
  store(a, 24, Space::l0c);
  std::vector<float> expected(24, kPoison);
  expected[0] = 1;
  expected[1] = 2;
  for (std::size_t i = 2; i < 8; ++i) expected[i] = 0;
  EXPECT_EQ(run(24), bits(expected));
}

TEST_F(EvalTensor, TheRightOperandsKRunsDownItsRows) {
  const Slot b = load({2, 1}, Shape{12, 2}, Space::l0b);
  store(b, 24, Space::l0c);
  std::vector<float> expected(24, kPoison);
  expected[0] = 1;
  expected[2] = 2;
  for (std::size_t row = 2; row < 8; ++row) expected[row * 2] = 0;
  EXPECT_EQ(run(24), bits(expected));
}

TEST_F(EvalTensor, ATransposedOperandHasKOnTheOtherSide) {
  const Slot a = load({2, 1}, Shape{12, 2}, Space::l0a);
  const Slot turned = tree_.tile(Shape{2, 12}, Dtype::float32, Space::l0a);
  tree_.add(Transpose{turned, {1, 0}, at(a)});
  store(turned, 24, Space::l0c);
  std::vector<float> expected(24, kPoison);
  expected[0] = 1;
  expected[1] = 2;
  for (std::size_t k = 2; k < 8; ++k) expected[k] = 0;
  EXPECT_EQ(run(24), bits(expected));
}

TEST_F(EvalTensor, MatmulOnTailsIsExact) {
  // A [3, 5] and B [5, 3] in tiles of [4, 8] and [8, 4].
  const Slot a = load({3, 5}, Shape{4, 8}, Space::l0a);
  const Slot b = load({5, 3}, Shape{8, 4}, Space::l0b);
  const Slot product = tree_.tile(Shape{4, 4}, Dtype::float32, Space::l0c);
  tree_.add(Matmul{product, at(a), at(b), {}, false});
  tree_.copy_out(product, tree_.global(out_base_, numbers({3, 3}), "c_gm"), numbers({0, 0}));
  std::vector<float> expected;
  for (int m = 0; m < 3; ++m) {
    for (int n = 0; n < 3; ++n) {
      float sum = 0;
      for (int k = 0; k < 5; ++k)
        sum += static_cast<float>(m * 5 + k + 1) * static_cast<float>(k * 3 + n + 1);
      expected.push_back(sum);
    }
  }
  EXPECT_EQ(run(9), bits(expected));
  EXPECT_TRUE(result_.findings.empty());
}

TEST_F(EvalTensor, BiasLoadsReadPastTheTensorWithoutAFault) {
  options_ = without_uninitialised();
  const Slot inside = load({3}, Shape{4}, Space::bt);
  store(inside, 4, Space::l0c);
  EXPECT_EQ(run(4), bits({1, 2, 3, 4}));
  const Slot gm = tree_.global(x_base_, numbers({64}), "x_gm");
  const Slot past = tree_.copy_in(gm, numbers({62}), Shape{4}, Space::bt);
  store(past, 4, Space::l0c);
  EXPECT_EQ(run(4), bits({63, 64, kPoison, kPoison}));
  EXPECT_TRUE(result_.findings.empty());
}

TEST_F(EvalTensor, CopyLocalTakesASubMatrix) {
  const Slot panel = load({4, 4}, Shape{4, 4}, Space::l1);
  const Slot part = tree_.tile(Shape{2, 2}, Dtype::float32, Space::l0a);
  tree_.add(CopyLocal{part, at(panel), numbers({1, 2})});
  const Slot whole = tree_.tile(Shape{4, 4}, Dtype::float32, Space::l0b);
  tree_.add(CopyLocal{whole, at(panel), {}});
  const Slot flat = tree_.tile(Shape{16});
  tree_.add(Reshape{flat, at(whole)});
  const Slot head = tree_.tile(Shape{4});
  tree_.add(Reshape{head, at(part)});
  const Slot both = tree_.tile(Shape{20});
  tree_.add(Concat{both, {at(head), at(flat)}});
  store(both, 20);
  EXPECT_EQ(run(8), bits({7, 8, 11, 12, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace ascemu::interp
