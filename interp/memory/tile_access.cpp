#include "interp/memory/tile_access.h"

#include <algorithm>

namespace ascemu::interp {
namespace {

// One aligned dimension of the request.
struct Dimension {
  std::int64_t tile = 1;
  std::int64_t want = 1;
  std::int64_t declared = 1;
  std::int64_t offset = 0;
  std::int64_t stride = 0;
  bool is_leading = false;  // the tile has no such dimension
};

Dimension align(const TileRequest& request, int axis, int rank) {
  Dimension dimension;
  const int tile_axis = axis - (rank - request.tile.rank());
  const int tensor_axis = axis - (rank - request.tensor.dims.rank());
  dimension.is_leading = tile_axis < 0;
  if (tile_axis >= 0) {
    dimension.tile = request.tile[tile_axis];
    dimension.want = request.want[tile_axis];
  }
  if (tensor_axis >= 0) {
    dimension.declared = request.tensor.dims[tensor_axis];
    dimension.stride = request.tensor.strides[tensor_axis];
    const auto at = static_cast<std::size_t>(tensor_axis);
    if (at < request.offsets.size()) dimension.offset = request.offsets[at];
  }
  return dimension;
}

// Elements from the offset to the declared end; a negative offset adds to them.
std::int64_t available(const Dimension& dimension) {
  if (dimension.declared <= 0) return 0;
  std::int64_t rest = 0;
  if (__builtin_sub_overflow(dimension.declared, dimension.offset, &rest)) return INT64_MAX;
  return std::max<std::int64_t>(rest, 0);
}

std::optional<std::int64_t> advance(std::optional<std::int64_t> position, std::int64_t steps,
                                    std::int64_t stride) {
  std::int64_t distance = 0;
  std::int64_t sum = 0;
  if (!position || __builtin_mul_overflow(steps, stride, &distance) ||
      __builtin_add_overflow(*position, distance, &sum)) {
    return std::nullopt;
  }
  return sum;
}

std::int64_t asked_origin(const TileRequest& request) {
  std::int64_t position = request.tensor.offset_elems;
  const int rank = std::max(request.tile.rank(), request.tensor.dims.rank());
  for (int axis = 0; axis < rank; ++axis) {
    const Dimension dimension = align(request, axis, rank);
    position = add_saturating(position, multiply_saturating(dimension.offset, dimension.stride));
  }
  return position;
}

void make_empty(TileAccess& access) {
  for (int axis = 0; axis < access.rank; ++axis) access.extent[axis] = 0;
  access.count_elems = 0;
}

}  // namespace

TileAccess resolve_tile(const TileRequest& request) {
  TileAccess access;
  access.rank = std::max(request.tile.rank(), request.tensor.dims.rank());
  const Shape frame =
      request.tile.rank() == access.rank ? request.tile : request.tensor.dims;  // gives the rank
  access.tile = access.low = access.high = access.extent = access.strides = frame;
  std::optional<std::int64_t> first = request.tensor.offset_elems;
  std::int64_t asked = 1;
  std::int64_t moved = 1;
  bool short_rows = false;
  for (int axis = 0; axis < access.rank; ++axis) {
    const Dimension dimension = align(request, axis, access.rank);
    const std::int64_t rest = available(dimension);
    const std::int64_t high = request.clipped ? std::min(dimension.want, rest) : dimension.want;
    const std::int64_t low =
        dimension.offset >= 0 ? 0 : std::min(high, -std::max(dimension.offset, -INT64_MAX));
    if (dimension.is_leading && rest == 0) access.leaves_leading = true;
    short_rows |= axis < access.rank - 1 && !dimension.is_leading && high < dimension.want;
    access.tile[axis] = dimension.tile;
    access.low[axis] = low;
    access.high[axis] = high;
    access.extent[axis] = high - low;
    access.strides[axis] = dimension.stride;
    asked *= high;
    moved *= high - low;
    first = advance(first, dimension.offset, dimension.stride);
  }
  access.clips_rows = short_rows && access.rank > 0 && access.high[access.rank - 1] > 0;
  access.count_elems = moved;
  access.negative_elems = asked - moved;
  for (int axis = 0; axis < access.rank; ++axis)
    first = advance(first, access.low[axis], access.strides[axis]);
  access.origin = first.value_or(request.tensor.offset_elems < 0 ? INT64_MIN : INT64_MAX);
  if (access.negative_elems > 0) access.origin = asked_origin(request);
  if (moved == 0) {
    make_empty(access);
    return access;
  }
  std::optional<std::int64_t> last = first;
  for (int axis = 0; axis < access.rank; ++axis)
    last = advance(last, access.extent[axis] - 1, access.strides[axis]);
  access.representable = first.has_value() && last.has_value();
  access.first = first.value_or(0);
  access.last = last.value_or(0);
  return access;
}

std::optional<std::int64_t> resolve_position(const Global& tensor,
                                             std::span<const std::int64_t> offsets) {
  std::optional<std::int64_t> position = tensor.offset_elems;
  const auto rank = static_cast<std::size_t>(tensor.dims.rank());
  for (std::size_t axis = 0; axis < std::min(rank, offsets.size()); ++axis)
    position = advance(position, offsets[axis], tensor.strides[static_cast<int>(axis)]);
  return position;
}

std::int64_t nearest_position(const Global& tensor, std::span<const std::int64_t> offsets) {
  std::int64_t position = tensor.offset_elems;
  const auto rank = static_cast<std::size_t>(tensor.dims.rank());
  for (std::size_t axis = 0; axis < std::min(rank, offsets.size()); ++axis) {
    position = add_saturating(
        position, multiply_saturating(offsets[axis], tensor.strides[static_cast<int>(axis)]));
  }
  return position;
}

Run clip_run(const Run& run, std::int64_t array_elems) {
  if (run.position <= -run.count || run.position >= array_elems)
    return {run.tile_offset, run.position, 0};
  const std::int64_t skipped = run.position < 0 ? -run.position : 0;
  const std::int64_t position = run.position + skipped;
  return {run.tile_offset + skipped, position,
          std::min(run.count - skipped, array_elems - position)};
}

}  // namespace ascemu::interp
