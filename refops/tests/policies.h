// Short spellings of the policies the tests of the numeric contract run under.
#pragma once

#include <string>

#include "refops/target/policy.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {

constexpr Policy on(Chip chip, bool saturate = false) { return {NumericMode::npu, chip, saturate}; }

inline constexpr Policy kIeee{};
inline constexpr Policy kFp64{NumericMode::fp64};
inline constexpr Chip kChips[] = {Chip::ascend910b, Chip::ascend910_93, Chip::ascend950pr};

inline std::string chip_name(Chip chip) {
  if (chip == Chip::ascend910b) return "910B";
  return chip == Chip::ascend910_93 ? "910_93" : "950PR";
}

// N2.1 in the mode npu.
template <class T>
constexpr std::uint64_t npu_nan() {
  return std::is_same_v<T, float> ? 0x7FFFFFFF : 0x7FFF;
}

inline std::vector<Float16> all_halves() {
  std::vector<Float16> values;
  for (int pattern = 0; pattern <= 0xFFFF; ++pattern) {
    values.push_back(Float16::from_bits(static_cast<std::uint16_t>(pattern)));
  }
  return values;
}

}  // namespace ascemu::refops
