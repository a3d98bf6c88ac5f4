// What one block touched in the arrays that blocks could race on.
//
// What it is: a list of records, neighbouring accesses of one statement joined; kept only for the
// arrays that LaunchContext::watched names. What it is not: a judgement; race.h compares the logs
// of all blocks. Invariants: only bytes that really moved are recorded; the log holds at most its
// limit of records and says where it stopped; the same block gives the same log whatever threads
// did.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interp/checks/byte_rows.h"
#include "interp/eval/findings.h"
#include "interp/memory/access.h"

namespace ascemu::interp {

// The statement's side of an access.
struct AccessSite {
  const Stmt* stmt = nullptr;
  std::string_view operation;
  std::uint32_t array = 0;
  AccessKind kind = AccessKind::read;
  bool is_scalar = false;
  std::string_view tensor_name;
};

struct AccessRecord {
  ByteRows bytes;
  std::uint32_t site = 0;
  std::uint32_t phase = 0;  // barriers passed before it
  std::uint32_t loops = 0;  // index into AccessLog::frames of the loops around it
  std::uint32_t depth = 0;  // loops that all joined accesses have in common, outermost first
};

class AccessLog {
 public:
  void begin_block(std::size_t limit_records);
  void add(const AccessSite& site, const ByteRows& bytes, std::uint32_t phase,
           const std::vector<LoopFrame>& loops);

  const std::vector<AccessRecord>& records() const { return records_; }
  const AccessSite& site(std::uint32_t index) const { return sites_[index].site; }
  std::vector<LoopFrame> loops_of(const AccessRecord& record) const;
  // The statement whose access no longer found room.
  const Stmt* stopped_at() const { return stopped_at_; }

 private:
  static constexpr std::size_t kRecent = 4;

  struct Site {
    AccessSite site;
    std::array<std::uint32_t, kRecent> recent{};  // records + 1; 0: none
    std::size_t newest = 0;
    std::uint32_t other = 0;  // site + 1 of the same statement and another array; 0: none
  };

  std::uint32_t site_index(const AccessSite& site);
  void shorten(AccessRecord& record, const std::vector<LoopFrame>& loops);

  std::size_t limit_ = 0;
  std::vector<AccessRecord> records_;
  std::vector<Site> sites_;
  std::unordered_map<const Stmt*, std::uint32_t> by_statement_;
  std::vector<LoopFrame> frames_;
  std::uint32_t newest_frames_ = 0;  // where the last stored loops begin
  const Stmt* stopped_at_ = nullptr;
};

}  // namespace ascemu::interp
