#include <array>

#include "refops/elementary/array_loops.h"
#include "refops/elementary/elementary.h"

namespace ascemu::refops::elementary {
namespace {

template <class T>
using ArrayKernel = void (*)(const T*, T*, std::int64_t);
template <class T>
using PowerKernel = void (*)(const T*, const T*, T*, std::int64_t);

// One struct per instruction set, with the loops compiled for it.
struct Baseline {
  template <class F, class T>
  static void evaluate(const T* x, T* out, std::int64_t count) {
    evaluate_blocks<F>(x, out, count);
  }
  template <class T>
  static void power(const T* x, const T* y, T* out, std::int64_t count) {
    power_blocks(x, y, out, count);
  }
};

#define ASCEMU_VECTOR_LEVEL(Name, instruction_sets)                                               \
  struct Name {                                                                                   \
    template <class F, class T>                                                                   \
    [[gnu::target(instruction_sets)]] static void evaluate(const T* x, T* out,                    \
                                                           std::int64_t count) {                  \
      evaluate_blocks<F>(x, out, count);                                                          \
    }                                                                                             \
    template <class T>                                                                            \
    [[gnu::target(instruction_sets)]] static void power(const T* x, const T* y, T* out,           \
                                                        std::int64_t count) {                     \
      power_blocks(x, y, out, count);                                                             \
    }                                                                                             \
  };

ASCEMU_VECTOR_LEVEL(Avx2, "avx2")
ASCEMU_VECTOR_LEVEL(Avx512, "avx512f,avx512bw,avx512dq,avx512vl")
#undef ASCEMU_VECTOR_LEVEL

template <class T>
struct Kernels {
  std::array<ArrayKernel<T>, kFunctionCount> unary;
  PowerKernel<T> power;
};

// In the order of Function.
template <class Level, class T>
constexpr Kernels<T> kernels_of() {
  return {{&Level::template evaluate<Exp, T>, &Level::template evaluate<Exp2, T>,
           &Level::template evaluate<Log, T>, &Level::template evaluate<Log2, T>,
           &Level::template evaluate<Sqrt, T>, &Level::template evaluate<Rsqrt, T>,
           &Level::template evaluate<Sin, T>, &Level::template evaluate<Cos, T>,
           &Level::template evaluate<Tan, T>, &Level::template evaluate<Sinh, T>,
           &Level::template evaluate<Cosh, T>, &Level::template evaluate<Tanh, T>,
           &Level::template evaluate<Erf, T>},
          &Level::template power<T>};
}

VectorLevel widest_level() {
  if (vector_level_is_available(VectorLevel::avx512)) return VectorLevel::avx512;
  if (vector_level_is_available(VectorLevel::avx2)) return VectorLevel::avx2;
  return VectorLevel::baseline;
}

VectorLevel& level_of_this_thread() {
  static const VectorLevel widest = widest_level();
  thread_local VectorLevel level = widest;
  return level;
}

template <class T>
const Kernels<T>& current_kernels() {
  static constexpr std::array<Kernels<T>, 3> kLevels{
      kernels_of<Baseline, T>(), kernels_of<Avx2, T>(), kernels_of<Avx512, T>()};
  return kLevels[static_cast<std::size_t>(level_of_this_thread())];
}

// float64 has no fast evaluation: element by element.
template <class F>
void evaluate_doubles(const double* x, double* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = resolve<F, double>(x[i]);
}

void power_doubles(const double* x, const double* y, double* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = resolve_power<double>(x[i], y[i]);
}

struct Doubles {
  template <class F, class T>
  static void evaluate(const T* x, T* out, std::int64_t count) {
    evaluate_doubles<F>(x, out, count);
  }
  template <class T>
  static void power(const T* x, const T* y, T* out, std::int64_t count) {
    power_doubles(x, y, out, count);
  }
};

template <>
const Kernels<double>& current_kernels<double>() {
  static constexpr Kernels<double> kKernels = kernels_of<Doubles, double>();
  return kKernels;
}

}  // namespace

bool vector_level_is_available(VectorLevel level) {
  switch (level) {
    case VectorLevel::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    case VectorLevel::avx2:
      return __builtin_cpu_supports("avx2") != 0;
    default:
      return true;
  }
}

void force_vector_level(VectorLevel level) { level_of_this_thread() = level; }

VectorLevel current_vector_level() { return level_of_this_thread(); }

template <class T>
void evaluate_array(Function function, const T* x, T* out, std::int64_t count) {
  current_kernels<T>().unary[static_cast<std::size_t>(function)](x, out, count);
}

template <class T>
void pow_array(const T* x, const T* y, T* out, std::int64_t count) {
  current_kernels<T>().power(x, y, out, count);
}

template void evaluate_array(Function, const float*, float*, std::int64_t);
template void evaluate_array(Function, const Float16*, Float16*, std::int64_t);
template void evaluate_array(Function, const Bfloat16*, Bfloat16*, std::int64_t);
template void evaluate_array(Function, const double*, double*, std::int64_t);
template void pow_array(const float*, const float*, float*, std::int64_t);
template void pow_array(const Float16*, const Float16*, Float16*, std::int64_t);
template void pow_array(const Bfloat16*, const Bfloat16*, Bfloat16*, std::int64_t);
template void pow_array(const double*, const double*, double*, std::int64_t);

}  // namespace ascemu::refops::elementary
