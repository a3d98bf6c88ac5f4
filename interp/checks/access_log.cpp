#include "interp/checks/access_log.h"

#include <algorithm>

namespace ascemu::interp {

void AccessLog::begin_block(std::size_t limit_records) {
  limit_ = limit_records;
  records_.clear();
  sites_.clear();
  by_statement_.clear();
  frames_.clear();
  newest_frames_ = 0;
  stopped_at_ = nullptr;
}

std::uint32_t AccessLog::site_index(const AccessSite& site) {
  const auto [found, is_new] =
      by_statement_.try_emplace(site.stmt, static_cast<std::uint32_t>(sites_.size()));
  std::uint32_t index = found->second;
  if (is_new) {
    sites_.emplace_back().site = site;
    return index;
  }
  // A pointer that is chosen at run time gives a statement several sites.
  while (sites_[index].site.array != site.array) {
    if (sites_[index].other == 0) {
      sites_.emplace_back().site = site;
      sites_[index].other = static_cast<std::uint32_t>(sites_.size());
    }
    index = sites_[index].other - 1;
  }
  return index;
}

void AccessLog::shorten(AccessRecord& record, const std::vector<LoopFrame>& loops) {
  std::uint32_t common = 0;
  while (common < record.depth && common < loops.size() &&
         is_same_iteration(frames_[record.loops + common], loops[common])) {
    ++common;
  }
  record.depth = common;
}

void AccessLog::add(const AccessSite& access, const ByteRows& bytes, std::uint32_t phase,
                    const std::vector<LoopFrame>& loops) {
  const std::uint32_t index = site_index(access);
  Site& site = sites_[index];
  for (std::size_t back = 0; back < kRecent; ++back) {
    const std::uint32_t at = site.recent[(site.newest + kRecent - back) % kRecent];
    if (at == 0) break;
    AccessRecord& record = records_[at - 1];
    if (record.phase != phase) break;
    if (record.bytes.contains(bytes)) return;
    if (back == 0 && record.bytes.extend(bytes)) {
      shorten(record, loops);
      return;
    }
  }
  if (records_.size() >= limit_) {
    if (stopped_at_ == nullptr) stopped_at_ = access.stmt;
    return;
  }
  const bool is_stored =
      loops.size() == frames_.size() - newest_frames_ &&
      std::equal(loops.begin(), loops.end(), frames_.begin() + newest_frames_, is_same_iteration);
  if (!is_stored) {
    newest_frames_ = static_cast<std::uint32_t>(frames_.size());
    frames_.insert(frames_.end(), loops.begin(), loops.end());
  }
  records_.push_back(
      {bytes, index, phase, newest_frames_, static_cast<std::uint32_t>(loops.size())});
  site.newest = (site.newest + 1) % kRecent;
  site.recent[site.newest] = static_cast<std::uint32_t>(records_.size());
}

std::vector<LoopFrame> AccessLog::loops_of(const AccessRecord& record) const {
  const auto begin = frames_.begin() + record.loops;
  return {begin, begin + record.depth};
}

}  // namespace ascemu::interp
