#include "interp/resolve/validator.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

using refops::OpFamily;
using namespace refops::detail;

OpFamily family(OpId op) {
  const bool is_known = static_cast<std::size_t>(op) < refops::op_table().size();
  return is_known ? refops::op_row(op).family : OpFamily::control;
}

bool accepts(OpId op, OpFamily wanted, Dtype dtype) {
  return family(op) == wanted && refops::op_accepts(op, dtype);
}

bool is_truth_op(ScalarOp op) {
  return refops::scalar_op_is_comparison(op) || op == ScalarOp::logical_and ||
         op == ScalarOp::logical_or;
}

Shape without_unit_dims(const Shape& shape) {
  Shape result;
  for (const std::int64_t dim : shape.dims()) {
    if (dim != 1) result.push_back(dim);
  }
  return result;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  const auto shape = refops::broadcast_shapes(from, to);
  return shape && *shape == to;
}

constexpr refops::DtypeSet kRowDtypes = kF16 | kBf16 | kF32;

}  // namespace

void Validator::check(const ScalarUnary& s) {
  const bool is_known = s.op <= ScalarOp::erf && refops::scalar_op_is_unary(s.op);
  require(is_known && refops::scalar_op_accepts(s.op, scalar(s.a)), "a scalar op and its dtype");
  require(result_scalar(s.dst) == scalar(s.a), "the result of a scalar op");
}

void Validator::check(const ScalarBinary& s) {
  const Dtype dtype = scalar(s.a);
  const bool is_known = s.op <= ScalarOp::erf && !refops::scalar_op_is_unary(s.op);
  require(is_known && refops::scalar_op_accepts(s.op, dtype), "a scalar op and its dtype");
  require(scalar(s.b) == dtype, "two operands of a scalar op");
  if (fails()) return;
  require(result_scalar(s.dst) == (is_truth_op(s.op) ? Dtype::int1 : dtype),
          "the result of a scalar op");
}

void Validator::check(const ScalarCast& s) {
  require(result_scalar(s.dst) == s.to, "the result of a scalar cast");
  if (!fails()) require(refops::scalar_cast_is_legal(scalar(s.a), s.to), "a scalar cast");
}

void Validator::check(const ProgramScalar& s) {
  require(family(s.op) == OpFamily::program && result_scalar(s.dst) == Dtype::int32,
          "a program scalar");
}

void Validator::check(const If& s) {
  require(scalar(s.condition) == Dtype::int1, "a condition is not int1");
}

void Validator::check(const For& s) {
  const bool is_int32 = scalar(s.start) == Dtype::int32 && scalar(s.stop) == Dtype::int32 &&
                        scalar(s.step) == Dtype::int32;
  require(is_int32 && s.unroll_factor >= 1, "the bounds of a loop");
  require(s.induction < program_.slots.size(), "a loop has no induction slot");
  if (!fails()) require(result_scalar(s.induction) == Dtype::int32, "an induction slot");
}

void Validator::check(const While&) {}

void Validator::check(const Print& s) {
  for (const auto& part : s.parts) {
    const auto* operand = std::get_if<Operand>(&part);
    const Slot* slot = operand == nullptr ? nullptr : slot_of(*operand);
    if (slot == nullptr) continue;
    require(!std::holds_alternative<AddressType>(program_.slots[*slot].type), "a printed value");
  }
}

void Validator::check(const DeviceAssert& s) {
  require(scalar(s.condition) == Dtype::int1, "an asserted condition is not int1");
}

void Validator::check(const SyncAll&) {
  require(program_.has_barrier, "a barrier in a program that declares none");
}

void Validator::check_mask(const std::optional<MaskSpec>& mask, Dtype dtype) {
  if (mask) check_scalar(mask->other, dtype);
}

void Validator::check_broadcasts(const Operand& operand, Dtype dtype, const Shape& shape) {
  const Slot* slot = slot_of(operand);
  const bool is_tensor =
      slot != nullptr && std::holds_alternative<TensorType>(program_.slots[*slot].type);
  if (!is_tensor) return require(scalar(operand) == dtype, "the dtype of a scalar operand");
  const TensorType& type = tensor(operand);
  require(type.dtype == dtype, "the dtype of an operand");
  require(broadcasts_to(type.shape, shape), "the shape of an operand");
}

void Validator::check(const Unary& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& out = result_tensor(s.dst);
  require(accepts(s.op, OpFamily::unary, x.dtype), "a unary op and its dtype");
  require(out.dtype == x.dtype && out.shape == x.shape, "the result of a unary op");
  check_mask(s.mask, out.dtype);
}

void Validator::check(const Binary& s) {
  const TensorType& out = result_tensor(s.dst);
  const bool is_compare = family(s.op) == OpFamily::compare;
  Shape shape;
  std::optional<Dtype> dtype;
  for (const Operand* operand : {&s.a, &s.b}) {
    const Slot* slot = slot_of(*operand);
    if (slot == nullptr) continue;
    const auto* type = std::get_if<TensorType>(&program_.slots[*slot].type);
    if (type == nullptr) continue;
    const auto merged = refops::broadcast_shapes(shape, type->shape);
    require(merged.has_value(), "operands do not broadcast");
    if (fails()) return;
    shape = *merged;
    dtype = type->dtype;
  }
  require(dtype.has_value(), "a binary op without tensor");
  if (fails()) return;
  require(accepts(s.op, is_compare ? OpFamily::compare : OpFamily::binary, *dtype),
          "a binary op and its dtype");
  check_broadcasts(s.a, *dtype, shape);
  check_broadcasts(s.b, *dtype, shape);
  require(out.dtype == (is_compare ? Dtype::int1 : *dtype) && out.shape == shape,
          "the result of a binary op");
  require(!is_compare || !s.mask, "a masked comparison");
  check_mask(s.mask, out.dtype);
}

