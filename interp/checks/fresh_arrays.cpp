#include "interp/checks/fresh_arrays.h"

#include <algorithm>
#include <atomic>

namespace ascemu::interp {
namespace {

constexpr std::uint8_t kStored = 1;
constexpr std::uint8_t kUpdated = 2;

}  // namespace

FreshArrays::FreshArrays(const std::vector<GlobalArray>& arrays,
                         std::span<const std::uint32_t> fresh)
    : covers_(arrays.size()) {
  std::vector<ByteSpan> spans;
  for (const std::uint32_t number : fresh) {
    const GlobalArray& array = arrays[number];
    if (array.size_bytes() > 0)
      spans.push_back({base_address(array), base_address(array) + array.size_bytes()});
  }
  std::ranges::sort(spans, {}, &ByteSpan::first);
  std::vector<ByteSpan> disjoint;
  for (const ByteSpan& span : spans) {
    if (!disjoint.empty() && span.first < disjoint.back().end) {
      disjoint.back().end = std::max(disjoint.back().end, span.end);
    } else {
      disjoint.push_back(span);
    }
  }
  for (const ByteSpan& span : disjoint) {
    regions_.push_back(
        {span.first, std::vector<std::uint8_t>(static_cast<std::size_t>(span.end - span.first))});
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    covers_[i] = std::ranges::any_of(disjoint, [&](const ByteSpan& span) {
      return base_address(arrays[i]) < span.end &&
             span.first < base_address(arrays[i]) + arrays[i].size_bytes();
    });
  }
}

void FreshArrays::mark(const ByteRows& rows, AccessKind kind) {
  const std::uint8_t flag = kind == AccessKind::atomic ? kUpdated : kStored;
  for (const Region& region : regions_) {
    for (std::int64_t row = 0; row < rows.count; ++row) {
      const std::int64_t end = std::min(rows.row(row) + rows.run, region.end());
      for (std::int64_t at = std::max(rows.row(row), region.begin); at < end; ++at) {
        const std::atomic_ref<std::uint8_t> held(
            region.flags[static_cast<std::size_t>(at - region.begin)]);
        // Most bytes are written again and again; a load leaves their cache line shared.
        if ((held.load(std::memory_order_relaxed) & flag) == 0)
          held.fetch_or(flag, std::memory_order_relaxed);
      }
    }
  }
}

std::int64_t FreshArrays::count_unwritten(const GlobalArray& array, std::int64_t first,
                                          std::int64_t count, AccessKind kind) const {
  const std::uint8_t counted = kind == AccessKind::atomic ? kStored : kStored | kUpdated;
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(array.dtype));
  const std::int64_t begin = base_address(array) + first * size;
  std::int64_t unwritten = 0;
  for (const Region& region : regions_) {
    const std::int64_t end = std::min(begin + count * size, region.end());
    for (std::int64_t at = std::max(begin, region.begin); at < end;) {
      const std::atomic_ref<std::uint8_t> held(
          region.flags[static_cast<std::size_t>(at - region.begin)]);
      const std::int64_t next = begin + ((at - begin) / size + 1) * size;
      const bool is_unwritten = (held.load(std::memory_order_relaxed) & counted) == 0;
      if (is_unwritten) ++unwritten;
      at = is_unwritten ? next : at + 1;  // an element counts once
    }
  }
  return unwritten;
}

}  // namespace ascemu::interp
