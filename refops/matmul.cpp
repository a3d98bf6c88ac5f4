#include "refops/cube/groups.h"
#include "refops/cube/panels.h"
#include "refops/eval.h"
#include "refops/target/settle.h"

namespace ascemu::refops {
namespace {

using cube::kTileColumns;
using cube::kTileRows;

// tile[i][j] = (tile[i][j] + a[k][i] * b[k][j]) for ascending k: one rounding per multiply and one
// per add.
template <class C>
void multiply_panels(const C* a, const C* b, std::int64_t depth, cube::Tile<C>& tile) {
  cube::Tile<C> sums = tile;
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t i = 0; i < kTileRows; ++i) {
      const C left = a[k * kTileRows + i];
#pragma omp simd
      for (std::int64_t j = 0; j < kTileColumns; ++j) {
        const auto at = static_cast<std::size_t>(i * kTileColumns + j);
        sums[at] = sums[at] + left * b[k * kTileColumns + j];
      }
    }
  }
  tile = sums;
}

template <class C>
void multiply_ascending(bool hf32, const ConstView& a, const ConstView& b, const View& acc) {
  const auto left = cube::pack_panels<C>(a, 0, kTileRows, hf32);
  const auto right = cube::pack_panels<C>(b, 1, kTileColumns, hf32);
  const auto multiply = [&](std::int64_t row, std::int64_t column, cube::Tile<C>& tile) {
    multiply_panels(left.panel(row), right.panel(column), left.depth, tile);
  };
  cube::for_each_tile<C>(acc, multiply, [](C value) { return canonical(value); });
}

}  // namespace

void eval_matmul_acc(const Policy& policy, bool hf32, const ConstView& a, const ConstView& b,
                     const View& acc) {
  if (a.shape[1] == 0) return;  // an empty sum leaves the accumulator
  const Behaviour& behaviour = behaviour_of(policy);
  const int group =
      a.dtype == Dtype::float32 ? behaviour.cube_group_float32 : behaviour.cube_group_halves;
  if (acc.dtype == Dtype::float64) return multiply_ascending<double>(hf32, a, b, acc);
  if (group == 0) return multiply_ascending<float>(hf32, a, b, acc);
  cube::multiply_groups(cube::pack_panels<double>(a, 0, kTileRows, hf32),
                        cube::pack_panels<double>(b, 1, kTileColumns, hf32), group, acc, behaviour);
}

}  // namespace ascemu::refops
