#include "refops/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ascemu::refops {
namespace {

TEST(Scalar, FromIntWrapsAndRounds) {
  EXPECT_EQ(Scalar::from_int(Dtype::int8, 200).as_int(), -56);
  EXPECT_EQ(Scalar::from_int(Dtype::int8, 200).bits, static_cast<std::uint64_t>(-56));
  EXPECT_EQ(Scalar::from_int(Dtype::uint8, -1).bits, 255U);
  EXPECT_EQ(Scalar::from_int(Dtype::uint64, -1).as_double(), 0x1p64);
  EXPECT_EQ(Scalar::from_int(Dtype::int1, 6).bits, 1U);
  EXPECT_EQ(Scalar::from_int(Dtype::float16, 2049).bits, 0x6800U);
  EXPECT_EQ(Scalar::from_int(Dtype::float32, 16777219).bits, 0x4B800002U);
  EXPECT_EQ(Scalar::from_int(Dtype::bfloat16, -1).bits, 0xBF80U);
  EXPECT_EQ(Scalar::from_int(Dtype::float64, (1LL << 53) + 1).as_double(), 0x1p53);
}

TEST(Scalar, FromDoubleRoundsOnceTruncatesAndWraps) {
  EXPECT_EQ(Scalar::from_double(Dtype::float32, 0.1).bits, 0x3DCCCCCDU);
  EXPECT_EQ(Scalar::from_double(Dtype::float16, 1.0 + 0x1p-11 + 0x1p-40).bits, 0x3C01U);
  EXPECT_EQ(Scalar::from_double(Dtype::int32, -2.9).as_int(), -2);
  EXPECT_EQ(Scalar::from_double(Dtype::int32, 4294967297.5).as_int(), 1);
  EXPECT_EQ(Scalar::from_double(Dtype::int32, NAN).as_int(), 0);
  EXPECT_EQ(Scalar::from_double(Dtype::int64, -1e300).as_int(), 0);
  EXPECT_EQ(Scalar::from_double(Dtype::uint64, 0x1p63).bits, 0x8000000000000000U);
  EXPECT_EQ(Scalar::from_double(Dtype::int1, 0.5).bits, 1U);
  EXPECT_EQ(Scalar::from_double(Dtype::int1, -0.0).bits, 0U);
  EXPECT_EQ(Scalar::from_double(Dtype::float32, -NAN).bits, 0x7FC00000U);
}

TEST(Scalar, LoadAndStoreRoundTripEveryDtype) {
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    const Scalar value = Scalar::from_int(dtype, is_unsigned_integer(dtype) ? 200 : -7);
    std::uint64_t storage = ~std::uint64_t{0};
    value.store(&storage);
    EXPECT_EQ(Scalar::load(dtype, &storage), value) << dtype_name(dtype);
    const std::size_t size = dtype_size_bytes(dtype);
    const std::uint64_t untouched = size < 8 ? storage >> (size * 8) : 0;
    EXPECT_EQ(untouched, size < 8 ? ~std::uint64_t{0} >> (size * 8) : 0);
  }
}

TEST(Scalar, AsIntTruncatesAndSaturates) {
  EXPECT_EQ(Scalar::from_double(Dtype::float32, -2.75).as_int(), -2);
  EXPECT_EQ(Scalar::from_double(Dtype::float32, 1e30).as_int(),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Scalar::from_double(Dtype::float16, -INFINITY).as_int(),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Scalar::from_double(Dtype::bfloat16, NAN).as_int(), 0);
}

TEST(Scalar, Truth) {
  EXPECT_FALSE(Scalar::from_double(Dtype::float32, -0.0).as_bool());
  EXPECT_TRUE(Scalar::from_double(Dtype::float16, NAN).as_bool());
  EXPECT_TRUE(Scalar::from_double(Dtype::float16, 0x1p-24).as_bool());
  EXPECT_FALSE(Scalar::from_int(Dtype::int64, 0).as_bool());
  EXPECT_TRUE(Scalar::from_int(Dtype::int8, -1).as_bool());
}

}  // namespace
}  // namespace ascemu::refops
