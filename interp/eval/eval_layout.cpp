// Creation, shape functions and copies between local tensors (spec asc2 §5.4, §6.8).
#include <algorithm>

#include "interp/checks/cube_parts.h"
#include "interp/eval/walker.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

// The common box of a local sub-copy: aligned at the last dimension, missing leading dimensions
// count as 1.
struct SubCopy {
  refops::ConstView source;  // at the first element that exists
  refops::View target;
  std::int64_t missing_elems = 0;
};

SubCopy resolve_sub_copy(const refops::ConstView& source, const refops::View& target,
                         std::span<const std::int64_t> offsets) {
  SubCopy copy{{source.data, source.dtype, {}, {}}, {target.data, target.dtype, {}, {}}, 0};
  const int rank = std::max(source.shape.rank(), target.shape.rank());
  std::int64_t wanted = 1;
  std::int64_t source_offset = 0;
  std::int64_t target_offset = 0;
  for (int axis = 0; axis < rank; ++axis) {
    const int from = axis - (rank - source.shape.rank());
    const int to = axis - (rank - target.shape.rank());
    const std::int64_t size = from >= 0 ? source.shape[from] : 1;
    const std::int64_t want = to >= 0 ? target.shape[to] : 1;
    const bool has_offset = from >= 0 && static_cast<std::size_t>(from) < offsets.size();
    const std::int64_t offset = has_offset ? offsets[static_cast<std::size_t>(from)] : 0;
    const std::int64_t low = offset < 0 ? std::min(want, -std::max(offset, -INT64_MAX)) : 0;
    const std::int64_t high = offset >= size ? low : std::min(want, size - offset);
    const std::int64_t count = std::max<std::int64_t>(high - low, 0);
    const std::int64_t source_stride = from >= 0 ? source.strides[from] : 0;
    const std::int64_t target_stride = to >= 0 ? target.strides[to] : 0;
    copy.source.shape.push_back(count);
    copy.source.strides.push_back(source_stride);
    copy.target.shape.push_back(count);
    copy.target.strides.push_back(target_stride);
    if (count > 0) source_offset += (offset + low) * source_stride;
    target_offset += low * target_stride;
    wanted *= want;
  }
  copy.missing_elems = wanted - copy.target.shape.count_elems();
  if (copy.missing_elems == wanted) return copy;
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(source.dtype));
  copy.source.data += source_offset * size;
  copy.target.data += target_offset * size;
  return copy;
}

}  // namespace

Completion Walker::eval_node(const Fill& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  refops::eval_fill(scalar(node.value), *out);
  return Completion::normal;
}

// A reshaped accumulator sees later updates, as on the device: it is the same storage.
Completion Walker::eval_node(const Reshape& node) {
  const auto& type = std::get<TensorType>(program_.slots[node.dst].type);
  const LocalTensor& x = tensor(node.x);
  LocalTensor result = x;
  if (!x.view().is_contiguous() && !dense_view(x, result)) return Completion::end_launch;
  result.shape = type.shape;
  result.strides = refops::contiguous_strides(type.shape);
  slots_[node.dst] = std::move(result);
  return Completion::normal;
}

Completion Walker::eval_node(const Transpose& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  refops::eval_transpose(node.permutation, tensor(node.x).view(), *out);
  if (const LocalTensor* const x = undefined_in(node.x)) {
    refops::eval_transpose(node.permutation, causes_of(*x),
                           define_causes(std::get<LocalTensor>(slots_[node.dst])));
  }
  return Completion::normal;
}

Completion Walker::eval_node(const BroadcastTo& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage = 0;
  refops::eval_copy(view(node.x, storage), *out);
  carry(node.dst, node.x);
  return Completion::normal;
}

Completion Walker::eval_node(const Concat& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::vector<refops::ConstView> inputs;
  inputs.reserve(node.inputs.size());
  for (const Operand& input : node.inputs) inputs.push_back(tensor(input).view());
  refops::eval_concat(inputs, *out);
  const auto is_undefined = [&](const Operand& input) { return undefined_in(input) != nullptr; };
  if (std::ranges::any_of(node.inputs, is_undefined)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const LocalTensor& input = tensor(node.inputs[i]);
      inputs[i] = has_causes(input) ? causes_of(input) : no_causes(input.shape);
    }
    refops::eval_concat(inputs, define_causes(std::get<LocalTensor>(slots_[node.dst])));
  }
  return Completion::normal;
}

Completion Walker::eval_node(const CopyLocal& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  const LocalTensor& source = tensor(node.src);
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  const SubCopy copy = resolve_sub_copy(source.view(), *out, start);
  if (copy.missing_elems > 0) {
    poison(node.dst, *out);
    report(Code::read_out_of_bounds, [&] {
      const std::string& name = program_.slots[std::get<SlotRef>(node.src).slot].name;
      std::vector<std::string> notes{"tensor: " + (name.empty() ? "" : name + ", ") +
                                     std::string(refops::dtype_name(source.declared)) + " " +
                                     source.shape.to_string() + " in " +
                                     std::string(space_name(source.space))};
      std::string text = "offsets: [";
      for (std::size_t i = 0; i < start.size(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(start[i]);
      notes.push_back(text + "]");
      notes.push_back("extent: " + out->shape.to_string());
      return make_fault(Code::read_out_of_bounds,
                        "copy reads " + std::to_string(copy.missing_elems) +
                            (copy.missing_elems == 1 ? " element" : " elements") +
                            " outside the local tensor" + (name.empty() ? "" : " '" + name + "'"),
                        std::move(notes),
                        "The kernel copies from outside a local tensor; the device would copy "
                        "whatever lies there. Correct the offsets or the shape.");
    });
  }
  const CubePart part{{source.declared, source.shape, source.space}, start, out->shape};
  if (copy.missing_elems == 0 && is_scrambled(part)) {
    report(Code::scrambled_part, [&] {
      return scrambled_part(part, program_.slots[std::get<SlotRef>(node.src).slot].name);
    });
  }
  if (copy.target.shape.count_elems() == 0) return Completion::normal;
  refops::eval_copy(copy.source, copy.target);
  if (has_causes(source)) {
    const LocalTensor& result = std::get<LocalTensor>(slots_[node.dst]);
    const SubCopy causes = resolve_sub_copy(causes_of(source), define_causes(result), start);
    refops::eval_copy(causes.source, causes.target);
    settle_causes(result);
  }
  return Completion::normal;
}

}  // namespace ascemu::interp
