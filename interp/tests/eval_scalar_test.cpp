#include <gtest/gtest.h>

#include <vector>

#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

// Stores the scalars into out[0..] and returns the array.
class EvalScalar : public ::testing::Test {
 protected:
  EvalScalar() : out_(8, -1) {
    base_ = tree_.array("out_ptr", Dtype::int32);
    gm_ = tree_.global(base_, numbers({8}), "out_gm");
  }
  void store(Operand value, std::int64_t index) {
    tree_.add(StoreScalar{value, at(gm_), numbers({index})});
  }
  LaunchResult run(std::int64_t blocks = 1) {
    LaunchOptions options = without_races();
    options.blocks = blocks;
    options.threads = 1;
    const std::vector<Argument> arguments{array_of(out_)};
    return launch(tree_.program, arguments, options);
  }

  HandTree tree_;
  std::vector<std::int32_t> out_;
  Slot base_ = 0;
  Slot gm_ = 0;
};

TEST_F(EvalScalar, ArithmeticWrapsAndTruncates) {
  store(at(tree_.scalar_binary(ScalarOp::add, number(INT32_MAX), number(1))), 0);
  store(at(tree_.scalar_binary(ScalarOp::div, number(-7), number(2))), 1);
  store(at(tree_.scalar_binary(ScalarOp::rem, number(-7), number(2))), 2);
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(out_[0], INT32_MIN);
  EXPECT_EQ(out_[1], -3);
  EXPECT_EQ(out_[2], -1);
}

TEST_F(EvalScalar, DivisionByZeroIsATrapAndTheBlockGoesOn) {
  const Slot zero = tree_.scalar_binary(ScalarOp::sub, number(1), number(1));
  store(at(tree_.scalar_binary(ScalarOp::div, number(5), at(zero))), 0);
  store(at(tree_.scalar_binary(ScalarOp::rem, number(5), at(zero))), 1);
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code, Code::division_by_zero);
  EXPECT_EQ(result.findings[0].kind, DiagKind::trap);
  EXPECT_EQ(result.findings[0].severity, Severity::error);
  EXPECT_EQ(result.findings[0].message, "int32 5 / 0 is undefined; 0 is used instead");
  EXPECT_EQ(result.findings[1].message, "int32 5 % 0 is undefined; 0 is used instead");
  EXPECT_EQ(result.findings[0].block, 0);
  EXPECT_EQ(out_[0], 0);
  EXPECT_EQ(out_[1], 0);
}

TEST_F(EvalScalar, RepeatedTrapsAreOneFindingWithACount) {
  const Slot i = tree_.begin_for(number(0), number(4), number(1));
  tree_.scalar_binary(ScalarOp::div, number(5), number(0));
  tree_.end();
  static_cast<void>(i);
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].loops,
            std::vector<std::string>{"i = 0 of range(0, 4, 1) at line 2"});
  EXPECT_EQ(result.findings[0].notes,
            std::vector<std::string>{"repeated: 3 more times in this block"});
}

TEST_F(EvalScalar, ProgramScalars) {
  const Slot idx = tree_.block_idx();
  const Slot num = tree_.scalar();
  tree_.add(ProgramScalar{num, OpId::block_num_});
  const Slot sub = tree_.scalar();
  tree_.add(ProgramScalar{sub, OpId::sub_block_idx_});
  const Slot subs = tree_.scalar();
  tree_.add(ProgramScalar{subs, OpId::sub_block_num_});
  tree_.add(StoreScalar{at(num), at(gm_), {at(idx)}});
  store(at(sub), 6);
  store(at(subs), 7);
  EXPECT_TRUE(run(5).findings.empty());
  EXPECT_EQ(out_, (std::vector<std::int32_t>{5, 5, 5, 5, 5, -1, 0, 1}));
}

TEST_F(EvalScalar, CastAndUnary) {
  const Slot negated = tree_.scalar();
  tree_.add(ScalarUnary{negated, ScalarOp::negative, number(3)});
  const Slot cast = tree_.scalar();
  tree_.add(ScalarCast{cast, Dtype::int32, Scalar::from_double(Dtype::float32, -2.75)});
  store(at(negated), 0);
  store(at(cast), 1);
  run();
  EXPECT_EQ(out_[0], -3);
  EXPECT_EQ(out_[1], -2);
}

TEST_F(EvalScalar, ScalarAccessIsLinearAndNotClipped) {
  // gm [2, 4] over 8 elements: coordinate [0, 6] is element 6.
  const Slot wide = tree_.global(base_, numbers({2, 4}), "wide");
  tree_.add(StoreScalar{number(42), at(wide), numbers({0, 6})});
  const Slot back = tree_.scalar();
  tree_.add(LoadScalar{back, at(wide), numbers({2, -2})});
  store(at(back), 0);
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(out_[6], 42);
  EXPECT_EQ(out_[0], 42);
}

TEST_F(EvalScalar, ScalarAccessOutsideTheArrayIsATrap) {
  const Slot loaded = tree_.scalar();
  tree_.add(LoadScalar{loaded, at(gm_), numbers({8})});
  store(at(loaded), 0);
  store(number(5), -1);
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code, Code::read_out_of_bounds);
  EXPECT_EQ(result.findings[0].message,
            "copy_in reads 1 element past the end of the array of 'out_gm' (parameter 'out_ptr')");
  EXPECT_EQ(result.findings[0].notes,
            (std::vector<std::string>{"tensor: out_gm, int32 [8]", "offsets: [8]",
                                      "accessed: element 8 (bytes 32 to 35)",
                                      "array: out_ptr, int32, 8 elements (32 bytes)"}));
  EXPECT_EQ(result.findings[1].code, Code::write_out_of_bounds);
  EXPECT_EQ(result.findings[1].message,
            "copy_out writes 1 element outside the array of 'out_gm' (parameter 'out_ptr')");
  EXPECT_EQ(static_cast<std::uint32_t>(out_[0]), 0xA5A5A5A5U);
}

TEST_F(EvalScalar, PositionsBeyond64BitsAreJudgedOutside) {
  const Slot huge = tree_.global(
      base_, {Scalar::from_int(Dtype::int64, INT64_MAX), Scalar::from_int(Dtype::int64, INT64_MAX)},
      "huge");
  tree_.add(StoreScalar{number(1), at(huge), {Scalar::from_int(Dtype::int64, 2), number(0)}});
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::write_out_of_bounds);
  EXPECT_EQ(out_, std::vector<std::int32_t>(8, -1));
}

}  // namespace
}  // namespace ascemu::interp
