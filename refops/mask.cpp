#include <algorithm>

#include "refops/eval.h"

namespace ascemu::refops {
namespace {

inline constexpr std::size_t kRepeatBytes = 256;

template <class Bits>
void blend_lanes(const LaneMask& mask, std::size_t lanes, const Scalar& other, const View& out) {
  const auto fill = static_cast<Bits>(other.bits);
  auto* elements = reinterpret_cast<Bits*>(out.data);
  const auto count = static_cast<std::size_t>(out.shape.count_elems());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (((mask.bits[lane / 64] >> (lane % 64)) & 1U) != 0) continue;
    for (std::size_t i = lane; i < count; i += lanes) elements[i] = fill;
  }
}

}  // namespace

LaneMask lane_mask_from_count(std::uint32_t count) {
  LaneMask mask;
  for (std::uint32_t word = 0; word < mask.bits.size(); ++word) {
    const std::uint32_t first = word * 64;
    const std::uint32_t inside = count <= first ? 0 : std::min(count - first, 64U);
    mask.bits[word] = inside == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << inside) - 1;
  }
  return mask;
}

LaneMask lane_mask_from_bits(std::uint64_t high, std::uint64_t low) {
  return LaneMask{{low, high, 0, 0}};
}

void eval_mask_blend(const LaneMask& mask, Dtype lanes_of, const Scalar& other, const View& out) {
  const std::size_t lanes = kRepeatBytes / dtype_size_bytes(lanes_of);
  switch (dtype_size_bytes(out.dtype)) {
    case 1:
      return blend_lanes<std::uint8_t>(mask, lanes, other, out);
    case 2:
      return blend_lanes<std::uint16_t>(mask, lanes, other, out);
    case 4:
      return blend_lanes<std::uint32_t>(mask, lanes, other, out);
    default:
      return blend_lanes<std::uint64_t>(mask, lanes, other, out);
  }
}

}  // namespace ascemu::refops
