// Blocks on threads: determinism of atomics, barriers, deadlocks, stopping.
#include "interp/launch/launch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <numeric>
#include <thread>
#include <vector>

#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

class LaunchTest : public ::testing::Test {
 protected:
  LaunchTest() { base_ = tree_.array("x_ptr", Dtype::float32); }
  void set_size(std::int64_t count) {
    x_.assign(static_cast<std::size_t>(count), 0);
    gm_ = tree_.global(base_, numbers({count}), "x_gm");
  }
  LaunchResult run(std::int64_t blocks, int threads) {
    options_.blocks = blocks;
    options_.threads = threads;
    const std::vector<Argument> arguments{array_of(x_)};
    return launch(tree_.program, arguments, options_);
  }
  void sync() {
    tree_.program.has_barrier = true;
    tree_.add(SyncAll{});
  }
  // A float32 that depends on the block in a way that makes sums order-dependent.
  Slot rough(Slot block) {
    const Slot scale = tree_.scalar(Dtype::float32);
    tree_.add(ScalarCast{scale, Dtype::float32, at(block)});
    const Slot shifted =
        tree_.scalar_binary(ScalarOp::add, at(scale), float32(0.1), Dtype::float32);
    return tree_.scalar_binary(ScalarOp::div, float32(1e7), at(shifted), Dtype::float32);
  }

  HandTree tree_;
  LaunchOptions options_ = without_races();
  std::vector<float> x_;
  Slot base_ = 0;
  Slot gm_ = 0;
};

TEST_F(LaunchTest, FloatAtomicsHaveTheSameBitsOnAnyNumberOfThreads) {
  set_size(64);
  const Slot block = tree_.block_idx();
  const Slot value = rough(block);
  const Slot tile = tree_.tile(Shape{64});
  tree_.add(Fill{tile, at(value)});
  tree_.begin_for(number(0), number(5), number(1));
  tree_.add(Atomic{OpId::atomic_add_, at(tile), at(gm_), numbers({0})});
  tree_.end();
  float expected = 0;
  for (int b = 0; b < 40; ++b) {
    const float v = 1e7F / (static_cast<float>(b) + 0.1F);
    for (int i = 0; i < 5; ++i) expected += v;
  }
  float backwards = 0;
  for (int b = 39; b >= 0; --b) {
    const float v = 1e7F / (static_cast<float>(b) + 0.1F);
    for (int i = 0; i < 5; ++i) backwards += v;
  }
  ASSERT_NE(expected, backwards);
  for (const int threads : {1, 2, 8}) {
    for (int round = 0; round < 5; ++round) {
      std::fill(x_.begin(), x_.end(), 0.0F);
      EXPECT_EQ(messages(run(40, threads)), "");
      EXPECT_EQ(x_, std::vector<float>(64, expected)) << threads;
    }
  }
}

TEST_F(LaunchTest, ABlockSeesItsOwnAtomicUpdates) {
  set_size(128);
  const Slot block = tree_.block_idx();
  const Slot mine = tree_.scalar_binary(ScalarOp::mul, at(block), number(2));
  const Slot one = tree_.filled(Shape{1}, float32(3));
  tree_.add(Atomic{OpId::atomic_add_, at(one), at(gm_), {at(mine)}});
  const Slot back = tree_.scalar(Dtype::float32);
  tree_.add(LoadScalar{back, at(gm_), {at(mine)}});
  const Slot next = tree_.scalar_binary(ScalarOp::add, at(mine), number(1));
  tree_.add(StoreScalar{at(back), at(gm_), {at(next)}});
  for (const int threads : {1, 2, 8}) {
    std::fill(x_.begin(), x_.end(), 0.0F);
    run(64, threads);
    EXPECT_EQ(x_, std::vector<float>(128, 3.0F));
  }
}

TEST_F(LaunchTest, AFailedBlockStillCommitsWhatItUpdated) {
  set_size(1);
  const Slot block = tree_.block_idx();
  const Slot one = tree_.filled(Shape{1}, float32(1));
  tree_.add(Atomic{OpId::atomic_add_, at(one), at(gm_), numbers({0})});
  tree_.add(DeviceAssert{at(block), ""});
  const LaunchResult result = run(10, 4);
  EXPECT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(x_[0], 10);
}

