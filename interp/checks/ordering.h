// The check `ordering`: a block reads what it wrote itself, and nothing makes the read wait for the
// write (spec asc2 §4, §11).
//
// What it is: the writes of one block to arrays that it also reads, asked at every read. A read in
// a later iteration of a loop without gm_barrier is unordered; a tile's read in the same iteration
// is ordered by inference only; scalar stores and scalar loads keep their order; asc.sync_all() and
// a loop with gm_barrier order everything. What it is not: races between blocks (race.h); what a
// `while` repeats counts as one iteration. Invariants: exact for the bytes that moved; memory is
// bounded by the limit of records, and the statement whose write no longer found room is known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "interp/checks/access_log.h"
#include "interp/diag/diagnostic.h"

namespace ascemu::interp {

struct Program;

// A write that a read meets unordered.
struct UnorderedRead {
  AccessSite write;
  ByteRows written;  // that write and neighbouring ones of other iterations
  ByteSpan shared;
  const Stmt* loop = nullptr;  // whose iterations are unordered; null: the same iteration
};

class OrderingLog {
 public:
  static constexpr std::size_t kMostRecords = std::size_t{1} << 14;

  void begin_block(std::size_t most_records = kMostRecords);
  // asc.sync_all(): everything so far is ordered before everything to come.
  void order_all();
  void add_write(const AccessSite& site, const ByteRows& bytes,
                 const std::vector<LoopFrame>& loops);
  // The worst unordered write that a read meets; nothing where all are ordered.
  std::optional<UnorderedRead> meet(const AccessSite& read, const ByteRows& bytes,
                                    const std::vector<LoopFrame>& loops) const;
  // True once: the write that found no room has not been told yet.
  bool takes_overflow();

 private:
  // Writes of one statement: of one iteration, or (`varies`) of several of the innermost loop.
  struct Written {
    ByteRows bytes;
    AccessSite site;
    std::vector<LoopFrame> loops;
    bool varies = false;
  };
  using Records = std::multimap<std::int64_t, Written>;  // by first byte

  struct Latest {
    std::optional<Records::iterator> open;    // of the iteration that wrote last
    std::optional<Records::iterator> closed;  // of earlier iterations of the same innermost loop
  };

  void close(Latest& latest);
  void insert(Latest& latest, Written written);

  std::size_t limit_ = 0;
  Records records_;
  std::int64_t longest_ = 0;  // bytes from the first to the end of any record
  std::unordered_map<const Stmt*, Latest> latest_;
  bool has_overflow_ = false, told_overflow_ = false;
};

// The finding: `unordered-iterations` or `unordered-copy`, with labels and notes.
Fault explain_unordered(const UnorderedRead& found, const AccessSite& read, const ByteRows& bytes,
                        const std::vector<GlobalArray>& arrays, const Program& program);

// By parameter: the array is both read and written, under any of its names.
std::vector<bool> self_read_arrays(const std::vector<GlobalArray>& arrays,
                                   const std::vector<std::uint8_t>& kinds);

}  // namespace ascemu::interp
