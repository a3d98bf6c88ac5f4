#include "refops/sums/row_sum.h"

#include <algorithm>
#include <array>

#include "refops/sums/nodes.h"

namespace ascemu::refops::sums {
namespace {

inline constexpr std::int64_t kLanes = kRepeatLanes<float>;
using Lanes = std::array<float, static_cast<std::size_t>(kLanes)>;

struct PlainAdd {
  float operator()(float a, float b) const { return a + b; }
};

// From -0, the identity of addition, so that the first element is the start.
template <class C>
C sum_ascending(const std::vector<C>& values) {
  C total = -C{0};
  for (const C value : values) total += value;
  return total;
}

float tree(Lanes lanes) {
  Lanes spare;
  return *join_pairs(PlainAdd{}, lanes.data(), spare.data(), kLanes, 1);
}

// The blocks of 64 lanes from `start` on are added in order; a short last one only to its lanes.
void add_blocks(Lanes& lanes, const std::vector<float>& values, std::int64_t start) {
  const auto count = static_cast<std::int64_t>(values.size());
  for (; start < count; start += kLanes) {
    join_rows(PlainAdd{}, lanes.data(), values.data() + start, std::min(kLanes, count - start));
  }
}

// A5: missing lanes hold +0, which leaves a lane that started at +0 as it is.
float sum_lanes(const std::vector<float>& values) {
  Lanes lanes{};
  add_blocks(lanes, values, 0);
  return tree(lanes);
}

// A2, A3. From 512 elements on, the trees over 8 lanes of each 512 elements are 64 partial sums;
// shorter rows start with their first 64 elements.
float sum_blocks(const std::vector<float>& values) {
  constexpr std::int64_t kBlock = kBlockLanes<float>;
  constexpr std::int64_t kWide = kLanes * kBlock;
  const auto count = static_cast<std::int64_t>(values.size());
  Lanes lanes{};
  if (count < kWide) {
    std::copy_n(values.begin(), std::min(kLanes, count), lanes.begin());
    add_blocks(lanes, values, kLanes);
    return tree(lanes);
  }
  std::array<float, static_cast<std::size_t>(kWide)> wide;
  std::array<float, static_cast<std::size_t>(kWide)> spare;
  std::int64_t start = 0;
  for (; start + kWide <= count; start += kWide) {
    std::copy_n(values.data() + start, kWide, wide.data());
    const float* const partials = join_pairs(PlainAdd{}, wide.data(), spare.data(), kWide, kLanes);
    if (start == 0) {
      std::copy_n(partials, kLanes, lanes.data());
    } else {
      join_rows(PlainAdd{}, lanes.data(), partials, kLanes);
    }
  }
  add_blocks(lanes, values, start);
  return tree(lanes);
}

}  // namespace

float sum_row(RowSum order, const std::vector<float>& values) {
  switch (order) {
    case RowSum::lanes:
      return sum_lanes(values);
    case RowSum::blocks:
      return sum_blocks(values);
    default:
      return sum_ascending(values);
  }
}

double sum_row(RowSum /*order*/, const std::vector<double>& values) {
  return sum_ascending(values);
}

}  // namespace ascemu::refops::sums
