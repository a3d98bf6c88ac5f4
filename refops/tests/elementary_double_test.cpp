#include <gtest/gtest.h>

#include <random>

#include "refops/elementary/functions.h"
#include "refops/elementary/power.h"
#include "refops/tests/arrays.h"
#include "refops/tests/mpfr_oracle.h"

namespace ascemu::refops {
namespace {

using elementary::DoubleDouble;
using elementary::Function;

// Doubles in every binade the function takes, and ordinary ones.
std::vector<double> doubles() {
  std::mt19937_64 generator(11);
  std::vector<double> numbers{0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 5e-324, -5e-324};
  numbers.insert(numbers.end(), {1.7976931348623157e308, 709.78, 710.2, -745.1, 0.9999999999999999,
                                 6381956970095103.0 * 0x1p797, 1.5707963267948966, 1e22, 0.5});
  for (int i = 0; i < 2500; ++i) {
    numbers.push_back(std::bit_cast<double>(generator()));
    numbers.push_back((static_cast<double>(generator()) * 0x1p-63 - 1) * 30);
    numbers.push_back((static_cast<double>(generator()) * 0x1p-63 - 1) * 800);
    numbers.push_back(1 + (static_cast<double>(generator()) * 0x1p-63 - 1) * 0x1p-20);
  }
  return numbers;
}

template <class F>
void check_doubles(Function function) {
  MpfrOracle oracle(kFloat64Format);
  int off = 0;
  for (const double x : doubles()) {
    const double result = elementary::resolve<F, double>(x);
    const double expected = oracle.evaluate(function, x);
    if (bits_of(result) == bits_of(canonical(expected))) continue;
    ++off;
    // One unit at most; only results below the normal range are rounded twice.
    const auto distance = static_cast<std::int64_t>(bits_of(result) - bits_of(expected));
    ASSERT_LE(std::abs(distance), 1) << std::hexfloat << x << ' ' << result << ' ' << expected;
    ASSERT_LT(std::fabs(expected), 0x1p-1021) << std::hexfloat << x;
  }
  EXPECT_LE(off, 50);
}

TEST(ElementaryDouble, RoundsOnceFromDoubleDouble) {
  check_doubles<elementary::Exp>(Function::exp);
  check_doubles<elementary::Exp2>(Function::exp2);
  check_doubles<elementary::Log>(Function::log);
  check_doubles<elementary::Log2>(Function::log2);
  check_doubles<elementary::Sqrt>(Function::sqrt);
  check_doubles<elementary::Rsqrt>(Function::rsqrt);
  check_doubles<elementary::Sin>(Function::sin);
  check_doubles<elementary::Cos>(Function::cos);
  check_doubles<elementary::Tan>(Function::tan);
  check_doubles<elementary::Sinh>(Function::sinh);
  check_doubles<elementary::Cosh>(Function::cosh);
  check_doubles<elementary::Tanh>(Function::tanh);
  check_doubles<elementary::Erf>(Function::erf);
}

// The accurate forms, asked for float32 operands, are within 2^-95.
template <class F>
void check_accurate(Function function) {
  MpfrOracle oracle(kFloat64Format);
  std::mt19937 generator(5);
  double worst = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto pattern = static_cast<std::uint32_t>(generator());
    double x = std::bit_cast<float>(pattern);
    if (i % 2 == 0) x = static_cast<float>(pattern) * 0x1p-32F * 20 - 10;
    if (F::special(x) || (std::fabs(x) > 80 && !std::is_base_of_v<elementary::PeriodicSpecial, F> &&
                          !std::is_base_of_v<elementary::fast::PositiveRegular, F>)) {
      continue;
    }
    if (function == Function::erf && std::fabs(x) > 5) continue;
    DoubleDouble value;
    if constexpr (requires { typename F::Reduced; }) {
      value = F::accurate_of(elementary::accurate::reduce(x));
    } else {
      value = F::accurate(x);
    }
    worst = std::max(worst, oracle.relative_error_of_sum(function, x, value.high, value.low));
  }
  EXPECT_LT(worst, 0x1p-95) << static_cast<int>(function);
}

TEST(ElementaryDouble, AccurateFormsAreWithinTheirBound) {
  check_accurate<elementary::Exp>(Function::exp);
  check_accurate<elementary::Exp2>(Function::exp2);
  check_accurate<elementary::Log>(Function::log);
  check_accurate<elementary::Log2>(Function::log2);
  check_accurate<elementary::Rsqrt>(Function::rsqrt);
  check_accurate<elementary::Sin>(Function::sin);
  check_accurate<elementary::Cos>(Function::cos);
  check_accurate<elementary::Tan>(Function::tan);
  check_accurate<elementary::Sinh>(Function::sinh);
  check_accurate<elementary::Cosh>(Function::cosh);
  check_accurate<elementary::Tanh>(Function::tanh);
  check_accurate<elementary::Erf>(Function::erf);
}

}  // namespace
}  // namespace ascemu::refops
