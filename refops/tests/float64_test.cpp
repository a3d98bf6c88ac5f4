// N19: every element-wise op, cast and scalar op takes float64, one double operation each.
#include <gtest/gtest.h>

#include <random>

#include "refops/eval.h"
#include "refops/scalar_ops.h"
#include "refops/tests/mpfr_oracle.h"
#include "refops/tests/policies.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

constexpr double kThird = 1.0 / 3.0;

double unary(OpId op, double x) {
  std::vector<double> out(1);
  eval_unary(op, kFp64, view_of(std::vector<double>{x}), view_of(out));
  return out[0];
}

double binary(OpId op, double a, double b) {
  std::vector<double> out(1);
  eval_binary(op, kFp64, view_of(std::vector<double>{a}), view_of(std::vector<double>{b}),
              view_of(out));
  return out[0];
}

TEST(Float64, ArithmeticIsThatOfDoubles) {
  EXPECT_EQ(binary(OpId::add_, 1, 0x1p-50), 1 + 0x1p-50);
  EXPECT_EQ(binary(OpId::sub_, kThird, 0x1p-60), kThird - 0x1p-60);
  EXPECT_EQ(binary(OpId::mul_, kThird, kThird), kThird * kThird);
  EXPECT_EQ(binary(OpId::div_, 1, 3), kThird);
  EXPECT_EQ(binary(OpId::div_, 0x1p-1073, 2), 0x1p-1074);
  EXPECT_EQ(binary(OpId::maximum_, kThird, 0.25), kThird);
  EXPECT_EQ(bits_of(binary(OpId::maximum_, -0.0, 0.0)), 0U);
  EXPECT_EQ(binary(OpId::minimum_, kThird, 0.25), 0.25);
  EXPECT_EQ(bits_of(binary(OpId::minimum_, NAN, 0.25)), 0x7FF8000000000000U);
  EXPECT_EQ(binary(OpId::pow_, 3, 30), 205891132094649.0);
  EXPECT_EQ(unary(OpId::abs_, -kThird), kThird);
  EXPECT_EQ(unary(OpId::negative_, kThird), -kThird);
  EXPECT_EQ(unary(OpId::relu_, -kThird), 0);
  EXPECT_EQ(unary(OpId::relu_, kThird), kThird);
  EXPECT_EQ(unary(OpId::sqrt_, 2), std::sqrt(2.0));
  EXPECT_EQ(unary(OpId::floor_, 0x1p40 + 0.75), 0x1p40);
  EXPECT_EQ(unary(OpId::floor_, -0x1p51 - 0.5), -0x1p51 - 1);
  EXPECT_EQ(bits_of(unary(OpId::ceil_, -0.5)), bits_of(-0.0));
  EXPECT_EQ(unary(OpId::ceil_, 0x1p51 + 0.5), 0x1p51 + 1);
  EXPECT_EQ(unary(OpId::ceil_, 0x1p52 + 1), 0x1p52 + 1);
}

TEST(Float64, FunctionsAreThoseOfDoubles) {
  using elementary::Function;
  const std::pair<OpId, Function> rows[] = {
      {OpId::exp_, Function::exp},   {OpId::exp2_, Function::exp2},   {OpId::log_, Function::log},
      {OpId::log2_, Function::log2}, {OpId::rsqrt_, Function::rsqrt}, {OpId::sin_, Function::sin},
      {OpId::cos_, Function::cos},   {OpId::tan_, Function::tan},     {OpId::sinh_, Function::sinh},
      {OpId::cosh_, Function::cosh}, {OpId::tanh_, Function::tanh},   {OpId::erf_, Function::erf},
  };
  MpfrOracle oracle(kFloat64Format);
  for (const auto& [op, function] : rows) {
    for (const double x : {0.1, kThird, 0.7, 1.9, 3.3}) {
      // Within one ulp of the exact value: 2^-52 of it, relatively.
      EXPECT_LE(oracle.relative_error(function, x, unary(op, x)), 2) << op_name(op) << " " << x;
    }
  }
}

