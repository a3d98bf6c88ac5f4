// The one record of an access to an array: what the checks observe (architecture, decision 10).
//
// What it is: a value made once per access, after clipping and with the outcome known. What it is
// not: positions in the source, block or loop values; the walker adds those. Invariant: a clean
// event (is_clean) needs no check that looks at a single access.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "interp/memory/global_array.h"
#include "interp/value/runtime_value.h"

namespace ascemu::interp {

enum class AccessKind : std::uint8_t { read, write, atomic };

struct AccessEvent {
  AccessKind kind = AccessKind::read;
  std::string_view operation;  // as the language spells it
  const GlobalArray* array = nullptr;
  const Global* tensor = nullptr;
  std::string_view tensor_name;           // the kernel's variable, may be empty
  std::span<const std::int64_t> offsets;  // as the kernel gave them
  Shape extent;  // elements asked for in each dimension of the tile; rank 0: a scalar
  std::int64_t first =
      0;  // positions in the array that were asked for, inclusive, clipped to the tensor
  std::int64_t last = 0;
  std::int64_t outside_elems = 0;   // outside the array: poison or dropped
  std::int64_t negative_elems = 0;  // at negative coordinates: poison or dropped
  bool is_read_only = false;        // a store into an array that may not be written: dropped
  bool is_unchecked_index = false;  // gather or scatter with check_bounds=False
  bool clips_rows = false;
  bool leaves_leading = false;

  bool is_clean() const {
    return outside_elems == 0 && negative_elems == 0 && !is_read_only && !clips_rows &&
           !leaves_leading;
  }
};

}  // namespace ascemu::interp
