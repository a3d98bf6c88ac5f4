#include "interp/value/causes.h"

#include <algorithm>
#include <array>

namespace ascemu::interp {
namespace {

constexpr Dtype kCauseDtype = Dtype::int16;

// Calls visit(offset_a, offset_b) for every element of the shape, in row-major order.
template <class F>
void for_each_pair(const Shape& shape, const refops::Strides& a, const refops::Strides& b,
                   F&& visit) {
  if (shape.count_elems() == 0) return;
  std::array<std::int64_t, refops::kMaxRank> index{};
  std::int64_t at_a = 0;
  std::int64_t at_b = 0;
  const int last = shape.rank() - 1;
  while (true) {
    const std::int64_t row = last < 0 ? 1 : shape[last];
    const std::int64_t step_a = last < 0 ? 0 : a[last];
    const std::int64_t step_b = last < 0 ? 0 : b[last];
    for (std::int64_t i = 0; i < row; ++i) visit(at_a + i * step_a, at_b + i * step_b);
    int axis = last - 1;
    for (; axis >= 0; --axis) {
      const auto at = static_cast<std::size_t>(axis);
      at_a += a[axis];
      at_b += b[axis];
      if (++index[at] < shape[axis]) break;
      at_a -= shape[axis] * a[axis];
      at_b -= shape[axis] * b[axis];
      index[at] = 0;
    }
    if (axis < 0) return;
  }
}

std::byte* cause_bytes(const LocalTensor& tensor) {
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(tensor.dtype));
  return reinterpret_cast<std::byte*>(tensor.allocation->causes + tensor.offset_bytes / size);
}

}  // namespace

refops::ConstView causes_of(const LocalTensor& tensor) {
  return {cause_bytes(tensor), kCauseDtype, tensor.shape, tensor.strides};
}

refops::View define_causes(const LocalTensor& tensor) {
  if (!has_causes(tensor))
    tensor.allocation->causes = new CauseId[static_cast<std::size_t>(tensor.shape.count_elems())]();
  return {cause_bytes(tensor), kCauseDtype, tensor.shape, tensor.strides};
}

void settle_causes(const LocalTensor& tensor) {
  const CauseId* const causes = tensor.allocation->causes;
  const CauseId* const end = causes + tensor.shape.count_elems();
  if (std::all_of(causes, end, [](CauseId cause) { return cause == 0; }))
    drop_causes(*tensor.allocation.get());
}

refops::ConstView no_causes(const Shape& shape) {
  static constexpr CauseId kDefined = 0;
  refops::Strides strides = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) strides[axis] = 0;
  return {reinterpret_cast<const std::byte*>(&kDefined), kCauseDtype, shape, strides};
}

refops::ConstView causes_view(const std::vector<CauseId>& causes, const Shape& shape) {
  return refops::contiguous_view(reinterpret_cast<const std::byte*>(causes.data()), kCauseDtype,
                                 shape);
}

void join_causes(const refops::ConstView& source, const refops::View& target) {
  const auto* const from = reinterpret_cast<const CauseId*>(source.data);
  auto* const to = reinterpret_cast<CauseId*>(target.data);
  const refops::Strides strides =
      refops::broadcast_strides(source.shape, source.strides, target.shape);
  for_each_pair(target.shape, target.strides, strides,
                [&](std::int64_t at, std::int64_t source_at) {
                  if (to[at] == 0) to[at] = from[source_at];
                });
}

FoldedCauses fold_causes(const refops::ConstView& causes, std::uint32_t axes_mask) {
  const auto* const from = reinterpret_cast<const CauseId*>(causes.data);
  refops::Strides kept = causes.shape;
  std::int64_t count = 1;
  for (int axis = causes.shape.rank() - 1; axis >= 0; --axis) {
    const bool is_reduced = ((axes_mask >> axis) & 1U) != 0;
    kept[axis] = is_reduced ? 0 : count;
    if (!is_reduced) count *= causes.shape[axis];
  }
  FoldedCauses folded;
  std::vector<std::uint8_t> is_mixed(static_cast<std::size_t>(count));
  bool has_mixed = false;
  folded.of_lines.resize(static_cast<std::size_t>(count));
  const auto visit_lines = [&](auto&& visit) {
    for_each_pair(causes.shape, causes.strides, kept, [&](std::int64_t at, std::int64_t line) {
      visit(from[at], static_cast<std::size_t>(line));
    });
  };
  visit_lines([&](CauseId cause, std::size_t line) {
    if (cause == 0) is_mixed[line] = 1;
    if (folded.of_lines[line] == 0) folded.of_lines[line] = cause;
  });
  for (std::size_t line = 0; line < is_mixed.size(); ++line)
    has_mixed |= is_mixed[line] != 0 && folded.of_lines[line] != 0;
  if (!has_mixed) return folded;
  folded.of_mixed.reserve(static_cast<std::size_t>(causes.shape.count_elems()));
  visit_lines([&](CauseId cause, std::size_t line) {
    folded.of_mixed.push_back(is_mixed[line] != 0 ? cause : CauseId{0});
  });
  for (std::size_t line = 0; line < is_mixed.size(); ++line) {
    if (is_mixed[line] != 0) folded.of_lines[line] = 0;
  }
  return folded;
}

}  // namespace ascemu::interp
