#include "interp/checks/byte_rows.h"

namespace ascemu::interp {

bool ByteRows::contains(const ByteRows& other) const {
  if (other.first < first || other.end() > end()) return false;
  if (count == 1) return true;
  const std::int64_t within = (other.first - first) % stride;
  if (within + other.run > run) return false;
  return other.count == 1 || other.stride % stride == 0;
}

bool ByteRows::extend(const ByteRows& next) {
  if (next.count == count && next.first == first + run &&
      (count == 1 || (next.stride == stride && run + next.run <= stride))) {
    run += next.run;
    return true;
  }
  if (next.run != run) return false;
  const std::int64_t distance = next.first - row(count - 1);
  if (distance < run) return false;
  if (count > 1 && distance != stride) return false;
  if (next.count > 1 && distance != next.stride) return false;
  stride = distance;
  count += next.count;
  return true;
}

std::optional<ByteSpan> first_shared(const ByteRows& a, const ByteRows& b) {
  std::int64_t i = 0;
  std::int64_t j = 0;
  while (true) {
    const std::int64_t low = std::max(a.row(i), b.row(j));
    const std::int64_t high = std::min(a.row(i) + a.run, b.row(j) + b.run);
    if (low < high) return ByteSpan{low, high};
    // The row that ends first moves on to the first one that reaches the other.
    const bool moves_a = a.row(i) + a.run <= b.row(j);
    const ByteRows& mover = moves_a ? a : b;
    std::int64_t& at = moves_a ? i : j;
    const std::int64_t target = moves_a ? b.row(j) : a.row(i);
    if (mover.count == 1) return std::nullopt;
    const std::int64_t gap = target - (mover.row(at) + mover.run);
    at += gap / mover.stride + 1;
    if (at >= mover.count) return std::nullopt;
  }
}

}  // namespace ascemu::interp
