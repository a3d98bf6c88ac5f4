// Arrays that start unwritten (LaunchOptions::fresh), and which of their bytes blocks have written.
//
// What it is: a flag a byte, shared by all blocks and by every parameter whose array covers the
// byte. What it is not: the bytes, which hold what the host put there; or reports. Invariant: flags
// are only ever added, each by an atomic operation; what a block sees of another one's is ordered
// by what orders the accesses themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interp/checks/byte_rows.h"
#include "interp/memory/access.h"

namespace ascemu::interp {

class FreshArrays {
 public:
  // `fresh` are the numbers of the parameters.
  FreshArrays(const std::vector<GlobalArray>& arrays, std::span<const std::uint32_t> fresh);

  // Some bytes of that parameter's array started unwritten.
  bool covers(std::uint32_t array) const { return covers_[array]; }
  // The bytes were stored to, or updated (AccessKind::atomic).
  void mark(const ByteRows& rows, AccessKind kind);
  // How many of the elements, which lie inside the array, have a byte that nothing has written.
  // For an update only stores count: the order of updates must not decide which of them is told.
  std::int64_t count_unwritten(const GlobalArray& array, std::int64_t first, std::int64_t count,
                               AccessKind kind) const;

 private:
  struct Region {
    std::int64_t begin;                       // address
    mutable std::vector<std::uint8_t> flags;  // read through atomic_ref, which wants it so
    std::int64_t end() const { return begin + static_cast<std::int64_t>(flags.size()); }
  };

  std::vector<Region> regions_;  // disjoint
  std::vector<bool> covers_;     // by parameter
};

}  // namespace ascemu::interp
