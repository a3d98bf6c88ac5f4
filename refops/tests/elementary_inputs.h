// Float32 operands for the tests of the elementary functions.
//
// What it is: boundary patterns (every exponent with telling significands) and random numbers
// weighted towards the ranges in which the functions vary.
// What it is not: an oracle.
//
// Invariant: the same list on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace ascemu::refops {

inline std::vector<float> boundary_floats() {
  std::vector<std::uint32_t> significands{0, 0x2AAAAA, 0x555555, 0x3504F3, 0x3504F4, 0x490FDB};
  for (int bit = 0; bit < 23; ++bit) {
    significands.push_back(1U << bit);
    significands.push_back((1U << bit) - 1);
    significands.push_back(0x7FFFFFU ^ (1U << bit));
    significands.push_back(0x7FFFFFU & ~((1U << bit) - 1));
  }
  std::vector<float> numbers;
  for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
    for (const std::uint32_t significand : significands) {
      const std::uint32_t pattern = exponent << 23 | significand;
      numbers.push_back(std::bit_cast<float>(pattern));
      numbers.push_back(std::bit_cast<float>(pattern | 0x80000000U));
    }
  }
  return numbers;
}

// A third any pattern, a third up to 100 in size, a third spread over the exponents around 1.
inline std::vector<float> random_floats(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<float> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const auto pattern = static_cast<std::uint32_t>(generator());
    const auto extra = static_cast<std::uint32_t>(generator());
    float number = std::bit_cast<float>(pattern);
    if (i % 3 == 1) number = (static_cast<float>(pattern) * 0x1p-31F - 1) * 100;
    if (i % 3 == 2) {
      number = std::bit_cast<float>((pattern & 0x807FFFFFU) | (107 + extra % 32) << 23);
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace ascemu::refops
