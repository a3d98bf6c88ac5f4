#include "interp/ast/types.h"

#include <array>

namespace ascemu::interp {
namespace {

constexpr std::array<std::string_view, 8> kSpaceNames{"Auto", "UB",  "L1", "L0A",
                                                      "L0B",  "L0C", "BT", "FIX"};

}  // namespace

std::string_view space_name(Space space) {
  const auto index = static_cast<std::size_t>(space);
  return index < kSpaceNames.size() ? kSpaceNames[index] : "?";
}

std::optional<Space> space_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kSpaceNames.size(); ++i) {
    if (kSpaceNames[i] == name) return static_cast<Space>(i);
  }
  return std::nullopt;
}

}  // namespace ascemu::interp
