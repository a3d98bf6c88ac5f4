// Floats stored as float64: what a load and a store do to every pattern (N19, N2.3).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "interp/memory/poison.h"
#include "interp/memory/storage_conversion.h"
#include "refops/bfloat16.h"
#include "refops/float16.h"

namespace ascemu::interp {
namespace {

using refops::Bfloat16;
using refops::Dtype;
using refops::Float16;
using refops::Scalar;

double widened(Dtype dtype, std::uint64_t pattern) {
  return std::bit_cast<double>(moved_scalar(Scalar{dtype, pattern}, Dtype::float64).bits);
}
std::uint64_t narrowed(Dtype dtype, double value) {
  return moved_scalar(Scalar{Dtype::float64, std::bit_cast<std::uint64_t>(value)}, dtype).bits;
}

TEST(StorageConversion, EveryHalfPatternComesBack) {
  for (std::uint64_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
      const float value = dtype == Dtype::float16 ? Float16::from_bits(bits).to_float()
                                                  : Bfloat16::from_bits(bits).to_float();
      const double wide = widened(dtype, pattern);
      ASSERT_EQ(std::signbit(wide), (pattern & 0x8000) != 0) << pattern;
      ASSERT_TRUE(std::isnan(value) ? std::isnan(wide) : wide == value) << pattern;
      ASSERT_EQ(narrowed(dtype, wide), pattern);
    }
  }
}

TEST(StorageConversion, Float32PatternsComeBack) {
  std::mt19937_64 random(7);
  std::vector<std::uint32_t> patterns{0,          0x80000000, 1,          0x80000001, 0x007FFFFF,
                                      0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFBFFFFF,
                                      0x7FC00000, 0xFFFFFFFF, 0x7FE5A5A5};
  for (int i = 0; i < 200000; ++i) patterns.push_back(static_cast<std::uint32_t>(random()));
  for (int i = 0; i < 50000; ++i)
    patterns.push_back(0x7F800000U | static_cast<std::uint32_t>(random() & 0x807FFFFF));
  for (const std::uint32_t pattern : patterns) {
    const auto value = std::bit_cast<float>(pattern);
    const double wide = widened(Dtype::float32, pattern);
    ASSERT_TRUE(std::isnan(value) ? std::isnan(wide) : wide == value) << pattern;
    ASSERT_EQ(narrowed(Dtype::float32, wide), pattern);
  }
}

// The numbers a store decides between are neighbours a and b of the array's dtype: the middle goes
// to the even one, and the next double on either side to the nearer one. A store by way of float32
// would take all three for the middle.
void check_neighbours(Dtype dtype, std::uint64_t a, std::uint64_t b) {
  const double low = widened(dtype, a);
  const double high = widened(dtype, b);
  const double middle = low + (high - low) / 2;
  const std::uint64_t even = (a & 1U) == 0 ? a : b;
  ASSERT_EQ(narrowed(dtype, middle), even) << a;
  ASSERT_EQ(narrowed(dtype, std::nextafter(middle, low)), a) << a;
  ASSERT_EQ(narrowed(dtype, std::nextafter(middle, high)), b) << a;
  ASSERT_EQ(static_cast<float>(std::nextafter(middle, high)), static_cast<float>(middle));
}

TEST(StorageConversion, StoresRoundOnceToNearestEven) {
  for (std::uint64_t pattern = 0; pattern < 0x7BFF; ++pattern)
    check_neighbours(Dtype::float16, pattern, pattern + 1);
  // bfloat16 has numbers below float32's normal range; there float32 still holds the middles.
  for (std::uint64_t pattern = 0; pattern < 0x7F7F; ++pattern)
    check_neighbours(Dtype::bfloat16, pattern, pattern + 1);
  EXPECT_EQ(narrowed(Dtype::float32, 1 + 0x1p-24), 0x3F800000U);
  EXPECT_EQ(narrowed(Dtype::float32, 1 + 0x1p-24 + 0x1p-50), 0x3F800001U);
  EXPECT_EQ(narrowed(Dtype::float32, -0x1p-150), 0x80000000U);
}

TEST(StorageConversion, NumbersPastTheLargestBecomeInfinite) {
  EXPECT_EQ(narrowed(Dtype::float16, std::nextafter(65520.0, 0)), 0x7BFFU);
  EXPECT_EQ(narrowed(Dtype::float16, -65520.0), 0xFC00U);
  EXPECT_EQ(narrowed(Dtype::bfloat16, 1e300), 0x7F80U);
  EXPECT_EQ(narrowed(Dtype::float32, 3.4028235677973366e38), 0x7F800000U);
}

TEST(StorageConversion, ComputedNanIsTheCanonicalOne) {
  EXPECT_EQ(narrowed(Dtype::float16, std::nan("")), 0x7E00U);
  EXPECT_EQ(narrowed(Dtype::bfloat16, std::nan("")), 0x7FC0U);
  EXPECT_EQ(narrowed(Dtype::float32, std::nan("")), 0x7FC00000U);
  // A payload that the narrow dtype has no bits for stays a NaN.
  EXPECT_EQ(narrowed(Dtype::float16, std::bit_cast<double>(0xFFF0000000000001U)), 0xFE00U);
}

TEST(StorageConversion, PoisonIsThatOfTheDeclaredDtype) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16, Dtype::float32}) {
    const Scalar poison = poison_scalar(dtype, Dtype::float64);
    EXPECT_EQ(poison.dtype, Dtype::float64);
    EXPECT_TRUE(std::isnan(poison.as_double()));
    EXPECT_NE(poison.bits, std::bit_cast<std::uint64_t>(std::nan("")));
    EXPECT_EQ(moved_scalar(poison, dtype), poison_scalar(dtype));
  }
  EXPECT_EQ(poison_scalar(Dtype::int16, Dtype::int16), poison_scalar(Dtype::int16));
}

}  // namespace
}  // namespace ascemu::interp
