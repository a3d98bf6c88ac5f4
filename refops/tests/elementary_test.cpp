#include <gtest/gtest.h>

#include "refops/elementary/functions.h"
#include "refops/tests/arrays.h"
#include "refops/tests/elementary_hard_cases.h"
#include "refops/tests/elementary_inputs.h"
#include "refops/tests/mpfr_oracle.h"

namespace ascemu::refops {
namespace {

using elementary::Function;

constexpr const char* kNames[] = {"exp", "exp2", "log",  "log2", "sqrt", "rsqrt", "sin",
                                  "cos", "tan",  "sinh", "cosh", "tanh", "erf"};
static_assert(std::size(kNames) == elementary::kFunctionCount);

class EveryFunction : public testing::TestWithParam<int> {
 protected:
  Function function() const { return static_cast<Function>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Elementary, EveryFunction, testing::Range(0, elementary::kFunctionCount),
                         [](const auto& info) { return std::string(kNames[info.param]); });

// The element with the correctly rounded value.
template <class T>
T expected_element(MpfrOracle& oracle, Function function, T x) {
  return narrow<T>(static_cast<float>(oracle.evaluate(function, static_cast<double>(widen(x)))));
}

template <class T>
void check_against_mpfr(Function function, const std::vector<T>& x) {
  MpfrOracle oracle(float_format<T>());
  std::vector<T> results(x.size());
  elementary::evaluate_array(function, x.data(), results.data(),
                             static_cast<std::int64_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(bits_of(results[i]), bits_of(expected_element(oracle, function, x[i])))
        << "pattern 0x" << std::hex << bits_of(x[i]);
  }
}

template <class T>
std::vector<T> every_pattern() {
  std::vector<T> all;
  for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
    all.push_back(T::from_bits(static_cast<std::uint16_t>(pattern)));
  }
  return all;
}

TEST_P(EveryFunction, RoundsEveryFloat16Correctly) {
  check_against_mpfr(function(), every_pattern<Float16>());
}

TEST_P(EveryFunction, RoundsEveryBfloat16Correctly) {
  check_against_mpfr(function(), every_pattern<Bfloat16>());
}

TEST_P(EveryFunction, RoundsFloat32VectorsCorrectly) {
  std::vector<float> x = boundary_floats();
  const std::vector<float> random = random_floats(20000, 1);
  x.insert(x.end(), random.begin(), random.end());
  ASSERT_GE(x.size(), 40000U);
  check_against_mpfr(function(), x);
}

TEST_P(EveryFunction, RoundsHardCasesOfFloat32Correctly) {
  std::vector<float> x;
  for (const HardCase& hard : kHardCases) {
    if (hard.function == function()) x.push_back(std::bit_cast<float>(hard.pattern));
  }
  check_against_mpfr(function(), x);
}

template <Function kFunction>
void check_scalar_form() {
  std::vector<float> x = random_floats(3000, 2);
  for (const float special : {0.0F, -0.0F, 1.0F, INFINITY, -INFINITY, NAN}) x.push_back(special);
  std::vector<float> results(x.size());
  elementary::evaluate_array(kFunction, x.data(), results.data(),
                             static_cast<std::int64_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(bits_of(elementary::evaluate<kFunction>(x[i])), bits_of(results[i])) << x[i];
  }
}

TEST(Elementary, ScalarFormsEqualArrayForms) {
  [&]<int... kIndices>(std::integer_sequence<int, kIndices...>) {
    (check_scalar_form<static_cast<Function>(kIndices)>(), ...);
  }(std::make_integer_sequence<int, elementary::kFunctionCount>{});
}

TEST(Elementary, ArraysMayBeComputedInPlace) {
  const std::vector<float> x = random_floats(1000, 3);
  std::vector<float> apart(x.size());
  std::vector<float> together = x;
  elementary::evaluate_array(Function::sin, x.data(), apart.data(), 1000);
  elementary::evaluate_array(Function::sin, together.data(), together.data(), 1000);
  EXPECT_EQ(bits_of(apart), bits_of(together));
}

struct SpecialRow {
  Function function;
  Bits expected;  // for +0, -0, +inf, -inf, NaN, -1
};

TEST(Elementary, SpecialValuesOfFloat16) {
  const auto x = halves({0x0000, 0x8000, 0x7C00, 0xFC00, 0xFE01, 0xBC00});
  const SpecialRow rows[] = {
      {Function::exp, {0x3C00, 0x3C00, 0x7C00, 0, 0x7E00, 0x35E3}},
      {Function::exp2, {0x3C00, 0x3C00, 0x7C00, 0, 0x7E00, 0x3800}},
      {Function::log, {0xFC00, 0xFC00, 0x7C00, 0x7E00, 0x7E00, 0x7E00}},
      {Function::log2, {0xFC00, 0xFC00, 0x7C00, 0x7E00, 0x7E00, 0x7E00}},
      {Function::sqrt, {0, 0x8000, 0x7C00, 0x7E00, 0x7E00, 0x7E00}},
      {Function::rsqrt, {0x7C00, 0xFC00, 0, 0x7E00, 0x7E00, 0x7E00}},
      {Function::sin, {0, 0x8000, 0x7E00, 0x7E00, 0x7E00, 0xBABB}},
      {Function::cos, {0x3C00, 0x3C00, 0x7E00, 0x7E00, 0x7E00, 0x3853}},
      {Function::tan, {0, 0x8000, 0x7E00, 0x7E00, 0x7E00, 0xBE3B}},
      {Function::sinh, {0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xBCB3}},
      {Function::cosh, {0x3C00, 0x3C00, 0x7C00, 0x7C00, 0x7E00, 0x3E2C}},
      {Function::tanh, {0, 0x8000, 0x3C00, 0xBC00, 0x7E00, 0xBA18}},
      {Function::erf, {0, 0x8000, 0x3C00, 0xBC00, 0x7E00, 0xBABE}},
  };
  for (const SpecialRow& row : rows) {
    std::vector<Float16> results(x.size());
    elementary::evaluate_array(row.function, x.data(), results.data(), 6);
    EXPECT_EQ(bits_of(results), row.expected) << kNames[static_cast<int>(row.function)];
  }
}

// exp2(-150) and, in float16, exp2(-25) lie exactly between zero and the least subnormal.
TEST(Elementary, ExactTiesOfExp2GoToEven) {
  EXPECT_EQ(bits_of(elementary::exp2(-150.0F)), 0U);
  EXPECT_EQ(bits_of(elementary::exp2(-149.99998F)), 1U);
  EXPECT_EQ(bits_of(elementary::exp2(-149.0F)), 1U);
  EXPECT_EQ(elementary::exp2(Float16::from_float(-25)).bits, 0);
  EXPECT_EQ(elementary::exp2(Float16::from_float(-24.98F)).bits, 1);
}

// The stated bound of each fast evaluation holds with a factor of eight to spare.
template <class F>
void check_fast_bound(Function function) {
  MpfrOracle oracle(kFloat64Format);
  double worst = 0;
  for (const float x : random_floats(6000, 4)) {
    const double operand = x;
    if (!F::is_regular(operand) || F::special(operand)) continue;
    const double value = F::evaluate(operand);
    // Beyond the clamps the value stands for its limit only.
    const double limit = function == Function::erf ? 4 : (function == Function::tanh ? 20 : 110);
    const bool clamped = std::is_base_of_v<elementary::fast::EverywhereRegular, F>;
    if (clamped && std::fabs(operand) > limit) continue;
    worst = std::max(worst, oracle.relative_error(function, operand, value));
  }
  EXPECT_GT(worst, 0.4);
  EXPECT_LT(worst * 0x1p-53, F::kError / 8) << kNames[static_cast<int>(function)];
}

TEST(Elementary, FastEvaluationsStayFarBelowTheirBounds) {
  check_fast_bound<elementary::Exp>(Function::exp);
  check_fast_bound<elementary::Exp2>(Function::exp2);
  check_fast_bound<elementary::Log>(Function::log);
  check_fast_bound<elementary::Log2>(Function::log2);
  check_fast_bound<elementary::Sqrt>(Function::sqrt);
  check_fast_bound<elementary::Rsqrt>(Function::rsqrt);
  check_fast_bound<elementary::Sin>(Function::sin);
  check_fast_bound<elementary::Cos>(Function::cos);
  check_fast_bound<elementary::Tan>(Function::tan);
  check_fast_bound<elementary::Sinh>(Function::sinh);
  check_fast_bound<elementary::Cosh>(Function::cosh);
  check_fast_bound<elementary::Tanh>(Function::tanh);
  check_fast_bound<elementary::Erf>(Function::erf);
}

}  // namespace
}  // namespace ascemu::refops
