// Argument checks and conversions that several op families share (spec asc2 §3.2, §3.3, §6.1, §8).
//
// What it is: "this must be a tensor of these dtypes", literal -> scalar, scalar -> dtype, tensor
// -> dtype, offsets, counts. What it is not: rules of one op. Invariant: nothing here changes the
// program but by the conversion it returns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/ast/type_text.h"
#include "interp/builtins/trace_state.h"

namespace ascemu::interp {

// "add: 'input'"
std::string arg_name(std::string_view op, std::string_view arg);

Fault kind_fault(std::string_view op, std::string_view arg, std::string_view wanted,
                 const std::string& got);
Fault dtype_fault(std::string_view op, std::string_view arg, Dtype got, refops::DtypeSet legal);

// The type of an admitted tensor / global / address; TypeError otherwise.
Result<TensorType> require_tensor(const TraceState& state, const Value& value, std::string_view op,
                                  std::string_view arg);
Result<GlobalType> require_global(const TraceState& state, const Value& value, std::string_view op,
                                  std::string_view arg);
Result<AddressType> require_address(const TraceState& state, const Value& value,
                                    std::string_view op, std::string_view arg);
// Also checks the dtype (RuntimeError).
Result<TensorType> require_tensor_of(const TraceState& state, const Value& value,
                                     std::string_view op, std::string_view arg,
                                     refops::DtypeSet legal);

// A shape with at least one dim, every dim positive, at most kMaxTensorBytes of `dtype`.
Status check_shape(std::string_view op, const Shape& shape, Dtype dtype);

Value constant_value(const Constant& constant);
// int(v), float(v) or bool(v) in `dtype`. Integers wrap with a warning; NaN has no int
// (ValueError), infinity neither (OverflowError).
Result<Value> literal_value(TraceState& state, const Literal& literal, Dtype dtype);
// Literal with its own dtype (bool -> int1, int -> int32, float -> float32). An int beyond int32:
// OverflowError.
Result<Value> default_value(const Literal& literal);
// The constant in `to`: a float that becomes a float keeps the number it was written as (N19).
Constant convert_constant(const Constant& constant, Dtype to, const Scalar& converted);
// PlainValue.cast: NotImplementedError for the missing pairs of spec §3.3.
Result<Value> convert_scalar(TraceState& state, const Value& value, Dtype to);
// Literal or scalar value in `dtype`; a value of another kind is a TypeError naming `arg`.
Result<Value> scalar_of(TraceState& state, const Arg& arg, Dtype dtype, std::string_view op,
                        std::string_view name);
// Tensor cast with a rounding mode; a missing pair or mode is a compile error.
Value convert_tensor(TraceState& state, const Value& value, Dtype to,
                     RoundMode mode = RoundMode::default_mode);

// A "runtime int" (spec §3.4): Python int or bool, or a signed integer scalar; else TypeError.
Result<Operand> runtime_int(const TraceState& state, const Arg& arg, std::string_view op,
                            std::string_view name);
Result<std::vector<Operand>> runtime_ints(const TraceState& state, std::span<const Arg> args,
                                          std::string_view op, std::string_view name);
// Offsets: at least one (RuntimeError), runtime ints (TypeError), `count` of them (ValueError).
Result<std::vector<Operand>> check_offsets(const TraceState& state, std::span<const Arg> offsets,
                                           std::size_t count, std::string_view op);
// real_shape of a tile: one value a dim (ValueError), constants within the tile (RuntimeError).
Result<std::optional<std::vector<Operand>>> check_real_shape(
    const TraceState& state, const std::optional<std::vector<Arg>>& real_shape, const Shape& tile,
    std::string_view op);

// The value of a constant operand.
std::optional<std::int64_t> constant_int(const Operand& operand);

}  // namespace ascemu::interp
