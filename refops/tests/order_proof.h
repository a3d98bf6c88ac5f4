// Inputs that tell orders of evaluation apart.
//
// What it is: a search for a random vector on which every wrong formulation gives other bits than
// the right one, for the order tests of the contract.
// What it is not: an oracle; the formulations come from the test.
//
// Invariant: the search is deterministic; a vector that does not exist fails the test.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "refops/tests/arrays.h"

namespace ascemu::refops {

template <class Input, class T>
struct Formulation {
  std::string name;
  std::function<T(const Input&)> evaluate;
};

// Asserts that for some input of generate(random) all of `wrong` differ from `right`, and that
// `product` returns the bits of `right` there and on every input tried before it.
template <class Input, class T>
void expect_only_right_order(const std::function<Input(std::mt19937&)>& generate,
                             const std::function<T(const Input&)>& product,
                             const std::function<T(const Input&)>& right,
                             const std::vector<Formulation<Input, T>>& wrong) {
  std::string alike;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    std::mt19937 random(seed);
    const Input input = generate(random);
    const auto expected = bits_of(right(input));
    ASSERT_EQ(bits_of(product(input)), expected) << "seed " << seed;
    alike.clear();
    for (const auto& formulation : wrong) {
      if (bits_of(formulation.evaluate(input)) == expected) alike += formulation.name + " ";
    }
    if (alike.empty()) return;
  }
  FAIL() << "no input tells these from the right order: " << alike;
}

// A value of any sign with all significand bits, its exponent spread over `exponents`.
inline float spread_value(std::mt19937& random, int exponents) {
  const auto significand = static_cast<float>(static_cast<int>(random() % 0x1000000) | 1);
  const int exponent = static_cast<int>(random() % static_cast<unsigned>(exponents));
  const float magnitude = std::ldexp(significand, exponent - 24 - exponents / 2);
  return random() % 2 == 0 ? magnitude : -magnitude;
}

template <class T>
std::vector<T> spread_values(std::mt19937& random, std::size_t count, int exponents) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(narrow<T>(spread_value(random, exponents)));
  return values;
}

}  // namespace ascemu::refops