// Phase one: x[b] = b + 1. Phase two: x[n + b] = x[n - 1 - b].
TEST_F(LaunchTest, BarrierOf72Blocks) {
  set_size(144);
  const Slot block = tree_.block_idx();
  const Slot scale = tree_.scalar(Dtype::float32);
  tree_.add(ScalarCast{scale, Dtype::float32, at(block)});
  const Slot value = tree_.scalar_binary(ScalarOp::add, at(scale), float32(1), Dtype::float32);
  tree_.add(StoreScalar{at(value), at(gm_), {at(block)}});
  sync();
  const Slot mirrored = tree_.scalar_binary(ScalarOp::sub, number(71), at(block));
  const Slot read = tree_.scalar(Dtype::float32);
  tree_.add(LoadScalar{read, at(gm_), {at(mirrored)}});
  const Slot target = tree_.scalar_binary(ScalarOp::add, number(72), at(block));
  tree_.add(StoreScalar{at(read), at(gm_), {at(target)}});
  for (const int threads : {1, 2}) {
    std::fill(x_.begin(), x_.end(), 0.0F);
    EXPECT_EQ(messages(run(72, threads)), "");
    for (std::size_t b = 0; b < 72; ++b) {
      EXPECT_EQ(x_[b], static_cast<float>(b + 1));
      EXPECT_EQ(x_[72 + b], static_cast<float>(72 - b));
    }
  }
}

TEST_F(LaunchTest, AtomicsCommitInOrderAtEveryBarrier) {
  set_size(17);
  const Slot block = tree_.block_idx();
  const Slot value = rough(block);
  const Slot tile = tree_.tile(Shape{1});
  tree_.add(Fill{tile, at(value)});
  const Slot i = tree_.begin_for(number(0), number(3), number(1));
  static_cast<void>(i);
  tree_.add(Atomic{OpId::atomic_add_, at(tile), at(gm_), numbers({0})});
  sync();
  tree_.end();
  const Slot read = tree_.scalar(Dtype::float32);
  tree_.add(LoadScalar{read, at(gm_), numbers({0})});
  tree_.add(StoreScalar{
      at(read), at(gm_), {at(tree_.scalar_binary(ScalarOp::add, at(block), number(1)))}});
  float expected = 0;
  for (int round = 0; round < 3; ++round) {
    for (int b = 0; b < 16; ++b) expected += 1e7F / (static_cast<float>(b) + 0.1F);
  }
  for (int round = 0; round < 10; ++round) {
    std::fill(x_.begin(), x_.end(), 0.0F);
    EXPECT_EQ(messages(run(16, 2)), "");
    EXPECT_EQ(x_, std::vector<float>(17, expected));
  }
}

TEST_F(LaunchTest, ABarrierThatASubsetNeverReachesIsADeadlock) {
  set_size(8);
  const Slot block = tree_.block_idx();
  const Slot late = tree_.scalar_binary(ScalarOp::greater_equal, at(block), number(2), Dtype::int1);
  Stmt& stmt = tree_.add(If{at(late), {}, {}});
  tree_.begin(std::get<If>(stmt.node).then_block);
  sync();
  tree_.end();
  const LaunchResult result = run(8, 2);
  ASSERT_EQ(result.findings.size(), 1U);
  const Diagnostic& deadlock = result.findings[0];
  EXPECT_EQ(deadlock.code, Code::barrier_deadlock);
  EXPECT_EQ(deadlock.message, "6 of 8 blocks wait at asc.sync_all() for blocks that have ended");
  EXPECT_EQ(deadlock.notes,
            (std::vector<std::string>{"waiting at line 5: blocks 2-7", "ended: blocks 0-1"}));
  EXPECT_EQ(deadlock.block, 2);
  EXPECT_EQ(deadlock.block_count, 8);
  EXPECT_EQ(tree_.program.sources.spans[deadlock.span].line, 5);
}

TEST_F(LaunchTest, BlocksMayMeetAtDifferentStatements) {
  set_size(2);
  const Slot block = tree_.block_idx();
  Stmt& stmt = tree_.add(If{at(block), {}, {}});
  auto& branch = std::get<If>(stmt.node);
  tree_.begin(branch.then_block);
  sync();
  tree_.end();
  tree_.begin(branch.else_block);
  sync();
  tree_.end();
  EXPECT_EQ(messages(run(2, 2)), "");
}

TEST_F(LaunchTest, DeadlockNamesEveryPlaceOfWaiting) {
  set_size(2);
  const Slot block = tree_.block_idx();
  const Slot is_last = tree_.scalar_binary(ScalarOp::equal, at(block), number(3), Dtype::int1);
  Stmt& outer = tree_.add(If{at(is_last), {}, {}});
  tree_.begin(std::get<If>(outer.node).else_block);
  const Slot odd = tree_.scalar_binary(ScalarOp::rem, at(block), number(2));
  Stmt& stmt = tree_.add(If{at(odd), {}, {}});
  auto& branch = std::get<If>(stmt.node);
  tree_.begin(branch.then_block);
  sync();
  tree_.end();
  tree_.begin(branch.else_block);
  sync();
  tree_.end();
  tree_.end();
  const LaunchResult result = run(4, 2);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].notes,
            (std::vector<std::string>{"waiting at line 7: block 1",
                                      "waiting at line 8: blocks 0, 2", "ended: block 3"}));
  ASSERT_EQ(result.findings[0].labels.size(), 1U);
  EXPECT_EQ(result.findings[0].labels[0].text, "block 1 wait here");
}

