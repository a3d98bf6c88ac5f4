// Moves elements between an array and a contiguous local tile, never touching a byte outside the
// array.
//
// What it is: the bytes of copy_in and copy_out once tile_access.h has said which elements move;
// floats stored as float64 are converted on the way (storage_conversion.h).
// What it is not: faults; callers compare the returned counts. Invariant: after load_tile every
// element of the tile is defined: loaded, filled, or poison.
#pragma once

#include <cstdint>
#include <optional>

#include "interp/memory/global_array.h"
#include "interp/memory/tile_access.h"
#include "refops/view.h"

namespace ascemu::interp {

// What copy_in puts where it loads nothing (spec §5.6, §11.4, §12.10). Without `everywhere` the
// rest is poison but for zeros: in valid rows up to the next multiple of column_multiple elements,
// and in the rows below up to the next multiple of row_multiple (0: none).
struct TailRule {
  std::optional<refops::Scalar> everywhere;
  std::int64_t column_multiple = 0;
  std::int64_t row_multiple = 0;
};

// Fills `out` (contiguous, shape of the tile) from the array. Bad elements become poison. Returns
// how many elements of the access lay outside the array.
std::int64_t load_tile(const GlobalArray& array, const TileAccess& access, const TailRule& rule,
                       const refops::View& out);

// The same places in a tensor of 16-bit causes that is all 0: `cause` where load_tile puts poison
// because nothing is loaded, 0 elsewhere (bad elements included).
void mark_tails(const TileAccess& access, const TailRule& rule, const refops::Scalar& cause,
                const refops::View& causes);

// Stores the tile's moving elements; those outside the array are dropped. Returns how many.
std::int64_t store_tile(const refops::ConstView& tile, const TileAccess& access,
                        const GlobalArray& array);

// Copies count elements starting at `position`; elements outside the array become poison (load) or
// are dropped (store). Returns how many.
// `stored` is the dtype of the local elements.
std::int64_t load_run(const GlobalArray& array, std::int64_t position, std::int64_t count,
                      refops::Dtype stored, std::byte* out);
std::int64_t store_run(refops::Dtype stored, const std::byte* data, std::int64_t position,
                       std::int64_t count, const GlobalArray& array);

}  // namespace ascemu::interp
