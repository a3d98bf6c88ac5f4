#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"

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
