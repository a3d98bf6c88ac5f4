// Control flow, assertions, printing, limits of one block.
#include <gtest/gtest.h>

#include <vector>

#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

class EvalControl : public ::testing::Test {
 protected:
  EvalControl() : out_(8, -1) {
    base_ = tree_.array("out_ptr", Dtype::int32);
    gm_ = tree_.global(base_, numbers({8}), "out_gm");
  }
  Slot variable(Operand init) {
    const Slot made = tree_.scalar();
    tree_.program.slots[made].is_variable = true;
    tree_.add(Move{{made}, {init}});
    return made;
  }
  void store(Operand value, Operand index) { tree_.add(StoreScalar{value, at(gm_), {index}}); }
  LaunchResult run() {
    const std::vector<Argument> arguments{array_of(out_)};
    return launch(tree_.program, arguments, options_);
  }

  HandTree tree_;
  LaunchOptions options_ = without_races();
  std::vector<std::int32_t> out_;
  Slot base_ = 0;
  Slot gm_ = 0;
};

TEST_F(EvalControl, NestedLoopsCarryAVariable) {
  const Slot sum = variable(number(0));
  const Slot i = tree_.begin_for(number(1), number(4), number(1));
  const Slot j = tree_.begin_for(at(i), number(7), number(2), "j");
  const Slot next = tree_.scalar_binary(ScalarOp::add, at(sum), at(j));
  tree_.add(Move{{sum}, {at(next)}});
  tree_.end();
  tree_.end();
  store(at(sum), number(0));
  run();
  EXPECT_EQ(out_[0], (1 + 3 + 5) + (2 + 4 + 6) + (3 + 5));
}

TEST_F(EvalControl, RotationThroughAParallelMove) {
  const Slot a = variable(number(1));
  const Slot b = variable(number(2));
  const Slot c = variable(number(3));
  tree_.begin_for(number(0), number(4), number(1));
  tree_.add(Move{{a, b, c}, {at(b), at(c), at(a)}});
  tree_.end();
  store(at(a), number(0));
  store(at(b), number(1));
  store(at(c), number(2));
  run();
  EXPECT_EQ(out_[0], 2);
  EXPECT_EQ(out_[1], 3);
  EXPECT_EQ(out_[2], 1);
}

TEST_F(EvalControl, TensorsRotateWithoutSharingNewBytes) {
  const Slot previous = tree_.tile(Shape{1}, Dtype::int32);
  const Slot current = tree_.tile(Shape{1}, Dtype::int32);
  const Slot one = tree_.filled(Shape{1}, int32(1));
  tree_.add(Move{{previous, current}, {at(one), at(one)}});
  // Fibonacci: previous, current = current, previous + current.
  tree_.begin_for(number(0), number(5), number(1));
  const Slot next = tree_.tile(Shape{1}, Dtype::int32);
  tree_.add(Binary{next, OpId::add_, at(previous), at(current), {}});
  tree_.add(Move{{previous, current}, {at(current), at(next)}});
  tree_.end();
  tree_.copy_out(previous, gm_, numbers({0}));
  tree_.copy_out(current, gm_, numbers({1}));
  run();
  EXPECT_EQ(out_[0], 8);
  EXPECT_EQ(out_[1], 13);
}

TEST_F(EvalControl, ZeroTripLoopLeavesTheInitialValue) {
  const Slot x = variable(number(5));
  tree_.begin_for(number(3), number(3), number(1));
  tree_.add(Move{{x}, {number(6)}});
  tree_.end();
  store(at(x), number(0));
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(out_[0], 5);
}

TEST_F(EvalControl, ALoopNearTheEndOfInt32DoesNotWrap) {
  const Slot count = variable(number(0));
  const Slot i = tree_.begin_for(number(INT32_MAX - 5), number(INT32_MAX), number(4));
  tree_.add(Move{{count}, {at(tree_.scalar_binary(ScalarOp::add, at(count), number(1)))}});
  store(at(i), number(1));
  tree_.end();
  store(at(count), number(0));
  run();
  EXPECT_EQ(out_[0], 2);
  EXPECT_EQ(out_[1], INT32_MAX - 1);
}

TEST_F(EvalControl, BadStepsAreTrapsAndSkipTheBody) {
  for (const int step : {0, -1}) {
    tree_.begin_for(number(0), number(3), number(step));
    store(number(1), number(0));
    tree_.end();
  }
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code, Code::bad_loop_step);
  EXPECT_EQ(result.findings[0].message,
            "the loop over range(0, 3, 0) has step 0; its body is skipped");
  EXPECT_EQ(result.findings[1].message,
            "the loop over range(0, 3, -1) has step -1; its body is skipped");
  EXPECT_EQ(out_[0], -1);
}

TEST_F(EvalControl, IfTakesOneBranch) {
  for (const int value : {0, 3}) {
    Stmt& stmt = tree_.add(If{number(value), {}, {}});
    auto& branch = std::get<If>(stmt.node);
    tree_.begin(branch.then_block);
    store(number(1), number(value));
    tree_.end();
    tree_.begin(branch.else_block);
    store(number(2), number(value));
    tree_.end();
  }
  run();
  EXPECT_EQ(out_[0], 2);
  EXPECT_EQ(out_[3], 1);
}

TEST_F(EvalControl, WhileEvaluatesItsConditionEveryTime) {
  const Slot x = variable(number(100));
  Stmt& stmt = tree_.add(While{{}, number(0), {}});
  auto& loop = std::get<While>(stmt.node);
  tree_.begin(loop.condition_block);
  loop.condition = at(tree_.scalar_binary(ScalarOp::greater, at(x), number(5), Dtype::int1));
  tree_.end();
  tree_.begin(loop.body);
  tree_.add(Move{{x}, {at(tree_.scalar_binary(ScalarOp::div, at(x), number(2)))}});
  tree_.end();
  store(at(x), number(0));
  run();
  EXPECT_EQ(out_[0], 3);
}

