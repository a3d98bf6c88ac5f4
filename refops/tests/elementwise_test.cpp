#include <gtest/gtest.h>

#include <limits>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

template <class T>
std::vector<T> binary(OpId op, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> out(std::max(a.size(), b.size()));
  eval_binary(op, Policy{}, view_of(a), view_of(b), view_of(out));
  return out;
}

template <class T>
std::vector<T> unary(OpId op, const std::vector<T>& x) {
  std::vector<T> out(x.size());
  eval_unary(op, Policy{}, view_of(x), view_of(out));
  return out;
}

template <class T>
void check_wrapping() {
  using Limits = std::numeric_limits<T>;
  const T low = Limits::min();
  const T high = Limits::max();
  EXPECT_EQ(binary<T>(OpId::add_, {high, -1, 2}, {1, low, 3}), (std::vector<T>{low, high, 5}));
  EXPECT_EQ(binary<T>(OpId::sub_, {low, 0}, {1, low}), (std::vector<T>{high, low}));
  EXPECT_EQ(binary<T>(OpId::mul_, {high, low, -3}, {2, -1, 7}), (std::vector<T>{-2, low, -21}));
  EXPECT_EQ(binary<T>(OpId::div_, {7, -7, 7, low, 5, low}, {2, 2, -2, -1, 0, 0}),
            (std::vector<T>{3, -3, -3, low, 0, 0}));
  EXPECT_EQ(binary<T>(OpId::maximum_, {low, 3}, {high, -3}), (std::vector<T>{high, 3}));
  EXPECT_EQ(binary<T>(OpId::minimum_, {low, 3}, {high, -3}), (std::vector<T>{low, -3}));
  EXPECT_EQ(unary<T>(OpId::abs_, {low, -5, 5}), (std::vector<T>{low, 5, 5}));
  EXPECT_EQ(unary<T>(OpId::negative_, {low, -5, 0}), (std::vector<T>{low, 5, 0}));
  EXPECT_EQ(unary<T>(OpId::bitwise_not_, {0, -1, low}), (std::vector<T>{-1, 0, high}));
}

TEST(IntegerArithmetic, WrapsAndTruncates) {
  check_wrapping<std::int16_t>();
  check_wrapping<std::int32_t>();
  check_wrapping<std::int64_t>();
}

template <class T>
void check_shifts() {
  constexpr T kWidth = static_cast<T>(sizeof(T) * 8);
  const T low = std::numeric_limits<T>::min();
  EXPECT_EQ(binary<T>(OpId::left_shift_, {1, 1, 3, 1, -1}, {0, kWidth - 1, kWidth, -1, 1}),
            (std::vector<T>{1, low, 0, 0, -2}));
  EXPECT_EQ(
      binary<T>(OpId::right_shift_, {-8, 8, -1, 5, -5, low}, {1, 2, kWidth, 100, -1, kWidth - 1}),
      (std::vector<T>{-4, 2, -1, 0, -1, -1}));
}

TEST(IntegerShifts, CountsOutsideTheWidthShiftEverythingOut) {
  check_shifts<std::int16_t>();
  check_shifts<std::int32_t>();
  check_shifts<std::int64_t>();
}

TEST(IntegerBits, AndOrXor) {
  const std::vector<std::int8_t> a{0x0F, -1, 0x55};
  const std::vector<std::int8_t> b{0x3C, 0x01, 0x2A};
  EXPECT_EQ(binary(OpId::bitwise_and_, a, b), (std::vector<std::int8_t>{0x0C, 1, 0}));
  EXPECT_EQ(binary(OpId::bitwise_or_, a, b), (std::vector<std::int8_t>{0x3F, -1, 0x7F}));
  EXPECT_EQ(binary(OpId::bitwise_xor_, a, b), (std::vector<std::int8_t>{0x33, -2, 0x7F}));
}

TEST(IntegerPow, WrapsAndDefinesNegativeExponents) {
  EXPECT_EQ(binary<std::int32_t>(OpId::pow_, {3, 2, 2, 0, 0, 1, -1, -1, 2, 7, -2},
                                 {4, 31, 32, 0, -1, -9, -3, -4, -1, 0, 3}),
            (std::vector<std::int32_t>{81, std::numeric_limits<int>::min(), 0, 1, 0, 1, -1, 1, 0, 1,
                                       -8}));
  EXPECT_EQ(binary<std::int8_t>(OpId::pow_, {3, 2, 11}, {5, 7, 127}),
            (std::vector<std::int8_t>{-13, -128, -93}));
}

