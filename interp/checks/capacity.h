// The check `capacity`: what a kernel's local tensors need of every on-chip memory (spec asc2 §5.1,
// §5.2).
//
// What it is: an accounting of the tree before it runs, with a lower bound (tensors that the device
// compiler surely allocates) and an estimate (with scratch and intermediates that it may fuse
// away). What it is not: the compiler's exact number, which nothing outside it can know. Invariant:
// the lower bound never exceeds the estimate; the program is changed in its findings only.
#pragma once

#include <string>
#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

// One buffer.
struct Holding {
  Slot slot = 0;
  Space space = Space::ub;
  std::int64_t size_bytes = 0;  // rounded up to 32, times `copies`
  std::int64_t copies = 1;      // of unrolled loops
  std::string scratch{};        // "scratch of softmax"; empty: the tensor itself
  bool is_certain = true;
  bool may_be_in_place = false;  // of a name that a loop re-binds: may lie where that name lies
  SpanId span = kNoSpan;
  std::int32_t first = 0, last = 0;  // live range, in statements
};

struct MemoryUse {
  Space space;
  std::int64_t capacity_bytes, certain_bytes, estimated_bytes;
  std::vector<Holding> holdings;  // those alive at the estimate's peak, largest first
};

std::int64_t capacity_bytes(refops::Chip chip, Space space);
// The memories that hold something. The same in every numeric mode: where the mode keeps what the
// device compiler rewrites (contract N17), a rewritten copy of the tree is read.
std::vector<MemoryUse> account_memory(const Program& program);
// "'x' float32 tensor [8, 8]": the words for one buffer.
std::string holding_text(const Program& program, const Holding& holding);
// "kernel.py:12"; empty where the place is not known.
std::string place_text(const Program& program, SpanId span);
// The device compiler counts the local tensors of this program itself (spec §1.7, §5.2).
bool is_counted(const Program& program);
void check_capacity(Program& program);

}  // namespace ascemu::interp
