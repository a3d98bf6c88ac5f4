#include "interp/checks/race_sweep.h"

#include <algorithm>
#include <array>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>

namespace ascemu::interp {
namespace {

constexpr std::int64_t kLineBytes = 64;
constexpr std::size_t kMostMeetings = std::size_t{1} << 18;
constexpr std::size_t kKinds = 3;

// The rows of some touches, as they cover the addresses from low to high.
class Sweep {
 public:
  Sweep(std::span<const Touch> touches, const Meeting& meet) : touches_(touches), meet_(meet) {}

  void run() {
    for (std::size_t i = 0; i < touches_.size(); ++i) rows_.push({touches_[i].bytes.first, i, 0});
    while (!rows_.empty() && meetings_ < kMostMeetings) {
      const Row row = rows_.top();
      rows_.pop();
      const ByteRows& bytes = touches_[row.touch].bytes;
      if (row.number + 1 < bytes.count)
        rows_.push({bytes.row(row.number + 1), row.touch, row.number + 1});
      enter(row, row.begin + bytes.run);
    }
  }

 private:
  struct Row {
    std::int64_t begin;
    std::size_t touch;
    std::int64_t number;

    friend bool operator>(const Row& a, const Row& b) {
      return std::tie(a.begin, a.touch) > std::tie(b.begin, b.touch);
    }
  };
  struct Open {
    std::int64_t end;
    std::size_t touch;
  };

  void enter(const Row& row, std::int64_t end) {
    const AccessKind kind = touches_[row.touch].site().kind;
    for (std::size_t other = 0; other < kKinds; ++other) {
      const bool is_harmless = kind != AccessKind::write && other == static_cast<std::size_t>(kind);
      if (!is_harmless) compare(row, open_[other]);
    }
    std::vector<Open>& mine = open_[static_cast<std::size_t>(kind)];
    if (mine.size() >= prune_at_) {
      std::erase_if(mine, [&](const Open& open) { return open.end <= row.begin; });
      prune_at_ = std::max(kPruneAt, 2 * mine.size());
    }
    mine.push_back({end, row.touch});
  }

  void compare(const Row& row, std::vector<Open>& others) {
    const Touch& touch = touches_[row.touch];
    for (std::size_t i = 0; i < others.size();) {
      if (others[i].end <= row.begin) {
        others[i] = others.back();
        others.pop_back();
        continue;
      }
      const Touch& other = touches_[others[i].touch];
      if (other.block != touch.block) {
        meet_(other, touch);
        if (++meetings_ >= kMostMeetings) return;
      }
      ++i;
    }
  }

  static constexpr std::size_t kPruneAt = 1024;

  std::span<const Touch> touches_;
  const Meeting& meet_;
  std::priority_queue<Row, std::vector<Row>, std::greater<>> rows_;
  std::array<std::vector<Open>, kKinds> open_;
  std::size_t prune_at_ = kPruneAt;
  std::size_t meetings_ = 0;
};

// Whether touches whose extents overlap could meet at all.
bool is_suspect(std::span<const Touch> touches) {
  bool has_several_blocks = false;
  std::array<bool, kKinds> has{};
  for (const Touch& touch : touches) {
    has_several_blocks |= touch.block != touches[0].block;
    has[static_cast<std::size_t>(touch.site().kind)] = true;
  }
  return has_several_blocks && (has[static_cast<std::size_t>(AccessKind::write)] ||
                                (has[static_cast<std::size_t>(AccessKind::read)] &&
                                 has[static_cast<std::size_t>(AccessKind::atomic)]));
}

// Whether rows of one common distance stay apart by their place within that distance: each block
// has columns of its own.
bool has_own_columns(std::span<const Touch> touches) {
  struct Column {
    std::int64_t begin, end, block;
  };
  const std::int64_t stride = touches[0].bytes.stride;
  std::vector<Column> columns;
  for (const Touch& touch : touches) {
    if (touch.bytes.count == 1 || touch.bytes.stride != stride) return false;
    const std::int64_t begin = touch.bytes.first % stride;
    if (begin + touch.bytes.run <= stride) {
      columns.push_back({begin, begin + touch.bytes.run, touch.block});
    } else {  // the rows cross the multiples of the distance
      columns.push_back({begin, stride, touch.block});
      columns.push_back({0, begin + touch.bytes.run - stride, touch.block});
    }
  }
  std::ranges::sort(columns, {}, &Column::begin);
  Column reached{0, 0, -1};
  for (const Column& column : columns) {
    if (column.begin >= reached.end) {
      reached = column;
    } else if (column.block != reached.block) {
      return false;
    } else {
      reached.end = std::max(reached.end, column.end);
    }
  }
  return true;
}

}  // namespace

void sweep_bytes(std::vector<Touch> touches, const Meeting& meet) {
  // The records of a block lie in the order of time.
  std::ranges::sort(touches, {}, [](const Touch& touch) {
    return std::tuple(touch.bytes.first, touch.block, touch.record);
  });
  const std::span<const Touch> all(touches);
  std::size_t begin = 0;
  while (begin < all.size()) {  // groups whose extents overlap
    std::int64_t end_address = all[begin].bytes.end();
    std::size_t end = begin + 1;
    for (; end < all.size() && all[end].bytes.first < end_address; ++end)
      end_address = std::max(end_address, all[end].bytes.end());
    const std::span<const Touch> group = all.subspan(begin, end - begin);
    if (is_suspect(group) && !has_own_columns(group)) Sweep(group, meet).run();
    begin = end;
  }
}

void sweep_lines(const std::vector<Touch>& touches, const std::vector<GlobalArray>& arrays,
                 const Meeting& meet) {
  std::unordered_map<std::int64_t, const Touch*> owner;  // by host address of the line's start
  for (const Touch& touch : touches) {
    if (!touch.site().is_scalar || touch.site().kind != AccessKind::write) continue;
    const std::int64_t base = base_address(arrays[touch.site().array]);
    for (std::int64_t i = 0; i < touch.bytes.count; ++i) {
      const std::int64_t begin = touch.bytes.row(i) - base;
      for (std::int64_t line = begin / kLineBytes; line * kLineBytes < begin + touch.bytes.run;
           ++line) {
        const auto [found, is_new] = owner.try_emplace(base + line * kLineBytes, &touch);
        if (!is_new && found->second->block != touch.block) meet(*found->second, touch);
      }
    }
  }
}

}  // namespace ascemu::interp
