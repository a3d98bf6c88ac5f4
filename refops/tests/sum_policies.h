// What the order tests of sums share: the policies, exact additions, spellings.
//
// What it is: the addition of the oracle formulations, independent of the product's rounding.
// What it is not: formulations of orders (sum_orders.h).
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "refops/eval.h"
#include "refops/scalar.h"
#include "refops/tests/order_proof.h"
#include "refops/tests/policies.h"
#include "refops/tests/rounding_oracle.h"
#include "refops/tests/sum_orders.h"

namespace ascemu::refops {

inline constexpr Policy kA2 = on(Chip::ascend910b);
inline constexpr Policy kA2Saturating = on(Chip::ascend910b, true);
inline constexpr Policy kA3 = on(Chip::ascend910_93);
inline constexpr Policy kA5 = on(Chip::ascend950pr);

inline float add(float a, float b) { return a + b; }
inline Float16 add_half(Float16 a, Float16 b) {
  const long double exact = static_cast<long double>(a.to_float()) + b.to_float();
  return Float16::from_bits(half_oracle().round(exact, RoundMode::rint));
}

template <class T>
using Vector = std::vector<T>;
template <class T>
using Wrong = std::vector<Formulation<Vector<T>, T>>;

// Orders that are wrong for every row sum of a chip.
inline Wrong<float> wrong_for_every_row() {
  return {
      {"ascending", [](const Vector<float>& v) { return orders::ascending(v, add); }},
      {"descending", [](const Vector<float>& v) { return orders::descending(v, add); }},
      {"repeats in order",
       [](const Vector<float>& v) { return orders::repeats_in_order(v, 64, add); }},
      {"trees of trees", [](const Vector<float>& v) { return orders::trees_of_trees(v, 64, add); }},
      {"one rounding of a double sum",
       [](const Vector<float>& v) {
         double total = 0;
         for (const float value : v) total += value;
         return static_cast<float>(total);
       }},
  };
}

template <class T>
T element_of(const Scalar& scalar) {
  T value;
  std::memcpy(static_cast<void*>(&value), &scalar.bits, sizeof(T));
  return value;
}

template <class T>
std::function<Vector<T>(std::mt19937&)> values_of(std::size_t count, int exponents) {
  return [=](std::mt19937& random) { return spread_values<T>(random, count, exponents); };
}

template <class T>
T whole(const Policy& policy, const Vector<T>& x) {
  return element_of<T>(eval_reduce_all(OpId::reduce_sum_, policy, view_of(x)));
}

template <class T>
T last_axis(OpId op, const Policy& policy, const Vector<T>& x) {
  Vector<T> out(1);
  eval_reduce(op, policy, 1, view_of(x), view_of(out, {1}));
  return out[0];
}

// The sum over the rows of two equal columns, the first of them.
template <class T>
T first_axis(OpId op, const Policy& policy, const Vector<T>& x) {
  Vector<T> columns;
  for (const T& value : x) columns.insert(columns.end(), {value, value});
  Vector<T> out(2);
  eval_reduce(op, policy, 1, view_of(columns, {static_cast<std::int64_t>(x.size()), 2}),
              view_of(out, {1, 2}));
  EXPECT_EQ(bits_of(out[0]), bits_of(out[1]));
  return out[0];
}

}  // namespace ascemu::refops
