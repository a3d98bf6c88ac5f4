// Transfers between arrays and local tensors (spec asc2 §5.6, §5.7, §11.4, §12.6, §12.7, §12.10).
#include <algorithm>

#include "interp/eval/walker.h"
#include "interp/memory/poison.h"
#include "interp/memory/storage_conversion.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

constexpr std::int64_t kDmaBlockBytes = 32;  // also the width of a cube block, C0

}  // namespace

AccessEvent Walker::describe(AccessKind kind, std::string_view operation,
                             const Operand& tensor_operand, std::span<const std::int64_t> offsets,
                             const Shape& extent) const {
  const Slot slot = std::get<SlotRef>(tensor_operand).slot;
  const Global& tensor = std::get<Global>(slots_[slot]);
  AccessEvent event;
  event.kind = kind;
  event.operation = operation;
  event.array = &context_.arrays[tensor.array];
  event.tensor = &tensor;
  event.tensor_name = program_.slots[slot].name;
  event.offsets = offsets;
  event.extent = extent;
  event.is_read_only = kind != AccessKind::read && !event.array->writable;
  return event;
}

void Walker::describe_tile(const TileAccess& access, AccessEvent& event) const {
  event.first = access.origin;
  event.last = access.last;
  event.negative_elems = access.negative_elems;
  event.clips_rows = access.clips_rows && !access.leaves_leading;
  event.leaves_leading = access.leaves_leading;
  if (access.negative_elems == 0 && access.representable && access.count_elems > 0) return;
  event.last = access.origin;
  for (int axis = 0; axis < access.rank; ++axis) {
    event.last = add_saturating(
        event.last, multiply_saturating(std::max<std::int64_t>(access.high[axis] - 1, 0),
                                        access.strides[axis]));
  }
}

bool Walker::settle(const GlobalArray& array, std::int64_t first, std::int64_t last) {
  if (!atomics_.has_pending() || last < 0 || first >= array.count_elems) return true;
  const std::int64_t from = std::max<std::int64_t>(first, 0);
  const std::int64_t to = std::min(last, array.count_elems - 1);
  return atomics_.settle(array.at(from), array.at(to + 1));
}

bool Walker::settle(const GlobalArray& array, const TileAccess& access) {
  if (access.count_elems == 0 || !access.representable) return true;
  return settle(array, access.first, access.last);
}

Completion Walker::eval_node(const AddressAdd& node) {
  const Address base = std::get<Address>(slot_value(node.base));
  slots_[node.dst] = move_address(base, scalar(node.offset_elems).as_int());
  return Completion::normal;
}

Completion Walker::eval_node(const MakeGlobal& node) {
  Shape dims;
  for (const Operand& dim : node.dims) dims.push_back(scalar(dim).as_int());
  slots_[node.dst] = declare_global(std::get<Address>(slot_value(node.base)), dims);
  return Completion::normal;
}

Shape Walker::held_real_shape(const std::optional<std::vector<Operand>>& real_shape,
                              const Shape& tile) {
  if (!real_shape) return tile;
  Shape asked;
  for (const Operand& dim : *real_shape) asked.push_back(scalar(dim).as_int());
  Shape held = tile;
  for (int axis = 0; axis < std::min(tile.rank(), asked.rank()); ++axis)
    held[axis] = std::clamp<std::int64_t>(asked[axis], 0, tile[axis]);
  if (!(held == asked)) {
    report(Code::bad_real_shape, [&] {
      return make_fault(Code::bad_real_shape, "real_shape " + asked.to_string() +
                                                  " does not fit the tile " + tile.to_string() +
                                                  "; " + held.to_string() + " is used instead");
    });
  }
  return held;
}

TailRule Walker::tail_rule(const CopyIn& node, const LocalTensor& out) const {
  TailRule rule;
  if (node.pad_value || node.real_shape) {
    rule.everywhere = node.pad_value ? scalar(*node.pad_value) : Scalar{out.dtype, 0};
    return rule;
  }
  const std::int64_t block =
      kDmaBlockBytes / static_cast<std::int64_t>(refops::dtype_size_bytes(out.declared));
  const bool is_turned = context_.transposed[node.dst];
  switch (out.space) {
    case Space::l1:
      rule.column_multiple = block;
      rule.row_multiple = block;
      break;
    case Space::l0a:  // [M, K]
      (is_turned ? rule.row_multiple : rule.column_multiple) = block;
      break;
    case Space::l0b:  // [K, N]
      (is_turned ? rule.column_multiple : rule.row_multiple) = block;
      break;
    case Space::bt:
      break;
    default:
      rule.column_multiple = block;
  }
  return rule;
}

