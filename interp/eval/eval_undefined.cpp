// Undefined elements (spec asc2 §5.6, §6.7, §9, §11.4, §12.10): how every operation carries them,
// and where they are told. An observer: nothing here changes an element.
//
// They are told where they reach an array, a scalar (and so a condition) or an index, and where a
// reduction, a softmax, a norm or a sum over K combines them with defined elements. A line without
// a defined element is carried on: the rows and columns past a tensor take part in every tile, and
// the store clips them.
#include <algorithm>

#include "interp/checks/access_checks.h"
#include "interp/eval/walker.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

std::uint32_t last_axis_bit(const Shape& shape) {
  return shape.rank() == 0 ? 0U : 1U << (shape.rank() - 1);
}

std::string element_text(const Shape& shape, std::int64_t position) {
  Shape index = shape;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[axis] = position % shape[axis];
    position /= shape[axis];
  }
  return index.to_string();
}

constexpr std::string_view kMatmul = "the sum over K";
constexpr std::string_view kHelpOnK =
    "The cube sums over all of K, and a copy_in to L1, L0A or L0B is zero past the tensor only up "
    "to a multiple of 32 bytes (C0); make the tile no wider than that in K.";

bool is_matmul(const Stmt& stmt) {
  return std::holds_alternative<Matmul>(stmt.node) || std::holds_alternative<MatmulAcc>(stmt.node);
}

}  // namespace

const LocalTensor* Walker::undefined_in(const Operand& operand) const {
  const auto* const ref = std::get_if<SlotRef>(&operand);
  if (ref == nullptr) return nullptr;
  const auto* const held = std::get_if<LocalTensor>(&slots_[ref->slot]);
  return held != nullptr && has_causes(*held) ? held : nullptr;
}

void Walker::carry(Slot dst, const Operand& operand) {
  const LocalTensor* const source = undefined_in(operand);
  if (source == nullptr) return;
  join_causes(causes_of(*source), define_causes(std::get<LocalTensor>(slots_[dst])));
}

void Walker::carry_selected(const Where& node) {
  const LocalTensor* const mask = undefined_in(node.mask);
  const LocalTensor* const a = undefined_in(node.a);
  const LocalTensor* const b = undefined_in(node.b);
  if (mask == nullptr && a == nullptr && b == nullptr) return;
  const LocalTensor& result = std::get<LocalTensor>(slots_[node.dst]);
  const refops::View causes = define_causes(result);
  std::uint64_t storage = 0;
  refops::eval_where(view(node.mask, storage), a != nullptr ? causes_of(*a) : no_causes({}),
                     b != nullptr ? causes_of(*b) : no_causes({}), causes);
  if (mask != nullptr) join_causes(causes_of(*mask), causes);
  settle_causes(result);
}

void Walker::carry_lanes(const MaskSpec& mask, const LocalTensor& result) {
  if (mask.other) {
    if (!has_causes(result)) return;
    refops::eval_mask_blend(mask.lanes, result.declared, Scalar{Dtype::int16, 0},
                            define_causes(result));
  } else {
    const CauseId cause =
        causes_.add(current_, Code::undefined_lanes, "leaves the lanes outside the mask undefined");
    refops::eval_mask_blend(mask.lanes, result.declared, Scalar{Dtype::int16, cause},
                            define_causes(result));
  }
  settle_causes(result);
}

std::vector<CauseId> Walker::fold_undefined(const Operand& operand, std::uint32_t axes_mask,
                                            std::string_view operation) {
  FoldedCauses folded = fold_causes(causes_of(*undefined_in(operand)), axes_mask);
  if (!folded.of_mixed.empty()) {
    UndefinedUse use(causes_);
    use.see(folded.of_mixed.data(), static_cast<std::int64_t>(folded.of_mixed.size()), 0);
    report_undefined(use, operand, std::string(operation) + " combines", " with defined ones", {});
  }
  return std::move(folded.of_lines);
}

void Walker::carry_reduced(const Reduce& node) {
  if (undefined_in(node.x) == nullptr) return;
  const std::vector<CauseId> causes =
      fold_undefined(node.x, node.axes_mask, refops::op_name(node.op));
  const LocalTensor& result = std::get<LocalTensor>(slots_[node.dst]);
  join_causes(causes_view(causes, result.shape), define_causes(result));
  settle_causes(result);
}

void Walker::carry_rows(Slot dst, const Operand& operand, std::string_view operation) {
  const LocalTensor* const x = undefined_in(operand);
  if (x == nullptr) return;
  const std::vector<CauseId> causes = fold_undefined(operand, last_axis_bit(x->shape), operation);
  const LocalTensor& result = std::get<LocalTensor>(slots_[dst]);
  Shape rows = x->shape;
  if (rows.rank() > 0) rows[rows.rank() - 1] = 1;
  const bool has_one_a_row = result.shape.count_elems() == rows.count_elems();
  join_causes(causes_view(causes, has_one_a_row ? result.shape : rows), define_causes(result));
  settle_causes(result);
}

