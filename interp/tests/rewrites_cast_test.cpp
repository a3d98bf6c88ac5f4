// Casts of casts (contract N17.1): which are folded and which are left.
#include "interp/tests/hand_tree.h"
#include "interp/tests/rewrites_fixture.h"

namespace ascemu::interp {
namespace {

TEST_F(Rewrites, ACastOfACastReadsTheFirstOperand) {
  store(cast(cast(tensor(Dtype::float32, kLine), Dtype::float16), Dtype::bfloat16));
  EXPECT_EQ(ops(), "float32->bfloat16");
}

TEST_F(Rewrites, ACastBackIsTheFirstOperand) {
  store(cast(cast(tensor(Dtype::float32, kLine), Dtype::float16), Dtype::float32));
  EXPECT_EQ(ops(), "float32->float32");
}

TEST_F(Rewrites, OtherChipsFoldToo) {
  for (const auto chip : {refops::Chip::ascend910b, refops::Chip::ascend910_93}) {
    make_for(refops::NumericMode::npu, chip);
    store(cast(cast(tensor(Dtype::float32, kLine), Dtype::float16), Dtype::float32));
    EXPECT_EQ(ops(), "float32->float32");
  }
}

TEST_F(Rewrites, IeeeAndFp64KeepEveryCast) {
  for (const auto mode : {refops::NumericMode::ieee, refops::NumericMode::fp64}) {
    make_for(mode);
    store(cast(cast(tensor(Dtype::float32, kLine), Dtype::float16), Dtype::float32));
    EXPECT_EQ(ops(), "float32->float16 float16->float32");
  }
}

TEST_F(Rewrites, AnIntermediateWithAnotherReaderStays) {
  const Value middle = cast(tensor(Dtype::float32, kLine), Dtype::float16);
  store(middle);
  store(cast(middle, Dtype::bfloat16));
  EXPECT_EQ(ops(), "float32->float16 float32->bfloat16");
}

TEST_F(Rewrites, APrintedIntermediateStays) {
  const Value middle = cast(tensor(Dtype::float32, kLine), Dtype::float16);
  ASSERT_TRUE(b.print({middle}).ok());
  store(cast(middle, Dtype::bfloat16));
  EXPECT_EQ(ops(), "float32->float16 float32->bfloat16");
}

TEST_F(Rewrites, LongChainsFoldAsFarAsTheyAreLegal) {
  const Value bytes = tensor(Dtype::int8, kLine);
  // int8 -> float32 is no pair; int8 -> int32 is.
  store(cast(cast(cast(bytes, Dtype::float16), Dtype::float32), Dtype::int32));
  EXPECT_EQ(ops(), "int8->int32");
}

TEST_F(Rewrites, AnIllegalDirectPairStays) {
  store(cast(cast(tensor(Dtype::int8, kLine), Dtype::float16), Dtype::float32));
  EXPECT_EQ(ops(), "int8->float16 float16->float32");
}

TEST_F(Rewrites, EqualModesFoldAndOthersDoNot) {
  const Value x = tensor(Dtype::float32, kLine);
  const auto pair = [&](RoundMode first, RoundMode second) {
    store(cast(cast(x, Dtype::float16, first), Dtype::bfloat16, second));
  };
  pair(RoundMode::floor, RoundMode::floor);
  pair(RoundMode::floor, RoundMode::ceil);
  pair(RoundMode::rint, kDefault);
  pair(kDefault, RoundMode::rint);
  EXPECT_EQ(ops(),
            "float32->bfloat16 float32->float16 float16->bfloat16 float32->float16 "
            "float16->bfloat16 float32->float16 float16->bfloat16");
}

TEST_F(Rewrites, AModeThatTheDirectPairLacksStays) {
  // float16 -> bfloat16 has no Odd, so a cast back to float16 is the only way to say it twice.
  const Value x = tensor(Dtype::float32, kLine);
  store(cast(cast(x, Dtype::float16, RoundMode::floor), Dtype::float32, kDefault));
  EXPECT_EQ(ops(), "float32->float16 float16->float32");
}

TEST_F(Rewrites, NothingFoldsThroughACopy) {
  const Value middle = cast(tensor(Dtype::float32, kLine), Dtype::float16);
  const Value copied = *b.copy(middle, std::nullopt, std::nullopt, Space::ub);
  store(cast(copied, Dtype::float32));
  EXPECT_EQ(ops(), "float32->float16 float16->float32");
}

TEST_F(Rewrites, NothingFoldsThroughALoop) {
  const Value x = tensor(Dtype::float32, kLine);
  const Value carried = *b.variable(cast(x, Dtype::float16));
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  store(cast(carried, Dtype::float32));
  ASSERT_TRUE(b.assign(std::vector{carried}, std::vector{cast(x, Dtype::float16)}).ok());
  ASSERT_TRUE(b.end_for().ok());
  store(cast(carried, Dtype::float32));
  EXPECT_EQ(ops(), "float32->float16 float16->float32 float32->float16 float16->float32");
}

TEST_F(Rewrites, NothingFoldsThroughABranch) {
  const Value x = tensor(Dtype::float32, kLine);
  const Value chosen = *b.variable(cast(x, Dtype::float16));
  const Value flag = *b.to_condition(scalar(Dtype::int32));
  ASSERT_TRUE(b.begin_if(flag).ok());
  ASSERT_TRUE(b.assign(std::vector{chosen}, std::vector{cast(x, Dtype::float16)}).ok());
  ASSERT_TRUE(b.end_if().ok());
  store(cast(chosen, Dtype::float32));
  EXPECT_EQ(ops(), "float32->float16 float32->float16 float16->float32");
}

TEST_F(Rewrites, CastsInsideOneIterationFold) {
  const Value carried = *b.variable(tensor(Dtype::float32, kLine));
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  const Value rounded = cast(cast(carried, Dtype::float16), Dtype::float32);
  ASSERT_TRUE(b.assign(std::vector{carried}, std::vector{rounded}).ok());
  ASSERT_TRUE(b.end_for().ok());
  store(carried);
  EXPECT_EQ(ops(), "float32->float32");
}

TEST_F(Rewrites, AnOperandThatIsReboundInBetweenStopsTheFold) {
  const Value x = *b.variable(tensor(Dtype::float32, kLine));
  const Value before = cast(x, Dtype::float16);
  ASSERT_TRUE(b.assign(std::vector{x}, std::vector{tensor(Dtype::float32, kLine)}).ok());
  store(cast(before, Dtype::float32));
  EXPECT_EQ(ops(), "float32->float16 float16->float32");
}

TEST_F(Rewrites, ALaterIterationStopsTheFold) {
  const Value x = *b.variable(tensor(Dtype::float32, kLine));
  const Value before = cast(x, Dtype::float16);
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  store(cast(before, Dtype::float32));
  ASSERT_TRUE(b.assign(std::vector{x}, std::vector{tensor(Dtype::float32, kLine)}).ok());
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(ops(), "float32->float16 float16->float32");
}

TEST_F(Rewrites, AnAccumulationInBetweenStopsTheFold) {
  const Value acc = *b.zeros_acc({16, 16}, Dtype::float32, std::nullopt);
  const auto accumulate = [&] {
    const Value left = tensor(Dtype::float16, {16, 16});
    const Value right = tensor(Dtype::float16, {16, 16});
    ASSERT_TRUE(b.matmul_acc(acc, left, right, false).ok());
  };
  accumulate();
  const Value before = cast(acc, Dtype::float16);
  const Value same_time = cast(before, Dtype::float32);
  accumulate();
  const Value later = cast(before, Dtype::float32);
  store(same_time);
  store(later);
  EXPECT_EQ(ops(), "float32->float16 float32->float32 float16->float32");
}

TEST(RewritesOfHandMadeTrees, ATreeRunsAsItIsUntilItIsRewritten) {
  using namespace test;
  HandTree tree;
  const Slot in = tree.global(tree.array("in", Dtype::float32), numbers({1}), "x");
  const Slot out = tree.global(tree.array("out", Dtype::float32), numbers({1}), "y");
  const Slot x = tree.copy_in(in, numbers({0}), {1});
  const Slot half = tree.tile({1}, Dtype::float16);
  tree.add(Cast{half, kDefault, test::at(x)});
  const Slot back = tree.tile({1});
  tree.add(Cast{back, kDefault, test::at(half)});
  tree.copy_out(back, out, numbers({0}));
  LaunchOptions options;
  tree.program.policy = {refops::NumericMode::npu, refops::Chip::ascend910b};
  std::vector<float> given{1 + 0x1p-20F};
  std::vector<float> stored{0};
  const auto run = [&] {
    const std::vector<Argument> arguments{array_of(given), array_of(stored)};
    EXPECT_EQ(messages(launch(tree.program, arguments, options)), "");
    return stored[0];
  };
  EXPECT_EQ(run(), 1);
  EXPECT_TRUE(apply_rewrites(tree.program, refops::behaviour_of({})).empty());
  EXPECT_EQ(run(), 1);
  EXPECT_TRUE(apply_rewrites(tree.program, refops::behaviour_of(tree.program.policy)).empty());
  EXPECT_EQ(run(), given[0]);
}

}  // namespace
}  // namespace ascemu::interp
