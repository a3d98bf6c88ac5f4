#include "refops/target/behaviour.h"

#include <gtest/gtest.h>

#include "refops/target/settle.h"
#include "refops/tests/policies.h"

namespace ascemu::refops {
namespace {

TEST(Behaviour, OnlyTheModeNpuDependsOnTheChip) {
  for (const auto mode : {NumericMode::ieee, NumericMode::fp64}) {
    for (const auto chip : {Chip::ascend910b, Chip::ascend910_93, Chip::ascend950pr}) {
      const Behaviour& behaviour = behaviour_of({mode, chip, true});
      EXPECT_EQ(&behaviour, &behaviour_of({mode, Chip::ascend950pr, false}));
      EXPECT_EQ(behaviour.computes_in_double, mode == NumericMode::fp64);
      EXPECT_FALSE(behaviour.saturates_halves);
      EXPECT_FALSE(behaviour.rewrites);
    }
  }
}

TEST(Behaviour, SaturationExistsOnTheTwoOlderChips) {
  EXPECT_TRUE(behaviour_of(on(Chip::ascend910b, true)).saturates_halves);
  EXPECT_TRUE(behaviour_of(on(Chip::ascend910_93, true)).saturates_halves);
  EXPECT_FALSE(behaviour_of(on(Chip::ascend950pr, true)).saturates_halves);
  EXPECT_FALSE(behaviour_of(on(Chip::ascend910b)).saturates_halves);
}

TEST(Settle, NanTakesTheTargetsPatternAndSaturationClampsHalves) {
  const Behaviour& plain = behaviour_of(on(Chip::ascend910b));
  const Behaviour& clamping = behaviour_of(on(Chip::ascend910b, true));
  const auto half = [](const Behaviour& b, std::uint16_t bits) {
    return settled(b, Float16::from_bits(bits)).bits;
  };
  const auto bhalf = [](const Behaviour& b, std::uint16_t bits) {
    return settled(b, Bfloat16::from_bits(bits)).bits;
  };
  EXPECT_EQ(half(plain, 0xFE00), 0x7FFF);
  EXPECT_EQ(half(plain, 0x7C00), 0x7C00);
  EXPECT_EQ(half(clamping, 0x7C00), 0x7BFF);
  EXPECT_EQ(half(clamping, 0xFC00), 0xFBFF);
  EXPECT_EQ(half(clamping, 0x7E00), 0x0000);
  EXPECT_EQ(half(clamping, 0x7BFF), 0x7BFF);
  EXPECT_EQ(bhalf(plain, 0xFFC0), 0x7FFF);
  EXPECT_EQ(bhalf(clamping, 0xFF80), 0xFF7F);
  EXPECT_EQ(bhalf(clamping, 0x7FC0), 0x0000);
  std::array<std::uint32_t, 3> floats{0x7FC00001, 0xFF800000, 0x80000001};
  settle(clamping, Dtype::float32, reinterpret_cast<std::byte*>(floats.data()), 3);
  EXPECT_EQ(floats, (std::array<std::uint32_t, 3>{0x7FFFFFFF, 0xFF800000, 0x80000001}));
  settle(behaviour_of({}), Dtype::float32, reinterpret_cast<std::byte*>(floats.data()), 3);
  EXPECT_EQ(floats[0], 0x7FC00000U);
}

TEST(Settle, FlushOfOperandsKeepsTheSignAndOfResultsDoesNot) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(flushed_operand(-0x1p-149F)), 0x80000000U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(flushed_result(-0x1p-149F)), 0U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(flushed_result(-0.0F)), 0x80000000U);
  EXPECT_EQ(flushed_operand(0x1p-126F), 0x1p-126F);
  EXPECT_EQ(flushed_operand(Float16::from_bits(0x83FF)).bits, 0x8000);
  EXPECT_EQ(flushed_result(Float16::from_bits(0x83FF)).bits, 0x0000);
  EXPECT_EQ(flushed_operand(Float16::from_bits(0x0400)).bits, 0x0400);
}

}  // namespace
}  // namespace ascemu::refops
