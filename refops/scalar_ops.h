// Arithmetic of runtime scalars (PlainValue), spec asc2 §3.4: C semantics on the device, defined
// here for every input.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "refops/scalar.h"
#include "refops/target/policy.h"

namespace ascemu::refops {

enum class ScalarOp : std::uint8_t {
  // binary, both operands of one dtype
  add,
  sub,
  mul,
  div,
  rem,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  max,
  min,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,  // result int1
  logical_and,
  logical_or,  // int1
  // unary
  negative,
  exp,
  sqrt,
  erf,
};

std::string_view scalar_op_name(ScalarOp op);
std::optional<ScalarOp> scalar_op_from_name(std::string_view name);
bool scalar_op_is_unary(ScalarOp op);
bool scalar_op_is_comparison(ScalarOp op);
// The language has the op for this operand dtype (floats have no rem, bitwise or shifts; exp, sqrt,
// erf need float32; spec §3.4). The functions below take float64 wherever float32 is accepted
// (N19).
bool scalar_op_accepts(ScalarOp op, Dtype dtype);

// Ints wrap; div and rem truncate toward zero; a zero divisor yields 0 and sets *divided_by_zero
// when given. Floats round once in their dtype. max/min: the C ternary (a > b ? a : b), so with a
// NaN the second operand is chosen. Shift counts outside [0, width) behave as in eval_binary;
// shift_right is arithmetic even for unsigned dtypes. Comparisons, div and rem of unsigned dtypes
// are unsigned. int1 computes as a C bool. An op that does not accept the dtype raises
// std::logic_error.
// Of a policy the scalars take the NaN of N2.1 alone: they never flush, saturate or compose, and
// exp, sqrt and erf are correctly rounded (N18.1).
Scalar eval_scalar_binary(ScalarOp op, const Scalar& a, const Scalar& b,
                          bool* divided_by_zero = nullptr, const Policy& policy = {});
Scalar eval_scalar_unary(ScalarOp op, const Scalar& a, const Policy& policy = {});
// The C casts of spec §3.3: int <-> int of any width (to int1: not zero), float <-> float of
// different widths, int <-> float of one width.
bool scalar_cast_is_legal(Dtype from, Dtype to);
// The pair must be legal, or one of its dtypes float64 (N19). To float: nearest even; float to int
// truncates and saturates, NaN is 0.
Scalar eval_scalar_cast(const Scalar& a, Dtype to, const Policy& policy = {});

}  // namespace ascemu::refops
