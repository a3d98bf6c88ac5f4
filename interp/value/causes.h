// Which elements of a local tensor nothing has defined, and why: one number an element.
//
// What it is: the shadow of a tensor's elements and the moves over it; tensors without undefined
// elements have none. What it is not: what the numbers mean (eval/cause_table.h), nor what the
// elements hold (memory/poison.h). Invariants: 0 stands for a defined element; the numbers of an
// allocation are shared by every view of it, and indexed by element as its bytes are.
#pragma once

#include <cstdint>
#include <vector>

#include "interp/value/runtime_value.h"

namespace ascemu::interp {

using CauseId = std::uint16_t;

inline bool has_causes(const LocalTensor& tensor) { return tensor.allocation->causes != nullptr; }

// The causes as a tensor of 16-bit elements, laid out as the tensor is. Requires has_causes.
refops::ConstView causes_of(const LocalTensor& tensor);
// The same to write into; all defined when the tensor had none. Requires: the tensor covers its
// allocation.
refops::View define_causes(const LocalTensor& tensor);
// Drops the causes when every element turned out to be defined.
void settle_causes(const LocalTensor& tensor);
// The causes of a tensor that is defined everywhere, of any shape.
refops::ConstView no_causes(const Shape& shape);
refops::ConstView causes_view(const std::vector<CauseId>& causes, const Shape& shape);

// Elements of `target` that are defined take the cause of the element of `source` that broadcasts
// to them.
void join_causes(const refops::ConstView& source, const refops::View& target);

// What a reduction makes of causes. A line is what it makes one element of.
struct FoldedCauses {
  std::vector<CauseId> of_lines;  // the first cause of a line without a defined element, else 0;
                                  // row-major over the axes that are kept
  std::vector<CauseId> of_mixed;  // the causes of the other lines' elements, 0 elsewhere, row-major
                                  // over all axes; empty when there are none
};
FoldedCauses fold_causes(const refops::ConstView& causes, std::uint32_t axes_mask);

}  // namespace ascemu::interp
