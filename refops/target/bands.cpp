#include "refops/target/bands.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "refops/dispatch.h"
#include "refops/elementary/accurate.h"
#include "refops/elementary/functions.h"
#include "refops/elementary/rounding.h"
#include "refops/round_to.h"
#include "refops/target/settle.h"

namespace ascemu::refops {
namespace {

using elementary::DoubleDouble;

constexpr BandRow kTable[] = {
#define ASCEMU_BAND(chip, instruction, dtype, model, low, high, ulps, certainty, source) \
  {Chip::chip, instruction,          Dtype::dtype, BandModel::model, low, high,          \
   ulps,       Certainty::certainty, source},
#include "refops/target/bands.def"
#undef ASCEMU_BAND
};

constexpr std::size_t operand_count(std::string_view instruction) {
  return instruction == "div" ? 2 : 1;
}

bool divides(std::string_view instruction) { return instruction == "div" || instruction == "vrec"; }

bool flushes(const BandRow& row) {
  const Behaviour& target = behaviour_of({NumericMode::npu, row.chip, false});
  return divides(row.instruction) ? target.flushes_div : target.flushes_functions;
}

DoubleDouble exact_root(double x) {
  const double root = std::sqrt(x);
  const DoubleDouble square = elementary::two_product(root, root);
  return elementary::fast_two_sum(root, ((x - square.high) - square.low) / (2 * root));
}

// The value where it is 0, infinite or a NaN, or beyond every format.
std::optional<double> known_value(std::string_view instruction, double x, double y) {
  if (divides(instruction)) {
    // Neither overflows nor underflows: the operands are those of float32.
    const double quotient = instruction == "div" ? x / y : 1 / x;
    if (quotient != 0 && std::isfinite(quotient)) return std::nullopt;
    return quotient;
  }
  if (instruction == "sqrt") return elementary::Sqrt::special(x);
  if (instruction == "vrsqrt") return elementary::Rsqrt::special(x);
  return instruction == "exp" ? elementary::Exp::special(x) : elementary::Log::special(x);
}

// Any other value, with a relative error below 2^-95.
DoubleDouble exact_value(std::string_view instruction, double x, double y) {
  if (instruction == "div") return DoubleDouble{x, 0} / DoubleDouble{y, 0};
  if (instruction == "vrec") return DoubleDouble{1, 0} / DoubleDouble{x, 0};
  if (instruction == "sqrt") return exact_root(x);
  if (instruction == "vrsqrt") return elementary::accurate::rsqrt(x);
  // Further out float32 overflows or underflows all the same.
  if (instruction == "exp") return elementary::accurate::exp({std::clamp(x, -300.0, 300.0), 0});
  return elementary::accurate::log(x);
}

// The place of a finite or infinite element in the order of its format; both zeros are 0.
template <class T>
std::int64_t place_of(T value) {
  using Pattern = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint16_t>;
  const auto pattern = std::bit_cast<Pattern>(value);
  const auto magnitude = static_cast<std::int64_t>(
      pattern & static_cast<Pattern>(static_cast<Pattern>(~Pattern{0}) >> 1));
  return magnitude == static_cast<std::int64_t>(pattern) ? magnitude : -magnitude;
}

struct Range {
  std::int64_t low;
  std::int64_t high;

  bool contains(std::int64_t place) const { return low <= place && place <= high; }
};

// The places of the admissible results before the flush.
template <class T>
Range admissible(const BandRow& row, DoubleDouble exact) {
  const auto place = [](DoubleDouble value) { return place_of(elementary::round_sum<T>(value)); };
  const Range steps{place(exact) - row.max_ulps, place(exact) + row.max_ulps};
  if (row.model == BandModel::ulps) return steps;
  const auto [low, high] =
      std::minmax({place(exact + exact * row.low), place(exact + exact * row.high)});
  if (row.max_ulps == 0) return {low, high};
  return {std::max(low, steps.low), std::min(high, steps.high)};
}

template <class T>
bool admits(const BandRow& row, DoubleDouble exact, T result) {
  const Range range = admissible<T>(row, exact);
  const std::int64_t place = place_of(result);
  if (place != 0) {
    return range.contains(place) && !(flushes(row) && place_of(flushed_result(result)) != place);
  }
  const bool negative = std::signbit(widen(result));
  if (range.contains(0) && negative == std::signbit(exact.high)) return true;
  // +0 stands for every subnormal.
  const std::int64_t least_normal = detail::subnormal_range<T>().least_normal;
  const bool has_subnormal =
      (range.low < least_normal && range.high > 0) || (range.high > -least_normal && range.low < 0);
  return flushes(row) && !negative && has_subnormal;
}

template <class T>
bool is_within(const BandRow& row, std::span<const Scalar> operands, const Scalar& result) {
  const auto operand = [&](std::size_t i) {
    const T value = float_from_pattern<T>(operands[i].bits);
    return static_cast<double>(widen(flushes(row) ? flushed_operand(value) : value));
  };
  const double x = operand(0);
  const double y = operands.size() > 1 ? operand(1) : 1;
  const T returned = float_from_pattern<T>(result.bits);
  const auto value = static_cast<double>(widen(returned));
  const std::optional<double> known = known_value(row.instruction, x, y);
  if (value != value) return known.has_value() && *known != *known;
  if (known) return value == *known && std::signbit(value) == std::signbit(*known);
  return admits(row, exact_value(row.instruction, x, y), returned);
}

}  // namespace

std::string_view band_model_name(BandModel model) {
  switch (model) {
    case BandModel::ulps:
      return "ulps";
    case BandModel::relative:
      return "relative";
    case BandModel::unknown:
      break;
  }
  return "unknown";
}

std::string_view certainty_name(Certainty certainty) {
  constexpr std::string_view kNames[] = {"documented", "source",   "measured", "golden",
                                         "claim",      "decision", "unknown"};
  return kNames[static_cast<std::size_t>(certainty)];
}

std::span<const BandRow> band_table() { return kTable; }

const BandRow* find_band(Chip chip, std::string_view instruction, Dtype dtype) {
  const auto row = std::ranges::find_if(kTable, [&](const BandRow& candidate) {
    return candidate.chip == chip && candidate.instruction == instruction &&
           candidate.dtype == dtype;
  });
  return row == std::end(kTable) ? nullptr : row;
}

bool within_band(const BandRow& row, std::span<const Scalar> operands, const Scalar& result) {
  if (operands.size() != operand_count(row.instruction)) {
    throw std::logic_error("refops: " + std::string(row.instruction) + " takes " +
                           std::to_string(operand_count(row.instruction)) + " operands");
  }
  if (row.model == BandModel::unknown) return true;
  bool within = false;
  dispatch_dtype<detail::kF16 | detail::kF32>(
      row.instruction, row.dtype,
      [&]<class T>(std::type_identity<T>) { within = is_within<T>(row, operands, result); });
  return within;
}

}  // namespace ascemu::refops
