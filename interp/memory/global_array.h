// One array argument of a launch as the blocks see it: the host's bytes with their true size.
//
// Invariant: nothing in ascemu reads or writes outside [data, data + count_elems * size of dtype).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "refops/dtype.h"

namespace ascemu::interp {

struct GlobalArray {
  std::byte* data = nullptr;
  std::int64_t count_elems = 0;
  refops::Dtype dtype = refops::Dtype::float32;
  bool writable = true;
  std::string_view name;  // of the parameter; lives in the Program

  std::int64_t size_bytes() const {
    return count_elems * static_cast<std::int64_t>(refops::dtype_size_bytes(dtype));
  }
  std::byte* at(std::int64_t position) const {
    return data + position * static_cast<std::int64_t>(refops::dtype_size_bytes(dtype));
  }
};

}  // namespace ascemu::interp