TEST(FloatArithmetic, SpecialValuesAndCanonicalNan) {
  const float inf = INFINITY;
  const float odd_nan = std::bit_cast<float>(0xFFC12345U);
  EXPECT_EQ(bits_of(binary<float>(OpId::add_, {inf, odd_nan, 1, -0.0F, 1e38F},
                                  {-inf, 1, odd_nan, -0.0F, 3e38F})),
            (Bits{kNanFloat, kNanFloat, kNanFloat, 0x80000000, 0x7F800000}));
  EXPECT_EQ(bits_of(binary<float>(OpId::mul_, {0, -1, 0x1p-149F}, {inf, 0, 0.5F})),
            (Bits{kNanFloat, 0x80000000, 0}));
  EXPECT_EQ(bits_of(binary<float>(OpId::div_, {0, 1, -1, 1}, {0, 0, 0, 3})),
            (Bits{kNanFloat, 0x7F800000, 0xFF800000, 0x3EAAAAAB}));
}

TEST(FloatExtremum, NanWinsAndZeroIsSigned) {
  const float nan = NAN;
  const std::vector<float> a{nan, 1, -0.0F, 0.0F, -INFINITY};
  const std::vector<float> b{1, nan, 0.0F, -0.0F, 3};
  EXPECT_EQ(bits_of(binary(OpId::maximum_, a, b)), (Bits{kNanFloat, kNanFloat, 0, 0, 0x40400000}));
  EXPECT_EQ(bits_of(binary(OpId::minimum_, a, b)),
            (Bits{kNanFloat, kNanFloat, 0x80000000, 0x80000000, 0xFF800000}));
  const auto h = halves({0x7E01, 0x3C00, 0x8000, 0x0000});
  const auto g = halves({0x3C00, 0xFFFF, 0x0000, 0x8000});
  EXPECT_EQ(bits_of(binary(OpId::maximum_, h, g)), (Bits{kNanHalf, kNanHalf, 0, 0}));
  EXPECT_EQ(bits_of(binary(OpId::minimum_, h, g)), (Bits{kNanHalf, kNanHalf, 0x8000, 0x8000}));
}

TEST(FloatUnary, SignsAndRoundingToIntegers) {
  EXPECT_EQ(bits_of(unary<float>(OpId::abs_, {-0.0F, -2, -NAN})), (Bits{0, 0x40000000, kNanFloat}));
  EXPECT_EQ(bits_of(unary<float>(OpId::negative_, {0.0F, 2, NAN})),
            (Bits{0x80000000, 0xC0000000, kNanFloat}));
  EXPECT_EQ(bits_of(unary<float>(OpId::relu_, {-0.0F, -2, 2, NAN, INFINITY})),
            (Bits{0, 0, 0x40000000, kNanFloat, 0x7F800000}));
  EXPECT_EQ(bits_of(unary<float>(OpId::sqrt_, {-0.0F, -1, 2, INFINITY})),
            (Bits{0x80000000, kNanFloat, 0x3FB504F3, 0x7F800000}));
  const std::vector<float> x{-0.5F, 0.5F, -2, 1e30F, -8388607.5F, -0.0F, INFINITY, NAN};
  std::vector<float> floors;
  std::vector<float> ceils;
  for (const float value : x) floors.push_back(std::floor(value));
  for (const float value : x) ceils.push_back(std::ceil(value));
  EXPECT_EQ(bits_of(unary(OpId::floor_, x)), bits_of(floors));
  EXPECT_EQ(bits_of(unary(OpId::ceil_, x)), bits_of(ceils));
}

TEST(FloatUnary, FloorAndCeilOfEveryFloat16) {
  std::vector<Float16> x;
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    x.push_back(Float16::from_bits(static_cast<std::uint16_t>(pattern)));
  }
  const auto floors = unary(OpId::floor_, x);
  const auto ceils = unary(OpId::ceil_, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float wide = x[i].to_float();
    ASSERT_EQ(floors[i].bits, Float16::from_float(std::floor(wide)).bits) << i;
    ASSERT_EQ(ceils[i].bits, Float16::from_float(std::ceil(wide)).bits) << i;
  }
}

