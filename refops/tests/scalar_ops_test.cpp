#include "refops/scalar_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "refops/tests/mpfr_oracle.h"

namespace ascemu::refops {
namespace {

constexpr Dtype kInts[] = {Dtype::int8,  Dtype::int16,  Dtype::int32,  Dtype::int64,
                           Dtype::uint8, Dtype::uint16, Dtype::uint32, Dtype::uint64};
constexpr Dtype kFloats[] = {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64};

Scalar i32(std::int64_t value) { return Scalar::from_int(Dtype::int32, value); }
Scalar f32(double value) { return Scalar::from_double(Dtype::float32, value); }

std::int64_t int_result(ScalarOp op, std::int64_t a, std::int64_t b) {
  return eval_scalar_binary(op, i32(a), i32(b)).as_int();
}

TEST(ScalarOps, NamesFindThemselves) {
  for (int i = 0; i <= static_cast<int>(ScalarOp::erf); ++i) {
    const auto op = static_cast<ScalarOp>(i);
    EXPECT_EQ(scalar_op_from_name(scalar_op_name(op)), op) << scalar_op_name(op);
    EXPECT_EQ(scalar_op_is_unary(op), i >= static_cast<int>(ScalarOp::negative));
  }
  EXPECT_EQ(scalar_op_from_name("pow"), std::nullopt);
  EXPECT_TRUE(scalar_op_is_comparison(ScalarOp::greater_equal));
  EXPECT_FALSE(scalar_op_is_comparison(ScalarOp::logical_and));
}

TEST(ScalarOps, AcceptedDtypes) {
  for (const Dtype dtype : kFloats) {
    for (const ScalarOp op : {ScalarOp::rem, ScalarOp::bit_and, ScalarOp::bit_or, ScalarOp::bit_xor,
                              ScalarOp::shift_left, ScalarOp::shift_right}) {
      EXPECT_FALSE(scalar_op_accepts(op, dtype));
    }
    EXPECT_TRUE(scalar_op_accepts(ScalarOp::div, dtype));
    EXPECT_EQ(scalar_op_accepts(ScalarOp::exp, dtype), dtype == Dtype::float32);
  }
  for (const Dtype dtype : kInts) {
    EXPECT_TRUE(scalar_op_accepts(ScalarOp::rem, dtype));
    EXPECT_FALSE(scalar_op_accepts(ScalarOp::sqrt, dtype));
  }
  EXPECT_THROW(eval_scalar_binary(ScalarOp::rem, f32(1), f32(1)), std::logic_error);
}

TEST(IntegerScalars, WrapTruncateAndTakeTheSignOfTheDividend) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(int_result(ScalarOp::add, kHigh, 1), kLow);
  EXPECT_EQ(int_result(ScalarOp::sub, kLow, 1), kHigh);
  EXPECT_EQ(int_result(ScalarOp::mul, 65536, 65536), 0);
  EXPECT_EQ(int_result(ScalarOp::div, -7, 2), -3);
  EXPECT_EQ(int_result(ScalarOp::rem, -7, 2), -1);
  EXPECT_EQ(int_result(ScalarOp::rem, 7, -2), 1);
  EXPECT_EQ(int_result(ScalarOp::div, kLow, -1), kLow);
  EXPECT_EQ(int_result(ScalarOp::rem, kLow, -1), 0);
  EXPECT_EQ(int_result(ScalarOp::shift_left, 1, 31), kLow);
  EXPECT_EQ(int_result(ScalarOp::shift_left, 1, 32), 0);
  EXPECT_EQ(int_result(ScalarOp::shift_right, -8, 1), -4);
  EXPECT_EQ(int_result(ScalarOp::shift_right, -8, 99), -1);
  EXPECT_EQ(int_result(ScalarOp::bit_xor, 12, 10), 6);
  EXPECT_EQ(int_result(ScalarOp::max, -3, 2), 2);
  EXPECT_EQ(int_result(ScalarOp::min, -3, 2), -3);
}

TEST(IntegerScalars, ZeroDivisorYieldsZeroAndIsReported) {
  for (const Dtype dtype : kInts) {
    const Scalar seven = Scalar::from_int(dtype, 7);
    const Scalar zero = Scalar::from_int(dtype, 0);
    bool divided_by_zero = false;
    EXPECT_EQ(eval_scalar_binary(ScalarOp::div, seven, zero, &divided_by_zero), zero);
    EXPECT_TRUE(divided_by_zero);
    EXPECT_EQ(eval_scalar_binary(ScalarOp::rem, seven, seven, &divided_by_zero), zero);
    EXPECT_FALSE(divided_by_zero);
    EXPECT_EQ(eval_scalar_binary(ScalarOp::rem, seven, zero, &divided_by_zero), zero);
    EXPECT_TRUE(divided_by_zero);
    eval_scalar_binary(ScalarOp::add, seven, zero, &divided_by_zero);
    EXPECT_FALSE(divided_by_zero);
  }
  bool divided_by_zero = true;
  EXPECT_EQ(eval_scalar_binary(ScalarOp::div, f32(1), f32(0), &divided_by_zero).as_double(),
            INFINITY);
  EXPECT_FALSE(divided_by_zero);
}

TEST(IntegerScalars, EveryWidthWrapsToARepresentation) {
  for (const Dtype dtype : kInts) {
    const int width = dtype_width_bits(dtype);
    const Scalar one = Scalar::from_int(dtype, 1);
    const Scalar high =
        is_signed_integer(dtype)
            ? Scalar::from_int(dtype, std::numeric_limits<std::int64_t>::max() >> (64 - width))
            : Scalar::from_int(dtype, -1);
    const Scalar sum = eval_scalar_binary(ScalarOp::add, high, one);
    const std::int64_t expected =
        is_signed_integer(dtype) ? std::numeric_limits<std::int64_t>::min() >> (64 - width) : 0;
    EXPECT_EQ(sum, Scalar::from_int(dtype, expected)) << dtype_name(dtype);
  }
}

TEST(UnsignedScalars, CompareAndDivideUnsignedButShiftArithmetically) {
  const Scalar high = Scalar::from_int(Dtype::uint32, 0xFFFFFFFF);
  const Scalar one = Scalar::from_int(Dtype::uint32, 1);
  EXPECT_TRUE(eval_scalar_binary(ScalarOp::greater, high, one).as_bool());
  EXPECT_EQ(eval_scalar_binary(ScalarOp::div, high, Scalar::from_int(Dtype::uint32, 2)).bits,
            0x7FFFFFFFU);
  EXPECT_EQ(eval_scalar_binary(ScalarOp::shift_right, high, one).bits, 0xFFFFFFFFU);
}

TEST(FloatScalars, RoundOnceInTheirDtype) {
  const auto half = [](double value) { return Scalar::from_double(Dtype::float16, value); };
  EXPECT_EQ(eval_scalar_binary(ScalarOp::add, half(2048), half(1)).bits, 0x6800U);
  EXPECT_EQ(eval_scalar_binary(ScalarOp::div, half(1), half(3)).bits, 0x3555U);
  EXPECT_EQ(eval_scalar_binary(ScalarOp::mul, half(256), half(256)).bits, 0x7C00U);
  EXPECT_EQ(eval_scalar_binary(ScalarOp::div, f32(1), f32(3)).bits, 0x3EAAAAABU);
  const Scalar wide = Scalar::from_double(Dtype::float64, 1.0);
  EXPECT_EQ(
      eval_scalar_binary(ScalarOp::div, wide, Scalar::from_double(Dtype::float64, 3)).as_double(),
      1.0 / 3);
}

TEST(FloatScalars, TernaryExtremaChooseTheSecondOperandWithNan) {
  EXPECT_EQ(eval_scalar_binary(ScalarOp::max, f32(NAN), f32(1)).as_double(), 1);
  EXPECT_TRUE(std::isnan(eval_scalar_binary(ScalarOp::max, f32(1), f32(NAN)).as_double()));
  EXPECT_EQ(eval_scalar_binary(ScalarOp::min, f32(NAN), f32(1)).as_double(), 1);
  EXPECT_EQ(eval_scalar_binary(ScalarOp::max, f32(0.0), f32(-0.0)).bits, 0x80000000U);
}

TEST(FloatScalars, ComparisonsAreThoseOfC) {
  for (const ScalarOp op : {ScalarOp::equal, ScalarOp::less, ScalarOp::less_equal,
                            ScalarOp::greater, ScalarOp::greater_equal}) {
    EXPECT_EQ(eval_scalar_binary(op, f32(NAN), f32(NAN)), (Scalar{Dtype::int1, 0}));
  }
  EXPECT_EQ(eval_scalar_binary(ScalarOp::not_equal, f32(NAN), f32(NAN)), (Scalar{Dtype::int1, 1}));
  EXPECT_EQ(eval_scalar_binary(ScalarOp::equal, f32(-0.0), f32(0.0)), (Scalar{Dtype::int1, 1}));
}

TEST(LogicalScalars, AnyDtype) {
  EXPECT_TRUE(eval_scalar_binary(ScalarOp::logical_and, i32(2), i32(4)).as_bool());
  EXPECT_FALSE(eval_scalar_binary(ScalarOp::logical_and, f32(2), f32(0)).as_bool());
  EXPECT_TRUE(eval_scalar_binary(ScalarOp::logical_or, f32(NAN), f32(0)).as_bool());
  EXPECT_EQ(eval_scalar_binary(ScalarOp::logical_or, i32(0), i32(0)), (Scalar{Dtype::int1, 0}));
}

TEST(UnaryScalars, Values) {
  EXPECT_EQ(
      eval_scalar_unary(ScalarOp::negative, i32(std::numeric_limits<std::int32_t>::min())).as_int(),
      std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(eval_scalar_unary(ScalarOp::negative, f32(0)).bits, 0x80000000U);
  EXPECT_EQ(eval_scalar_unary(ScalarOp::exp, f32(1)).bits, 0x402DF854U);
  EXPECT_EQ(eval_scalar_unary(ScalarOp::sqrt, f32(2)).bits, 0x3FB504F3U);
  EXPECT_EQ(eval_scalar_unary(ScalarOp::sqrt, f32(-1)).bits, 0x7FC00000U);
  EXPECT_EQ(eval_scalar_unary(ScalarOp::erf, f32(0.5)).bits, 0x3F053F7BU);
}

TEST(ScalarCasts, LegalPairs) {
  EXPECT_TRUE(scalar_cast_is_legal(Dtype::int32, Dtype::float32));
  EXPECT_TRUE(scalar_cast_is_legal(Dtype::float16, Dtype::int16));
  EXPECT_TRUE(scalar_cast_is_legal(Dtype::uint64, Dtype::float64));
  EXPECT_TRUE(scalar_cast_is_legal(Dtype::int1, Dtype::int32));
  EXPECT_TRUE(scalar_cast_is_legal(Dtype::float64, Dtype::float16));
  EXPECT_TRUE(scalar_cast_is_legal(Dtype::float16, Dtype::float16));
  EXPECT_FALSE(scalar_cast_is_legal(Dtype::float16, Dtype::bfloat16));
  EXPECT_FALSE(scalar_cast_is_legal(Dtype::int32, Dtype::float16));
  EXPECT_FALSE(scalar_cast_is_legal(Dtype::int64, Dtype::float32));
  EXPECT_FALSE(scalar_cast_is_legal(Dtype::int1, Dtype::float32));
  EXPECT_FALSE(scalar_cast_is_legal(Dtype::float32, Dtype::int1));
}

TEST(ScalarCasts, Values) {
  EXPECT_EQ(eval_scalar_cast(i32(300), Dtype::int8).as_int(), 44);
  EXPECT_EQ(eval_scalar_cast(i32(-1), Dtype::uint8).bits, 255U);
  EXPECT_EQ(eval_scalar_cast(i32(2), Dtype::int1).bits, 1U);
  EXPECT_EQ(eval_scalar_cast(Scalar{Dtype::int1, 1}, Dtype::int32), i32(1));
  EXPECT_EQ(eval_scalar_cast(i32(16777219), Dtype::float32).bits, 0x4B800002U);
  EXPECT_EQ(eval_scalar_cast(Scalar::from_int(Dtype::uint32, -1), Dtype::float32).bits,
            0x4F800000U);
  EXPECT_EQ(eval_scalar_cast(Scalar::from_int(Dtype::uint64, -1), Dtype::float64).as_double(),
            0x1p64);
  EXPECT_EQ(eval_scalar_cast(f32(-2.9), Dtype::int32).as_int(), -2);
  EXPECT_EQ(eval_scalar_cast(f32(1e20), Dtype::int32).as_int(),
            std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(eval_scalar_cast(f32(NAN), Dtype::int32).as_int(), 0);
  EXPECT_EQ(eval_scalar_cast(f32(-5), Dtype::uint32).as_int(), 0);
  EXPECT_EQ(eval_scalar_cast(f32(65520), Dtype::float16).bits, 0x7C00U);
  EXPECT_EQ(eval_scalar_cast(Scalar::from_int(Dtype::int16, 2049), Dtype::float16).bits, 0x6800U);
  const Scalar wide = Scalar::from_double(Dtype::float64, 1.0 + 0x1p-11 + 0x1p-40);
  EXPECT_EQ(eval_scalar_cast(wide, Dtype::float16).bits, 0x3C01U);
}

// N18.1: of a chip a scalar takes the NaN, and neither its flush nor its saturation.
TEST(ScalarPolicies, OnlyTheNanIsThatOfTheChip) {
  const Policy clamps{NumericMode::npu, Chip::ascend910b, true};
  const Policy a5{NumericMode::npu, Chip::ascend950pr};
  const auto bits = [](std::uint32_t pattern) { return Scalar{Dtype::float32, pattern}; };
  const Scalar half = Scalar::from_double(Dtype::float16, 60000);
  EXPECT_EQ(eval_scalar_unary(ScalarOp::sqrt, f32(-1), Policy{}).bits, 0x7FC00000U);
  for (const Policy& policy : {clamps, a5}) {
    const auto binary = [&](ScalarOp op, const Scalar& a, const Scalar& b) {
      return eval_scalar_binary(op, a, b, nullptr, policy).bits;
    };
    EXPECT_EQ(eval_scalar_unary(ScalarOp::sqrt, f32(-1), policy).bits, 0x7FFFFFFFU);
    EXPECT_EQ(eval_scalar_unary(ScalarOp::negative, bits(0xFFC00001), policy).bits, 0x7FFFFFFFU);
    EXPECT_EQ(binary(ScalarOp::div, f32(0), f32(0)), 0x7FFFFFFFU);
    EXPECT_EQ(eval_scalar_cast(bits(0xFFC12345), Dtype::float16, policy).bits, 0x7FFFU);
    EXPECT_EQ(eval_scalar_cast(bits(0xFFC12345), Dtype::bfloat16, policy).bits, 0x7FFFU);
    EXPECT_EQ(binary(ScalarOp::max, f32(1), bits(0xFFC12345)), 0xFFC12345U);
    EXPECT_EQ(binary(ScalarOp::div, bits(0x0014440B), bits(0x0053E3CF)), 0x3E775FBCU);
    EXPECT_EQ(binary(ScalarOp::add, half, half), 0x7C00U);
    EXPECT_EQ(eval_scalar_cast(f32(1e9), Dtype::float16, policy).bits, 0x7C00U);
    EXPECT_EQ(eval_scalar_unary(ScalarOp::sqrt, bits(0x00776672), policy).bits, 0x1FF7402BU);
  }
}

TEST(ScalarPolicies, FunctionsAreCorrectlyRoundedInEveryMode) {
  const std::pair<ScalarOp, elementary::Function> rows[] = {
      {ScalarOp::exp, elementary::Function::exp},
      {ScalarOp::sqrt, elementary::Function::sqrt},
      {ScalarOp::erf, elementary::Function::erf}};
  for (const auto& [op, function] : rows) {
    for (const float x : {0.1F, 0.75F, 3.0F, 7.0F, -87.5F, -100.0F}) {
      MpfrOracle oracle(kFloat32Format);
      const double exact = oracle.evaluate(function, static_cast<double>(x));
      if (exact != exact) continue;
      for (const Chip chip : {Chip::ascend910b, Chip::ascend950pr}) {
        EXPECT_EQ(eval_scalar_unary(op, f32(x), Policy{NumericMode::npu, chip}), f32(exact))
            << scalar_op_name(op) << " " << x;
      }
    }
  }
}

}  // namespace
}  // namespace ascemu::refops
