// The loops of the array forms, to be compiled once per instruction set.
//
// What it is: blocks of a fast evaluation in three vectorising passes (widen, evaluate and test,
// narrow), then the scalar path for the lanes that the test left open.
// What it is not: dispatch (arrays.cpp).
//
// Invariant: out may be the very array x; each element gets the bits of `evaluate`.
#pragma once

#include <algorithm>
#include <cstdint>

#include "refops/elementary/fast.h"
#include "refops/elementary/functions.h"
#include "refops/elementary/power.h"
#include "refops/elementary/rounding.h"

namespace ascemu::refops::elementary {

inline constexpr std::int64_t kBlock = 128;

template <class T>
ASCEMU_INLINE void widen_block(const T* x, double* wide, std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) wide[i] = static_cast<double>(widen(x[i]));
}

template <class T>
ASCEMU_INLINE void narrow_block(const double* values, T* out, std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = element_of<T>(values[i]);
}

// All ones where the condition fails. Conditions are joined as masks, not as truth values, because
// GCC 12 vectorises no loop that does the latter.
ASCEMU_INLINE std::uint64_t unless(bool condition) { return condition ? 0 : ~std::uint64_t{0}; }

template <class F, class T>
ASCEMU_INLINE void evaluate_blocks(const T* x, T* out, std::int64_t total) {
  alignas(64) double operand[kBlock];
  alignas(64) double value[kBlock];
  alignas(64) std::uint64_t open[kBlock];
  for (std::int64_t start = 0; start < total; start += kBlock) {
    const std::int64_t count = std::min(kBlock, total - start);
    widen_block(x + start, operand, count);
    std::uint64_t any = 0;
#pragma omp simd reduction(| : any)
    for (std::int64_t i = 0; i < count; ++i) {
      const double near = F::evaluate(operand[i]);
      const double margin = near * F::kError;
      const double lower = quantize<T>(near - margin);
      const double upper = quantize<T>(near + margin);
      value[i] = upper;
      open[i] = unless(lower == upper) | unless(F::is_regular(operand[i]));
      any |= open[i];
    }
    narrow_block(value, out + start, count);
    if (any == 0) continue;
    for (std::int64_t i = 0; i < count; ++i) {
      if (open[i] != 0) out[start + i] = resolve<F, T>(operand[i]);
    }
  }
}

template <class T>
ASCEMU_INLINE void power_blocks(const T* x, const T* y, T* out, std::int64_t total) {
  alignas(64) double base[kBlock];
  alignas(64) double exponent[kBlock];
  alignas(64) double value[kBlock];
  alignas(64) std::uint64_t open[kBlock];
  for (std::int64_t start = 0; start < total; start += kBlock) {
    const std::int64_t count = std::min(kBlock, total - start);
    widen_block(x + start, base, count);
    widen_block(y + start, exponent, count);
    std::uint64_t any = 0;
#pragma omp simd reduction(| : any)
    for (std::int64_t i = 0; i < count; ++i) {
      const double near = fast::Pow::evaluate(base[i], exponent[i]);
      const double margin = near * fast::Pow::kError;
      const double lower = quantize<T>(near - margin);
      const double upper = quantize<T>(near + margin);
      value[i] = upper;
      open[i] = unless(lower == upper) | unless(fast::Pow::is_regular(base[i], exponent[i]));
      any |= open[i];
    }
    narrow_block(value, out + start, count);
    if (any == 0) continue;
    for (std::int64_t i = 0; i < count; ++i) {
      if (open[i] != 0) out[start + i] = resolve_power<T>(base[i], exponent[i]);
    }
  }
}

}  // namespace ascemu::refops::elementary
