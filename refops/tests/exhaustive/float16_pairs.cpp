#include <bit>
#include <cmath>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/exhaustive/sweeps.h"
#include "refops/tests/mpfr_oracle.h"

namespace ascemu::refops::exhaustive {
namespace {

inline constexpr std::size_t kPatterns = 65536;

double decode(std::uint32_t pattern) {
  const double sign = (pattern & 0x8000U) != 0 ? -1 : 1;
  const int field = static_cast<int>(pattern >> 10 & 31U);
  const int fraction = static_cast<int>(pattern & 0x3FFU);
  if (field == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (field == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, field - 25);
}

const std::vector<double>& values() {
  static const std::vector<double> table = [] {
    std::vector<double> all;
    for (std::uint32_t pattern = 0; pattern < kPatterns; ++pattern) all.push_back(decode(pattern));
    return all;
  }();
  return table;
}

// Integer rounding, nearest even. Sums and products of halves are exact in double; a quotient of
// 11-bit numbers that is no tie is farther from one than a double's rounding.
std::uint16_t encode(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 63) << 15;
  const std::uint64_t size = bits & 0x7FFFFFFFFFFFFFFFU;
  if (size > 0x7FF0000000000000U) return 0x7E00;
  const int exponent = static_cast<int>(size >> 52) - 1023;
  if (exponent < -25) return static_cast<std::uint16_t>(sign);
  if (exponent > 15) return static_cast<std::uint16_t>(sign | 0x7C00U);
  const std::uint64_t significand = (size & 0x000FFFFFFFFFFFFFU) | 0x0010000000000000U;
  const int dropped = exponent >= -14 ? 42 : 28 - exponent;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  auto kept = static_cast<std::uint32_t>(significand >> dropped);
  if (rest > half || (rest == half && (kept & 1U) != 0)) ++kept;
  if (exponent >= -14) kept += static_cast<std::uint32_t>(exponent + 14) << 10;
  return static_cast<std::uint16_t>(sign | kept);
}

// libm's double is trusted to 8 units of its last place; MPFR decides where that is not enough.
std::uint16_t power_of(double x, double y) {
  const double near = std::pow(x, y);
  const std::uint16_t lower = encode(near * (1 - 0x1p-49));
  if (lower == encode(near * (1 + 0x1p-49))) return lower;
  thread_local MpfrOracle oracle(kFloat16Format);
  return encode(oracle.pow(x, y));
}

bool is_nan(std::uint32_t pattern) { return (pattern & 0x7FFFU) > 0x7C00U; }

// Orders like the numbers, -0 below +0.
int order_of(std::uint32_t pattern) {
  const int size = static_cast<int>(pattern & 0x7FFFU);
  return (pattern & 0x8000U) != 0 ? -1 - size : size;
}

// Calls run_row(left, results) for each left operand, then compares with expected(left, right).
template <class Result, class RunRow, class Expected>
Sweep pair_sweep(const char* name, RunRow run_row, Expected expected) {
  const auto run_chunk = [run_row, expected](std::uint64_t from, std::uint64_t to) {
    Findings findings;
    std::vector<Float16> left(kPatterns);
    std::vector<Float16> right(kPatterns);
    std::vector<Result> results(kPatterns);
    for (std::size_t i = 0; i < kPatterns; ++i) {
      right[i] = Float16::from_bits(static_cast<std::uint16_t>(i));
    }
    for (std::uint64_t a = from / kPatterns; a * kPatterns < to; ++a) {
      std::fill(left.begin(), left.end(), Float16::from_bits(static_cast<std::uint16_t>(a)));
      run_row(left, right, results);
      for (std::uint64_t b = 0; b < kPatterns; ++b) {
        const std::uint64_t code = a * kPatterns + b;
        if (code < from || code >= to) continue;
        if (results[b].bits !=
            expected(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)))
          findings.add_mismatch(code);
      }
    }
    findings.count = to - from;
    return findings;
  };
  return {
      std::string("float16_") + name,
      "every pair of float16 operands, bits of the result against double arithmetic (pow: libm, "
      "and MPFR near rounding boundaries) rounded by integers, or the order of the patterns",
      false, run_chunk};
}

using Halves = std::vector<Float16>;
constexpr Policy kIeee{NumericMode::ieee, Chip::ascend950pr};

template <class Expected>
Sweep arithmetic_sweep(const char* name, OpId op, Expected expected) {
  return pair_sweep<Float16>(
      name,
      [op](const Halves& a, const Halves& b, Halves& out) {
        eval_binary(op, kIeee, view_of(a), view_of(b), view_of(out));
      },
      expected);
}

template <class Relation>
Sweep compare_sweep(const char* name, OpId op, bool with_nan, Relation relation) {
  return pair_sweep<Int1>(
      name,
      [op](const Halves& a, const Halves& b, std::vector<Int1>& out) {
        eval_compare(op, kIeee, view_of(a), view_of(b), view_of(out));
      },
      [relation, with_nan](std::uint32_t a, std::uint32_t b) -> std::uint8_t {
        if (is_nan(a) || is_nan(b)) return with_nan;
        // Both zeros are one number here.
        return relation(a == 0x8000U ? 0 : order_of(a), b == 0x8000U ? 0 : order_of(b));
      });
}

}  // namespace

