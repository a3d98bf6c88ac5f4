// Tensors, how each is made and what each use of it asks for: the input of location resolution.
//
// What it is: a flat reading of the tree. What it is not: decisions (locations.cpp). Invariant:
// uses stand in tree order; slots that hold no tensor have none.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

// How a tensor's place is found.
enum class Origin : std::uint8_t {
  fixed,    // the op decides: vector ops UB, matmul L0C, explicit copies
  load,     // copy_in without location
  copy,     // copy without location
  cast,     // cast, relu: UB or L0C
  reshape,  // anywhere
  transpose,
  variable,
};

enum class NeedKind : std::uint8_t {
  exact,    // must lie in `space`
  follow,   // wants the place of `result`
  stored,   // copy_out: UB or L0C, as it lies
  copied,   // source of a copy
  merged,   // moved into the variable `result`
  ignored,  // print
};

struct TensorUse {
  NeedKind kind = NeedKind::ignored;
  Space space = Space::automatic;
  Slot result = 0;            // follow, copied, merged
  std::string_view op;        // "matmul"
  std::string_view argument;  // "input"
  SpanId span = kNoSpan;
  bool takes_part = false;  // copied: offsets or another shape
};

struct TensorNode {
  bool is_tensor = false;
  Origin origin = Origin::fixed;
  Space place = Space::automatic;
  std::vector<Slot> sources;  // operands of follow ops, copies and merges
  std::vector<TensorUse> uses;
  SpanId loaded_at = kNoSpan;  // made by copy_in
};

std::vector<TensorNode> read_tensors(const Program& program);

}  // namespace ascemu::interp
