#include "interp/memory/arena.h"

#include <algorithm>
#include <bit>
#include <new>

namespace ascemu::interp {
namespace {

struct SizeClass {
  std::uint32_t index;
  std::size_t capacity_bytes;
};

// Four classes for every power of two, from 64 bytes on: at most a quarter of an allocation is
// slack.
SizeClass classify(std::size_t size_bytes) {
  const std::size_t wanted = std::max<std::size_t>(size_bytes, 256);
  const int exponent = std::bit_width(wanted) - 1;
  const std::size_t step = std::size_t{1} << (exponent - 2);
  const std::size_t capacity = (wanted + step - 1) & ~(step - 1);
  const int rounded = std::bit_width(capacity) - 1;
  const auto quarter = static_cast<std::uint32_t>((capacity >> (rounded - 2)) & 3U);
  return {static_cast<std::uint32_t>(rounded) * 4 + quarter, capacity};
}

void give_back(Allocation* allocation) {
  allocation->~Allocation();
  ::operator delete(allocation, std::align_val_t{alignof(Allocation)});
}

}  // namespace

void release_allocation(Allocation* allocation) { allocation->arena->release(allocation); }

LocalArena::~LocalArena() {
  for (Allocation* head : free_) {
    while (head != nullptr) {
      Allocation* const next = head->next_free;
      give_back(head);
      head = next;
    }
  }
}

AllocationRef LocalArena::acquire(std::size_t size_bytes, std::size_t charged_bytes) {
  if (charged_bytes > limit_bytes_ || live_bytes_ > limit_bytes_ - charged_bytes) return {};
  const SizeClass size_class = classify(size_bytes);
  Allocation*& head = free_[size_class.index];
  Allocation* allocation = head;
  if (allocation != nullptr) {
    head = allocation->next_free;
    kept_bytes_ -= allocation->capacity_bytes;
  } else {
    void* const memory = ::operator new(sizeof(Allocation) + size_class.capacity_bytes,
                                        std::align_val_t{alignof(Allocation)}, std::nothrow);
    if (memory == nullptr) return {};
    allocation = new (memory) Allocation;
    allocation->arena = this;
    allocation->capacity_bytes = size_class.capacity_bytes;
    allocation->size_class = size_class.index;
  }
  allocation->charged_bytes = charged_bytes;
  allocation->next_free = nullptr;
  allocation->accumulator_pending = false;
  live_bytes_ += charged_bytes;
  return AllocationRef(allocation);
}

void LocalArena::release(Allocation* allocation) {
  live_bytes_ -= allocation->charged_bytes;
  if (allocation->causes != nullptr) drop_causes(*allocation);
  if (kept_bytes_ + allocation->capacity_bytes > kKeptBytes) {
    give_back(allocation);
    return;
  }
  kept_bytes_ += allocation->capacity_bytes;
  allocation->next_free = free_[allocation->size_class];
  free_[allocation->size_class] = allocation;
}

}  // namespace ascemu::interp
