// The check `numeric`: where NaN, infinity, a lost difference or a saturated number first appears.
//
// What it is: a comparison of one statement's operands with its result, element by element (or as a
// whole, where every element of an operand may reach every element of the result). What it is not:
// a judgement of the bits (docs/numerics.md), or a search for what a NaN later spoils: an element
// that came from a NaN is no new event. Invariant: nothing is changed; elements that hold the
// poison of undefined memory, and lanes that a mask excludes, make no event.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interp/ast/tree.h"
#include "interp/diag/diagnostic.h"
#include "refops/eval.h"
#include "refops/view.h"

namespace ascemu::interp {

struct NumericOperand {
  refops::ConstView view;
  std::string_view name;  // the kernel's variable, may be empty
};

struct NumericStatement {
  std::string_view operation;  // as the language spells it
  std::span<const NumericOperand> operands;
  refops::ConstView result;
  Dtype declared = Dtype::float32;  // of the result; `result` may store it wider (N19)
  bool is_elementwise = true;       // operands broadcast to the result
  const std::optional<MaskSpec>* mask = nullptr;
};

// One Fault for each kind of event, each with its first element and the number of elements.
std::vector<Fault> numeric_events(const NumericStatement& statement);

}  // namespace ascemu::interp
