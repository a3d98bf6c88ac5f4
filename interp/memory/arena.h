// Where the local tensors of one walker live: size classes with free lists, no system call on the
// hot path.
//
// What it is: storage with a limit. What it is not: thread safe, typed, or initialised: callers
// write or poison every element they hand out. Invariant: live_bytes() is the sum of the bytes
// charged and not yet released, and never exceeds the limit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "interp/value/allocation.h"

namespace ascemu::interp {

class LocalArena {
 public:
  explicit LocalArena(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~LocalArena();
  LocalArena(const LocalArena&) = delete;
  LocalArena& operator=(const LocalArena&) = delete;

  // Null when the limit or the machine does not allow it. `charged_bytes` is what the tensor has in
  // its declared dtype, so that the limit is the same however it is stored (N19).
  AllocationRef acquire(std::size_t size_bytes, std::size_t charged_bytes);
  AllocationRef acquire(std::size_t size_bytes) { return acquire(size_bytes, size_bytes); }
  void release(Allocation* allocation);

  std::size_t live_bytes() const { return live_bytes_; }
  std::size_t limit_bytes() const { return limit_bytes_; }

 private:
  static constexpr std::size_t kKeptBytes = std::size_t{32} << 20;  // freed bytes kept for reuse

  std::array<Allocation*, 256> free_{};
  std::size_t limit_bytes_;
  std::size_t live_bytes_ = 0;
  std::size_t kept_bytes_ = 0;
};

}  // namespace ascemu::interp