TEST(Float64, ComparisonsSelectionAndAtomics) {
  const std::vector<double> a{1 + 0x1p-52, NAN, -0.0};
  const std::vector<double> b{1, 1, 0.0};
  std::vector<Int1> mask(3);
  eval_compare(OpId::greater_, kFp64, view_of(a), view_of(b), view_of(mask));
  EXPECT_EQ(bits_of(mask), (Bits{1, 0, 0}));
  eval_compare(OpId::not_equal_, kFp64, view_of(a), view_of(b), view_of(mask));
  EXPECT_EQ(bits_of(mask), (Bits{1, 1, 0}));
  std::vector<double> out(3);
  eval_where(view_of(mask), view_of(a), view_of(b), view_of(out));
  EXPECT_EQ(bits_of(out), bits_of(std::vector<double>{a[0], a[1], b[2]}));
  eval_fill(Scalar::from_double(Dtype::float64, kThird), view_of(out));
  EXPECT_EQ(out, (std::vector<double>{kThird, kThird, kThird}));
  eval_copy(view_of(a), view_of(out));
  EXPECT_EQ(bits_of(out), bits_of(a));
  std::vector<double> dst{1, 1, 1};
  eval_atomic(OpId::atomic_add_, kFp64, view_of(std::vector<double>{0x1p-52, 2, 3}), view_of(dst));
  EXPECT_EQ(dst, (std::vector<double>{1 + 0x1p-52, 3, 4}));
  eval_atomic(OpId::atomic_max_, kFp64, view_of(std::vector<double>{5, 2, 9}), view_of(dst));
  eval_atomic(OpId::atomic_min_, kFp64, view_of(std::vector<double>{6, 1, 8}), view_of(dst));
  EXPECT_EQ(dst, (std::vector<double>{5, 1, 8}));
}

template <class To, class From>
std::vector<To> cast(const std::vector<From>& x, RoundMode mode = RoundMode::default_mode) {
  std::vector<To> out(x.size());
  eval_cast(kFp64, mode, view_of(x), view_of(out));
  return out;
}

// A double and its half way neighbours are rounded once, in every mode.
TEST(Float64, CastsToTheHalvesRoundOnce) {
  std::vector<double> x{1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11, 65520 - 0x1p-30, 0x1p-25 + 0x1p-60};
  std::mt19937_64 generator(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t exponent = 1023 - 27 + generator() % 44;
    const std::uint64_t kept = generator() & (generator() % 2 == 0 ? ~0ULL : 0x80FFE0000000003ULL);
    x.push_back(std::bit_cast<double>((kept & 0x800FFFFFFFFFFFFFULL) | exponent << 52));
  }
  for (const RoundMode mode : kAllModes) {
    const auto half = cast<Float16>(x, mode);
    const auto brain = cast<Bfloat16>(x, mode);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto exact = static_cast<long double>(x[i]);
      ASSERT_EQ(half[i].bits, half_oracle().round(exact, mode)) << x[i];
      ASSERT_EQ(brain[i].bits, bhalf_oracle().round(exact, mode)) << x[i];
    }
  }
  EXPECT_EQ(bits_of(cast<Float16>(std::vector<double>{1e300, -1e300, NAN})),
            (Bits{0x7C00, 0xFC00, kNanHalf}));
}

TEST(Float64, CastsToFloat32) {
  const std::vector<double> x{1 + 0x1p-24, 1 + 0x1p-24 + 0x1p-52, -kThird, 1e300, NAN, 0x1p-149};
  EXPECT_EQ(bits_of(cast<float>(x)),
            (Bits{0x3F800000, 0x3F800001, 0xBEAAAAAB, 0x7F800000, kNanFloat, 1}));
  EXPECT_EQ(bits_of(cast<float>(x, RoundMode::trunc)),
            (Bits{0x3F800000, 0x3F800000, 0xBEAAAAAA, 0x7F800000, kNanFloat, 1}));
}