void Walker::carry_product(const LocalTensor& result, const Operand& a, const Operand& b) {
  const LocalTensor* const left = undefined_in(a);
  const LocalTensor* const right = undefined_in(b);
  if (left != nullptr) {
    join_causes(causes_view(fold_undefined(a, 2U, kMatmul), Shape{left->shape[0], 1}),
                define_causes(result));
  }
  if (right != nullptr) {
    join_causes(causes_view(fold_undefined(b, 1U, kMatmul), Shape{1, right->shape[1]}),
                define_causes(result));
  }
  if (left != nullptr || right != nullptr) settle_causes(result);
}

void Walker::leave_undefined(const TileAccess& access, const TailRule& rule,
                             const GlobalArray& array, const LocalTensor& result) {
  const bool is_bias = result.space == Space::bt;
  if (is_bias && (access.negative_elems > 0 || access.first < 0 || !access.representable)) return;
  Shape moved = result.shape;
  for (int axis = 0; axis < result.shape.rank(); ++axis)
    moved[axis] = access.extent[axis + access.rank - result.shape.rank()];
  const CauseId cause = causes_.add(
      current_, Code::undefined_tail,
      is_bias ? "reads past the end of the array, which is undefined there"
              : "loads " + moved.to_string() + " of the tile " + result.shape.to_string());
  const refops::View causes = define_causes(result);
  if (!is_bias) {
    mark_tails(access, rule, Scalar{Dtype::int16, cause}, causes);
  } else {
    auto* const elements = reinterpret_cast<CauseId*>(causes.data);
    for_each_run(access, [&](const Run& run) {
      const Run good = clip_run(run, array.count_elems);
      std::fill_n(elements + run.tile_offset, run.count, cause);
      std::fill_n(elements + good.tile_offset, good.count, CauseId{0});
    });
  }
  settle_causes(result);
}

void Walker::report_undefined(const UndefinedUse& use, const Operand& operand,
                              std::string_view verb, const std::string& place,
                              std::vector<std::string> notes) {
  if (use.cause() == 0) return;
  const Cause& cause = causes_.at(use.cause());
  causes_.tell(use.cause());
  const auto explain = [&] {
    const Slot slot = std::get<SlotRef>(operand).slot;
    const std::string& name = program_.slots[slot].name;
    const Shape& shape = std::get<LocalTensor>(slots_[slot]).shape;
    const bool is_one = use.count() == 1;
    std::string where = "undefined: " + std::string(is_one ? "element " : "elements ") +
                        element_text(shape, use.first());
    if (!is_one) where += " to " + element_text(shape, use.last());
    notes.push_back(where + " of " + (name.empty() ? "the tile" : name) + " " + shape.to_string());
    return make_fault(cause.code,
                      std::string(verb) + " " + std::to_string(use.count()) + " undefined " +
                          (is_one ? "element" : "elements") +
                          (name.empty() ? "" : " of '" + name + "'") + place,
                      std::move(notes), is_matmul(*current_) ? std::string(kHelpOnK) : "");
  };
  report(cause.code, explain, {{cause.stmt->span, cause.text}});
}

void Walker::report_stored(const UndefinedUse& use, const Operand& operand, AccessEvent event) {
  if (use.cause() == 0) return;
  const bool is_update = event.kind == AccessKind::atomic;
  const std::string verb = std::string(event.operation) + (is_update ? " combines" : " stores");
  report_undefined(use, operand, verb, (is_update ? " with " : " into ") + tensor_text(event),
                   access_notes(event));
}

UndefinedUse Walker::undefined_use(const Operand& operand) const {
  UndefinedUse use(causes_);
  const LocalTensor* const tensor = undefined_in(operand);
  if (tensor == nullptr) return use;
  const refops::ConstView causes = causes_of(*tensor);
  if (causes.is_contiguous()) {
    use.see(reinterpret_cast<const CauseId*>(causes.data), causes.shape.count_elems(), 0);
    return use;
  }
  std::vector<CauseId> dense(static_cast<std::size_t>(causes.shape.count_elems()));
  refops::eval_copy(causes, refops::contiguous_view(reinterpret_cast<std::byte*>(dense.data()),
                                                    causes.dtype, causes.shape));
  use.see(dense.data(), causes.shape.count_elems(), 0);
  return use;
}

UndefinedUse Walker::undefined_indices(const Operand& index, std::int64_t count) const {
  UndefinedUse use(causes_);
  const LocalTensor* const tensor = undefined_in(index);
  if (tensor == nullptr) return use;
  const auto* const causes = reinterpret_cast<const CauseId*>(causes_of(*tensor).data);
  for (std::int64_t i = 0; i < count; ++i) use.see(causes + i * tensor->strides[0], 1, i);
  return use;
}

UndefinedUse Walker::undefined_use(const LocalTensor& dense, const TileAccess& access,
                                   const GlobalArray& array) const {
  UndefinedUse use(causes_);
  if (!has_causes(dense) || !access.representable) return use;
  const auto* const causes = reinterpret_cast<const CauseId*>(causes_of(dense).data);
  for_each_run(access, [&](const Run& run) {
    const Run good = clip_run(run, array.count_elems);
    use.see(causes + good.tile_offset, good.count, good.tile_offset);
  });
  return use;
}

}  // namespace ascemu::interp
