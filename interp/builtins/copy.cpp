// Tile transfers: copy_in, copy_out, copy, atomics (spec asc2 §5.4-§5.8, §11.1, §11.4).
#include "interp/builtins/conversion.h"
#include "interp/builtins/store.h"

namespace ascemu::interp {
namespace {

Fault location_fault(std::string_view op, std::string_view what, Space space,
                     std::string_view legal) {
  return make_fault(Code::bad_location, std::string(op) + ": " + std::string(what) + " location " +
                                            std::string(space_name(space)) +
                                            "; legal: " + std::string(legal));
}

bool is_cube_space(Space space) {
  return space == Space::l1 || space == Space::l0a || space == Space::l0b || space == Space::l0c ||
         space == Space::bt;
}

Result<Value> copy_in_rule(TraceState& state, const Value& src, std::span<const Arg> offsets,
                           const Shape& shape, Space space,
                           const std::optional<std::vector<Arg>>& real_shape,
                           const std::optional<Arg>& pad_value) {
  constexpr std::string_view kOp = "copy_in";
  const auto type = require_global(state, src, kOp, "src");
  if (!type) return type.fault();
  auto positions = check_offsets(state, offsets, type->dims.size(), kOp);
  if (!positions) return positions.fault();
  const Status checked = check_shape(kOp, shape, type->dtype);
  if (!checked) return checked.fault();
  auto valid = check_real_shape(state, real_shape, shape, kOp);
  if (!valid) return valid.fault();
  std::optional<Operand> pad;
  if (pad_value) {
    const auto scalar = scalar_of(state, *pad_value, type->dtype, kOp, "pad_value");
    if (!scalar) return scalar.fault();
    pad = scalar->operand;
  }
  if (space == Space::l0c || space == Space::fix) {
    state.compile_error(
        location_fault(kOp, "a tile cannot be loaded to", space, "UB, L1, L0A, L0B and BT"));
    space = Space::automatic;
  }
  if (*valid && is_cube_space(space)) {
    state.compile_error(
        make_fault(Code::bad_location, "copy_in: 'real_shape' is not supported with location " +
                                           std::string(space_name(space)) + "; legal: UB"));
    space = Space::automatic;
  }
  return state.emit_value(TensorType{type->dtype, shape, space}, [&](Slot dst) {
    return CopyIn{dst, src.operand, std::move(*positions), std::move(*valid), std::move(pad)};
  });
}

// More than four dims above 1 do not fit the store instruction.
void check_store_rank(TraceState& state, std::string_view op, const Shape& shape) {
  int count = 0;
  for (const std::int64_t dim : shape.dims()) count += dim != 1 ? 1 : 0;
  if (count <= 4) return;
  state.compile_error(make_fault(Code::bad_shape, std::string(op) + ": a tile of shape " +
                                                      shape.to_string() +
                                                      " has more than four dimensions above 1"));
}

Status copy_out_rule(TraceState& state, const Value& src, const Value& dst,
                     std::span<const Arg> offsets,
                     const std::optional<std::vector<Arg>>& real_shape) {
  constexpr std::string_view kOp = "copy_out";
  const auto tile = require_tensor(state, src, kOp, "src");
  if (!tile) return tile.fault();
  const auto type = require_global(state, dst, kOp, "dst");
  if (!type) return type.fault();
  if (tile->shape.count_elems() == 1) return store_element(state, src, dst, offsets);
  auto positions = check_offsets(state, offsets, type->dims.size(), kOp);
  if (!positions) return positions.fault();
  auto valid = check_real_shape(state, real_shape, tile->shape, kOp);
  if (!valid) return valid.fault();
  if (tile->dtype != type->dtype) {
    state.compile_error(make_fault(Code::bad_dtype,
                                   "copy_out: 'src' is " + type_phrase(*tile) + ", 'dst' holds " +
                                       std::string(refops::dtype_name(type->dtype)),
                                   {}, "Cast the tile to the dtype of the array first."));
    return Ok{};
  }
  check_store_rank(state, kOp, tile->shape);
  state.emit(CopyOut{src.operand, dst.operand, std::move(*positions), std::move(*valid)});
  return Ok{};
}

Result<Value> copy_rule(TraceState& state, const Value& src,
                        const std::optional<std::vector<Arg>>& offsets,
                        const std::optional<Shape>& shape, Space space) {
  constexpr std::string_view kOp = "copy";
  const auto type = require_tensor(state, src, kOp, "src");
  if (!type) return type.fault();
  const auto rank = static_cast<std::size_t>(type->shape.rank());
  std::vector<Operand> positions(rank, Operand{Scalar::from_int(Dtype::int32, 0)});
  if (offsets) {
    auto given = check_offsets(state, *offsets, rank, kOp);
    if (!given) return given.fault();
    positions = std::move(*given);
  }
  const Shape part = shape.value_or(type->shape);
  const Status checked = check_shape(kOp, part, type->dtype);
  if (!checked) return checked.fault();
  if (space == Space::l0c || space == Space::fix) {
    state.compile_error(
        location_fault(kOp, "a tile cannot be copied to", space, "UB, L1, L0A, L0B and BT"));
    space = Space::automatic;
  }
  return state.emit_value(TensorType{type->dtype, part, space}, [&](Slot dst) {
    return CopyLocal{dst, src.operand, std::move(positions)};
  });
}

Status atomic_rule(TraceState& state, OpId op, const Value& src, const Value& dst,
                   std::span<const Arg> offsets) {
  const std::string_view name = refops::op_name(op);
  if (op != OpId::atomic_add_ && op != OpId::atomic_max_ && op != OpId::atomic_min_) {
    return make_fault(Code::internal_error, std::string(name) + " is no atomic operation");
  }
  const auto tile = require_tensor(state, src, name, "src");
  if (!tile) return tile.fault();
  const auto type = require_global(state, dst, name, "dst");
  if (!type) return type.fault();
  if (!refops::op_accepts(op, type->dtype)) {
    return dtype_fault(name, "dst", type->dtype, refops::op_row(op).dtypes);
  }
  if (tile->dtype != type->dtype) {
    return make_fault(Code::bad_dtype, std::string(name) + ": 'src' has dtype " +
                                           std::string(refops::dtype_name(tile->dtype)) +
                                           ", 'dst' has " +
                                           std::string(refops::dtype_name(type->dtype)));
  }
  const std::size_t rank = type->dims.size();
  auto positions = check_offsets(state, offsets, offsets.size(), name);
  if (!positions) return positions.fault();
  if (positions->size() > rank) return check_offsets(state, offsets, rank, name).fault();
  if (positions->size() < rank) {
    state.warn(make_fault(Code::portability,
                          std::string(name) + ": " + std::to_string(positions->size()) +
                              " offsets for a global tensor of rank " + std::to_string(rank) +
                              "; missing leading offsets count as 0",
                          {}, "Pass one offset for every dimension of the global tensor."));
    positions->insert(positions->begin(), rank - positions->size(),
                      Operand{Scalar::from_int(Dtype::int32, 0)});
  }
  check_store_rank(state, name, tile->shape);
  state.emit(Atomic{op, src.operand, dst.operand, std::move(*positions)});
  return Ok{};
}

}  // namespace

Result<Value> Builder::copy_in(const Value& src, std::span<const Arg> offsets, const Shape& shape,
                               Space space, const std::optional<std::vector<Arg>>& real_shape,
                               const std::optional<Arg>& pad_value) {
  return transact(*state_, [&] {
    return copy_in_rule(*state_, src, offsets, shape, space, real_shape, pad_value);
  });
}

Status Builder::copy_out(const Value& src, const Value& dst, std::span<const Arg> offsets,
                         const std::optional<std::vector<Arg>>& real_shape) {
  return transact(*state_, [&] { return copy_out_rule(*state_, src, dst, offsets, real_shape); });
}

Result<Value> Builder::copy(const Value& src, const std::optional<std::vector<Arg>>& offsets,
                            const std::optional<Shape>& shape, Space space) {
  return transact(*state_, [&] { return copy_rule(*state_, src, offsets, shape, space); });
}

Status Builder::atomic(OpId op, const Value& src, const Value& dst, std::span<const Arg> offsets) {
  return transact(*state_, [&] { return atomic_rule(*state_, op, src, dst, offsets); });
}

}  // namespace ascemu::interp