TEST(Float64, CastsToIntegersRoundAndClamp) {
  const std::vector<double> x{2.5, -2.5, 3.5, 1e30, -1e30, NAN, 0x1p31 - 0.25};
  constexpr std::int32_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kHigh = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(cast<std::int32_t>(x), (std::vector<std::int32_t>{2, -2, 3, kHigh, kLow, 0, kHigh}));
  EXPECT_EQ(cast<std::int32_t>(x, RoundMode::rint),
            (std::vector<std::int32_t>{2, -2, 4, kHigh, kLow, 0, kHigh}));
  EXPECT_EQ(cast<std::int8_t>(x), (std::vector<std::int8_t>{2, -2, 3, 127, -128, 0, 127}));
  EXPECT_EQ(cast<std::int16_t>(x, RoundMode::floor),
            (std::vector<std::int16_t>{2, -3, 3, 32767, -32768, 0, 32767}));
  EXPECT_EQ(cast<std::int64_t>(std::vector<double>{0x1p62 + 1024, 0x1p63, -0x1p64}),
            (std::vector<std::int64_t>{(1LL << 62) + 1024, std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::min()}));
  EXPECT_EQ(cast<std::uint8_t>(std::vector<double>{-1, 255.9, 256}),
            (std::vector<std::uint8_t>{0, 255, 255}));
  EXPECT_EQ(cast<std::uint64_t>(std::vector<double>{0x1p63}),
            (std::vector<std::uint64_t>{1ULL << 63}));
}

TEST(Float64, CastsFromEveryNumberAreExactWhereTheyCanBe) {
  EXPECT_EQ(cast<double>(std::vector<std::int8_t>{-128, 127}), (std::vector<double>{-128, 127}));
  EXPECT_EQ(cast<double>(std::vector<std::int32_t>{16777217}), (std::vector<double>{16777217}));
  EXPECT_EQ(cast<double>(std::vector<std::int64_t>{(1LL << 53) + 1, -(1LL << 53) - 3}),
            (std::vector<double>{0x1p53, -0x1p53 - 4}));
  EXPECT_EQ(cast<double>(std::vector<std::uint64_t>{~0ULL}), (std::vector<double>{0x1p64}));
  EXPECT_EQ(cast<double>(std::vector<float>{0.1F, -0x1p-149F}),
            (std::vector<double>{static_cast<double>(0.1F), -0x1p-149}));
  EXPECT_EQ(cast<double>(halves({0x0001, 0xFBFF, 0x7C00})),
            (std::vector<double>{0x1p-24, -65504, INFINITY}));
  EXPECT_EQ(cast<double>(bhalves({0x0001})), (std::vector<double>{0x1p-133}));
  EXPECT_EQ(bits_of(cast<double>(std::vector<float>{NAN})), (Bits{0x7FF8000000000000}));
  EXPECT_EQ(cast_default_mode(kFp64, Dtype::float16, Dtype::float64), RoundMode::no_round);
  EXPECT_EQ(cast_default_mode(kFp64, Dtype::float64, Dtype::int32), RoundMode::trunc);
  EXPECT_FALSE(cast_is_supported(Dtype::float32, Dtype::float64));
}

TEST(Float64, RuntimeScalars) {
  const auto f64 = [](double value) { return Scalar::from_double(Dtype::float64, value); };
  EXPECT_EQ(eval_scalar_binary(ScalarOp::mul, f64(kThird), f64(kThird), nullptr, kFp64),
            f64(kThird * kThird));
  EXPECT_EQ(eval_scalar_unary(ScalarOp::sqrt, f64(2), kFp64), f64(std::sqrt(2.0)));
  EXPECT_EQ(eval_scalar_unary(ScalarOp::exp, f64(kThird), kFp64), f64(elementary::exp(kThird)));
  EXPECT_EQ(eval_scalar_unary(ScalarOp::erf, f64(kThird), kFp64), f64(elementary::erf(kThird)));
  EXPECT_EQ(eval_scalar_cast(f64(2.75), Dtype::int32, kFp64), Scalar::from_int(Dtype::int32, 2));
  EXPECT_EQ(eval_scalar_cast(f64(-300), Dtype::int8, kFp64), Scalar::from_int(Dtype::int8, -128));
  EXPECT_FALSE(scalar_op_accepts(ScalarOp::exp, Dtype::float64));
}

}  // namespace
}  // namespace ascemu::refops
