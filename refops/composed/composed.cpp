#include "refops/composed/composed.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "refops/composed/functions.h"
#include "refops/dispatch.h"
#include "refops/settled_loops.h"

namespace ascemu::refops::composed {
namespace {

// Nearest, ties away from zero, of a magnitude below 65504.
[[gnu::always_inline]] inline Float16 narrow_away(float value) {
  const Float16 even = Float16::from_float(value);
  const float size = std::fabs(value);
  const float below = std::fabs(even.to_float());
  const Float16 next = Float16::from_bits(static_cast<std::uint16_t>(even.bits + 1));
  const bool is_lower_tie = size > below && size - below == std::fabs(next.to_float()) - size;
  return is_lower_tie ? next : even;
}

// The composition of an op that runs in float32, or nothing.
Composition composition_of(OpId op) {
  switch (op) {
    case OpId::log2_:
      return log2_steps;
    case OpId::tanh_:
      return tanh_steps;
    case OpId::erf_:
      return erf_steps;
    case OpId::sin_:
      return sin_steps;
    case OpId::cos_:
      return cos_steps;
    case OpId::tan_:
      return tan_steps;
    case OpId::sinh_:
      return sinh_steps;
    case OpId::cosh_:
      return cosh_steps;
    default:
      return nullptr;
  }
}

struct Plan {
  const Behaviour* target;
  Composition steps;
  bool ties_away;
};

void widen_row(const Float16* x, float* out, std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = x[i].to_float();
}

void narrow_row(const float* x, bool ties_away, Float16* out, std::int64_t count) {
  if (ties_away) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) out[i] = narrow_away(x[i]);
  } else {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) out[i] = narrow<Float16>(x[i]);
  }
}

template <class T>
void composed_row(const void* context, std::int64_t count, std::byte* result,
                  const std::byte* const* operands) {
  const Plan plan = *static_cast<const Plan*>(context);
  const auto* x = reinterpret_cast<const T*>(operands[0]);
  auto* out = reinterpret_cast<T*>(result);
  for (std::int64_t start = 0; start < count; start += kChunkElems) {
    const std::int64_t part = std::min(kChunkElems, count - start);
    if constexpr (std::is_same_v<T, float>) {
      plan.steps(*plan.target, x + start, out + start, part);
    } else {
      alignas(64) float wide[kChunkElems];
      widen_row(x + start, wide, part);
      plan.steps(*plan.target, wide, wide, part);
      narrow_row(wide, plan.ties_away, out + start, part);
    }
  }
}

// N11.1: exp(x * ln 2), both operations in the dtype, so the constant is one of the dtype too.
template <class T>
void exp2_row(const void* context, std::int64_t count, std::byte* result,
              const std::byte* const* operands) {
  const auto& target = *static_cast<const Behaviour*>(context);
  const T ln2 = narrow<T>(0.6931471805599453F);
  const auto* x = reinterpret_cast<const T*>(operands[0]);
  auto* out = reinterpret_cast<T*>(result);
  const Behaviour behaviour = target;
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = settled(behaviour, Mul{}(x[i], ln2));
  for (std::int64_t start = 0; start < count; start += kChunkElems) {
    exp_step(target, out + start, out + start, std::min(kChunkElems, count - start));
  }
}

// N11.3: 1 / sqrt(x), both operations in the dtype.
template <class T>
void rsqrt_row(const void* context, std::int64_t count, std::byte* result,
               const std::byte* const* operands) {
  const auto& target = *static_cast<const Behaviour*>(context);
  const auto* x = reinterpret_cast<const T*>(operands[0]);
  auto* out = reinterpret_cast<T*>(result);
  alignas(64) T ones[kChunkElems];
  std::fill_n(ones, kChunkElems, narrow<T>(1.0F));
  for (std::int64_t start = 0; start < count; start += kChunkElems) {
    const std::int64_t part = std::min(kChunkElems, count - start);
    T* const root = out + start;
    sqrt_step(target, x + start, root, part);
    settle(target, kDtypeOf<T>, reinterpret_cast<std::byte*>(root), part);
    div_step(target, ones, root, root, part);
  }
}

template <class T>
void pow_row(const void* context, std::int64_t count, std::byte* result,
             const std::byte* const* operands) {
  const auto& target = *static_cast<const Behaviour*>(context);
  const auto* base = reinterpret_cast<const T*>(operands[0]);
  const auto* exponent = reinterpret_cast<const T*>(operands[1]);
  auto* out = reinterpret_cast<T*>(result);
  alignas(64) float value[kChunkElems];
  for (std::int64_t start = 0; start < count; start += kChunkElems) {
    const std::int64_t part = std::min(kChunkElems, count - start);
    if constexpr (std::is_same_v<T, float>) {
      pow_steps(target, base + start, exponent + start, value, part);
      std::copy_n(value, part, out + start);
    } else {
      alignas(64) float wide_base[kChunkElems];
      alignas(64) float wide_exponent[kChunkElems];
      widen_row(base + start, wide_base, part);
      widen_row(exponent + start, wide_exponent, part);
      pow_steps(target, wide_base, wide_exponent, value, part);
      narrow_row(value, false, out + start, part);
    }
  }
}

// f(std::type_identity<T>{}) for the float dtypes that have functions.
template <class F>
void dispatch_function_dtype(OpId op, Dtype dtype, F&& f) {
  dispatch_dtype<detail::kF16 | detail::kF32>(op_name(op), dtype, f);
}

}  // namespace

bool is_composed(OpId op) {
  return op == OpId::exp2_ || op == OpId::rsqrt_ || composition_of(op) != nullptr;
}

void eval_unary(OpId op, const Behaviour& target, const ConstView& x, const View& out) {
  dispatch_function_dtype(op, x.dtype, [&]<class T>(std::type_identity<T>) {
    if (op == OpId::exp2_) {
      return run_settled_kernel<2>(target, out, {x}, exp2_row<T>, &target);
    }
    if (op == OpId::rsqrt_) {
      return run_settled_kernel<2>(target, out, {x}, rsqrt_row<T>, &target);
    }
    const Plan plan{&target, composition_of(op), op == OpId::erf_ && target.erf_rounds_ties_away};
    run_settled_kernel<2>(target, out, {x}, composed_row<T>, &plan);
  });
}

void eval_pow(const Behaviour& target, const ConstView& base, const ConstView& exponent,
              const View& out) {
  dispatch_function_dtype(OpId::pow_, base.dtype, [&]<class T>(std::type_identity<T>) {
    run_settled_kernel<3>(target, out, {base, exponent}, pow_row<T>, &target);
  });
}

}  // namespace ascemu::refops::composed
