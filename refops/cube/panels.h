// The operands of the cube, packed for register tiles (contract N14).
//
// What it is: lines of an operand side by side, k-major, zero padded to whole panels, in the type
// the kernel computes with; and the plan of the tiles of a result.
// What it is not: arithmetic.
//
// Invariant: widening is exact; HF32 rounding (N14.2) happens here and nowhere else.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "refops/dispatch.h"
#include "refops/hf32.h"
#include "refops/view.h"

namespace ascemu::refops::cube {

// One register tile of the result: its accumulators are held over the whole K loop.
inline constexpr std::int64_t kTileRows = 4;
inline constexpr std::int64_t kTileColumns = 8;
template <class C>
using Tile = std::array<C, kTileRows * kTileColumns>;

// Panel p holds the lines [p * width, (p + 1) * width).
template <class C>
struct Panels {
  std::vector<C> values;
  std::int64_t width = 0;
  std::int64_t depth = 0;

  std::int64_t count() const {
    return static_cast<std::int64_t>(values.size()) / std::max<std::int64_t>(depth * width, 1);
  }
  const C* panel(std::int64_t line) const { return values.data() + line / width * depth * width; }
};

// `line_axis` is the axis of `view` that is not K. float64 operands (N19) take no HF32 rounding.
template <class C>
Panels<C> pack_panels(const ConstView& view, int line_axis, std::int64_t width, bool hf32) {
  using namespace detail;
  const int depth_axis = 1 - line_axis;
  const std::int64_t lines = view.shape[line_axis];
  const std::int64_t line_stride = view.strides[line_axis];
  const std::int64_t depth_stride = view.strides[depth_axis];
  Panels<C> panels{{}, width, view.shape[depth_axis]};
  const std::int64_t count = (lines + width - 1) / width;
  panels.values.assign(static_cast<std::size_t>(count * panels.depth * width), C{0});
  const auto pack = [&]<class T>(std::type_identity<T>) {
    const T* source = reinterpret_cast<const T*>(view.data);
    for (std::int64_t line = 0; line < lines; ++line) {
      C* target = panels.values.data() + line / width * panels.depth * width + line % width;
      const T* elements = source + line * line_stride;
      for (std::int64_t k = 0; k < panels.depth; ++k) {
        const auto value = widen(elements[k * depth_stride]);
        if constexpr (std::is_same_v<T, double>) {
          target[k * width] = static_cast<C>(value);
        } else {
          target[k * width] = hf32 ? round_to_hf32(value) : value;
        }
      }
    }
  };
  dispatch_dtype<kF16 | kBf16 | kF32 | (std::is_same_v<C, double> ? kF64 : 0)>("matmul", view.dtype,
                                                                               pack);
  return panels;
}

// Calls multiply(row, column, tile) for every tile of `acc`, with its elements in `tile` before and
// the result in it after; `finish` makes the stored element of a computed one.
template <class C, class Multiply, class Finish>
void for_each_tile(const View& acc, const Multiply& multiply, const Finish& finish) {
  const std::int64_t rows = acc.shape[0];
  const std::int64_t columns = acc.shape[1];
  auto* result = reinterpret_cast<C*>(acc.data);
  Tile<C> tile{};
  for (std::int64_t m = 0; m < rows; m += kTileRows) {
    const std::int64_t height = std::min(kTileRows, rows - m);
    for (std::int64_t n = 0; n < columns; n += kTileColumns) {
      const std::int64_t width = std::min(kTileColumns, columns - n);
      const auto visit = [&](auto&& body) {
        for (std::int64_t i = 0; i < height; ++i) {
          for (std::int64_t j = 0; j < width; ++j) {
            body(tile[static_cast<std::size_t>(i * kTileColumns + j)],
                 result[(m + i) * acc.strides[0] + (n + j) * acc.strides[1]]);
          }
        }
      };
      visit([](C& inside, C outside) { inside = outside; });
      multiply(m, n, tile);
      visit([&](C inside, C& outside) { outside = finish(inside); });
    }
  }
}

}  // namespace ascemu::refops::cube
