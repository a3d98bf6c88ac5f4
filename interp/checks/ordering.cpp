#include "interp/checks/ordering.h"

#include <algorithm>
#include <string>

#include "interp/ast/tree.h"
#include "interp/checks/access_text.h"

namespace ascemu::interp {
namespace {

// The same iterations of all loops, but perhaps of the innermost one.
bool differ_innermost_only(const std::vector<LoopFrame>& a, const std::vector<LoopFrame>& b) {
  return !a.empty() && a.size() == b.size() && is_same_loop(a.back(), b.back()) &&
         std::equal(a.begin(), a.end() - 1, b.begin(), is_same_iteration);
}

bool has_barrier(const Stmt* loop) { return std::get<For>(loop->node).gm_barrier; }

struct Relation {
  const Stmt* loop = nullptr;  // carried from an earlier to a later iteration of it
  bool is_ordered = false;
};

Relation relation(const std::vector<LoopFrame>& write, bool varies,
                  const std::vector<LoopFrame>& read) {
  const Stmt* around = nullptr;  // the innermost loop that has both in one iteration
  for (std::size_t i = 0; i < write.size() && i < read.size(); ++i) {
    if (!is_same_loop(write[i], read[i])) break;
    const bool is_earlier = write[i].current != read[i].current;
    if (is_earlier || (varies && i + 1 == write.size()))
      return {write[i].stmt, has_barrier(write[i].stmt)};
    around = write[i].stmt;
  }
  return {nullptr, around != nullptr && has_barrier(around)};
}

}  // namespace

void OrderingLog::begin_block(std::size_t most_records) {
  limit_ = most_records;
  has_overflow_ = told_overflow_ = false;
  order_all();
}

void OrderingLog::order_all() {
  records_.clear();
  latest_.clear();
  longest_ = 0;
}

void OrderingLog::insert(Latest& latest, Written written) {
  latest.open.reset();
  if (records_.size() >= limit_) {
    has_overflow_ = true;
    return;
  }
  longest_ = std::max(longest_, written.bytes.end() - written.bytes.first);
  latest.open = records_.emplace(written.bytes.first, std::move(written));
}

// The open record's iteration is over: it joins the record of the iterations before.
void OrderingLog::close(Latest& latest) {
  const Written& open = (*latest.open)->second;
  if (latest.closed) {
    Written& closed = (*latest.closed)->second;
    if (differ_innermost_only(closed.loops, open.loops) && closed.bytes.extend(open.bytes)) {
      closed.varies = true;
      longest_ = std::max(longest_, closed.bytes.end() - closed.bytes.first);
      records_.erase(*latest.open);
      return;
    }
  }
  latest.closed = latest.open;
}

void OrderingLog::add_write(const AccessSite& site, const ByteRows& bytes,
                            const std::vector<LoopFrame>& loops) {
  Latest& latest = latest_[site.stmt];
  if (latest.open) {
    Written& open = (*latest.open)->second;
    const bool is_same =
        open.site.array == site.array && open.loops.size() == loops.size() &&
        std::equal(loops.begin(), loops.end(), open.loops.begin(), is_same_iteration);
    if (is_same && (open.bytes.contains(bytes) || open.bytes.extend(bytes))) {
      longest_ = std::max(longest_, open.bytes.end() - open.bytes.first);
      return;
    }
    if (!is_same && open.site.array == site.array) {
      close(latest);
    } else {
      latest = {};  // what it held stays as it is; the next piece is its own
    }
  }
  insert(latest, {bytes, site, loops});
}

std::optional<UnorderedRead> OrderingLog::meet(const AccessSite& read, const ByteRows& bytes,
                                               const std::vector<LoopFrame>& loops) const {
  std::optional<UnorderedRead> worst;
  auto record = records_.lower_bound(bytes.first - longest_);
  for (; record != records_.end() && record->first < bytes.end(); ++record) {
    const Written& written = record->second;
    if (written.bytes.end() <= bytes.first) continue;
    if (read.is_scalar && written.site.is_scalar) continue;
    const Relation how = relation(written.loops, written.varies, loops);
    if (how.is_ordered || (worst && how.loop == nullptr)) continue;
    const std::optional<ByteSpan> shared = first_shared(written.bytes, bytes);
    if (!shared) continue;
    worst = UnorderedRead{written.site, written.bytes, *shared, how.loop};
    if (how.loop != nullptr) break;
  }
  return worst;
}

bool OrderingLog::takes_overflow() {
  const bool is_new = has_overflow_ && !told_overflow_;
  told_overflow_ |= has_overflow_;
  return is_new;
}

Fault explain_unordered(const UnorderedRead& found, const AccessSite& read, const ByteRows& bytes,
                        const std::vector<GlobalArray>& arrays, const Program& program) {
  const GlobalArray& array = arrays[read.array];
  const GlobalArray& other = arrays[found.write.array];
  const std::string writer(found.write.operation);
  std::string message = std::string(read.operation) + " reads " +
                        short_text(elements_of(array, found.shared)) + " of " +
                        tensor_text(read.tensor_name, array) + ", which " + writer + " " +
                        (found.write.kind == AccessKind::write ? "wrote" : "updated");
  Code code = Code::unordered_copy;
  if (found.loop == nullptr) {
    message += " before, and nothing makes it wait";
  } else {
    code = Code::unordered_iterations;
    const auto& loop = std::get<For>(found.loop->node);
    message += " in an earlier iteration of the loop over '" +
               std::string(program.slots[loop.induction].name) + "', which has no gm_barrier";
  }
  std::vector<std::string> notes{
      "read: " + rows_text(array, bytes),
      (found.write.kind == AccessKind::write ? "written: " : "updated: ") +
          rows_text(other, found.written),
      array_note(array)};
  if (read.array != found.write.array)
    notes.push_back("same array: " + tensor_text(found.write.tensor_name, other));
  return make_fault(code, std::move(message), std::move(notes));
}

std::vector<bool> self_read_arrays(const std::vector<GlobalArray>& arrays,
                                   const std::vector<std::uint8_t>& kinds) {
  std::vector<bool> watched;
  for (const std::uint8_t all : kinds_of_arrays(arrays, kinds)) {
    watched.push_back(has_kind(all, AccessKind::read) &&
                      (has_kind(all, AccessKind::write) || has_kind(all, AccessKind::atomic)));
  }
  return watched;
}

}  // namespace ascemu::interp