void Validator::check(const Where& s) {
  const TensorType& out = result_tensor(s.dst);
  const TensorType& mask = tensor(s.mask);
  require(mask.dtype == Dtype::int1 && mask.shape == out.shape, "the mask of a where");
  check_broadcasts(s.a, out.dtype, out.shape);
  check_broadcasts(s.b, out.dtype, out.shape);
}

void Validator::check(const Cast& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& out = result_tensor(s.dst);
  const bool is_mode = refops::round_mode_from_number(static_cast<int>(s.mode)).has_value();
  require(is_mode && refops::cast_mode_is_legal(x.dtype, out.dtype, s.mode), "a cast");
  require(x.shape == out.shape, "the shape of a cast");
}

void Validator::check(const Reduce& s) {
  const TensorType& x = tensor(s.x);
  require(accepts(s.op, OpFamily::reduce, x.dtype), "a reduction and its dtype");
  if (fails()) return;
  if (s.axes_mask == 0) {
    return require(result_scalar(s.dst) == x.dtype, "the result of a whole reduction");
  }
  require((s.axes_mask >> x.shape.rank()) == 0, "the axes of a reduction");
  const TensorType& out = result_tensor(s.dst);
  if (fails()) return;
  Shape left = x.shape;
  for (int axis = 0; axis < left.rank(); ++axis) {
    if (((s.axes_mask >> axis) & 1U) != 0) left[axis] = 1;
  }
  require(out.dtype == x.dtype && without_unit_dims(out.shape) == without_unit_dims(left),
          "the result of a reduction");
}

void Validator::check(const Softmax& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& out = result_tensor(s.dst);
  require(refops::op_accepts(OpId::softmax_, x.dtype) && x.shape.rank() <= 2, "a softmax");
  require(out.dtype == x.dtype && out.shape == x.shape, "the result of a softmax");
}

void Validator::check(const RmsNorm& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& gamma = tensor(s.gamma);
  const TensorType& out = result_tensor(s.dst);
  require(refops::op_accepts(OpId::rms_norm_, x.dtype), "an rms_norm and its dtype");
  require((kRowDtypes & refops::dtype_bit(gamma.dtype)) != 0, "the gamma of an rms_norm");
  require(broadcasts_to(gamma.shape, x.shape), "the gamma of an rms_norm");
  require(out.dtype == x.dtype && out.shape == x.shape, "the result of an rms_norm");
  require(scalar(s.epsilon) == x.dtype, "the epsilon of an rms_norm");
}

void Validator::check(const LayerNorm& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& out = result_tensor(s.dst);
  require((kRowDtypes & refops::dtype_bit(x.dtype)) != 0, "a layer_norm and its dtype");
  for (const Operand* weight : {&s.gamma, &s.beta}) {
    const TensorType& type = tensor(*weight);
    require((kRowDtypes & refops::dtype_bit(type.dtype)) != 0, "the weights of a layer_norm");
    require(broadcasts_to(type.shape, x.shape), "the weights of a layer_norm");
  }
  require(out.dtype == x.dtype && out.shape == x.shape, "the result of a layer_norm");
  const Shape rows{x.shape.count_elems() / x.shape[x.shape.rank() - 1]};
  for (const Slot slot : {s.mean, s.spread}) {
    const TensorType& type = result_tensor(slot);
    require(type.dtype == Dtype::float32 && type.shape == rows, "the moments of a layer_norm");
  }
  require(scalar(s.epsilon) == Dtype::float32, "the epsilon of a layer_norm");
}

void Validator::check(const Fill& s) {
  const TensorType& out = result_tensor(s.dst);
  require(scalar(s.value) == out.dtype, "the value of a fill");
}

void Validator::check(const Reshape& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& out = result_tensor(s.dst);
  require(x.dtype == out.dtype && x.shape.count_elems() == out.shape.count_elems(), "a reshape");
}

void Validator::check(const Transpose& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& out = result_tensor(s.dst);
  const auto rank = static_cast<std::size_t>(x.shape.rank());
  require(
      x.dtype == out.dtype && s.permutation.size() == rank && out.shape.rank() == x.shape.rank(),
      "a transpose");
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < rank && !fails(); ++i) {
    const int axis = s.permutation[i];
    require(axis >= 0 && axis < x.shape.rank() && ((seen >> axis) & 1U) == 0, "a permutation");
    if (fails()) return;
    seen |= 1U << axis;
    require(out.shape[static_cast<int>(i)] == x.shape[axis], "the result of a transpose");
  }
}

void Validator::check(const BroadcastTo& s) {
  const TensorType& x = tensor(s.x);
  const TensorType& out = result_tensor(s.dst);
  require(x.dtype == out.dtype && broadcasts_to(x.shape, out.shape), "a broadcast");
}

void Validator::check(const Concat& s) {
  const TensorType& out = result_tensor(s.dst);
  std::int64_t rows = 0;
  for (const Operand& input : s.inputs) {
    const TensorType& type = tensor(input);
    Shape trailing = type.shape;
    trailing[0] = out.shape[0];
    require(type.dtype == out.dtype && trailing == out.shape, "an input of a concat");
    require(type.shape[0] <= out.shape[0] - rows, "the result of a concat");
    if (fails()) return;
    rows += type.shape[0];
  }
  require(rows == out.shape[0], "the result of a concat");
}

}  // namespace ascemu::interp
