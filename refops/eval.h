// The meaning of every value-producing op: pure functions from operand views to a result view.
//
// What it is: the one door into refops for the walker.
// What it is not: memory, positions, broadcasting of result shapes (the type rules decided those
// already), error reporting.
//
// Preconditions (guaranteed by the type rules; asserted in debug builds): result shape and dtype
// are what the type rule says; operands broadcast to the result shape; the result view is
// contiguous and does not partly overlap an operand (it may be exactly the same contiguous bytes as
// an operand for unary and binary ops). Layout ops, eval_fill and the destination of eval_atomic
// take any strides. Scalars are passed as views of rank 0. An op or dtype outside ops.def raises
// std::logic_error; float64 is accepted wherever float32 is (N19). Spec: asc2 §6; Nn are clauses of
// the numeric contract.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "refops/ops.h"
#include "refops/round.h"
#include "refops/target/policy.h"
#include "refops/view.h"

namespace ascemu::refops {

// out[i] = op(x[i]); out.dtype == x.dtype. N2, N4 to N7, N11.
void eval_unary(OpId op, const Policy& policy, const ConstView& x, const View& out);
// out[i] = op(a[i], b[i]); all three dtypes equal. Integer division by zero yields 0 (undefined on
// the device) and the minimum divided by -1 wraps. Shift counts outside [0, width) yield 0 (left)
// or the sign fill (right). pow of integers wraps; a negative exponent yields 0 except for the
// bases 1 and -1. maximum and minimum of a NaN are NaN, and +0 is above -0. N2 to N7, N10, N11.11.
void eval_binary(OpId op, const Policy& policy, const ConstView& a, const ConstView& b,
                 const View& out);
// out (int1) [i] = op(a[i], b[i]); a.dtype == b.dtype. An operand of rank 0 is a scalar: with one,
// or on some targets always, integers compare as floats (N8.2, N8.3). A relation with a NaN is
// false, but not_equal is true where N8.1 says so.
void eval_compare(OpId op, const Policy& policy, const ConstView& a, const ConstView& b,
                  const View& out);
// out[i] = mask[i] ? a[i] : b[i].
void eval_where(const ConstView& mask, const ConstView& a, const ConstView& b, const View& out);
// Cast of supported pairs (spec §6.5) with the given mode (default_mode = cast_default_mode).
// Integer results saturate and NaN becomes 0; a float result past the largest finite number is
// infinity in every mode, but for the saturation of N4. Equal dtypes copy the bits whatever the
// mode (spec §11.1); a mode that is not legal for the pair is computed all the same. int32 to
// float16 takes two roundings and no mode where N9.3 says so. Also float64 from and to every other
// number.
void eval_cast(const Policy& policy, RoundMode mode, const ConstView& x, const View& out);
// Pairs of the table in §6.5, and every dtype to itself.
bool cast_is_supported(Dtype from, Dtype to);
// False for unsupported pairs; default_mode is legal for every supported one.
bool cast_mode_is_legal(Dtype from, Dtype to, RoundMode mode);
// What RoundMode::default_mode means for a supported pair (N9.2): inexact int -> float is trunc or
// rint, by policy.
RoundMode cast_default_mode(const Policy& policy, Dtype from, Dtype to);

// Reduction over the axes whose bit is set in axes_mask; out has those dims removed or 1 (same
// element order either way). The order of a sum or product is the policy's (contract N12.2 to
// N12.4, N12.6): in ieee row-major ascending from the first element. Every addition is one rounding
// in the element type, float16 included. NaN wins in max and min (N12.5). No reduced axis may be
// empty. float64 operands (N19) are legal wherever float32 is, here and in the functions below.
void eval_reduce(OpId op, const Policy& policy, std::uint32_t axes_mask, const ConstView& x,
                 const View& out);
// All elements to one scalar of x.dtype (sums: N12.1).
Scalar eval_reduce_all(OpId op, const Policy& policy, const ConstView& x);

// Last axis: max-subtracted, float32 inside, each step rounded (N13.1); float16, bfloat16 and
// float32 operands. The order of the row sums is the policy's (N13).
void eval_softmax(const Policy& policy, const ConstView& x, const View& out);
// x * (1 / sqrt(mean(x^2) + epsilon)) * gamma on the last axis in float32, left to right, rounded
// once to out.dtype; the policy may compose mean and root of other steps (N13.2). epsilon is
// already in x.dtype; gamma broadcasts to x.shape and may have another float dtype.
void eval_rms_norm(const Policy& policy, const ConstView& x, const ConstView& gamma,
                   const Scalar& epsilon, const View& out);
// (x - mean) * rstd * gamma + beta in float32, left to right, rstd = 1 / sqrt(var + epsilon)
// (N13.3). out in x.dtype; mean and spread float32 of shape [rows] ([1] for rank 1), float64 where
// out is. spread = rstd when output_rstd, else the biased variance.
void eval_layer_norm(const Policy& policy, const ConstView& x, const ConstView& gamma,
                     const ConstView& beta, const Scalar& epsilon, bool output_rstd,
                     const View& out, const View& mean, const View& spread);

// acc[m,n] (float32) += sum_k a[m,k] * b[k,n], accumulator first (N14.1): in ieee k ascending, one
// rounding per multiply and per add; on the devices one rounding per group of k. a, b may be
// strided (transposed views). hf32 rounds float32 operands to HF32 first (N14.2). With a float64
// accumulator every operation is one of float64 and hf32 means nothing (N19).
void eval_matmul_acc(const Policy& policy, bool hf32, const ConstView& a, const ConstView& b,
                     const View& acc);

// Layout ops: any dtype, element bits unchanged.
void eval_transpose(std::span<const int> permutation, const ConstView& x, const View& out);
void eval_copy(const ConstView& x, const View& out);                   // x broadcasts to out.shape
void eval_concat(std::span<const ConstView> inputs, const View& out);  // along axis 0
void eval_fill(const Scalar& value, const View& out);                  // value.dtype == out.dtype

// dst op= src, element by element in row-major order (atomic_add / atomic_max / atomic_min); dtypes
// equal. N16.
void eval_atomic(OpId op, const Policy& policy, const ConstView& src, const View& dst);

// Vector mask (spec §6.7): inactive lanes of every 256-byte repeat of `out` (contiguous) are set to
// `other`, which has its dtype. The lanes are those of `lanes_of`, the dtype the kernel declared
// (N20).
struct LaneMask {
  std::array<std::uint64_t, 4>
      bits{};  // bit i of the 256-lane pattern: lane i active; lanes = 256 / element size
};
LaneMask lane_mask_from_count(std::uint32_t count);
LaneMask lane_mask_from_bits(std::uint64_t high, std::uint64_t low);  // lanes >= 128 inactive
void eval_mask_blend(const LaneMask& mask, Dtype lanes_of, const Scalar& other, const View& out);

}  // namespace ascemu::refops
