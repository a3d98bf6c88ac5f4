#include "interp/memory/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "interp/memory/poison.h"
#include "interp/value/runtime_value.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

using refops::Scalar;

TEST(LocalArena, CountsLiveBytesAsAskedFor) {
  LocalArena arena(1000);
  AllocationRef a = arena.acquire(100);
  AllocationRef b = arena.acquire(900);
  EXPECT_TRUE(a);
  EXPECT_TRUE(b);
  EXPECT_EQ(arena.live_bytes(), 1000U);
  a.reset();
  EXPECT_EQ(arena.live_bytes(), 900U);
  b.reset();
  EXPECT_EQ(arena.live_bytes(), 0U);
}

TEST(LocalArena, RefusesWhatTheLimitDoesNotAllow) {
  LocalArena arena(1000);
  const AllocationRef a = arena.acquire(600);
  EXPECT_FALSE(arena.acquire(401));
  EXPECT_TRUE(arena.acquire(400));
  EXPECT_FALSE(arena.acquire(SIZE_MAX));
  EXPECT_EQ(arena.live_bytes(), 600U);
}

TEST(LocalArena, HandsFreedBytesOutAgain) {
  LocalArena arena(1 << 20);
  AllocationRef a = arena.acquire(512);
  const Allocation* const first = a.get();
  a.reset();
  const AllocationRef b = arena.acquire(500);
  EXPECT_EQ(b.get(), first);
}

TEST(LocalArena, BytesAreAlignedAndWritableToTheEnd) {
  LocalArena arena(std::size_t{1} << 30);
  for (const std::size_t size : {1UL, 63UL, 64UL, 257UL, 4096UL, 5000UL, 1048577UL}) {
    const AllocationRef a = arena.acquire(size);
    ASSERT_TRUE(a) << size;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a->data()) % 64, 0U);
    EXPECT_GE(a->capacity_bytes, size);
    std::memset(a->data(), 1, size);
  }
}

TEST(LocalArena, SharedBytesStayUntilTheLastReferenceGoes) {
  LocalArena arena(1000);
  AllocationRef a = arena.acquire(1000);
  AllocationRef b = a;
  EXPECT_FALSE(a.is_unique());
  a.reset();
  EXPECT_EQ(arena.live_bytes(), 1000U);
  EXPECT_TRUE(b.is_unique());
  b.reset();
  EXPECT_EQ(arena.live_bytes(), 0U);
}

TEST(Poison, FloatsAreQuietNansWithAPayload) {
  EXPECT_EQ(poison_scalar(Dtype::float16).bits, 0x7EA5U);
  EXPECT_EQ(poison_scalar(Dtype::bfloat16).bits, 0x7FE5U);
  EXPECT_EQ(poison_scalar(Dtype::float32).bits, 0x7FE5A5A5U);
  EXPECT_EQ(poison_scalar(Dtype::float64).bits, 0x7FFDA5A5A5A5A5A5U);
}

TEST(Poison, IntegersAreA5BytesAndInt1IsOne) {
  EXPECT_EQ(poison_scalar(Dtype::int8).as_int(), -91);
  EXPECT_EQ(poison_scalar(Dtype::uint8).as_int(), 0xA5);
  EXPECT_EQ(poison_scalar(Dtype::int32).as_int(), static_cast<std::int32_t>(0xA5A5A5A5U));
  EXPECT_EQ(poison_scalar(Dtype::uint64).bits, 0xA5A5A5A5A5A5A5A5U);
  EXPECT_EQ(poison_scalar(Dtype::int1).bits, 1U);
}

TEST(RuntimeValue, AddressesStayAtTheEndsOfTheRange) {
  const Address base{2, 10};
  EXPECT_EQ(move_address(base, -4).offset_elems, 6);
  EXPECT_EQ(move_address(base, -4).array, 2U);
  EXPECT_EQ(move_address(base, INT64_MAX).offset_elems, INT64_MAX);
  EXPECT_EQ(move_address({0, -10}, INT64_MIN).offset_elems, INT64_MIN);
}

TEST(RuntimeValue, StridesOfADeclaredTensorAreRowMajorAndHeldAtTheLimit) {
  const Global plain = declare_global({0, 5}, Shape{3, 4, 5});
  EXPECT_EQ(plain.strides, (Shape{20, 5, 1}));
  EXPECT_EQ(plain.offset_elems, 5);
  const Global huge = declare_global({0, 0}, Shape{2, INT64_MAX, 2, 1});
  EXPECT_EQ(huge.strides, (Shape{INT64_MAX, 2, 1, 1}));
  const Global odd = declare_global({0, 0}, Shape{2, -3, 4});
  EXPECT_EQ(odd.strides, (Shape{0, 4, 1}));
}

}  // namespace
}  // namespace ascemu::interp
