// What a numeric policy means: one field per contract clause in which modes or chips differ.
//
// What it is: plain facts, set per chip in <chip>.cpp and for the other modes in ieee.cpp, each
// with its clause of docs/numerics.md. What it is not: code that computes.
//
// Invariant: code outside refops/target never asks for a mode or a chip by name (architecture,
// decision 8).
#pragma once

#include <cstdint>

#include "refops/target/policy.h"

namespace ascemu::refops {

// The pattern of every NaN that an operation computes (N2.1).
struct NanPatterns {
  std::uint16_t float16 = 0x7E00;
  std::uint16_t bfloat16 = 0x7FC0;
  std::uint32_t float32 = 0x7FC00000;

  friend bool operator==(const NanPatterns&, const NanPatterns&) = default;
};

// Order of a sum without axes (N12.1).
enum class WholeSum : std::uint8_t { ascending, repeats_in_order, repeats_folded };
// Order of a sum over axes (N12.2, N12.3).
enum class AxisSum : std::uint8_t { ascending, adjacent_pairs, halves };
// Order of the row sums of softmax and the norms (N13).
enum class RowSum : std::uint8_t { ascending, blocks, lanes };

struct Behaviour {
  NanPatterns nan;                        // N2.1
  bool saturates_halves = false;          // N4
  bool flushes_functions = false;         // N5: exp, log, sqrt, rsqrt
  bool flushes_div = false;               // N5
  bool nan_equals_nothing = false;        // N8.1: not_equal with a NaN is false as well
  bool scalars_compare_as_float = false;  // N8.2: int tensor against a scalar
  bool tensors_compare_as_float = false;  // N8.3: int tensor against int tensor
  bool int_to_float_truncates = false;    // N9.2: default mode of inexact int -> float
  bool int32_to_float16_in_two = false;   // N9.3
  bool composes_functions = false;        // N11
  bool erf_rounds_ties_away = false;      // N11.5: the float16 result of erf
  WholeSum whole_sum = WholeSum::ascending;
  AxisSum axis_sum = AxisSum::ascending;
  RowSum row_sum = RowSum::ascending;
  bool composes_norms = false;  // N13.2, N13.3: 1/K first, exp(log(v) * -0.5)
  // N14.1: K elements whose exact products share one rounding with the accumulator; 0: k ascending,
  // one rounding per multiply and per add.
  int cube_group_halves = 0;
  int cube_group_float32 = 0;
  bool rewrites = false;            // N17
  bool computes_in_double = false;  // N19: local floats are stored and computed as float64
};

// The returned object lives as long as the program.
const Behaviour& behaviour_of(const Policy& policy);

namespace detail {
Behaviour ascend910b_behaviour();
Behaviour ascend910_93_behaviour();
Behaviour ascend950pr_behaviour();
Behaviour ieee_behaviour();
Behaviour fp64_behaviour();
}  // namespace detail

}  // namespace ascemu::refops
