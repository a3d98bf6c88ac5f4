// N2, N4, N5, N6, N7 and N16 per chip, through the element-wise ops.
#include <gtest/gtest.h>

#include <random>

#include "refops/eval.h"
#include "refops/tests/elementary_inputs.h"
#include "refops/tests/policies.h"
#include "refops/tests/rounding_oracle.h"
#include "refops/tests/step_oracle.h"

namespace ascemu::refops {
namespace {

template <class T>
std::vector<T> unary(OpId op, const Policy& policy, const std::vector<T>& x) {
  std::vector<T> out(x.size());
  eval_unary(op, policy, view_of(x), view_of(out));
  return out;
}

template <class T>
std::vector<T> binary(OpId op, const Policy& policy, const std::vector<T>& a,
                      const std::vector<T>& b) {
  std::vector<T> out(a.size());
  eval_binary(op, policy, view_of(a), view_of(b), view_of(out));
  return out;
}

template <class T>
T from_bits(std::uint32_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(bits);
  } else {
    return T::from_bits(static_cast<std::uint16_t>(bits));
  }
}

// Quiet and signalling, both signs, several payloads.
template <class T>
std::vector<T> nans() {
  if constexpr (std::is_same_v<T, float>) {
    return {from_bits<T>(0x7FC00000), from_bits<T>(0xFFC00000), from_bits<T>(0x7F800001),
            from_bits<T>(0xFF812345), from_bits<T>(0x7FFFFFFF), from_bits<T>(0xFFFFFFFF)};
  } else {
    const std::uint32_t infinity = std::is_same_v<T, Float16> ? 0x7C00 : 0x7F80;
    return {from_bits<T>(infinity + 1), from_bits<T>(0x8001 + infinity), from_bits<T>(0x7FFF),
            from_bits<T>(0xFFFF)};
  }
}

template <class T>
void check_nan_operands(const Policy& policy, std::uint64_t expected) {
  const std::vector<T> bad = nans<T>();
  const std::vector<T> good(bad.size(), narrow<T>(1.5F));
  const Bits all(bad.size(), expected);
  for (const OpId op : {OpId::add_, OpId::sub_, OpId::mul_, OpId::div_, OpId::maximum_,
                        OpId::minimum_, OpId::pow_}) {
    if (!op_accepts(op, kDtypeOf<T>)) continue;
    EXPECT_EQ(bits_of(binary(op, policy, bad, good)), all) << op_name(op);
    EXPECT_EQ(bits_of(binary(op, policy, bad, bad)), all) << op_name(op);
    EXPECT_EQ(bits_of(binary(op, policy, good, bad)), all) << op_name(op);
  }
  for (const OpRow& row : op_table()) {
    if (row.family != OpFamily::unary || !op_accepts(row.id, kDtypeOf<T>)) continue;
    EXPECT_EQ(bits_of(unary(row.id, policy, bad)), all) << row.name;
  }
}

TEST(TargetNan, EveryOperationReturnsTheOneNanOfItsMode) {
  for (const Chip chip : kChips) {
    check_nan_operands<float>(on(chip), 0x7FFFFFFF);
    check_nan_operands<Float16>(on(chip), 0x7FFF);
    check_nan_operands<Bfloat16>(on(chip), 0x7FFF);
    const std::vector<float> inf{INFINITY, 0};
    EXPECT_EQ(bits_of(binary(OpId::sub_, on(chip), inf, inf)), (Bits{0x7FFFFFFF, 0}));
    EXPECT_EQ(bits_of(binary(OpId::div_, on(chip), inf, inf)), (Bits{0x7FFFFFFF, 0x7FFFFFFF}));
    EXPECT_EQ(bits_of(unary<float>(OpId::log_, on(chip), {-1})), (Bits{0x7FFFFFFF}));
    EXPECT_EQ(bits_of(unary(OpId::sqrt_, on(chip), halves({0xBC00}))), (Bits{0x7FFF}));
  }
  check_nan_operands<float>(kIeee, 0x7FC00000);
  check_nan_operands<Float16>(kIeee, 0x7E00);
  check_nan_operands<Bfloat16>(kIeee, 0x7FC0);
}

TEST(TargetNan, AtomicsSettleWhatTheyStore) {
  for (const OpId op : {OpId::atomic_add_, OpId::atomic_max_, OpId::atomic_min_}) {
    auto dst = halves({0x3C00, 0xFE01, 0x3C00});
    eval_atomic(op, on(Chip::ascend950pr), view_of(halves({0x7D01, 0x3C00, 0x3C00})), view_of(dst));
    EXPECT_EQ(bits_of(dst)[0], 0x7FFFU) << op_name(op);
    EXPECT_EQ(bits_of(dst)[1], 0x7FFFU) << op_name(op);
    EXPECT_EQ(bits_of(dst)[2], op == OpId::atomic_add_ ? 0x4000U : 0x3C00U) << op_name(op);
  }
  auto brain = bhalves({0x7F7F});
  eval_atomic(OpId::atomic_add_, on(Chip::ascend910b, true), view_of(bhalves({0x7F7F})),
              view_of(brain));
  EXPECT_EQ(bits_of(brain), (Bits{0x7F7F}));
}

TEST(TargetZeros, MaximumAndMinimumOrderThemOnEveryChip) {
  const std::vector<float> a{-0.0F, 0.0F};
  const std::vector<float> b{0.0F, -0.0F};
  for (const Chip chip : kChips) {
    EXPECT_EQ(bits_of(binary(OpId::maximum_, on(chip), a, b)), (Bits{0, 0}));
    EXPECT_EQ(bits_of(binary(OpId::minimum_, on(chip), a, b)), (Bits{0x80000000, 0x80000000}));
    EXPECT_EQ(bits_of(unary(OpId::relu_, on(chip), a)), (Bits{0, 0}));
    EXPECT_EQ(bits_of(unary(OpId::negative_, on(chip), a)), (Bits{0, 0x80000000}));
    EXPECT_EQ(bits_of(unary(OpId::abs_, on(chip), a)), (Bits{0, 0}));
  }
}

template <class T>
void check_saturation(std::uint32_t largest, std::uint32_t infinity) {
  const auto value = [](std::uint32_t bits) { return std::vector<T>{from_bits<T>(bits)}; };
  const std::uint32_t sign = 0x8000;
  for (const Chip chip : {Chip::ascend910b, Chip::ascend910_93}) {
    const Policy clamps = on(chip, true);
    EXPECT_EQ(bits_of(binary(OpId::add_, clamps, value(largest), value(largest))), (Bits{largest}));
    EXPECT_EQ(bits_of(binary(OpId::sub_, clamps, value(sign | largest), value(largest))),
              (Bits{sign | largest}));
    EXPECT_EQ(bits_of(binary(OpId::mul_, clamps, value(largest), value(sign | largest))),
              (Bits{sign | largest}));
    EXPECT_EQ(bits_of(binary(OpId::maximum_, clamps, value(infinity), value(0))), (Bits{largest}));
    EXPECT_EQ(bits_of(unary(OpId::negative_, clamps, value(infinity))), (Bits{sign | largest}));
    EXPECT_EQ(bits_of(binary(OpId::sub_, clamps, value(infinity), value(infinity))), (Bits{0}));
    EXPECT_EQ(bits_of(binary(OpId::add_, clamps, value(0xFFFF), value(0))), (Bits{0}));
    EXPECT_EQ(bits_of(binary(OpId::add_, on(chip), value(largest), value(largest))),
              (Bits{infinity}));
  }
  for (const Policy& policy :
       {on(Chip::ascend950pr, true), Policy{NumericMode::ieee, Chip::ascend910b, true}}) {
    EXPECT_EQ(bits_of(binary(OpId::add_, policy, value(largest), value(largest))),
              (Bits{infinity}));
  }
}

TEST(TargetSaturation, ClampsHalvesWhereItIsSelected) {
  check_saturation<Float16>(0x7BFF, 0x7C00);
  check_saturation<Bfloat16>(0x7F7F, 0x7F80);
}

TEST(TargetSaturation, ReachesFunctionsAndQuotientsButNotFloat32) {
  const Policy clamps = on(Chip::ascend910b, true);
  const auto twelve = halves({0x4A00});
  EXPECT_EQ(bits_of(unary(OpId::exp_, clamps, twelve)), (Bits{0x7BFF}));
  EXPECT_EQ(bits_of(unary(OpId::exp_, on(Chip::ascend910b), twelve)), (Bits{0x7C00}));
  EXPECT_EQ(bits_of(unary(OpId::log_, clamps, halves({0x0000}))), (Bits{0xFBFF}));
  EXPECT_EQ(bits_of(binary(OpId::div_, clamps, halves({0x3C00, 0x0000}), halves({0x0000, 0x0000}))),
            (Bits{0x7BFF, 0}));
  const std::vector<float> large{3e38F};
  EXPECT_EQ(bits_of(binary(OpId::add_, clamps, large, large)), (Bits{0x7F800000}));
  EXPECT_EQ(bits_of(unary<float>(OpId::log_, clamps, {-1})), (Bits{0x7FFFFFFF}));
}

Flushes flushes_of(Chip chip) { return {chip == Chip::ascend950pr, true}; }

double primitive(StepOracle& oracle, OpId op, double x) {
  if (op == OpId::exp_) return oracle.exp(x);
  return op == OpId::log_ ? oracle.log(x) : oracle.sqrt(x);
}

TEST(TargetFlush, PrimitivesOfAllHalvesAreExactAfterIt) {
  const std::vector<Float16> x = all_halves();
  for (const OpId op : {OpId::exp_, OpId::log_, OpId::sqrt_}) {
    for (const Chip chip : kChips) {
      StepOracle oracle(kFloat16Format, flushes_of(chip));
      const std::vector<Float16> out = unary(op, on(chip), x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double value = primitive(oracle, op, static_cast<double>(x[i].to_float()));
        const std::uint64_t expected =
            value != value ? 0x7FFF
                           : half_oracle().round(static_cast<long double>(value), RoundMode::rint);
        ASSERT_EQ(bits_of(out[i]), expected)
            << op_name(op) << " on " << chip_name(chip) << " of " << x[i].to_float();
      }
    }
  }
}

TEST(TargetFlush, PrimitivesOfFloat32AreExactAfterIt) {
  std::vector<float> x = boundary_floats();
  for (const float number : random_floats(20000, 5)) x.push_back(number);
  for (const OpId op : {OpId::exp_, OpId::log_, OpId::sqrt_}) {
    for (const Chip chip : {Chip::ascend910b, Chip::ascend950pr}) {
      StepOracle oracle(kFloat32Format, flushes_of(chip));
      const std::vector<float> out = unary(op, on(chip), x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double value = primitive(oracle, op, static_cast<double>(x[i]));
        ASSERT_EQ(bits_of(out[i]), value != value ? 0x7FFFFFFF : bits_of(static_cast<float>(value)))
            << op_name(op) << " on " << chip_name(chip) << " of " << x[i];
      }
    }
  }
}

template <class T>
std::vector<T> random_patterns(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    // Every fourth one has the lowest exponents.
    std::uint32_t pattern = static_cast<std::uint32_t>(generator());
    if (i % 4 == 0) pattern &= std::is_same_v<T, float> ? 0x80FFFFFFU : 0x87FFU;
    values.push_back(from_bits<T>(pattern));
  }
  return values;
}

