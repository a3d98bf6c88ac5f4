#include "interp/builtins/mask.h"

#include <algorithm>

#include "interp/builtins/conversion.h"

namespace ascemu::interp {
namespace {

constexpr std::int64_t kMaxLanes = 256;

Status push_rule(TraceState& state, std::optional<std::int64_t> count,
                 const std::optional<std::array<std::uint64_t, 2>>& bits,
                 const std::optional<Arg>& other) {
  if (count.has_value() == bits.has_value()) {
    return make_fault(Code::bad_argument_value,
                      count ? "mask: give either 'count' or 'bits', not both"
                            : "mask: 'count' or 'bits' is needed");
  }
  if (count && *count < 0) {
    return make_fault(Code::bad_argument_value,
                      "mask: 'count' is " + std::to_string(*count) + "; legal: 0 and above");
  }
  if (other) {
    const Status admitted = state.admit(*other);
    if (!admitted) return admitted.fault();
    const auto* value = std::get_if<Value>(&*other);
    if (value != nullptr && !value->is_scalar()) {
      return kind_fault("mask", "other", "a number", type_phrase(value->type));
    }
  }
  OpenMask mask;
  mask.lanes =
      count ? refops::lane_mask_from_count(static_cast<std::uint32_t>(std::min(*count, kMaxLanes)))
            : refops::lane_mask_from_bits((*bits)[0], (*bits)[1]);
  mask.other = other;
  state.masks.push_back(std::move(mask));
  return Ok{};
}

}  // namespace

Result<std::optional<MaskSpec>> current_mask(TraceState& state, Dtype dtype) {
  if (state.masks.empty()) return std::optional<MaskSpec>{};
  const OpenMask& open = state.masks.back();
  MaskSpec spec;
  spec.lanes = open.lanes;
  if (open.other) {
    const auto other = scalar_of(state, *open.other, dtype, "mask", "other");
    if (!other) return other.fault();
    spec.other = other->operand;
  }
  return std::optional<MaskSpec>(std::move(spec));
}

Status Builder::push_mask(std::optional<std::int64_t> count,
                          std::optional<std::array<std::uint64_t, 2>> bits,
                          std::optional<Arg> other) {
  return transact(*state_, [&] { return push_rule(*state_, count, bits, other); });
}

void Builder::pop_mask() {
  if (!state_->masks.empty()) state_->masks.pop_back();
}

}  // namespace ascemu::interp
