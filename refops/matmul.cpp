#include <algorithm>
#include <array>
#include <vector>

#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/hf32.h"

namespace ascemu::refops {
namespace {

using detail::kBf16;
using detail::kF16;
using detail::kF32;

// One register tile of the result: kTileRows x kTileColumns accumulators held over the whole K
// loop.
inline constexpr std::int64_t kTileRows = 4;
inline constexpr std::int64_t kTileColumns = 8;

// An operand as packed float32 panels: panel p holds lines [p * width, (p + 1) * width), k-major,
// zero padded.
struct Panels {
  std::vector<float> values;
  std::int64_t width = 0;
  std::int64_t depth = 0;

  const float* panel(std::int64_t line) const {
    return values.data() + line / width * depth * width;
  }
};

// `line_axis` is the axis of `view` that is not K.
Panels pack_panels(const ConstView& view, int line_axis, std::int64_t width, bool hf32) {
  const int depth_axis = 1 - line_axis;
  const std::int64_t lines = view.shape[line_axis];
  const std::int64_t line_stride = view.strides[line_axis];
  const std::int64_t depth_stride = view.strides[depth_axis];
  Panels panels{{}, width, view.shape[depth_axis]};
  const std::int64_t count = (lines + width - 1) / width;
  panels.values.assign(static_cast<std::size_t>(count * panels.depth * width), 0.0F);
  dispatch_dtype<kF16 | kBf16 | kF32>("matmul", view.dtype, [&]<class T>(std::type_identity<T>) {
    const T* source = reinterpret_cast<const T*>(view.data);
    for (std::int64_t line = 0; line < lines; ++line) {
      float* target = panels.values.data() + line / width * panels.depth * width + line % width;
      const T* elements = source + line * line_stride;
      for (std::int64_t k = 0; k < panels.depth; ++k) {
        const float value = widen(elements[k * depth_stride]);
        target[k * width] = hf32 ? round_to_hf32(value) : value;
      }
    }
  });
  return panels;
}

// tile[i][j] = (tile[i][j] + a[k][i] * b[k][j]) for ascending k: one rounding per multiply and one
// per add.
void multiply_panels(const float* a, const float* b, std::int64_t depth,
                     std::array<float, kTileRows * kTileColumns>& tile) {
  std::array<float, kTileRows * kTileColumns> sums = tile;
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t i = 0; i < kTileRows; ++i) {
      const float left = a[k * kTileRows + i];
#pragma omp simd
      for (std::int64_t j = 0; j < kTileColumns; ++j) {
        const auto at = static_cast<std::size_t>(i * kTileColumns + j);
        sums[at] = sums[at] + left * b[k * kTileColumns + j];
      }
    }
  }
  tile = sums;
}

}  // namespace

void eval_matmul_acc(const Policy& /*policy*/, bool hf32, const ConstView& a, const ConstView& b,
                     const View& acc) {
  if (a.shape[1] == 0) return;  // an empty sum leaves the accumulator
  const Panels left = pack_panels(a, 0, kTileRows, hf32);
  const Panels right = pack_panels(b, 1, kTileColumns, hf32);
  const std::int64_t rows = acc.shape[0];
  const std::int64_t columns = acc.shape[1];
  auto* result = reinterpret_cast<float*>(acc.data);
  std::array<float, kTileRows * kTileColumns> tile{};
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
      visit([](float& inside, float outside) { inside = outside; });
      multiply_panels(left.panel(m), right.panel(n), left.depth, tile);
      visit([](float inside, float& outside) { outside = canonical(inside); });
    }
  }
}

}  // namespace ascemu::refops
