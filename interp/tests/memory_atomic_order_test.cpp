#include "interp/memory/atomic_order.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

namespace ascemu::interp {
namespace {

using refops::ConstView;
using refops::Dtype;
using refops::OpId;
using refops::Shape;
using refops::View;

class AtomicOrderTest : public ::testing::Test {
 protected:
  // Adds to one element of the cell array.
  static ConstView source(const float& value) {
    return refops::contiguous_view(reinterpret_cast<const std::byte*>(&value), Dtype::float32,
                                   Shape{1});
  }
  View target(std::size_t cell) {
    return refops::contiguous_view(reinterpret_cast<std::byte*>(&cells_[cell]), Dtype::float32,
                                   Shape{1});
  }
  bool add(AtomicSession& session, std::size_t cell, float value) {
    return session.update(OpId::atomic_add_, policy_, source(value), target(cell));
  }

  refops::Policy policy_;
  std::array<float, 4> cells_{};
};

TEST_F(AtomicOrderTest, WithoutAnOrderUpdatesApplyAtOnce) {
  AtomicSession session;
  session.begin_block(nullptr, 3);
  EXPECT_TRUE(add(session, 0, 2));
  EXPECT_EQ(cells_[0], 2);
  EXPECT_FALSE(session.has_pending());
}

TEST_F(AtomicOrderTest, LaterBlocksWaitInTheLog) {
  AtomicOrder order(3, policy_);
  std::array<AtomicSession, 3> sessions;
  for (std::int64_t i = 0; i < 3; ++i) sessions[static_cast<std::size_t>(i)].begin_block(&order, i);
  // 1e8 + 1 - 1e8 in float32: 0 in order, 1 when the last block came first.
  EXPECT_TRUE(add(sessions[2], 0, -1e8F));
  EXPECT_TRUE(add(sessions[1], 0, 1));
  EXPECT_EQ(cells_[0], 0);
  sessions[2].end_phase(true);
  EXPECT_TRUE(add(sessions[0], 0, 1e8F));
  EXPECT_EQ(cells_[0], 1e8F);
  sessions[0].end_phase(true);
  EXPECT_EQ(cells_[0], 1e8F);  // block 1 still runs
  EXPECT_TRUE(order.has_turn(1));
  sessions[1].end_phase(true);
  EXPECT_EQ(cells_[0], 0);
  EXPECT_TRUE(order.has_turn(3));
}

TEST_F(AtomicOrderTest, TheTurnFlushesTheLogBeforeTheNextUpdate) {
  AtomicOrder order(2, policy_);
  AtomicSession first;
  AtomicSession second;
  first.begin_block(&order, 0);
  second.begin_block(&order, 1);
  EXPECT_TRUE(add(second, 0, 1));
  first.end_phase(true);
  EXPECT_TRUE(add(second, 0, 2));
  EXPECT_EQ(cells_[0], 3);
  EXPECT_FALSE(second.has_pending());
}

TEST_F(AtomicOrderTest, SettleAppliesOnlyWhenTheBytesOverlap) {
  AtomicOrder order(2, policy_);
  AtomicSession first;
  AtomicSession second;
  first.begin_block(&order, 0);
  second.begin_block(&order, 1);
  EXPECT_TRUE(add(second, 1, 5));
  const auto* const bytes = reinterpret_cast<const std::byte*>(cells_.data());
  EXPECT_TRUE(second.settle(bytes, bytes + 4));
  EXPECT_TRUE(second.settle(bytes + 8, bytes + 16));
  EXPECT_TRUE(second.has_pending());
  std::thread lower([&] { first.end_phase(true); });
  EXPECT_TRUE(second.settle(bytes + 4, bytes + 8));
  lower.join();
  EXPECT_EQ(cells_[1], 5);
  EXPECT_FALSE(second.has_pending());
}

TEST_F(AtomicOrderTest, AFullLogWaitsForTheTurn) {
  AtomicOrder order(2, policy_, 1);
  AtomicSession first;
  AtomicSession second;
  first.begin_block(&order, 0);
  second.begin_block(&order, 1);
  std::thread lower([&] {
    add(first, 0, 1);
    first.end_phase(true);
  });
  EXPECT_TRUE(add(second, 0, 2));
  lower.join();
  EXPECT_EQ(cells_[0], 3);
}

TEST_F(AtomicOrderTest, StopWakesTheWaiting) {
  AtomicOrder order(2, policy_, 1);
  AtomicSession second;
  second.begin_block(&order, 1);
  std::thread stopper([&] { order.stop(); });
  EXPECT_FALSE(add(second, 0, 2));
  stopper.join();
}

TEST_F(AtomicOrderTest, ABarrierCommitsInBlockOrderAndStartsAnew) {
  AtomicOrder order(3, policy_);
  std::array<AtomicSession, 3> sessions;
  for (std::int64_t i = 0; i < 3; ++i) sessions[static_cast<std::size_t>(i)].begin_block(&order, i);
  EXPECT_TRUE(add(sessions[2], 0, -1e8F));
  EXPECT_TRUE(add(sessions[1], 0, 1e8F));
  EXPECT_TRUE(add(sessions[0], 0, 1));
  sessions[2].end_phase(false);
  sessions[0].end_phase(true);  // finished: never runs again
  sessions[1].end_phase(false);
  EXPECT_EQ(cells_[0], 0);
  order.begin_phase();
  EXPECT_TRUE(order.has_turn(1));
  EXPECT_TRUE(add(sessions[2], 1, 7));
  EXPECT_EQ(cells_[1], 0);
  sessions[2].end_phase(true);
  sessions[1].end_phase(true);
  EXPECT_EQ(cells_[1], 7);
}

}  // namespace
}  // namespace ascemu::interp