std::vector<Sweep> float16_pairs() {
  const double* table = values().data();
  const auto extreme = [](auto first_wins) {
    return [first_wins](std::uint32_t a, std::uint32_t b) {
      if (is_nan(a) || is_nan(b)) return std::uint16_t{0x7E00};
      return static_cast<std::uint16_t>(first_wins(order_of(a), order_of(b)) ? a : b);
    };
  };
  std::vector<Sweep> sweeps;
  sweeps.push_back(arithmetic_sweep("add", OpId::add_, [table](std::uint32_t a, std::uint32_t b) {
    return encode(table[a] + table[b]);
  }));
  sweeps.push_back(arithmetic_sweep("sub", OpId::sub_, [table](std::uint32_t a, std::uint32_t b) {
    return encode(table[a] - table[b]);
  }));
  sweeps.push_back(arithmetic_sweep("mul", OpId::mul_, [table](std::uint32_t a, std::uint32_t b) {
    return encode(table[a] * table[b]);
  }));
  sweeps.push_back(arithmetic_sweep("div", OpId::div_, [table](std::uint32_t a, std::uint32_t b) {
    return encode(table[a] / table[b]);
  }));
  sweeps.push_back(arithmetic_sweep("pow", OpId::pow_, [table](std::uint32_t a, std::uint32_t b) {
    return power_of(table[a], table[b]);
  }));
  sweeps.push_back(
      arithmetic_sweep("maximum", OpId::maximum_, extreme([](int a, int b) { return a >= b; })));
  sweeps.push_back(
      arithmetic_sweep("minimum", OpId::minimum_, extreme([](int a, int b) { return a <= b; })));
  sweeps.push_back(
      compare_sweep("equal", OpId::equal_, false, [](int a, int b) { return a == b; }));
  sweeps.push_back(
      compare_sweep("not_equal", OpId::not_equal_, true, [](int a, int b) { return a != b; }));
  sweeps.push_back(compare_sweep("less", OpId::less_, false, [](int a, int b) { return a < b; }));
  sweeps.push_back(
      compare_sweep("less_equal", OpId::less_equal_, false, [](int a, int b) { return a <= b; }));
  sweeps.push_back(
      compare_sweep("greater", OpId::greater_, false, [](int a, int b) { return a > b; }));
  sweeps.push_back(compare_sweep("greater_equal", OpId::greater_equal_, false,
                                 [](int a, int b) { return a >= b; }));
  return sweeps;
}

}  // namespace ascemu::refops::exhaustive
