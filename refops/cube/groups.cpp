#include "refops/cube/groups.h"

#include <bit>
#include <cmath>

#include "refops/cube/exact_group.h"
#include "refops/elementary/double_double.h"
#include "refops/elementary/elementary.h"
#include "refops/elementary/fast.h"
#include "refops/target/settle.h"

namespace ascemu::refops::cube {
namespace {

using elementary::DoubleDouble;
using elementary::two_sum;
using elementary::VectorLevel;

// The sums of one group for a tile: high + low is the exact sum of the products where the kernel's
// condition holds; or high is near that sum and low the sum of magnitudes.
struct GroupSums {
  alignas(64) Tile<double> high;
  alignas(64) Tile<double> low;
};

struct GroupOperands {
  const double* a = nullptr;
  const double* b = nullptr;
  std::int64_t count = 0;
};

constexpr std::size_t lane_of(std::int64_t row, std::int64_t column) {
  return static_cast<std::size_t>(row * kTileColumns + column);
}

// kRows rows of the tile at a time, so that the sums stay in registers. They start at -0, the
// identity of addition.
template <int kRows>
ASCEMU_INLINE void sum_plainly(const GroupOperands& group, GroupSums& sums) {
  for (std::int64_t start = 0; start < kTileRows; start += kRows) {
    double high[kRows * kTileColumns];
    for (double& lane : high) lane = -0.0;
    for (std::int64_t k = 0; k < group.count; ++k) {
      for (std::int64_t i = 0; i < kRows; ++i) {
        const double left = group.a[k * kTileRows + start + i];
#pragma omp simd
        for (std::int64_t j = 0; j < kTileColumns; ++j) {
          high[i * kTileColumns + j] += left * group.b[k * kTileColumns + j];
        }
      }
    }
    for (std::int64_t i = 0; i < kRows * kTileColumns; ++i) {
      sums.high[lane_of(start, i)] = high[i];
    }
  }
}

// high is the plain sum, low the sum of the magnitudes.
struct WithMagnitudes {
  ASCEMU_INLINE static void take(double product, double& high, double& low) {
    high += product;
    low += std::fabs(product);
  }
};

// low collects what the additions to high round away.
struct Compensated {
  ASCEMU_INLINE static void take(double product, double& high, double& low) {
    const DoubleDouble sum = two_sum(high, product);
    high = sum.high;
    low += sum.low;
  }
};

template <class Sum>
ASCEMU_INLINE void sum_in_two(const GroupOperands& group, GroupSums& sums) {
  for (std::int64_t i = 0; i < kTileRows; ++i) {
    double high[kTileColumns];
    double low[kTileColumns];
    for (double& lane : high) lane = -0.0;
    for (double& lane : low) lane = 0.0;
    for (std::int64_t k = 0; k < group.count; ++k) {
      const double left = group.a[k * kTileRows + i];
#pragma omp simd
      for (std::int64_t j = 0; j < kTileColumns; ++j) {
        Sum::take(left * group.b[k * kTileColumns + j], high[j], low[j]);
      }
    }
    for (std::int64_t j = 0; j < kTileColumns; ++j) {
      sums.high[lane_of(i, j)] = high[j];
      sums.low[lane_of(i, j)] = low[j];
    }
  }
}

// sum.high + sum.low rounded once to float32, |low| being at most half a last place of high. The
// double is first moved off an even pattern in the direction of low, so that a second rounding
// cannot mistake it for a tie (rounding to odd).
ASCEMU_INLINE float rounded_once(DoubleDouble sum) {
  const auto pattern = std::bit_cast<std::uint64_t>(sum.high);
  const auto rest = std::bit_cast<std::uint64_t>(sum.low);
  const std::uint64_t away = 1 - 2 * ((pattern ^ rest) >> 63);
  const std::uint64_t moved = sum.low != 0 && (pattern & 1U) == 0 ? away : 0;
  return static_cast<float>(std::bit_cast<double>(pattern + moved));
}

// accumulator + sums.high, one rounding.
ASCEMU_INLINE void join_plain(const GroupSums& sums, Tile<float>& tile) {
#pragma omp simd
  for (std::size_t i = 0; i < tile.size(); ++i) {
    const float before = tile[i];
    const float after = rounded_once(two_sum(sums.high[i], static_cast<double>(before)));
    tile[i] = before - before == 0 ? after : before;
  }
}

// The near sum where its error bound cannot matter: both ends of the interval round to the same
// float32. False, the tile unchanged, where that leaves an element open. At most 17 terms are off
// by less than 2^-48 of their magnitudes together.
ASCEMU_INLINE bool join_near(const GroupSums& sums, Tile<float>& tile) {
  Tile<float> result;
  std::uint32_t open = 0;
#pragma omp simd reduction(| : open)
  for (std::size_t i = 0; i < tile.size(); ++i) {
    const float before = tile[i];
    const double near = sums.high[i] + static_cast<double>(before);
    const double bound = (sums.low[i] + std::fabs(static_cast<double>(before))) * 0x1p-48;
    const float lower = static_cast<float>(near - bound);
    const float upper = static_cast<float>(near + bound);
    const bool is_finite = before - before == 0;
    const std::uint32_t differ =
        std::bit_cast<std::uint32_t>(lower) ^ std::bit_cast<std::uint32_t>(upper);
    open |= is_finite ? differ : 0;
    result[i] = is_finite ? lower : before;
  }
  if (open == 0) tile = result;
  return open == 0;
}

// accumulator + sums.high + sums.low; true where three doubles do not hold the exact sum, whose
// elements keep their old value.
ASCEMU_INLINE bool join_compensated(const GroupSums& sums, Tile<float>& tile,
                                    Tile<std::uint64_t>& open) {
  std::uint64_t any = 0;
#pragma omp simd reduction(| : any)
  for (std::size_t i = 0; i < tile.size(); ++i) {
    const float before = tile[i];
    const DoubleDouble first = two_sum(sums.high[i], static_cast<double>(before));
    const DoubleDouble rest = two_sum(first.low, sums.low[i]);
    const DoubleDouble sum = two_sum(first.high, rest.high);
    const bool is_finite = before - before == 0;
    const double high = rest.high != 0 ? sum.high : first.high;  // keeps a zero's sign
    const float after = rounded_once({high, sum.low});
    const std::uint64_t left = rest.low != 0 && is_finite ? ~std::uint64_t{0} : 0;
    tile[i] = is_finite && left == 0 ? after : before;
    open[i] = left;
    any |= left;
  }
  return any != 0;
}

void join_open(const GroupOperands& group, const Tile<std::uint64_t>& open, Tile<float>& tile) {
  for (std::int64_t i = 0; i < kTileRows; ++i) {
    for (std::int64_t j = 0; j < kTileColumns; ++j) {
      const std::size_t at = lane_of(i, j);
      if (open[at] == 0) continue;
      tile[at] =
          join_exactly(tile[at], group.a + i, kTileRows, group.b + j, kTileColumns, group.count);
    }
  }
}

// One tile over the whole of K. All products of a group are multiples of 2^g and below
// 2^(g + spread + 2) in magnitude, spread being the sum of the operands' spreads.
struct TileTask {
  const double* a = nullptr;
  const double* b = nullptr;
  const int* a_spreads = nullptr;
  const int* b_spreads = nullptr;
  std::int64_t depth = 0;
  std::int64_t group = 0;
};

template <int kRows>
ASCEMU_INLINE void multiply_tile(const TileTask& task, Tile<float>& tile) {
  const int doublings = std::bit_width(static_cast<unsigned>(task.group - 1));
  // Every partial sum fits 53 bits; every partial sum of the rounding errors does.
  const int plain_limit = 53 - 2 - doublings;
  const int compensated_limit = 2 * 53 - 2 - 2 * doublings;
  GroupSums sums;
  Tile<std::uint64_t> open;
  for (std::int64_t k = 0, g = 0; k < task.depth; k += task.group, ++g) {
    const GroupOperands group{task.a + k * kTileRows, task.b + k * kTileColumns,
                              std::min(task.group, task.depth - k)};
    const int spread = task.a_spreads[g] + task.b_spreads[g];
    if (spread <= plain_limit) {
      sum_plainly<kRows>(group, sums);
      join_plain(sums, tile);
      continue;
    }
    if (spread < GroupSpreads::kUnbounded) {
      sum_in_two<WithMagnitudes>(group, sums);
      if (join_near(sums, tile)) continue;
    }
    if (spread <= compensated_limit) {
      sum_in_two<Compensated>(group, sums);
      if (join_compensated(sums, tile, open)) join_open(group, open, tile);
    } else {
      open.fill(~std::uint64_t{0});
      join_open(group, open, tile);
    }
  }
}

using TileKernel = void (*)(const TileTask& task, Tile<float>& tile);

void multiply_tile_baseline(const TileTask& task, Tile<float>& tile) {
  multiply_tile<2>(task, tile);
}
[[gnu::target("avx2")]] void multiply_tile_avx2(const TileTask& task, Tile<float>& tile) {
  multiply_tile<4>(task, tile);
}
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void multiply_tile_avx512(
    const TileTask& task, Tile<float>& tile) {
  multiply_tile<4>(task, tile);
}

TileKernel kernel_of_this_thread() {
  switch (elementary::current_vector_level()) {
    case VectorLevel::avx512:
      return multiply_tile_avx512;
    case VectorLevel::avx2:
      return multiply_tile_avx2;
    default:
      return multiply_tile_baseline;
  }
}

// Exponents of the highest and the lowest bit of finite nonzero values.
struct BitRange {
  int highest = -(1 << 16);
  int lowest = 1 << 16;
  bool is_finite = true;