TEST_F(LaunchTest, AFaultWhileOthersWaitIsWhatIsReported) {
  set_size(8);
  const Slot block = tree_.block_idx();
  const Slot fine = tree_.scalar_binary(ScalarOp::not_equal, at(block), number(5), Dtype::int1);
  tree_.add(DeviceAssert{at(fine), "five"});
  sync();
  tree_.add(StoreScalar{float32(1), at(gm_), {at(block)}});
  const LaunchResult result = run(8, 2);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].message, "assertion failed: five");
  EXPECT_EQ(result.findings[0].block, 5);
  EXPECT_EQ(x_, std::vector<float>(8, 0));
}

TEST_F(LaunchTest, AStepLimitWhileOthersWaitEndsTheLaunch) {
  set_size(1);
  const Slot block = tree_.block_idx();
  Stmt& stmt = tree_.add(If{at(block), {}, {}});
  auto& branch = std::get<If>(stmt.node);
  tree_.begin(branch.then_block);
  tree_.add(While{{}, number(1), {}});
  tree_.end();
  sync();
  options_.max_steps = 10000;
  const LaunchResult result = run(2, 2);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::step_limit);
  EXPECT_EQ(result.findings[0].block, 1);
}

TEST_F(LaunchTest, OneBlockPassesItsBarriers) {
  set_size(1);
  sync();
  sync();
  EXPECT_EQ(messages(run(1, 2)), "");
}

TEST_F(LaunchTest, TheStopFlagEndsAnEndlessLaunch) {
  set_size(1);
  tree_.add(While{{}, number(1), {}});
  std::atomic<bool> stop{false};
  options_.stop = &stop;
  std::thread setter([&stop] { stop.store(true); });
  const LaunchResult result = run(4, 2);
  setter.join();
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(LaunchTest, TheStopFlagEndsBlocksAtABarrier) {
  set_size(1);
  const Slot block = tree_.block_idx();
  Stmt& stmt = tree_.add(If{at(block), {}, {}});
  tree_.begin(std::get<If>(stmt.node).then_block);
  tree_.add(While{{}, number(1), {}});
  tree_.end();
  sync();
  std::atomic<bool> stop{false};
  options_.stop = &stop;
  std::thread setter([&stop] { stop.store(true); });
  EXPECT_TRUE(run(3, 2).interrupted);
  setter.join();
}

TEST_F(LaunchTest, StepLimitStopsTheOtherBlocks) {
  set_size(1000);
  const Slot block = tree_.block_idx();
  tree_.add(
      While{{}, at(tree_.scalar_binary(ScalarOp::equal, at(block), number(0), Dtype::int1)), {}});
  tree_.add(StoreScalar{float32(1), at(gm_), {at(block)}});
  options_.max_steps = 50;
  const LaunchResult result = run(1000, 1);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::step_limit);
  EXPECT_EQ(x_[1], 0);
}

TEST_F(LaunchTest, ScalarArgumentsReachTheirSlots) {
  set_size(4);
  const Slot n = tree_.scalar_param("n", Dtype::int32);
  tree_.add(StoreScalar{float32(7), at(gm_), {at(n)}});
  const std::vector<Argument> arguments{array_of(x_), int32(2)};
  EXPECT_EQ(messages(launch(tree_.program, arguments, {})), "");
  EXPECT_EQ(x_, (std::vector<float>{0, 0, 7, 0}));
}

TEST_F(LaunchTest, MismatchedArgumentsAreInternalErrors) {
  set_size(4);
  tree_.scalar_param("n", Dtype::int32);
  const auto message = [&](const std::vector<Argument>& arguments) {
    const LaunchResult result = launch(tree_.program, arguments, options_);
    EXPECT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings.at(0).code, Code::internal_error);
    return result.findings.at(0).message;
  };
  EXPECT_EQ(message({array_of(x_)}), "1 arguments for 2 parameters");
  EXPECT_EQ(message({int32(1), int32(1)}), "parameter 'x_ptr' needs an array");
  EXPECT_EQ(message({array_of(x_), float32(1)}), "parameter 'n' needs a scalar of its dtype");
  EXPECT_EQ(message({ArrayArgument{nullptr, 4, true}, int32(1)}),
            "the array of parameter 'x_ptr' has no bytes");
  options_.blocks = 0;
  EXPECT_EQ(message({array_of(x_), int32(1)}), "a launch of 0 blocks");
}

TEST_F(LaunchTest, AnEmptyArrayIsNeverTouched) {
  set_size(0);
  const Slot tile = tree_.filled(Shape{4}, float32(1));
  tree_.copy_out(tile, gm_, numbers({0}));
  const std::vector<Argument> arguments{ArrayArgument{nullptr, 0, true}};
  EXPECT_EQ(messages(launch(tree_.program, arguments, {})), "");
}

}  // namespace
}  // namespace ascemu::interp