template <class T>
void check_quotients(FloatFormat format) {
  const std::vector<T> a = random_patterns<T>(60000, 11);
  std::vector<T> b = random_patterns<T>(60000, 12);
  std::shuffle(b.begin(), b.end(), std::mt19937(13));
  for (const Chip chip : kChips) {
    StepOracle oracle(format, {false, true});
    StepOracle keeping(format, {});
    const std::vector<T> out = binary(OpId::div_, on(chip), a, b);
    const std::vector<T> kept = binary(OpId::div_, kIeee, a, b);
    int flushed = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto x = static_cast<double>(widen(a[i]));
      const auto y = static_cast<double>(widen(b[i]));
      const double value = oracle.div(x, y);
      const double unflushed = keeping.div(x, y);
      if (value != value) {
        ASSERT_EQ(bits_of(out[i]), npu_nan<T>());
      } else {
        ASSERT_EQ(bits_of(static_cast<double>(widen(out[i]))), bits_of(value)) << x << " / " << y;
      }
      if (unflushed == unflushed) {
        ASSERT_EQ(bits_of(static_cast<double>(widen(kept[i]))), bits_of(unflushed));
        flushed += bits_of(value) != bits_of(unflushed) ? 1 : 0;
      }
    }
    EXPECT_GT(flushed, 1000);
  }
}