Completion Walker::eval_node(const CopyIn& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  const LocalTensor& result = std::get<LocalTensor>(slots_[node.dst]);
  const Global& source = global(node.src);
  const GlobalArray& array = context_.arrays[source.array];
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  const bool is_bias = result.space == Space::bt;
  const TileAccess access = resolve_tile(
      {source, start, out->shape, held_real_shape(node.real_shape, out->shape), !is_bias});
  if (!settle(array, access)) return Completion::end_launch;
  const TailRule rule = access.is_whole_tile() ? TailRule{} : tail_rule(node, result);
  const std::int64_t outside = load_tile(array, access, rule, *out);
  touch(AccessKind::read, "copy_in", node.src, access);
  const bool is_short = !access.is_whole_tile() && !rule.everywhere;
  if (tracks_undefined_ && (is_short || (is_bias && outside > 0)))
    leave_undefined(access, rule, array, result);
  if (is_fresh(source)) leave_unwritten(node.src, access, result);
  if (outside + access.negative_elems == 0 && !access.leaves_leading) return Completion::normal;
  AccessEvent event = describe(AccessKind::read, "copy_in", node.src, start, out->shape);
  describe_tile(access, event);
  // A bias load reads the whole tile past the end of its tensor; that is legal (spec §11.4).
  event.outside_elems = is_bias && access.first >= 0 && access.representable ? 0 : outside;
  observe(event);
  return Completion::normal;
}

Completion Walker::eval_node(const CopyOut& node) {
  const LocalTensor& tile = tensor(node.src);
  LocalTensor copy;
  const std::optional<refops::ConstView> view = dense_view(tile, copy);
  if (!view) return Completion::end_launch;
  const Global& target = global(node.dst);
  const GlobalArray& array = context_.arrays[target.array];
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  const TileAccess access =
      resolve_tile({target, start, view->shape, held_real_shape(node.real_shape, view->shape)});
  if (!settle(array, access)) return Completion::end_launch;
  const std::int64_t outside = array.writable ? store_tile(*view, access, array) : 0;
  touch(AccessKind::write, "copy_out", node.dst, access);
  const bool clips_rows = access.clips_rows && tile.space != Space::l0c;
  if (has_causes(tile) && array.writable) {
    AccessEvent event = describe(AccessKind::write, "copy_out", node.dst, start, view->shape);
    describe_tile(access, event);
    report_stored(undefined_use(copy.allocation ? copy : tile, access, array), node.src, event);
  }
  if (outside + access.negative_elems == 0 && array.writable && !clips_rows &&
      !access.leaves_leading) {
    return Completion::normal;
  }
  AccessEvent event = describe(AccessKind::write, "copy_out", node.dst, start, view->shape);
  describe_tile(access, event);
  event.clips_rows &= clips_rows;
  event.outside_elems = outside;
  observe(event);
  return Completion::normal;
}

Completion Walker::eval_node(const LoadScalar& node) {
  const Global& source = global(node.src);
  const GlobalArray& array = context_.arrays[source.array];
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  const std::optional<std::int64_t> position = resolve_position(source, start);
  const Dtype stored = program_.slots[node.dst].stored(array.dtype);
  if (position && *position >= 0 && *position < array.count_elems) {
    if (!settle(array, *position, *position)) return Completion::end_launch;
    if (is_watched(source)) touch_run(site_of(AccessKind::read, "copy_in", node.src), *position, 1);
    set_scalar(node.dst, moved_scalar(Scalar::load(array.dtype, array.at(*position)), stored));
    if (is_fresh(source)) {
      AccessEvent event = describe(AccessKind::read, "copy_in", node.src, start, {});
      event.first = event.last = *position;
      judge_unwritten(event, count_unwritten(array, {0, *position, 1}, AccessKind::read));
    }
    return Completion::normal;
  }
  set_scalar(node.dst, poison_scalar(array.dtype, stored));
  AccessEvent event = describe(AccessKind::read, "copy_in", node.src, start, {});
  event.first = event.last = nearest_position(source, start);
  event.outside_elems = 1;
  observe(event);
  return Completion::normal;
}

Completion Walker::eval_node(const StoreScalar& node) {
  const Global& target = global(node.dst);
  const GlobalArray& array = context_.arrays[target.array];
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  const std::optional<std::int64_t> position = resolve_position(target, start);
  const bool is_inside = position && *position >= 0 && *position < array.count_elems;
  if (is_inside && array.writable) {
    if (!settle(array, *position, *position)) return Completion::end_launch;
    if (is_watched(target))
      touch_run(site_of(AccessKind::write, "copy_out", node.dst), *position, 1);
    std::uint64_t bits = 0;
    const refops::ConstView value = view(node.value, bits);
    move_elements(value.dtype, value.data, array.dtype, array.at(*position), 1);
    if (undefined_in(node.value) != nullptr) {
      AccessEvent event = describe(AccessKind::write, "copy_out", node.dst, start, {});
      event.first = event.last = *position;
      report_stored(undefined_use(node.value), node.value, event);
    }
    return Completion::normal;
  }
  AccessEvent event = describe(AccessKind::write, "copy_out", node.dst, start, {});
  event.first = event.last = nearest_position(target, start);
  event.outside_elems = is_inside ? 0 : 1;
  observe(event);
  return Completion::normal;
}

}  // namespace ascemu::interp
