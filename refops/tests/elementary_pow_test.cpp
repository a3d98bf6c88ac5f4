#include <gtest/gtest.h>

#include <random>

#include "refops/elementary/functions.h"
#include "refops/elementary/power.h"
#include "refops/tests/arrays.h"
#include "refops/tests/elementary_inputs.h"
#include "refops/tests/mpfr_oracle.h"

namespace ascemu::refops {
namespace {

template <class T>
void check_pow(const std::vector<T>& x, const std::vector<T>& y) {
  ASSERT_EQ(x.size(), y.size());
  MpfrOracle oracle(float_format<T>());
  std::vector<T> results(x.size());
  elementary::pow_array(x.data(), y.data(), results.data(), static_cast<std::int64_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = oracle.pow(widen(x[i]), widen(y[i]));
    ASSERT_EQ(bits_of(results[i]), bits_of(narrow<T>(static_cast<float>(exact))))
        << std::hexfloat << widen(x[i]) << " ^ " << widen(y[i]);
    if (i % 16 == 0) {
      ASSERT_EQ(bits_of(elementary::pow(x[i], y[i])), bits_of(results[i]));
    }
  }
}

// All pairs of the values C99 names and their neighbours.
TEST(ElementaryPow, SpecialValues) {
  std::vector<float> values{0,     1,        2,      3,        0.5F,     0.75F,    1.5F,   2.5F,
                            1e30F, INFINITY, 1e-40F, 16777216, 16777215, 33554432, 1e-45F, NAN};
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  std::vector<float> x;
  std::vector<float> y;
  for (const float base : values) {
    for (const float exponent : values) {
      x.push_back(base);
      y.push_back(exponent);
    }
  }
  check_pow(x, y);
  EXPECT_EQ(bits_of(elementary::pow(NAN, 0.0F)), 0x3F800000U);
  EXPECT_EQ(bits_of(elementary::pow(1.0F, NAN)), 0x3F800000U);
  EXPECT_EQ(bits_of(elementary::pow(-1.0F, INFINITY)), 0x3F800000U);
  EXPECT_EQ(bits_of(elementary::pow(-0.0F, -3.0F)), 0xFF800000U);
  EXPECT_EQ(bits_of(elementary::pow(-8.0F, 0.5F)), 0x7FC00000U);
}

// Powers of odd integers that need 25 bits, and ties among the subnormals.
TEST(ElementaryPow, ExactTiesGoToEven) {
  std::vector<float> x;
  std::vector<float> y;
  const auto add = [&](double base, double exponent) {
    for (const double sign : {1.0, -1.0}) {
      x.push_back(static_cast<float>(sign * base));
      y.push_back(static_cast<float>(exponent));
    }
  };
  for (int odd = 4097; odd < 5793; odd += 2) add(odd, 2);
  for (int odd = 257; odd < 323; odd += 2) {
    add(odd, 3);
    add(odd * odd, 1.5);
  }
  for (int odd = 29; odd < 33; odd += 2) {
    add(odd, 5);
    add(odd * odd, 2.5);
    add(std::pow(odd, 4), 1.25);
  }
  for (int exponent = -149; exponent < 0; ++exponent)
    add(std::ldexp(1, exponent), -150.0 / exponent);
  for (int odd = 1; odd < 4000; odd += 2) add(odd * 0x1p-75, 2);
  for (int odd = 1; odd < 100; odd += 2) add(odd * 0x1p-50, 3);
  check_pow(x, y);
  EXPECT_EQ(elementary::pow(4097.0F, 2.0F), 16785408.0F);
  EXPECT_EQ(bits_of(elementary::pow(3 * 0x1p-75F, 2.0F)), 4U);
  EXPECT_EQ(elementary::exact_power(707281, 1.25), 20511149.0);
  EXPECT_EQ(elementary::exact_power(3, -1), std::nullopt);
}

// The first coordinate over its whole range, the exponent such that most results are finite.
TEST(ElementaryPow, RoundsFloat32VectorsCorrectly) {
  std::vector<float> x = boundary_floats();
  std::mt19937 generator(21);
  x.resize(x.size() / 2);
  for (const float number : random_floats(20000, 6)) x.push_back(number);
  std::vector<float> y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double share = static_cast<double>(generator()) * 0x1p-31 - 1;
    const double size = std::fabs(std::log(std::fabs(static_cast<double>(x[i]))));
    const double wanted = size > 0 && std::isfinite(size) ? 95 * share / size : share;
    float exponent = static_cast<float>(wanted);
    if (i % 3 == 0) exponent = std::nearbyint(exponent);
    if (i % 7 == 0) exponent = static_cast<float>(share * 0x1p-20);
    y.push_back(exponent);
  }
  ASSERT_GE(x.size(), 40000U);
  check_pow(x, y);
}

// Near 1 the result is 1 + x's distance times y to second order: the hardest neighbourhood.
TEST(ElementaryPow, RoundsNeighboursOfOneCorrectly) {
  std::vector<float> x;
  std::vector<float> y;
  for (int steps = -40; steps <= 40; ++steps) {
    for (int numerator = -24; numerator <= 24; ++numerator) {
      x.push_back(1 + static_cast<float>(steps) * (steps < 0 ? 0x1p-24F : 0x1p-23F));
      y.push_back(static_cast<float>(numerator) * 0.25F);
    }
  }
  check_pow(x, y);
}

template <class T>
void check_half_vectors() {
  std::mt19937 generator(31);
  std::vector<T> x;
  std::vector<T> y;
  for (int i = 0; i < 40000; ++i) {
    const auto random = generator();
    x.push_back(T::from_bits(static_cast<std::uint16_t>(random)));
    y.push_back(i % 2 == 0 ? T::from_bits(static_cast<std::uint16_t>(random >> 16))
                           : T::from_float(static_cast<float>(random >> 28) * 0.5F - 4));
  }
  check_pow(x, y);
}

TEST(ElementaryPow, RoundsHalvesCorrectly) {
  check_half_vectors<Float16>();
  check_half_vectors<Bfloat16>();
}

TEST(ElementaryPow, FastAndAccurateFormsAreWithinTheirBounds) {
  MpfrOracle oracle(kFloat64Format);
  std::mt19937 generator(41);
  double worst_fast = 0;
  double worst_accurate = 0;
  for (int i = 0; i < 4000; ++i) {
    const double x = std::bit_cast<float>(static_cast<std::uint32_t>(generator()) & 0x7F7FFFFFU);
    const double share = static_cast<double>(generator()) * 0x1p-31 - 1;
    const double y = static_cast<float>(100 * share / std::fabs(std::log(x)));
    if (x == 0 || x == 1) continue;
    const double fast = elementary::fast::Pow::evaluate(x, y);
    worst_fast = std::max(worst_fast, oracle.relative_error_of_pow(x, y, fast, 0));
    const auto accurate = elementary::accurate_power(x, y);
    worst_accurate =
        std::max(worst_accurate, oracle.relative_error_of_pow(x, y, accurate.high, accurate.low));
  }
  EXPECT_LT(worst_fast, elementary::fast::Pow::kError / 8);
  EXPECT_LT(worst_accurate, 0x1p-92);
}

TEST(ElementaryPow, DoublesAreWithinOneUnit) {
  MpfrOracle oracle(kFloat64Format);
  std::mt19937_64 generator(51);
  for (int i = 0; i < 3000; ++i) {
    const double x = std::bit_cast<double>(generator());
    double y = (static_cast<double>(generator()) * 0x1p-63 - 1) * 3;
    if (i % 2 == 0) y = std::nearbyint(y * 4);
    const double expected = canonical(oracle.pow(x, y));
    const double result = elementary::pow(x, y);
    const auto distance = static_cast<std::int64_t>(bits_of(result) - bits_of(expected));
    ASSERT_LE(std::abs(distance), 1) << std::hexfloat << x << " ^ " << y;
  }
}

}  // namespace
}  // namespace ascemu::refops