TEST_F(EvalControl, FailedAssertionEndsTheBlockOnly) {
  const Slot block = tree_.block_idx();
  const Slot fine = tree_.scalar_binary(ScalarOp::not_equal, at(block), number(1), Dtype::int1);
  tree_.add(DeviceAssert{at(fine), "block 1 is unlucky"});
  tree_.add(DeviceAssert{number(1), ""});
  store(number(9), at(block));
  options_.blocks = 3;
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::device_assertion);
  EXPECT_EQ(result.findings[0].message, "assertion failed: block 1 is unlucky");
  EXPECT_EQ(result.findings[0].block, 1);
  EXPECT_EQ(out_[0], 9);
  EXPECT_EQ(out_[1], -1);
  EXPECT_EQ(out_[2], 9);
}

TEST_F(EvalControl, StepLimit) {
  tree_.begin_for(number(0), number(1000), number(1));
  store(number(1), number(0));
  tree_.end();
  options_.max_steps = 100;
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::step_limit);
  EXPECT_EQ(result.findings[0].kind, DiagKind::exhaustion);
  EXPECT_EQ(result.findings[0].message, "the block ran more than 100 statements");
  EXPECT_EQ(result.findings[0].loops[0], "i = 98 of range(0, 1000, 1) at line 2");
}

TEST_F(EvalControl, AnEmptyEndlessWhileMeetsTheStepLimit) {
  tree_.add(While{{}, number(1), {}});
  options_.max_steps = 1000;
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::step_limit);
}

TEST_F(EvalControl, NestingLimit) {
  for (int i = 0; i < 1100; ++i) {
    Stmt& stmt = tree_.add(If{number(1), {}, {}});
    tree_.begin(std::get<If>(stmt.node).then_block);
  }
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::nesting_limit);
  EXPECT_EQ(result.findings[0].message, "the kernel nests its statements deeper than 1000 levels");
}

TEST_F(EvalControl, MemoryLimit) {
  tree_.filled(Shape{64}, int32(0));
  tree_.filled(Shape{65}, int32(0));
  options_.local_bytes_limit = 512;
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::memory_limit);
  EXPECT_EQ(result.findings[0].message,
            "a local tensor of 260 bytes does not fit: 256 of 512 bytes are in use by the block");
}

TEST_F(EvalControl, ATensorOfAbsurdSizeIsRefusedWithoutOverflow) {
  tree_.filled(Shape{INT64_MAX, INT64_MAX}, int32(0));
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::memory_limit);
}

TEST_F(EvalControl, AWrongTreeIsAnInternalError) {
  tree_.add(Unary{tree_.tile(Shape{4}), OpId::exp_, at(tree_.tile(Shape{4})), {}});
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::internal_error);
  EXPECT_EQ(result.findings[0].kind, DiagKind::internal);
}

TEST_F(EvalControl, PrintFormats) {
  const Slot whole = variable(number(-3));
  const Slot half = tree_.filled(Shape{2, 2}, Scalar::from_double(Dtype::float16, 0.5));
  tree_.add(Print{{std::string("100% "), at(whole), std::string(" "), Operand{float32(1.5)},
                   std::string(" "), Operand{Scalar{Dtype::uint8, 250}}, std::string("\n")}});
  tree_.add(Print{{at(half)}});
  tree_.add(Print{{at(gm_)}});
  out_ = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(run().printed,
            "100% -3 1.500000 250\n"
            "float16 [2, 2]\n"
            "[[0.500000, 0.500000],\n"
            " [0.500000, 0.500000]]\n"
            "int32 [8]\n"
            "[1, 2, 3, 4, 5, 6, 7, 8]\n");
}

TEST_F(EvalControl, PrintIsOrderedByBlock) {
  const Slot block = tree_.block_idx();
  tree_.add(Print{{std::string("a"), at(block), std::string(";")}});
  tree_.add(Print{{std::string("b"), at(block), std::string(";")}});
  options_.blocks = 4;
  options_.threads = 4;
  EXPECT_EQ(run().printed, "a0;b0;a1;b1;a2;b2;a3;b3;");
}

TEST_F(EvalControl, PrintingAnEmptyTensorTakesNoLoopOverItsOtherDimensions) {
  const Slot empty = tree_.global(base_, numbers({2000000000, 0}), "empty");
  tree_.add(Print{{at(empty)}});
  EXPECT_EQ(run().printed, "int32 [2000000000, 0]\n[]\n");
}

TEST_F(EvalControl, PrintNamesTheSizeOfATensorBeyondEveryChip) {
  tree_.add(Print{{at(tree_.filled(Shape{524289}, int32(7)))}});
  EXPECT_EQ(run().printed, "int32 [524289]\n(524289 elements; at most 524288 are printed)\n");
}

TEST_F(EvalControl, PrintingWithoutEndIsALimit) {
  tree_.add(Print{{std::string(std::size_t{16} << 20, 'a')}});  // exactly the limit
  EXPECT_TRUE(run().findings.empty());
  tree_.add(Print{{std::string("b")}});
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::memory_limit);
  EXPECT_EQ(result.findings[0].message, "the block printed more than 16777216 bytes");
}

TEST_F(EvalControl, PrintingATensorDeclaredTooLargeIsATrap) {
  const Slot large = tree_.global(base_, numbers({9}), "large");
  tree_.add(Print{{at(large)}});
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].message,
            "device_print reads 1 element past the end of the array of 'large' (parameter "
            "'out_ptr')");
}

}  // namespace
}  // namespace ascemu::interp
