#include "interp/memory/transfer.h"

#include <algorithm>

#include "interp/memory/poison.h"
#include "interp/memory/storage_conversion.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return multiple <= 1 ? value : (value + multiple - 1) / multiple * multiple;
}

std::size_t bytes_of(std::int64_t count, std::size_t element_bytes) {
  return static_cast<std::size_t>(count) * element_bytes;
}

// The part of the contiguous tile with coordinates in [from, to) of every dimension.
refops::View box_of(const refops::View& out, const TileAccess& access, const Shape& from,
                    const Shape& to) {
  refops::View box{out.data, out.dtype, {}, {}};
  const refops::Strides strides = refops::contiguous_strides(access.tile);
  std::int64_t offset = 0;
  for (int axis = 0; axis < access.rank; ++axis) {
    box.shape.push_back(std::max<std::int64_t>(to[axis] - from[axis], 0));
    box.strides.push_back(strides[axis]);
    offset += from[axis] * strides[axis];
  }
  box.data += offset * static_cast<std::int64_t>(refops::dtype_size_bytes(out.dtype));
  return box;
}

void fill_box(const refops::Scalar& value, const refops::View& out, const TileAccess& access,
              const Shape& from, const Shape& to) {
  const refops::View box = box_of(out, access, from, to);
  if (box.shape.count_elems() > 0) refops::eval_fill(value, box);
}

// The zeros of a TailRule without `everywhere`.
void fill_zero_tails(const TileAccess& access, const TailRule& rule, const refops::View& out) {
  const refops::Scalar zero{out.dtype, 0};
  Shape from = access.high;
  for (int axis = 0; axis < access.rank; ++axis) from[axis] = 0;
  const int column = access.rank - 1;
  Shape to = access.high;
  if (rule.column_multiple > 1) {
    to[column] = std::min(access.tile[column], round_up(access.high[column], rule.column_multiple));
    from[column] = access.high[column];
    fill_box(zero, out, access, from, to);
    from[column] = 0;
  }
  if (rule.row_multiple > 1 && access.rank >= 2) {
    const int row = access.rank - 2;
    to[row] = std::min(access.tile[row], round_up(access.high[row], rule.row_multiple));
    from[row] = access.high[row];
    fill_box(zero, out, access, from, to);
  }
}

void fill_before_load(const GlobalArray& array, const TileAccess& access, const TailRule& rule,
                      const refops::View& out) {
  const refops::Scalar poison = poison_scalar(array.dtype, out.dtype);
  if (!access.is_whole_tile()) {
    refops::eval_fill(rule.everywhere.value_or(poison), out);
    if (!rule.everywhere && access.count_elems + access.negative_elems > 0)
      fill_zero_tails(access, rule, out);
  }
  if (access.negative_elems > 0 || !access.is_inside(array.count_elems)) {
    Shape from = access.high;
    for (int axis = 0; axis < access.rank; ++axis) from[axis] = 0;
    fill_box(poison, out, access, from, access.high);
  }
}

}  // namespace

std::int64_t load_tile(const GlobalArray& array, const TileAccess& access, const TailRule& rule,
                       const refops::View& out) {
  fill_before_load(array, access, rule, out);
  if (!access.representable) return access.count_elems;
  const std::size_t element_bytes = refops::dtype_size_bytes(out.dtype);
  const bool inside = access.is_inside(array.count_elems);
  std::int64_t outside = 0;
  for_each_run(access, [&](const Run& run) {
    const Run good = inside ? run : clip_run(run, array.count_elems);
    outside += run.count - good.count;
    if (good.count == 0) return;
    move_elements(array.dtype, array.at(good.position), out.dtype,
                  out.data + bytes_of(good.tile_offset, element_bytes), good.count);
  });
  return outside;
}

void mark_tails(const TileAccess& access, const TailRule& rule, const refops::Scalar& cause,
                const refops::View& causes) {
  if (access.is_whole_tile() || rule.everywhere) return;
  refops::eval_fill(cause, causes);
  if (access.count_elems + access.negative_elems == 0) return;
  fill_zero_tails(access, rule, causes);
  Shape from = access.high;
  for (int axis = 0; axis < access.rank; ++axis) from[axis] = 0;
  fill_box(refops::Scalar{causes.dtype, 0}, causes, access, from, access.high);
}

std::int64_t store_tile(const refops::ConstView& tile, const TileAccess& access,
                        const GlobalArray& array) {
  if (!access.representable) return access.count_elems;
  const std::size_t element_bytes = refops::dtype_size_bytes(tile.dtype);
  const bool inside = access.is_inside(array.count_elems);
  std::int64_t outside = 0;
  for_each_run(access, [&](const Run& run) {
    const Run good = inside ? run : clip_run(run, array.count_elems);
    outside += run.count - good.count;
    if (good.count == 0) return;
    move_elements(tile.dtype, tile.data + bytes_of(good.tile_offset, element_bytes), array.dtype,
                  array.at(good.position), good.count);
  });
  return outside;
}

std::int64_t load_run(const GlobalArray& array, std::int64_t position, std::int64_t count,
                      refops::Dtype stored, std::byte* out) {
  const std::size_t element_bytes = refops::dtype_size_bytes(stored);
  const Run good = clip_run({0, position, count}, array.count_elems);
  if (good.count < count) {
    fill_poison(array.dtype, refops::contiguous_view(out, stored, Shape{count}));
  }
  if (good.count > 0) {
    move_elements(array.dtype, array.at(good.position), stored,
                  out + bytes_of(good.tile_offset, element_bytes), good.count);
  }
  return count - good.count;
}

std::int64_t store_run(refops::Dtype stored, const std::byte* data, std::int64_t position,
                       std::int64_t count, const GlobalArray& array) {
  const std::size_t element_bytes = refops::dtype_size_bytes(stored);
  const Run good = clip_run({0, position, count}, array.count_elems);
  if (good.count > 0) {
    move_elements(stored, data + bytes_of(good.tile_offset, element_bytes), array.dtype,
                  array.at(good.position), good.count);
  }
  return count - good.count;
}

}  // namespace ascemu::interp