  void include(double value) {
    const auto pattern = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<int>((pattern >> 52) & 0x7FF);
    if (exponent == 0) return;
    if (exponent == 0x7FF) is_finite = false;
    highest = std::max(highest, exponent);
    lowest = std::min(lowest, exponent - 52 + std::countr_zero(pattern | std::uint64_t{1} << 52));
  }
  int spread() const {
    if (!is_finite) return GroupSpreads::kUnbounded;
    return highest < lowest ? 0 : highest - lowest;
  }
};

}  // namespace

GroupSpreads::GroupSpreads(const Panels<double>& panels, std::int64_t group)
    : per_panel((panels.depth + group - 1) / group) {
  for (std::int64_t panel = 0; panel < panels.count(); ++panel) {
    const double* const lines = panels.panel(panel * panels.width);
    for (std::int64_t k = 0; k < panels.depth; k += group) {
      int widest = 0;
      for (std::int64_t line = 0; line < panels.width; ++line) {
        BitRange range;
        for (std::int64_t i = k; i < std::min(panels.depth, k + group); ++i) {
          range.include(lines[i * panels.width + line]);
        }
        widest = std::max(widest, range.spread());
      }
      values.push_back(widest);
    }
  }
}

void multiply_groups(const Panels<double>& a, const Panels<double>& b, std::int64_t group,
                     const View& acc, const Behaviour& behaviour) {
  const GroupSpreads a_spreads(a, group);
  const GroupSpreads b_spreads(b, group);
  const TileKernel kernel = kernel_of_this_thread();
  const auto multiply = [&](std::int64_t row, std::int64_t column, Tile<float>& tile) {
    kernel({a.panel(row), b.panel(column), a_spreads.panel(row / a.width),
            b_spreads.panel(column / b.width), a.depth, group},
           tile);
  };
  for_each_tile<float>(acc, multiply, [&](float value) { return settled(behaviour, value); });
}

}  // namespace ascemu::refops::cube
