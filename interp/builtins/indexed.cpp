// gather and scatter (spec asc2 §5.9, §11.1, §11.4), checks in the language's order.
#include "interp/builtins/conversion.h"

namespace ascemu::interp {
namespace {

using namespace refops::detail;

constexpr refops::DtypeSet kIndexDtypes = kI8 | kI16 | kI32 | kI64;
constexpr std::int64_t kBlockBytes = 32;

// The number of offsets belongs to `dim`, whatever number that is.
Result<std::vector<Operand>> check_dim_offsets(const TraceState& state,
                                               std::span<const Arg> offsets, std::int64_t dim,
                                               std::string_view op) {
  const bool fits = dim >= 0 && static_cast<std::uint64_t>(dim) < offsets.size() &&
                    offsets.size() - 1 == static_cast<std::uint64_t>(dim);
  const std::size_t count = fits ? offsets.size() : offsets.size() + 1;
  auto operands = check_offsets(state, offsets, count, op);
  if (operands || fits || offsets.empty()) return operands;
  if (operands.fault().code != Code::bad_offsets) return operands;
  return make_fault(Code::bad_offsets,
                    arg_name(op, "offsets") + " must have 'dim' + 1 values, got " +
                        std::to_string(offsets.size()) + " for dim " + std::to_string(dim));
}

Status check_dim(std::string_view op, std::int64_t dim, std::size_t rank) {
  if (dim < 0 || static_cast<std::uint64_t>(dim) >= rank) {
    return make_fault(Code::bad_argument_value, arg_name(op, "dim") + " is " + std::to_string(dim) +
                                                    "; legal: 0 to " + std::to_string(rank - 1));
  }
  if (static_cast<std::uint64_t>(dim) + 1 < rank) return Ok{};
  return make_fault(Code::bad_argument_value, ExceptionKind::not_implemented_error,
                    std::string(op) + ": the last dimension cannot be indexed",
                    "Index an earlier dimension; the device compiler has no such form.");
}

Status check_index_rank(std::string_view op, const TensorType& index) {
  if (index.shape.rank() == 1) return Ok{};
  return make_fault(
      Code::bad_argument_value,
      arg_name(op, "index") + " must have one dimension, got shape " + index.shape.to_string());
}

Status check_static_tail(std::string_view op, std::string_view name, const GlobalType& type,
                         std::int64_t dim) {
  for (std::size_t axis = static_cast<std::size_t>(dim) + 1; axis < type.dims.size(); ++axis) {
    if (type.dims[axis]) continue;
    return make_fault(Code::bad_argument_value,
                      arg_name(op, name) +
                          " has a dimension after 'dim' that is only known at run "
                          "time: " +
                          dims_text(type));
  }
  return Ok{};
}

Result<std::optional<Operand>> count_operand(const TraceState& state,
                                             const std::optional<Arg>& count, std::string_view op) {
  if (!count) return std::optional<Operand>{};
  const auto operand = runtime_int(state, *count, op, "num_indices");
  if (!operand) return operand.fault();
  return std::optional<Operand>(*operand);
}

// [indices, trailing dims], the last one rounded up to whole 32-byte blocks.
Result<Shape> gathered_shape(const GlobalType& type, std::int64_t dim, std::int64_t indices) {
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(type.dtype));
  const std::int64_t block = kBlockBytes / size;
  Shape shape{indices};
  for (std::size_t axis = static_cast<std::size_t>(dim) + 1; axis < type.dims.size(); ++axis) {
    std::int64_t length = *type.dims[axis];
    const bool is_last = axis + 1 == type.dims.size();
    if (is_last && length > 0 && length <= kMaxTensorBytes) {
      length = (length + block - 1) / block * block;
    }
    shape.push_back(length);
  }
  const Status checked = check_shape("gather", shape, type.dtype);
  if (!checked) return checked.fault();
  return shape;
}

Result<Value> gather_rule(TraceState& state, const Value& src, std::span<const Arg> offsets,
                          std::int64_t dim, const Value& index, bool check_bounds,
                          const std::optional<Arg>& num_indices,
                          const std::optional<Arg>& pad_value) {
  constexpr std::string_view kOp = "gather";
  const auto type = require_global(state, src, kOp, "src");
  if (!type) return type.fault();
  auto positions = check_dim_offsets(state, offsets, dim, kOp);
  if (!positions) return positions.fault();
  const auto index_type = require_tensor_of(state, index, kOp, "index", kIndexDtypes);
  if (!index_type) return index_type.fault();
  const Status index_rank = check_index_rank(kOp, *index_type);
  if (!index_rank) return index_rank.fault();
  const Status dim_range = check_dim(kOp, dim, type->dims.size());
  if (!dim_range) return dim_range.fault();
  auto count = count_operand(state, num_indices, kOp);
  if (!count) return count.fault();
  const Status tail = check_static_tail(kOp, "src", *type, dim);
  if (!tail) return tail.fault();
  const auto shape = gathered_shape(*type, dim, index_type->shape[0]);
  if (!shape) return shape.fault();
  std::optional<Operand> pad;
  if (pad_value) {
    const auto scalar = scalar_of(state, *pad_value, type->dtype, kOp, "pad_value");
    if (!scalar) return scalar.fault();
    pad = scalar->operand;
  }
  return state.emit_value(TensorType{type->dtype, *shape}, [&](Slot dst) {
    return Gather{
        dst,          src.operand, std::move(*positions), static_cast<int>(dim), index.operand,
        check_bounds, *count,      std::move(pad)};
  });
}

Fault scatter_fault(std::string message) {
  return make_fault(Code::bad_argument_value, "scatter: " + std::move(message));
}

// Ranks, dtypes and middle dims of scatter's tensors.
Status check_scatter_fit(const TensorType& src, std::int64_t dim, const TensorType& index,
                         const GlobalType& dst) {
  const std::size_t rank = static_cast<std::size_t>(src.shape.rank());
  if (dst.dims.size() != rank + static_cast<std::size_t>(dim)) {
    return scatter_fault("'dst' has rank " + std::to_string(dst.dims.size()) +
                         ", the rank of 'src' plus 'dim' is " +
                         std::to_string(rank + static_cast<std::size_t>(dim)));
  }
  const Status index_rank = check_index_rank("scatter", index);
  if (!index_rank) return index_rank;
  if (src.dtype != dst.dtype) {
    return scatter_fault("'src' has dtype " + std::string(refops::dtype_name(src.dtype)) +
                         ", 'dst' has " + std::string(refops::dtype_name(dst.dtype)));
  }
  const Status tail = check_static_tail("scatter", "dst", dst, dim);
  if (!tail) return tail;
  for (int axis = 1; axis + 1 < src.shape.rank(); ++axis) {
    const std::int64_t target = *dst.dims[static_cast<std::size_t>(dim + axis)];
    if (src.shape[axis] == target) continue;
    return scatter_fault("dimension " + std::to_string(axis) + " of 'src' is " +
                         std::to_string(src.shape[axis]) + ", the matching one of 'dst' is " +
                         std::to_string(target));
  }
  return Ok{};
}

Status scatter_rule(TraceState& state, const Value& src, std::int64_t dim, const Value& index,
                    const Value& dst, std::span<const Arg> offsets, bool check_bounds,
                    const std::optional<Arg>& num_indices) {
  constexpr std::string_view kOp = "scatter";
  const auto dst_type = require_global(state, dst, kOp, "dst");
  if (!dst_type) return dst_type.fault();
  const auto any_index = require_tensor(state, index, kOp, "index");
  if (!any_index) return any_index.fault();
  const auto src_type = require_tensor(state, src, kOp, "src");
  if (!src_type) return src_type.fault();
  const auto index_type = require_tensor_of(state, index, kOp, "index", kIndexDtypes);
  if (!index_type) return index_type.fault();
  auto positions = check_dim_offsets(state, offsets, dim, kOp);
  if (!positions) return positions.fault();
  const Status dim_range = check_dim(kOp, dim, dst_type->dims.size());
  if (!dim_range) return dim_range;
  const Status fit = check_scatter_fit(*src_type, dim, *index_type, *dst_type);
  if (!fit) return fit;
  auto count = count_operand(state, num_indices, kOp);
  if (!count) return count.fault();
  if (index_type->shape[0] > src_type->shape[0]) {
    state.compile_error(
        make_fault(Code::bad_shape, "scatter: 'index' has " + std::to_string(index_type->shape[0]) +
                                        " values, 'src' has only " +
                                        std::to_string(src_type->shape[0]) + " rows"));
    return Ok{};
  }
  state.emit(Scatter{src.operand, static_cast<int>(dim), index.operand, dst.operand,
                     std::move(*positions), check_bounds, *count});
  return Ok{};
}

}  // namespace

Result<Value> Builder::gather(const Value& src, std::span<const Arg> offsets, std::int64_t dim,
                              const Value& index, bool check_bounds,
                              const std::optional<Arg>& num_indices,
                              const std::optional<Arg>& pad_value) {
  return transact(*state_, [&] {
    return gather_rule(*state_, src, offsets, dim, index, check_bounds, num_indices, pad_value);
  });
}

Status Builder::scatter(const Value& src, std::int64_t dim, const Value& index, const Value& dst,
                        std::span<const Arg> offsets, bool check_bounds,
                        const std::optional<Arg>& num_indices) {
  return transact(*state_, [&] {
    return scatter_rule(*state_, src, dim, index, dst, offsets, check_bounds, num_indices);
  });
}

}  // namespace ascemu::interp
