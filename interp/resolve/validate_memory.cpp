#include "interp/builtins/conversion.h"
#include "interp/resolve/validator.h"
#include "refops/ops.h"

namespace ascemu::interp {
namespace {

using namespace refops::detail;

constexpr refops::DtypeSet kIndexDtypes = kI8 | kI16 | kI32 | kI64;
constexpr std::int64_t kBlockBytes = 32;

}  // namespace

void Validator::check_product(const Operand& a, const Operand& b, const Shape& result, bool hf32) {
  const TensorType& left = tensor(a);
  const TensorType& right = tensor(b);
  require(refops::op_accepts(OpId::matmul_, left.dtype) && left.dtype == right.dtype,
          "the dtypes of a product");
  require(left.shape.rank() == 2 && right.shape.rank() == 2 && left.shape[1] == right.shape[0],
          "the shapes of a product");
  require(result == Shape{left.shape[0], right.shape[1]}, "the result of a product");
  require(!hf32 || left.dtype == Dtype::float32, "hf32 without float32");
}

void Validator::check_bias(const std::optional<Operand>& bias, std::int64_t columns) {
  if (!bias) return;
  const TensorType& type = tensor(*bias);
  require(refops::op_accepts(OpId::matmul_, type.dtype) && type.shape == Shape{columns}, "a bias");
}

void Validator::check(const ZerosAcc& s) {
  const TensorType& out = result_tensor(s.dst);
  require(out.dtype == Dtype::float32 && out.shape.rank() == 2, "an accumulator");
  check_bias(s.bias, out.shape[1]);
  if (!fails()) is_accumulator_[s.dst] = true;
}

void Validator::check(const MatmulAcc& s) {
  const Slot* acc = slot_of(s.acc);
  require(acc != nullptr && is_accumulator_[*acc], "matmul_acc without accumulator");
  if (!fails()) check_product(s.a, s.b, tensor(s.acc).shape, s.hf32);
}

void Validator::check(const Matmul& s) {
  const TensorType& out = result_tensor(s.dst);
  require(out.dtype == Dtype::float32, "the result of a product");
  check_product(s.a, s.b, out.shape, s.hf32);
  if (!fails()) check_bias(s.bias, out.shape[1]);
}

void Validator::check_counts(const std::vector<Operand>& operands, std::size_t count) {
  require(operands.size() == count, "the number of offsets or dimensions");
  for (const Operand& operand : operands) {
    require(refops::is_signed_integer(scalar(operand)), "an offset or dimension is no integer");
  }
}

void Validator::check_scalar(const std::optional<Operand>& operand, Dtype dtype) {
  if (operand) require(scalar(*operand) == dtype, "the dtype of a scalar operand");
}

void Validator::check(const AddressAdd& s) {
  const AddressType& base = address(s.base);
  require(refops::is_signed_integer(scalar(s.offset_elems)), "an address offset");
  require(address(SlotRef{s.dst}) == base, "the result of an address");
}

void Validator::check(const MakeGlobal& s) {
  const GlobalType& out = global(SlotRef{s.dst});
  require(address(s.base).dtype == out.dtype, "the dtype of a global tensor");
  check_counts(s.dims, out.dims.size());
  for (std::size_t i = 0; i < s.dims.size() && !fails(); ++i) {
    require(constant_int(s.dims[i]) == out.dims[i], "a dimension of a global tensor");
  }
}

void Validator::check(const CopyIn& s) {
  const GlobalType& src = global(s.src);
  const TensorType& out = result_tensor(s.dst);
  require(src.dtype == out.dtype && out.space != Space::l0c && out.space != Space::fix,
          "the result of a load");
  check_counts(s.offsets, src.dims.size());
  if (s.real_shape) {
    check_counts(*s.real_shape, static_cast<std::size_t>(out.shape.rank()));
    require(out.space == Space::ub, "a real_shape outside UB");
  }
  check_scalar(s.pad_value, out.dtype);
}

void Validator::check(const CopyOut& s) {
  const TensorType& src = tensor(s.src);
  const GlobalType& dst = global(s.dst);
  require(src.dtype == dst.dtype && (src.space == Space::ub || src.space == Space::l0c),
          "the source of a store");
  check_counts(s.offsets, dst.dims.size());
  if (s.real_shape) check_counts(*s.real_shape, static_cast<std::size_t>(src.shape.rank()));
}

void Validator::check(const LoadScalar& s) {
  const GlobalType& src = global(s.src);
  require(result_scalar(s.dst) == src.dtype, "the result of a scalar load");
  check_counts(s.offsets, src.dims.size());
}

void Validator::check(const StoreScalar& s) {
  const GlobalType& dst = global(s.dst);
  const Slot* slot = slot_of(s.value);
  const bool is_tensor =
      slot != nullptr && std::holds_alternative<TensorType>(program_.slots[*slot].type);
  if (is_tensor) {
    const TensorType& value = tensor(s.value);
    require(value.dtype == dst.dtype && value.shape.count_elems() == 1, "a stored element");
  } else {
    require(scalar(s.value) == dst.dtype, "a stored scalar");
  }
  check_counts(s.offsets, dst.dims.size());
}

void Validator::check(const CopyLocal& s) {
  const TensorType& src = tensor(s.src);
  require(result_tensor(s.dst).dtype == src.dtype, "the result of a copy");
  check_counts(s.offsets, static_cast<std::size_t>(src.shape.rank()));
}

void Validator::check_indexed(const GlobalType& global, int dim,
                              const std::vector<Operand>& offsets, const Operand& index,
                              const std::optional<Operand>& num_indices) {
  require(dim >= 0 && static_cast<std::size_t>(dim) + 1 < global.dims.size(),
          "an indexed dimension");
  if (fails()) return;
  check_counts(offsets, static_cast<std::size_t>(dim) + 1);
  const TensorType& type = tensor(index);
  require((kIndexDtypes & refops::dtype_bit(type.dtype)) != 0 && type.shape.rank() == 1,
          "an index");
  if (num_indices) {
    require(refops::is_signed_integer(scalar(*num_indices)), "a number of indices");
  }
  for (std::size_t axis = static_cast<std::size_t>(dim) + 1; axis < global.dims.size(); ++axis) {
    const auto& length = global.dims[axis];
    require(length && *length > 0 && *length <= kMaxTensorBytes, "an indexed tensor's dimensions");
  }
}

void Validator::check(const Gather& s) {
  const GlobalType& src = global(s.src);
  check_indexed(src, s.dim, s.offsets, s.index, s.num_indices);
  const TensorType& out = result_tensor(s.dst);
  require(out.dtype == src.dtype, "the result of a gather");
  check_scalar(s.pad_value, out.dtype);
  if (fails()) return;
  Shape shape{tensor(s.index).shape[0]};
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(src.dtype));
  for (std::size_t axis = static_cast<std::size_t>(s.dim) + 1; axis < src.dims.size(); ++axis) {
    shape.push_back(*src.dims[axis]);
  }
  const int last = shape.rank() - 1;
  const std::int64_t block = kBlockBytes / size;
  shape[last] = (shape[last] + block - 1) / block * block;
  require(out.shape == shape, "the result of a gather");
}

