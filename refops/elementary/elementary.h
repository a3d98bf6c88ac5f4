// Correctly rounded elementary functions of float16, bfloat16 and float32 (contract N6, N11 ieee).
//
// What it is: every result is the exact value rounded once to the element, nearest even, for every
// operand. It depends on no libm, no instruction set, no compiler. Method: a double with a known
// error bound; where that does not settle the rounding, a double-double.
// float64 (contract N19): the double-double rounded once, within 1 ulp and as reproducible.
// pow: docs in power.h. What it is not: the devices' compositions, flushes or saturation.
//
// Invariant: special values are those of C99 Annex F; a NaN result is the canonical one. The
// default floating-point environment is assumed.
#pragma once

#include <cstdint>

#include "refops/element.h"

namespace ascemu::refops::elementary {

enum class Function { exp, exp2, log, log2, sqrt, rsqrt, sin, cos, tan, sinh, cosh, tanh, erf };
inline constexpr int kFunctionCount = 13;

// T is float, Float16, Bfloat16 or double.
template <Function kFunction, class T>
T evaluate(T x);

// out[i] = pow(x[i], y[i]) by C99 F.9.4.4: pow(x, 0) and pow(1, y) are 1, NaN operands included.
template <class T>
T pow(T x, T y);

// out[i] = function of x[i], the bits of `evaluate`. `out` may be `x`, never overlap it partially.
template <class T>
void evaluate_array(Function function, const T* x, T* out, std::int64_t count);

template <class T>
void pow_array(const T* x, const T* y, T* out, std::int64_t count);

// The instruction sets the array forms are compiled for. The widest one the processor has is used;
// all return the same bits.
enum class VectorLevel { baseline, sse42, avx2, avx512 };
inline constexpr int kVectorLevelCount = 4;
bool vector_level_is_available(VectorLevel level);
// For tests: the array forms of this thread use `level`, which must be available.
void force_vector_level(VectorLevel level);
// For tests: so do all threads for which none was forced, those of launches to come included.
void force_vector_level_everywhere(VectorLevel level);
VectorLevel current_vector_level();

template <class T>
T exp(T x) {
  return evaluate<Function::exp>(x);
}
template <class T>
T exp2(T x) {
  return evaluate<Function::exp2>(x);
}
template <class T>
T log(T x) {
  return evaluate<Function::log>(x);
}
template <class T>
T log2(T x) {
  return evaluate<Function::log2>(x);
}
template <class T>
T sqrt(T x) {
  return evaluate<Function::sqrt>(x);
}
template <class T>
T rsqrt(T x) {
  return evaluate<Function::rsqrt>(x);
}
template <class T>
T sin(T x) {
  return evaluate<Function::sin>(x);
}
template <class T>
T cos(T x) {
  return evaluate<Function::cos>(x);
}
template <class T>
T tan(T x) {
  return evaluate<Function::tan>(x);
}
template <class T>
T sinh(T x) {
  return evaluate<Function::sinh>(x);
}
template <class T>
T cosh(T x) {
  return evaluate<Function::cosh>(x);
}
template <class T>
T tanh(T x) {
  return evaluate<Function::tanh>(x);
}
template <class T>
T erf(T x) {
  return evaluate<Function::erf>(x);
}

}  // namespace ascemu::refops::elementary