TEST(TargetFlush, QuotientsTakeAndReturnNoSubnormals) {
  check_quotients<Float16>(kFloat16Format);
  check_quotients<float>(kFloat32Format);
}

TEST(TargetFlush, OtherOperationsKeepSubnormals) {
  const float tiny = 0x1p-149F;
  const std::vector<float> x{tiny, -tiny};
  for (const Chip chip : kChips) {
    EXPECT_EQ(bits_of(binary<float>(OpId::add_, on(chip), x, {tiny, 0})), (Bits{2, 0x80000001}));
    EXPECT_EQ(bits_of(binary<float>(OpId::mul_, on(chip), x, {3, 2})), (Bits{3, 0x80000002}));
    EXPECT_EQ(bits_of(binary<float>(OpId::maximum_, on(chip), x, {0, -1})), (Bits{1, 0x80000001}));
    EXPECT_EQ(bits_of(unary(OpId::abs_, on(chip), x)), (Bits{1, 1}));
    EXPECT_EQ(bits_of(unary(OpId::negative_, on(chip), x)), (Bits{0x80000001, 1}));
    EXPECT_EQ(bits_of(binary(OpId::add_, on(chip), halves({0x0001}), halves({0x0002}))), (Bits{3}));
  }
}

// Documentation samples of the chip (recorded points sqrt-f32-950-subnormal, div-f32-950-a and -b).
TEST(TargetFlush, RecordedSamplesOfA5) {
  const auto f = [](std::uint32_t bits) { return std::vector<float>{std::bit_cast<float>(bits)}; };
  const Policy a5 = on(Chip::ascend950pr);
  EXPECT_EQ(bits_of(unary(OpId::sqrt_, kIeee, f(0x00776672))), (Bits{0x1FF7402B}));
  EXPECT_EQ(bits_of(unary(OpId::sqrt_, a5, f(0x00776672))), (Bits{0}));
  EXPECT_EQ(bits_of(binary(OpId::div_, kIeee, f(0x3F800000), f(0x8036A794))), (Bits{0xFF15E301}));
  EXPECT_EQ(bits_of(binary(OpId::div_, a5, f(0x3F800000), f(0x8036A794))), (Bits{0xFF800000}));
  EXPECT_EQ(bits_of(binary(OpId::div_, kIeee, f(0x0014440B), f(0x0053E3CF))), (Bits{0x3E775FBC}));
  EXPECT_EQ(bits_of(binary(OpId::div_, a5, f(0x0014440B), f(0x0053E3CF))), (Bits{0x7FFFFFFF}));
}

// The settling runs over parts of a row: every position of a long one, strided and in place.
TEST(TargetLayouts, SettleEveryElement) {
  const Policy policy = on(Chip::ascend910b, true);
  std::vector<Float16> x(5000, Float16::from_bits(0x7C00));
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = Float16::from_bits(0xFE00);
  const std::vector<Float16> zero = halves({0});
  std::vector<Float16> out(x.size());
  eval_binary(OpId::add_, policy, view_of(x), view_of(zero, Shape{}), view_of(out));
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(out[i].bits, i % 3 == 0 ? 0 : 0x7BFF) << i;
  ConstView transposed = view_of(std::as_const(x), {50, 100});
  transposed.shape = Shape{100, 50};
  std::swap(transposed.strides[0], transposed.strides[1]);
  eval_unary(OpId::abs_, policy, transposed, view_of(out, {100, 50}));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t source = i % 50 * 100 + i / 50;
    ASSERT_EQ(out[i].bits, source % 3 == 0 ? 0 : 0x7BFF) << i;
  }
  eval_unary(OpId::negative_, policy, view_of(std::as_const(x)), view_of(x));
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i].bits, i % 3 == 0 ? 0 : 0xFBFF) << i;
}

}  // namespace
}  // namespace ascemu::refops
