// Orders of the blocks: their texts, what kernels with and without races give under each.
#include "interp/launch/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "interp/launch/launch.h"
#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;
using Kind = Schedule::Kind;
using Blocks = std::vector<std::int64_t>;

constexpr Schedule kChosen[] = {
    {Kind::sequential, 0}, {Kind::reverse, 0}, {Kind::random, 7}, {Kind::interleave, 0}};

TEST(Schedule, ReadsItsTexts) {
  const auto parsed = [](std::string_view text) { return Schedule::parse(text).value().kind; };
  EXPECT_EQ(parsed("parallel"), Kind::parallel);
  EXPECT_EQ(parsed("sequential"), Kind::sequential);
  EXPECT_EQ(parsed("reverse"), Kind::reverse);
  EXPECT_EQ(parsed("random"), Kind::random);
  EXPECT_EQ(parsed("interleave"), Kind::interleave);
  EXPECT_EQ(Schedule::parse("random:18446744073709551615").value().seed, UINT64_MAX);
  for (const std::string_view bad : {"", "backwards", "random:", "random:-1", "random:1x",
                                     "random:18446744073709551616", "reverse:1"})
    EXPECT_FALSE(Schedule::parse(bad).has_value()) << bad;
}

TEST(Schedule, OrdersBlocks) {
  EXPECT_EQ((Schedule{Kind::parallel, 0}.order(4)), (Blocks{0, 1, 2, 3}));
  EXPECT_EQ((Schedule{Kind::sequential, 0}.order(4)), (Blocks{0, 1, 2, 3}));
  EXPECT_EQ((Schedule{Kind::interleave, 0}.order(4)), (Blocks{0, 1, 2, 3}));
  EXPECT_EQ((Schedule{Kind::reverse, 0}.order(4)), (Blocks{3, 2, 1, 0}));
  const Blocks drawn = Schedule{Kind::random, 1}.order(20);
  EXPECT_EQ(drawn, (Schedule{Kind::random, 1}.order(20)));
  EXPECT_NE(drawn, (Schedule{Kind::random, 2}.order(20)));
  EXPECT_TRUE(std::ranges::is_permutation(drawn, Schedule{}.order(20)));
}

class ScheduleTest : public ::testing::Test {
 protected:
  ScheduleTest() { base_ = tree_.array("x_ptr", Dtype::float32); }
  void set_size(std::int64_t count) {
    x_.assign(static_cast<std::size_t>(count), 0);
    gm_ = tree_.global(base_, numbers({count}), "x_gm");
  }
  LaunchResult run(std::int64_t blocks, const Schedule& schedule) {
    std::ranges::fill(x_, 0.0F);
    options_.blocks = blocks;
    options_.schedule = schedule;
    const std::vector<Argument> arguments{array_of(x_)};
    return launch(tree_.program, arguments, options_);
  }
  Slot as_float(Slot value) {
    const Slot made = tree_.scalar(Dtype::float32);
    tree_.add(ScalarCast{made, Dtype::float32, at(value)});
    return made;
  }
  Slot load(std::int64_t position) {
    const Slot made = tree_.scalar(Dtype::float32);
    tree_.add(LoadScalar{made, at(gm_), numbers({position})});
    return made;
  }
  void store(Slot value, Operand position) {
    tree_.add(StoreScalar{at(value), at(gm_), {position}});
  }
  Slot plus(Slot a, Scalar b) {
    return tree_.scalar_binary(ScalarOp::add, at(a), Constant{b}, b.dtype);
  }
  void sync() {
    tree_.program.has_barrier = true;
    tree_.add(SyncAll{});
  }

  HandTree tree_;
  LaunchOptions options_ = without_races();
  const std::atomic<bool> stopped_{true};
  std::vector<float> x_;
  Slot base_ = 0;
  Slot gm_ = 0;
};

// A racy counter: x[1 + block] = x[0], x[0] += 1.
TEST_F(ScheduleTest, ARaceShowsTheOrder) {
  set_size(5);
  const Slot block = tree_.block_idx();
  const Slot seen = load(0);
  store(seen, at(plus(block, int32(1))));
  store(plus(seen, float32(1)), number(0));
  for (const Schedule& schedule : kChosen) {
    EXPECT_EQ(messages(run(4, schedule)), "");
    if (schedule.kind == Kind::interleave) {
      EXPECT_EQ(x_, (std::vector<float>{1, 0, 0, 0, 0}));
      continue;
    }
    std::vector<float> expected{4, 0, 0, 0, 0};
    float count = 0;
    for (const std::int64_t b : schedule.order(4))
      expected[static_cast<std::size_t>(b + 1)] = count++;
    EXPECT_EQ(x_, expected);
  }
}

