#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

template <class T>
Bits unary(OpId op, const std::vector<T>& x) {
  std::vector<T> out(x.size());
  eval_unary(op, Policy{}, view_of(x), view_of(out));
  return bits_of(out);
}

struct SpecialRow {
  OpId op;
  Bits expected;  // for +0, -0, +inf, -inf, NaN, -1
};

TEST(ElementaryFunctions, SpecialValuesFollowC99) {
  const std::vector<float> inputs{0.0F, -0.0F, INFINITY, -INFINITY, -NAN, -1.0F};
  constexpr std::uint64_t kInf = 0x7F800000;
  constexpr std::uint64_t kMinusInf = 0xFF800000;
  constexpr std::uint64_t kOne = 0x3F800000;
  constexpr std::uint64_t kMinusOne = 0xBF800000;
  constexpr std::uint64_t kMinusZero = 0x80000000;
  const SpecialRow rows[] = {
      {OpId::exp_, {kOne, kOne, kInf, 0, kNanFloat, 0x3EBC5AB2}},
      {OpId::exp2_, {kOne, kOne, kInf, 0, kNanFloat, 0x3F000000}},
      {OpId::log_, {kMinusInf, kMinusInf, kInf, kNanFloat, kNanFloat, kNanFloat}},
      {OpId::log2_, {kMinusInf, kMinusInf, kInf, kNanFloat, kNanFloat, kNanFloat}},
      {OpId::sqrt_, {0, kMinusZero, kInf, kNanFloat, kNanFloat, kNanFloat}},
      {OpId::rsqrt_, {kInf, kMinusInf, 0, kNanFloat, kNanFloat, kNanFloat}},
      {OpId::sin_, {0, kMinusZero, kNanFloat, kNanFloat, kNanFloat, 0xBF576AA4}},
      {OpId::cos_, {kOne, kOne, kNanFloat, kNanFloat, kNanFloat, 0x3F0A5140}},
      {OpId::tan_, {0, kMinusZero, kNanFloat, kNanFloat, kNanFloat, 0xBFC75923}},
      {OpId::sinh_, {0, kMinusZero, kInf, kMinusInf, kNanFloat, 0xBF966CFE}},
      {OpId::cosh_, {kOne, kOne, kInf, kInf, kNanFloat, 0x3FC583AB}},
      {OpId::tanh_, {0, kMinusZero, kOne, kMinusOne, kNanFloat, 0xBF42F7D6}},
      {OpId::erf_, {0, kMinusZero, kOne, kMinusOne, kNanFloat, 0xBF57BB3D}},
  };
  for (const SpecialRow& row : rows)
    EXPECT_EQ(unary(row.op, inputs), row.expected) << op_name(row.op);
}

TEST(ElementaryFunctions, OverflowAndUnderflow) {
  EXPECT_EQ(unary<float>(OpId::exp_, {89, -104, -103, 88.72283F}),
            (Bits{0x7F800000, 0, 1, 0x7F7FFF84}));
  EXPECT_EQ(unary<float>(OpId::cosh_, {90}), (Bits{0x7F800000}));
  EXPECT_EQ(unary<float>(OpId::exp2_, {-149, -150, 127.99999F}), (Bits{1, 0, 0x7F7FFFA7}));
}

TEST(ElementaryFunctions, RecordedDevicePointOfRsqrt) {
  EXPECT_EQ(unary<float>(OpId::rsqrt_, {std::bit_cast<float>(0x3B99BBDEU)}), (Bits{0x416997DC}));
}

// Every float16 input against a long double evaluation rounded once by the oracle.
TEST(ElementaryFunctions, EveryFloat16InputIsCorrectlyRounded) {
  using Function = long double (*)(long double);
  const std::pair<OpId, Function> functions[] = {
      {OpId::exp_, std::exp},   {OpId::exp2_, std::exp2},
      {OpId::log_, std::log},   {OpId::log2_, std::log2},
      {OpId::sin_, std::sin},   {OpId::cos_, std::cos},
      {OpId::tan_, std::tan},   {OpId::sinh_, std::sinh},
      {OpId::cosh_, std::cosh}, {OpId::tanh_, std::tanh},
      {OpId::erf_, std::erf},   {OpId::rsqrt_, [](long double x) { return 1 / std::sqrt(x); }},
  };
  std::vector<Float16> x;
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    x.push_back(Float16::from_bits(static_cast<std::uint16_t>(pattern)));
  }
  for (const auto& [op, function] : functions) {
    const Bits results = unary(op, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double exact = function(x[i].to_float());
      const std::uint64_t expected =
          std::isnan(exact) ? kNanHalf : half_oracle().round(exact, RoundMode::rint);
      ASSERT_EQ(results[i], expected) << op_name(op) << " of pattern " << i;
    }
  }
}

TEST(FloatPow, FollowsC99) {
  const std::vector<float> base{2, -2, -2, 0, -0.0F, 1, NAN, -8, 2, INFINITY};
  const std::vector<float> exponent{0.5F, 3, 0.5F, -1, -3, NAN, 0, 1.0F / 3, 128, -1};
  std::vector<float> out(base.size());
  eval_binary(OpId::pow_, Policy{}, view_of(base), view_of(exponent), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0x3FB504F3, 0xC1000000, kNanFloat, 0x7F800000, 0xFF800000,
                                0x3F800000, 0x3F800000, kNanFloat, 0x7F800000, 0}));
  const auto h = halves({0x4000, 0x4200});
  const auto g = halves({0x4C00, 0x4000});
  std::vector<Float16> half_out(2);
  eval_binary(OpId::pow_, Policy{}, view_of(h), view_of(g), view_of(half_out));
  EXPECT_EQ(bits_of(half_out), (Bits{0x7C00, 0x4880}));
}

}  // namespace
}  // namespace ascemu::refops
