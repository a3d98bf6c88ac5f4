// Operands of the proofs of arithmetic: boundary patterns crossed, and weighted random ones.
//
// What it is: patterns of a float format, the same in every run and with every compiler.
// Invariant: at least kVectors triples; NaNs of every kind, subnormals, both zeros among them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "refops/round_to.h"

namespace ascemu::refops {

inline constexpr int kVectors = 40'000;

class ProofVectors {
 public:
  ProofVectors(FloatFormat format, std::uint64_t seed) : format_(format), state_(seed) {}

  std::vector<std::array<std::uint32_t, 3>> triples() {
    const std::vector<std::uint32_t> edges = boundary();
    std::vector<std::array<std::uint32_t, 3>> found;
    for (const std::uint32_t a : edges) {
      for (const std::uint32_t b : edges) {
        found.push_back({a, b, edges[below(static_cast<std::uint32_t>(edges.size()))]});
      }
    }
    for (int i = 0; i < kVectors; ++i) {
      const std::uint32_t a = random_pattern();
      const std::uint32_t b = related(a);
      found.push_back({a, b, below(2) == 0 ? related(a) : random_pattern()});
    }
    return found;
  }

 private:
  int fraction_bits() const { return format_.significand_bits - 1; }
  std::uint32_t fields() const { return 1U << format_.exponent_bits; }
  std::uint32_t bias() const { return fields() / 2 - 1; }
  std::uint32_t sign() const { return fields() << fraction_bits(); }
  std::uint32_t packed(std::uint32_t field, std::uint32_t fraction) const {
    return (field << fraction_bits()) | fraction;
  }

  // splitmix64: the same numbers everywhere.
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }

  std::vector<std::uint32_t> boundary() const {
    const std::uint32_t full = (1U << fraction_bits()) - 1;
    std::vector<std::uint32_t> found;
    const auto around = [&](std::uint32_t field) {
      for (const std::uint32_t fraction : {0U, 1U, full / 2, full / 2 + 1, full - 1, full}) {
        found.push_back(packed(field, fraction));
        found.push_back(packed(field, fraction) | sign());
      }
    };
    for (const std::uint32_t field : {0U, 1U, bias() - 1, bias(), bias() + 1, fields() - 2}) {
      around(field);
    }
    around(fields() - 1);
    return found;
  }

  std::uint32_t random_fraction() {
    const std::uint32_t full = (1U << fraction_bits()) - 1;
    const std::uint32_t bits = static_cast<std::uint32_t>(fraction_bits());
    const std::uint32_t run = (1U << below(bits + 1)) - 1;
    const std::uint32_t few = (1U << below(bits)) | (1U << below(bits));
    switch (below(6)) {
      case 0:
        return few;
      case 1:
        return full ^ few;
      case 2:
        return run;
      case 3:
        return full ^ run;
      default:
        return static_cast<std::uint32_t>(next()) & full;
    }
  }

  std::uint32_t random_pattern() {
    const auto precision = static_cast<std::uint32_t>(format_.significand_bits);
    std::uint32_t field = below(fields());
    if (below(4) == 0) field = bias() - precision / 2 + below(precision);
    if (below(4) == 0) field = below(2) == 0 ? below(4) : fields() - 1 - below(4);
    return packed(field, random_fraction()) | (below(2) == 0 ? sign() : 0);
  }

  // Close in size, opposite, or with a product or a quotient at the ends of the range.
  std::uint32_t related(std::uint32_t pattern) {
    const int field = static_cast<int>((pattern & (sign() - 1)) >> fraction_bits());
    const int width = 2 * format_.significand_bits;
    const int near = static_cast<int>(below(static_cast<std::uint32_t>(width))) - width / 2;
    const int middle = static_cast<int>(bias());
    int wanted = field + near;
    switch (below(5)) {
      case 0:
        return random_pattern();
      case 1:
        return (pattern ^ sign()) ^ below(4);
      case 2:
        wanted = (below(2) == 0 ? middle : 3 * middle) - field + near / 2;
        break;
      case 3:
        wanted = (below(2) == 0 ? field + middle : field - middle) + near / 2;
        break;
      default:
        break;
    }
    const int largest = static_cast<int>(fields()) - 1;
    const auto clamped = static_cast<std::uint32_t>(wanted < 0         ? 0
                                                    : wanted > largest ? largest
                                                                       : wanted);
    return packed(clamped, random_fraction()) | (below(2) == 0 ? sign() : 0);
  }

  FloatFormat format_;
  std::uint64_t state_;
};

}  // namespace ascemu::refops