// Every block reads x[0] before any block stores to it, as many blocks as are under way at a time.
TEST_F(ScheduleTest, InterleavesSixtyFourBlocksAtATime) {
  set_size(1);
  const Slot block = tree_.block_idx();
  static_cast<void>(block);
  store(plus(load(0), float32(1)), number(0));
  EXPECT_EQ(messages(run(64, {Kind::interleave, 0})), "");
  EXPECT_EQ(x_[0], 1);
  EXPECT_EQ(messages(run(65, {Kind::interleave, 0})), "");
  EXPECT_EQ(x_[0], 2);
  EXPECT_EQ(messages(run(65, {Kind::reverse, 0})), "");
  EXPECT_EQ(x_[0], 65);
}

TEST_F(ScheduleTest, AtomicsCommitInBlockOrderUnderEvery) {
  set_size(41);
  options_.checks["ordering"] = CheckLevel::off;
  const Slot block = tree_.block_idx();
  const Slot shifted = plus(as_float(block), float32(0.1));
  const Slot value = tree_.scalar_binary(ScalarOp::div, float32(1e7), at(shifted), Dtype::float32);
  const Slot tile = tree_.tile(Shape{1});
  tree_.add(Fill{tile, at(value)});
  tree_.add(Atomic{OpId::atomic_add_, at(tile), at(gm_), numbers({0})});
  const Slot own = plus(block, int32(1));
  tree_.add(Atomic{OpId::atomic_add_, at(tile), at(gm_), {at(own)}});
  const Slot back = tree_.scalar(Dtype::float32);
  tree_.add(LoadScalar{back, at(gm_), {at(own)}});
  store(plus(back, float32(1)), at(own));
  std::vector<float> expected(41, 0.0F);
  float backwards = 0;
  for (int b = 0; b < 40; ++b) {
    const float v = 1e7F / (static_cast<float>(b) + 0.1F);
    expected[0] += v;
    expected[static_cast<std::size_t>(b + 1)] = v + 1;
  }
  for (int b = 39; b >= 0; --b) backwards += 1e7F / (static_cast<float>(b) + 0.1F);
  ASSERT_NE(expected[0], backwards);
  for (const Schedule& schedule : kChosen) {
    EXPECT_EQ(messages(run(40, schedule)), "");
    EXPECT_EQ(x_, expected) << static_cast<int>(schedule.kind);
  }
}

// Phase one: x[b] = b + 1. Phase two: x[9 + b] = x[8 - b].
TEST_F(ScheduleTest, BlocksMeetAtBarriersUnderEvery) {
  set_size(18);
  const Slot block = tree_.block_idx();
  store(plus(as_float(block), float32(1)), at(block));
  sync();
  const Slot read = tree_.scalar(Dtype::float32);
  const Slot mirrored = tree_.scalar_binary(ScalarOp::sub, number(8), at(block));
  tree_.add(LoadScalar{read, at(gm_), {at(mirrored)}});
  store(read, at(plus(block, int32(9))));
  std::vector<float> expected;
  for (int b = 1; b <= 9; ++b) expected.push_back(static_cast<float>(b));
  for (int b = 9; b >= 1; --b) expected.push_back(static_cast<float>(b));
  for (const Schedule& schedule : kChosen) {
    EXPECT_EQ(messages(run(9, schedule)), "");
    EXPECT_EQ(x_, expected) << static_cast<int>(schedule.kind);
  }
}

TEST_F(ScheduleTest, ADeadlockIsFoundUnderEvery) {
  set_size(1);
  const Slot block = tree_.block_idx();
  Stmt& stmt = tree_.add(If{at(block), {}, {}});
  tree_.begin(std::get<If>(stmt.node).then_block);
  sync();
  tree_.end();
  for (const Schedule& schedule : kChosen) {
    EXPECT_EQ(messages(run(4, schedule)),
              "3 of 4 blocks wait at asc.sync_all() for blocks that have ended\n");
  }
}

TEST_F(ScheduleTest, TheFirstErrorIsThatOfTheBlockThatRanFirst) {
  set_size(4);
  const Slot block = tree_.block_idx();
  store(as_float(block), at(plus(block, int32(4))));
  options_.stop_at_first = true;
  const LaunchResult forward = run(4, {Kind::sequential, 0});
  ASSERT_EQ(forward.findings.size(), 1U);
  EXPECT_EQ(forward.findings[0].block, 0);
  const LaunchResult backward = run(4, {Kind::reverse, 0});
  ASSERT_EQ(backward.findings.size(), 1U);
  EXPECT_EQ(backward.findings[0].block, 3);
}

TEST_F(ScheduleTest, TheStopFlagEndsEvery) {
  set_size(1);
  const Slot block = tree_.block_idx();
  Stmt& stmt = tree_.add(If{at(block), {}, {}});
  tree_.begin(std::get<If>(stmt.node).then_block);
  sync();
  tree_.end();
  tree_.add(While{{}, number(1), {}});
  options_.stop = &stopped_;
  for (const Schedule& schedule : kChosen) {
    const LaunchResult result = run(3, schedule);
    EXPECT_TRUE(result.interrupted);
    EXPECT_TRUE(result.findings.empty());
  }
}

}  // namespace
}  // namespace ascemu::interp
