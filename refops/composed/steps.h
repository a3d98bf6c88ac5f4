// The steps of the compositions of N11-N13: one correctly rounded operation per element, with the
// flush of N5 where the target has one.
//
// What it is: exp, log and sqrt over an array, division of two arrays, the rounding to an integer.
// What it is not: additions and multiplications (plain operators; contraction is off), the
// settling of a result (target/settle.h).
//
// Invariant: `out` may be an operand, never overlap it partially. A NaN has no particular pattern.
#pragma once

#include <cmath>
#include <cstdint>

#include "refops/arithmetic.h"
#include "refops/elementary/elementary.h"
#include "refops/target/behaviour.h"

namespace ascemu::refops::composed {

// Elements that a composition works on at a time: its buffers stay in the nearest cache.
inline constexpr std::int64_t kChunkElems = 256;

// exp, log or sqrt (N6): flushed where target.flushes_functions.
template <elementary::Function kFunction, class T>
void function_step(const Behaviour& target, const T* x, T* out, std::int64_t count) {
  if (!target.flushes_functions) return elementary::evaluate_array(kFunction, x, out, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = flushed_operand(x[i]);
  elementary::evaluate_array(kFunction, out, out, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = flushed_result(out[i]);
}

template <class T>
void exp_step(const Behaviour& target, const T* x, T* out, std::int64_t count) {
  function_step<elementary::Function::exp>(target, x, out, count);
}

template <class T>
void log_step(const Behaviour& target, const T* x, T* out, std::int64_t count) {
  function_step<elementary::Function::log>(target, x, out, count);
}

template <class T>
void sqrt_step(const Behaviour& target, const T* x, T* out, std::int64_t count) {
  function_step<elementary::Function::sqrt>(target, x, out, count);
}

// numerator[i] / denominator[i], flushed where target.flushes_div.
template <class T>
void div_step(const Behaviour& target, const T* numerator, const T* denominator, T* out,
              std::int64_t count) {
  if (target.flushes_div) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) out[i] = Flushed<Div>{}(numerator[i], denominator[i]);
  } else {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) out[i] = Div{}(numerator[i], denominator[i]);
  }
}

// x to the nearest integral value, ties to even.
[[gnu::always_inline]] inline float nearest_integral(float x) {
  const float magnitude = std::fabs(x);
  const float rounded = std::copysign((magnitude + 0x1p23F) - 0x1p23F, x);
  return magnitude < 0x1p23F ? rounded : x;
}

}  // namespace ascemu::refops::composed
