#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/policies.h"

namespace ascemu::refops {
namespace {

template <class T>
Bits compare(OpId op, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<Int1> out(a.size());
  eval_compare(op, Policy{}, view_of(a), view_of(b), view_of(out));
  return bits_of(out);
}

template <class T>
void check_relations(const std::vector<T>& a, const std::vector<T>& b) {
  // Pairs: less, equal, greater.
  EXPECT_EQ(compare(OpId::equal_, a, b), (Bits{0, 1, 0}));
  EXPECT_EQ(compare(OpId::not_equal_, a, b), (Bits{1, 0, 1}));
  EXPECT_EQ(compare(OpId::less_, a, b), (Bits{1, 0, 0}));
  EXPECT_EQ(compare(OpId::less_equal_, a, b), (Bits{1, 1, 0}));
  EXPECT_EQ(compare(OpId::greater_, a, b), (Bits{0, 0, 1}));
  EXPECT_EQ(compare(OpId::greater_equal_, a, b), (Bits{0, 1, 1}));
}

TEST(Compare, OrdersEveryDtype) {
  check_relations<std::int8_t>({-128, 5, 127}, {127, 5, -128});
  check_relations<std::int16_t>({-2, 5, 300}, {-1, 5, 299});
  check_relations<std::int32_t>({16777216, 7, 16777217}, {16777217, 7, 16777216});
  check_relations<float>({-INFINITY, -0.0F, 1}, {INFINITY, 0.0F, 0.5F});
  check_relations(halves({0xC000, 0x8000, 0x0002}), halves({0x3C00, 0x0000, 0x0001}));
  check_relations(bhalves({0xC000, 0x8000, 0x0002}), bhalves({0x3F80, 0x0000, 0x0001}));
}

TEST(Compare, NanIsUnequalToEverything) {
  const std::vector<float> a{NAN, 1, NAN};
  const std::vector<float> b{1, NAN, NAN};
  const auto h = halves({0x7E00, 0x3C00, 0xFFFF});
  const auto g = halves({0x3C00, 0x7E00, 0xFFFF});
  for (const OpId op :
       {OpId::equal_, OpId::less_, OpId::less_equal_, OpId::greater_, OpId::greater_equal_}) {
    EXPECT_EQ(compare(op, a, b), (Bits{0, 0, 0})) << op_name(op);
    EXPECT_EQ(compare(op, h, g), (Bits{0, 0, 0})) << op_name(op);
  }
  EXPECT_EQ(compare(OpId::not_equal_, a, b), (Bits{1, 1, 1}));
  EXPECT_EQ(compare(OpId::not_equal_, h, g), (Bits{1, 1, 1}));
}

template <class T>
Bits compare_on(const Policy& policy, OpId op, const std::vector<T>& a, const std::vector<T>& b,
                bool b_is_scalar = false) {
  std::vector<Int1> out(a.size());
  eval_compare(op, policy, view_of(a), b_is_scalar ? view_of(b, Shape{}) : view_of(b),
               view_of(out));
  return bits_of(out);
}

// N8.1.
TEST(Compare, NanIsUnequalToNothingOnA2) {
  const std::vector<float> a{NAN, 1, NAN, 2, 2, -0.0F};
  const std::vector<float> b{1, NAN, NAN, 2, 3, 0.0F};
  const auto h = halves({0x7E00, 0x3C00});
  const auto g = halves({0x3C00, 0xFE00});
  const auto p = bhalves({0x7FC0, 0x3F80});
  const auto q = bhalves({0x3F80, 0x4000});
  for (const Chip chip : {Chip::ascend910b, Chip::ascend910_93}) {
    EXPECT_EQ(compare_on(on(chip), OpId::not_equal_, a, b), (Bits{0, 0, 0, 0, 1, 0}));
    EXPECT_EQ(compare_on(on(chip), OpId::not_equal_, h, g), (Bits{0, 0}));
    EXPECT_EQ(compare_on(on(chip), OpId::not_equal_, p, q), (Bits{0, 1}));
  }
  EXPECT_EQ(compare_on(on(Chip::ascend950pr), OpId::not_equal_, a, b), (Bits{1, 1, 1, 0, 1, 0}));
  for (const Chip chip : kChips) {
    EXPECT_EQ(compare_on(on(chip), OpId::equal_, a, b), (Bits{0, 0, 0, 1, 0, 1}));
    EXPECT_EQ(compare_on(on(chip), OpId::less_equal_, a, b), (Bits{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(compare_on(on(chip), OpId::greater_, a, b), (Bits{0, 0, 0, 0, 0, 0}));
  }
}

// N8.2: neighbours that one float holds are equal to a scalar.
TEST(Compare, IntegersMeetAScalarAsFloatsOnEveryChip) {
  const std::vector<std::int32_t> wide{16777216, 16777217, 16777218, -16777217};
  const std::vector<std::int32_t> wide_scalar{16777217};
  const std::vector<std::int16_t> narrow{2048, 2049, 2050, 2051};
  const std::vector<std::int16_t> narrow_scalar{2049};
  for (const Chip chip : kChips) {
    EXPECT_EQ(compare_on(on(chip), OpId::equal_, wide, wide_scalar, true), (Bits{1, 1, 0, 0}));
    EXPECT_EQ(compare_on(on(chip), OpId::less_, wide, wide_scalar, true), (Bits{0, 0, 0, 1}));
    EXPECT_EQ(compare_on(on(chip), OpId::not_equal_, narrow, narrow_scalar, true),
              (Bits{0, 0, 1, 1}));
    EXPECT_EQ(compare_on(on(chip), OpId::greater_, narrow, narrow_scalar, true),
              (Bits{0, 0, 1, 1}));
    EXPECT_EQ(compare_on<std::int8_t>(on(chip), OpId::equal_, {127, 126}, {127}, true),
              (Bits{1, 0}));
  }
  std::vector<Int1> out(1);
  eval_compare(OpId::equal_, on(Chip::ascend950pr), view_of(wide_scalar, Shape{}),
               view_of(std::vector<std::int32_t>{16777216}), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{1}));
  EXPECT_EQ(compare_on(kIeee, OpId::equal_, wide, wide_scalar, true), (Bits{0, 1, 0, 0}));
  EXPECT_EQ(compare_on(kIeee, OpId::equal_, narrow, narrow_scalar, true), (Bits{0, 1, 0, 0}));
}

// N8.3.
TEST(Compare, IntegerTensorsMeetAsFloatsOnA2Only) {
  const std::vector<std::int32_t> a{16777217, 2147483647, 5};
  const std::vector<std::int32_t> b{16777216, 2147483520, 6};
  const std::vector<std::int16_t> c{2049, 32767, -3};
  const std::vector<std::int16_t> d{2048, 32760, -2};
  for (const Chip chip : {Chip::ascend910b, Chip::ascend910_93}) {
    EXPECT_EQ(compare_on(on(chip), OpId::greater_, a, b), (Bits{0, 1, 0}));
    EXPECT_EQ(compare_on(on(chip), OpId::greater_, c, d), (Bits{0, 0, 0}));
    EXPECT_EQ(compare_on(on(chip), OpId::greater_equal_, c, d), (Bits{1, 1, 0}));
    EXPECT_EQ(compare_on<std::int8_t>(on(chip), OpId::less_, {-128, 127}, {-127, 127}),
              (Bits{1, 0}));
  }
  for (const Policy& policy : {on(Chip::ascend950pr), kIeee}) {
    EXPECT_EQ(compare_on(policy, OpId::greater_, a, b), (Bits{1, 1, 0}));
    EXPECT_EQ(compare_on(policy, OpId::greater_, c, d), (Bits{1, 1, 0}));
  }
}

template <class T>
void check_where(const std::vector<T>& a, const std::vector<T>& b) {
  const std::vector<Int1> mask{{1}, {0}, {0}, {1}};
  std::vector<T> out(4);
  eval_where(view_of(mask), view_of(a), view_of(b), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{bits_of(a[0]), bits_of(b[1]), bits_of(b[2]), bits_of(a[3])}));
}

TEST(Where, MovesBitsOfEverySize) {
  check_where<std::int8_t>({1, 2, 3, 4}, {-1, -2, -3, -4});
  check_where<std::int16_t>({1, 2, 3, 4}, {-1, -2, -3, -4});
  check_where<std::int64_t>({1, 2, 3, 4}, {-1, -2, -3, -4});
  const float payload = std::bit_cast<float>(0xFFC12345U);
  check_where<float>({payload, NAN, 3, -0.0F}, {1, payload, INFINITY, 2});
}

TEST(Where, BranchesBroadcastToTheMask) {
  const std::vector<Int1> mask{{1}, {0}, {1}, {0}, {0}, {1}};
  const std::vector<float> row{10, 20, 30};
  const std::vector<float> fixed{NAN};
  std::vector<float> out(6);
  eval_where(view_of(mask, {2, 3}), view_of(row), view_of(fixed, Shape{}), view_of(out, {2, 3}));
  EXPECT_EQ(bits_of(out), (Bits{bits_of(10.0F), kNanFloat, bits_of(30.0F), kNanFloat, kNanFloat,
                                bits_of(30.0F)}));
}

}  // namespace
}  // namespace ascemu::refops
