// Static types of tree values and the spaces local tensors live in (spec asc2 §5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "refops/dtype.h"
#include "refops/shape.h"

namespace ascemu::interp {

using refops::Dtype;
using refops::Shape;

enum class Space : std::uint8_t { automatic, ub, l1, l0a, l0b, l0c, bt, fix };

std::string_view space_name(Space space);  // "Auto", "UB", ...
std::optional<Space> space_from_name(std::string_view name);

struct ScalarType {
  Dtype dtype;
  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};
// A local tensor. `space` is what the kernel asked for; resolve_locations replaces automatic.
struct TensorType {
  Dtype dtype;
  Shape shape;
  Space space = Space::automatic;
  friend bool operator==(const TensorType&, const TensorType&) = default;
};
// A pointer parameter, possibly moved by address_add.
struct AddressType {
  Dtype dtype;
  friend bool operator==(const AddressType&, const AddressType&) = default;
};
// A view of a pointer with a declared row-major shape; a dimension without value is a runtime
// scalar.
struct GlobalType {
  Dtype dtype;
  std::vector<std::optional<std::int64_t>> dims;
  friend bool operator==(const GlobalType&, const GlobalType&) = default;
};
using ValueType = std::variant<ScalarType, TensorType, AddressType, GlobalType>;

}  // namespace ascemu::interp
