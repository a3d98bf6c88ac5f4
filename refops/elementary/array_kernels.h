// The array forms of one element type, compiled for several instruction sets.
//
// What it is: the table of kernels per VectorLevel, made from array_loops.h with target attributes.
// What it is not: the choice of the level (arrays.cpp).
//
// Invariant: every body is inlined into its kernel, so that no code for a wide instruction set can
// be reached without the dispatch. Include it only in the file that defines `kernels_at` of a type.
#pragma once

#include <array>

#include "refops/elementary/array_loops.h"
#include "refops/elementary/elementary.h"

namespace ascemu::refops::elementary {

template <class T>
struct Kernels {
  // In the order of Function.
  std::array<void (*)(const T*, T*, std::int64_t), kFunctionCount> unary;
  void (*power)(const T*, const T*, T*, std::int64_t);
};

// Defined for float, Float16, Bfloat16 and double.
template <class T>
const Kernels<T>& kernels_at(VectorLevel level);

// Element by element, for any processor and for types without loops of their own.
struct ElementLoops {
  template <class F, class T>
  static void evaluate(const T* x, T* out, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = evaluate_element<F>(x[i]);
  }
  template <class T>
  static void power(const T* x, const T* y, T* out, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = pow(x[i], y[i]);
  }
};

#define ASCEMU_VECTOR_LOOPS(Name, instruction_sets)                                     \
  struct Name {                                                                         \
    template <class F, class T>                                                         \
    [[gnu::target(instruction_sets)]] static void evaluate(const T* x, T* out,          \
                                                           std::int64_t count) {        \
      evaluate_blocks<F>(x, out, count);                                                \
    }                                                                                   \
    template <class T>                                                                  \
    [[gnu::target(instruction_sets)]] static void power(const T* x, const T* y, T* out, \
                                                        std::int64_t count) {           \
      power_blocks(x, y, out, count);                                                   \
    }                                                                                   \
  };

ASCEMU_VECTOR_LOOPS(Sse42Loops, "sse4.2")
ASCEMU_VECTOR_LOOPS(Avx2Loops, "avx2")
ASCEMU_VECTOR_LOOPS(Avx512Loops, "avx512f,avx512bw,avx512dq,avx512vl")
#undef ASCEMU_VECTOR_LOOPS

template <class Loops, class T>
constexpr Kernels<T> kernels_of() {
  return {{&Loops::template evaluate<Exp, T>, &Loops::template evaluate<Exp2, T>,
           &Loops::template evaluate<Log, T>, &Loops::template evaluate<Log2, T>,
           &Loops::template evaluate<Sqrt, T>, &Loops::template evaluate<Rsqrt, T>,
           &Loops::template evaluate<Sin, T>, &Loops::template evaluate<Cos, T>,
           &Loops::template evaluate<Tan, T>, &Loops::template evaluate<Sinh, T>,
           &Loops::template evaluate<Cosh, T>, &Loops::template evaluate<Tanh, T>,
           &Loops::template evaluate<Erf, T>},
          &Loops::template power<T>};
}

template <class T>
const Kernels<T>& vector_kernels_at(VectorLevel level) {
  static constexpr std::array<Kernels<T>, kVectorLevelCount> kLevels{
      kernels_of<ElementLoops, T>(), kernels_of<Sse42Loops, T>(), kernels_of<Avx2Loops, T>(),
      kernels_of<Avx512Loops, T>()};
  return kLevels[static_cast<std::size_t>(level)];
}

template <class T>
const Kernels<T>& element_kernels() {
  static constexpr Kernels<T> kKernels = kernels_of<ElementLoops, T>();
  return kKernels;
}

}  // namespace ascemu::refops::elementary
