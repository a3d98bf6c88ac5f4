// Reference-counted storage of local tensors: one header in front of its bytes.
//
// What it is: what several tensor views may share. What it is not: typed; a view says what lies in
// it. The causes of undefined elements hang here, because every view of the bytes must see them.
// Invariant: an Allocation belongs to the arena of one walker, is touched by that walker's thread
// only, and goes back to the arena when the last reference is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ascemu::interp {

class LocalArena;

struct alignas(64) Allocation {
  LocalArena* arena = nullptr;
  std::size_t charged_bytes = 0;   // what counts against the limit
  std::size_t capacity_bytes = 0;  // what is there, a multiple of 64
  Allocation* next_free = nullptr;
  std::uint16_t* causes = nullptr;  // by element (value/causes.h); null: all defined
  std::uint32_t references = 0;
  std::uint32_t size_class = 0;
  bool accumulator_pending = false;  // made by zeros_acc, no matmul_acc has initialised it yet

  std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(Allocation) == 64);

inline void drop_causes(Allocation& allocation) {
  delete[] std::exchange(allocation.causes, nullptr);
}

// Gives the allocation back to its arena (memory/arena.cpp).
void release_allocation(Allocation* allocation);

class AllocationRef {
 public:
  AllocationRef() = default;
  explicit AllocationRef(Allocation* allocation) : allocation_(allocation) { retain(); }
  AllocationRef(const AllocationRef& other) : allocation_(other.allocation_) { retain(); }
  AllocationRef(AllocationRef&& other) noexcept
      : allocation_(std::exchange(other.allocation_, nullptr)) {}
  AllocationRef& operator=(AllocationRef other) noexcept {
    std::swap(allocation_, other.allocation_);
    return *this;
  }
  ~AllocationRef() { reset(); }

  void reset() {
    Allocation* const held = std::exchange(allocation_, nullptr);
    if (held != nullptr && --held->references == 0) release_allocation(held);
  }
  Allocation* get() const { return allocation_; }
  Allocation* operator->() const { return allocation_; }
  explicit operator bool() const { return allocation_ != nullptr; }
  bool is_unique() const { return allocation_ != nullptr && allocation_->references == 1; }

 private:
  void retain() {
    if (allocation_ != nullptr) ++allocation_->references;
  }

  Allocation* allocation_ = nullptr;
};

}  // namespace ascemu::interp
