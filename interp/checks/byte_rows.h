// The bytes one access touches: equally long rows at equal distances.
//
// What it is: arithmetic on addresses, exact for tiles of any stride. What it is not: who touched
// them. Invariant: run >= 1, count >= 1, and stride >= run where count > 1, so that rows never
// overlap each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "interp/memory/global_array.h"
#include "interp/memory/tile_access.h"

namespace ascemu::interp {

struct ByteRows {
  std::int64_t first = 0;   // address of the first byte
  std::int64_t run = 1;     // bytes of a row
  std::int64_t stride = 0;  // bytes from row to row
  std::int64_t count = 1;   // rows

  std::int64_t row(std::int64_t i) const { return first + i * stride; }
  std::int64_t end() const { return row(count - 1) + run; }  // one past the last byte

  // Every byte of `other` is one of these, row by row; false is allowed where it is too hard to
  // say.
  bool contains(const ByteRows& other) const;
  // Takes in the bytes of `next` where the union has this form again.
  bool extend(const ByteRows& next);
};

struct ByteSpan {
  std::int64_t first = 0, end = 0;
};
// The first bytes that both touch; nothing when they only interleave.
std::optional<ByteSpan> first_shared(const ByteRows& a, const ByteRows& b);

inline std::int64_t base_address(const GlobalArray& array) {
  return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(array.data));
}

// A run that lies inside the array.
inline ByteRows run_bytes(const GlobalArray& array, const Run& run) {
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(array.dtype));
  return {base_address(array) + run.position * size, run.count * size, 0, 1};
}

// Calls visit(ByteRows) until all elements of the access that lie inside the array are covered.
template <class F>
void for_each_rows(const GlobalArray& array, const TileAccess& access, F&& visit) {
  if (access.count_elems == 0 || !access.representable) return;
  if (!access.is_inside(array.count_elems)) {
    for_each_run(access, [&](const Run& run) {
      const Run good = clip_run(run, array.count_elems);
      if (good.count > 0) visit(run_bytes(array, good));
    });
    return;
  }
  ByteRows rows = run_bytes(array, {0, access.first, 1});
  const std::int64_t size = rows.run;
  int axis = access.rank - 1;
  for (; axis >= 0; --axis) {  // dimensions that lengthen the row
    if (access.extent[axis] == 1) continue;
    if (access.strides[axis] * size != rows.run) break;
    rows.run *= access.extent[axis];
  }
  for (; axis >= 0; --axis) {  // dimensions that repeat it
    if (access.extent[axis] == 1) continue;
    const std::int64_t stride = access.strides[axis] * size;
    if (rows.count > 1 && stride != rows.count * rows.stride) break;
    if (rows.count == 1) rows.stride = stride;
    rows.count *= access.extent[axis];
  }
  const std::int64_t start = rows.first;
  const int outer = axis + 1;
  std::array<std::int64_t, refops::kMaxRank> index{};
  while (true) {
    visit(static_cast<const ByteRows&>(rows));
    for (axis = outer - 1; axis >= 0; --axis) {
      const auto at = static_cast<std::size_t>(axis);
      if (++index[at] < access.extent[axis]) break;
      index[at] = 0;
    }
    if (axis < 0) return;
    rows.first = start;
    for (int i = 0; i < outer; ++i)
      rows.first += index[static_cast<std::size_t>(i)] * access.strides[i] * size;
  }
}

}  // namespace ascemu::interp