void Validator::check(const Scatter& s) {
  const TensorType& src = tensor(s.src);
  const GlobalType& dst = global(s.dst);
  check_indexed(dst, s.dim, s.offsets, s.index, s.num_indices);
  require(src.dtype == dst.dtype, "the source of a scatter");
  require(static_cast<std::size_t>(src.shape.rank()) + static_cast<std::size_t>(s.dim) ==
              dst.dims.size(),
          "the ranks of a scatter");
  if (fails()) return;
  for (int axis = 1; axis + 1 < src.shape.rank(); ++axis) {
    require(src.shape[axis] == *dst.dims[static_cast<std::size_t>(s.dim + axis)],
            "the dimensions of a scatter");
  }
  require(tensor(s.index).shape[0] <= src.shape[0], "the indices of a scatter");
}

void Validator::check(const Atomic& s) {
  const bool is_atomic =
      s.op == OpId::atomic_add_ || s.op == OpId::atomic_max_ || s.op == OpId::atomic_min_;
  const TensorType& src = tensor(s.src);
  const GlobalType& dst = global(s.dst);
  require(is_atomic && src.dtype == dst.dtype, "an atomic store");
  if (!fails()) require(refops::op_accepts(s.op, src.dtype), "an atomic op and its dtype");
  check_counts(s.offsets, dst.dims.size());
}

}  // namespace ascemu::interp
