#include <atomic>
#include <optional>

#include "refops/elementary/array_kernels.h"
#include "refops/elementary/elementary.h"

namespace ascemu::refops::elementary {

template <>
const Kernels<float>& kernels_at<float>(VectorLevel level);
template <>
const Kernels<Float16>& kernels_at<Float16>(VectorLevel level);

// The language gives bfloat16 no elementary functions; it and float64 go element by element.
template <>
const Kernels<Bfloat16>& kernels_at<Bfloat16>(VectorLevel /*level*/) {
  return element_kernels<Bfloat16>();
}

template <>
const Kernels<double>& kernels_at<double>(VectorLevel /*level*/) {
  return element_kernels<double>();
}

namespace {

VectorLevel widest_level() {
  for (int i = kVectorLevelCount - 1; i > 0; --i) {
    if (vector_level_is_available(static_cast<VectorLevel>(i))) return static_cast<VectorLevel>(i);
  }
  return VectorLevel::baseline;
}

std::atomic<VectorLevel>& level_of_this_program() {
  static std::atomic<VectorLevel> level = widest_level();
  return level;
}

std::optional<VectorLevel>& level_of_this_thread() {
  thread_local std::optional<VectorLevel> level;
  return level;
}

}  // namespace

bool vector_level_is_available(VectorLevel level) {
  switch (level) {
    case VectorLevel::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    case VectorLevel::avx2:
      return __builtin_cpu_supports("avx2") != 0;
    case VectorLevel::sse42:
      return __builtin_cpu_supports("sse4.2") != 0;
    default:
      return true;
  }
}

void force_vector_level(VectorLevel level) { level_of_this_thread() = level; }

void force_vector_level_everywhere(VectorLevel level) { level_of_this_program() = level; }

VectorLevel current_vector_level() {
  const std::optional<VectorLevel>& forced = level_of_this_thread();
  return forced ? *forced : level_of_this_program().load(std::memory_order_relaxed);
}

template <class T>
void evaluate_array(Function function, const T* x, T* out, std::int64_t count) {
  kernels_at<T>(current_vector_level()).unary[static_cast<std::size_t>(function)](x, out, count);
}

template <class T>
void pow_array(const T* x, const T* y, T* out, std::int64_t count) {
  kernels_at<T>(current_vector_level()).power(x, y, out, count);
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