// Random operands of one 16-bit format, exponents near enough for long double to hold every exact
// sum.
template <class T>
void check_against_oracle(const RoundingOracle& oracle, int fraction_bits, int infinity) {
  std::mt19937 random(3);
  std::vector<T> a;
  std::vector<T> b;
  while (a.size() < 60000) {
    const int left = static_cast<int>(random() & 0xFFFF);
    const int step = static_cast<int>(random() % (24U << fraction_bits)) - (12 << fraction_bits);
    const int right = a.size() % 2 == 0
                          ? ((left + step) & 0x7FFF) | static_cast<int>(random() & 0x8000)
                          : static_cast<int>(random() & 0xFFFF);
    const bool finite = (left & 0x7FFF) < infinity && (right & 0x7FFF) < infinity;
    const int distance = std::abs((left & 0x7FFF) - (right & 0x7FFF)) >> fraction_bits;
    if (!finite || distance > 40 || (right & 0x7FFF) == 0) continue;
    a.push_back(T::from_bits(static_cast<std::uint16_t>(left)));
    b.push_back(T::from_bits(static_cast<std::uint16_t>(right)));
  }
  const auto sums = binary(OpId::add_, a, b);
  const auto differences = binary(OpId::sub_, a, b);
  const auto products = binary(OpId::mul_, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double x = a[i].to_float();
    const long double y = b[i].to_float();
    const std::uint16_t sign = ((a[i].bits ^ b[i].bits) & 0x8000) != 0 ? 0x8000 : 0;
    ASSERT_EQ(sums[i].bits, oracle.round(x + y, RoundMode::rint)) << i;
    ASSERT_EQ(differences[i].bits, oracle.round(x - y, RoundMode::rint)) << i;
    ASSERT_EQ(products[i].bits, oracle.round(std::fabs(x * y), RoundMode::rint) | sign) << i;
  }
}

TEST(Float16Arithmetic, SumsAndProductsMatchTheExactOracle) {
  check_against_oracle<Float16>(half_oracle(), 10, 0x7C00);
}

TEST(Bfloat16Arithmetic, SumsAndProductsMatchTheExactOracle) {
  check_against_oracle<Bfloat16>(bhalf_oracle(), 7, 0x7F80);
}

TEST(Float16Arithmetic, QuotientsMatchTheExactOracle) {
  std::mt19937 random(5);
  std::vector<Float16> a;
  std::vector<Float16> b;
  while (a.size() < 60000) {
    const Float16 left = Float16::from_bits(static_cast<std::uint16_t>(random() & 0xFFFF));
    const Float16 right = Float16::from_bits(static_cast<std::uint16_t>(random() & 0xFFFF));
    if ((left.bits & 0x7FFF) >= 0x7C00 || (right.bits & 0x7FFF) >= 0x7C00) continue;
    if ((right.bits & 0x7FFF) == 0) continue;
    a.push_back(left);
    b.push_back(right);
  }
  const auto quotients = binary(OpId::div_, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double x = std::fabs(a[i].to_float());
    const long double y = std::fabs(b[i].to_float());
    const auto compare = [x, y](long double t) { return x < t * y ? -1 : (x > t * y ? 1 : 0); };
    const bool negative = ((a[i].bits ^ b[i].bits) & 0x8000) != 0;
    ASSERT_EQ(quotients[i].bits, half_oracle().round(negative, compare, RoundMode::rint)) << i;
  }
}

TEST(Float16Arithmetic, RootOfEveryPatternMatchesTheExactOracle) {
  std::vector<Float16> x;
  for (int pattern = 0; pattern < 0x7C00; ++pattern) {
    x.push_back(Float16::from_bits(static_cast<std::uint16_t>(pattern)));
  }
  const auto roots = unary(OpId::sqrt_, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double value = x[i].to_float();
    const auto compare = [value](long double t) {
      return value < t * t ? -1 : (value > t * t ? 1 : 0);
    };
    ASSERT_EQ(roots[i].bits, half_oracle().round(false, compare, RoundMode::rint)) << i;
  }
}

TEST(Dispatch, RefusesPairsOutsideTheTable) {
  std::vector<Bfloat16> x(2);
  std::vector<Bfloat16> out(2);
  try {
    eval_unary(OpId::exp_, Policy{}, view_of(x), view_of(out));
    FAIL() << "exp of bfloat16 was accepted";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(
        error.what(),
        "refops: exp is not defined for bfloat16; the type rule of the op must reject it first");
  }
}

}  // namespace
}  // namespace ascemu::refops
