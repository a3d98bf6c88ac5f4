// Which elements a tile transfer moves: the geometry of spec asc2 §5.6, §5.7, §11.4 and §12.6-7.
//
// What it is: pure arithmetic on shapes and offsets in checked 64-bit numbers. What it is not:
// bytes or faults. Rules: tile and tensor are aligned at the last dimension, missing leading
// dimensions count as 1; every dimension moves min(want, declared size - offset) elements, none
// when that is negative; a negative offset does not clip, its elements are bad; so is an element
// whose position lies outside the array. Invariant: when `representable`, every position between
// first() and last() is computed without overflow.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "interp/value/runtime_value.h"

namespace ascemu::interp {

struct TileRequest {
  const Global& tensor;
  std::span<const std::int64_t> offsets;  // missing ones count as 0
  Shape tile;
  Shape want;           // tile, or real_shape already held between 0 and tile
  bool clipped = true;  // false: bias loads, which read the whole tile (spec §11.4)
};

struct TileAccess {
  int rank = 0;
  Shape tile;               // the dimensions below: aligned
  Shape low, high;          // tile coordinates low <= i < high move
  Shape extent;             // high - low; all zero when nothing moves
  refops::Strides strides;  // of the tensor
  std::int64_t first = 0;   // position of the element at `low`
  std::int64_t last = 0;    // position of the element at `high - 1`
  std::int64_t origin =
      0;  // position of the first element asked for, for messages: held at the ends of 64 bits
  std::int64_t count_elems = 0;     // elements that move, those outside the array included
  bool representable = true;        // false: the positions do not fit 64 bits, every element is bad
  std::int64_t negative_elems = 0;  // asked for at negative coordinates: bad
  bool clips_rows = false;          // an older generation would move more rows (spec §5.7)
  bool leaves_leading = false;      // a fixed leading coordinate lies past the end (spec §12.6)

  bool is_whole_tile() const { return negative_elems == 0 && count_elems == tile.count_elems(); }
  // No element lies outside an array of that size.
  bool is_inside(std::int64_t array_elems) const {
    return count_elems == 0 || (representable && first >= 0 && last < array_elems);
  }
};

TileAccess resolve_tile(const TileRequest& request);

// A run of elements that are neighbours in the tile (row-major) and in the array.
struct Run {
  std::int64_t tile_offset;
  std::int64_t position;
  std::int64_t count;
};

// Where a scalar access lands (spec §11.4: nothing is clipped); nothing when the position does not
// fit 64 bits.
std::optional<std::int64_t> resolve_position(const Global& tensor,
                                             std::span<const std::int64_t> offsets);
// The same, and where it does not fit 64 bits the end of them on its side; for messages.
std::int64_t nearest_position(const Global& tensor, std::span<const std::int64_t> offsets);

// Calls visit(Run) for every run of the access, in row-major order. Requires: representable.
template <class F>
void for_each_run(const TileAccess& access, F&& visit) {
  if (access.count_elems == 0) return;
  std::array<std::int64_t, refops::kMaxRank> tile_strides{};
  std::int64_t stride = 1;
  for (int axis = access.rank - 1; axis >= 0; --axis) {
    tile_strides[static_cast<std::size_t>(axis)] = stride;
    stride *= access.tile[axis];
  }
  Run run{0, access.first, 1};
  for (int axis = 0; axis < access.rank; ++axis)
    run.tile_offset += access.low[axis] * tile_strides[static_cast<std::size_t>(axis)];
  int outer = access.rank;
  while (outer > 0) {
    const auto axis = static_cast<std::size_t>(outer - 1);
    const bool dense = access.extent[outer - 1] == 1 ||
                       (tile_strides[axis] == run.count && access.strides[outer - 1] == run.count);
    if (!dense) break;
    run.count *= access.extent[outer - 1];
    --outer;
  }
  std::array<std::int64_t, refops::kMaxRank> index{};
  while (true) {
    visit(static_cast<const Run&>(run));
    int axis = outer - 1;
    for (; axis >= 0; --axis) {
      const auto at = static_cast<std::size_t>(axis);
      if (++index[at] < access.extent[axis]) {
        run.tile_offset += tile_strides[at];
        run.position += access.strides[axis];
        break;
      }
      run.tile_offset -= (access.extent[axis] - 1) * tile_strides[at];
      run.position -= (access.extent[axis] - 1) * access.strides[axis];
      index[at] = 0;
    }
    if (axis < 0) return;
  }
}

// The part of a run that lies inside an array of that size (count may be 0).
Run clip_run(const Run& run, std::int64_t array_elems);

}  // namespace ascemu::interp
