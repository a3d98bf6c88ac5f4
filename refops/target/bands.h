// How far a device's primitives may lie from the correctly rounded values we return (contract N6).
//
// What it is: one row per chip, instruction and dtype (bands.def) with the evidence for it, and the
// judgement of one result. What it is not: anything an evaluation depends on.
//
// Invariant: a known band contains the correctly rounded value, after the flush of N5, of every
// operand. An unknown band contains everything.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "refops/scalar.h"
#include "refops/target/policy.h"

namespace ascemu::refops {

enum class BandModel : std::uint8_t {
  unknown,
  ulps,      // at most max_ulps numbers of the dtype away from the correctly rounded value
  relative,  // the exact value times (1 + d), rounded to nearest, for some low <= d <= high
};

// The words of the contract.
enum class Certainty : std::uint8_t {
  documented,
  source,
  measured,
  golden,
  claim,
  decision,
  unknown
};

struct BandRow {
  Chip chip;
  std::string_view instruction;  // "div", "exp", "log", "sqrt"; raw "vrsqrt", "vrec"
  Dtype dtype;
  BandModel model;
  double low;
  double high;
  int max_ulps;  // relative: a further bound unless 0
  Certainty certainty;
  std::string_view source;
};

std::string_view band_model_name(BandModel model);
std::string_view certainty_name(Certainty certainty);

std::span<const BandRow> band_table();
// Null where the table has no row.
const BandRow* find_band(Chip chip, std::string_view instruction, Dtype dtype);

// Whether a device may return `result` for the operands (two for div, else one), all of row.dtype;
// infinities and NaN are kept (N4). Where the exact value is 0, infinite or undefined, only that is
// admissible, a NaN of any pattern.
bool within_band(const BandRow& row, std::span<const Scalar> operands, const Scalar& result);

}  // namespace ascemu::refops
