// log2, tanh, sinh, cosh, erf and pow: what rests on exp, log and div.
#include <cmath>

#include "refops/composed/functions.h"
#include "refops/elementary/power.h"

namespace ascemu::refops::composed {
namespace {

constexpr float kLn2 = 0.6931471805599453F;
constexpr float kLog2OfE = 1.4426950408889634F;
constexpr float kTanhBound = 8.8F;
constexpr float kErfBound = 3.92F;

// A NaN stays one (N7).
[[gnu::always_inline]] inline float clamped(float x, float bound) {
  const float above = x < -bound ? -bound : x;
  return above > bound ? bound : above;
}

}  // namespace

void log2_steps(const Behaviour& target, const float* x, float* out, std::int64_t count) {
  log_step(target, x, out, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = out[i] * kLog2OfE;
}

void tanh_steps(const Behaviour& target, const float* x, float* out, std::int64_t count) {
  alignas(64) float power[kChunkElems]{};
  alignas(64) float denominator[kChunkElems]{};
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) power[i] = 2.0F * clamped(x[i], kTanhBound);
  exp_step(target, power, power, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) denominator[i] = power[i] + 1.0F;
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) power[i] = power[i] - 1.0F;
  div_step(target, power, denominator, out, count);
}

void erf_steps(const Behaviour& target, const float* x, float* out, std::int64_t count) {
  alignas(64) float numerator[kChunkElems]{};
  alignas(64) float denominator[kChunkElems]{};
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float t = clamped(x[i], kErfBound);
    const float s = t * t;
    float p = 0.053443748819F * s + 7.5517016694F;
    p = p * s + 101.62808918F;
    p = p * s + 1393.8061484F;
    p = p * s + 5063.7915060F;
    p = p * s + 29639.384698F;
    float q = s + 31.212858877F;
    q = q * s + 398.56963806F;
    q = q * s + 3023.1248150F;
    q = q * s + 13243.365831F;
    q = q * s + 26267.224157F;
    numerator[i] = p * t;
    denominator[i] = q;
  }
  div_step(target, numerator, denominator, out, count);
}

void sinh_steps(const Behaviour& target, const float* x, float* out, std::int64_t count) {
  alignas(64) float rising[kChunkElems]{};
  alignas(64) float falling[kChunkElems]{};
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    rising[i] = x[i] - kLn2;
    falling[i] = -x[i] - kLn2;
  }
  exp_step(target, rising, rising, count);
  exp_step(target, falling, falling, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = rising[i] - falling[i];
}

void cosh_steps(const Behaviour& target, const float* x, float* out, std::int64_t count) {
  alignas(64) float rising[kChunkElems]{};
  alignas(64) float falling[kChunkElems]{};
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) rising[i] = x[i] - kLn2;
  exp_step(target, rising, rising, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) falling[i] = 0.25F;
  div_step(target, falling, rising, falling, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = rising[i] + falling[i];
}

void pow_steps(const Behaviour& target, const float* base, const float* exponent, float* out,
               std::int64_t count) {
  alignas(64) std::int32_t special[kChunkElems];
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = std::fabs(base[i]);
  log_step(target, out, out, count);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = exponent[i] * out[i];
  exp_step(target, out, out, count);
  std::int32_t any = 0;
#pragma omp simd reduction(| : any)
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = base[i];
    const float y = exponent[i];
    // Beyond 2^24 every float is an even integer.
    const float size = std::fabs(y);
    const auto whole = static_cast<std::int32_t>(size < 0x1p24F ? size : 0.0F);
    const std::int32_t fraction =
        (size < 0x1p24F ? size : 0.0F) == static_cast<float>(whole) ? 0 : -1;
    const std::int32_t below = x < 0.0F ? -1 : 0;
    const float signed_value = (below & ~fraction & whole & 1) != 0 ? -out[i] : out[i];
    out[i] = signed_value;
    const std::int32_t base_is_special = x == 0.0F || !(std::fabs(x) < INFINITY) ? -1 : 0;
    const std::int32_t exponent_is_special = y == 0.0F || !(size < INFINITY) ? -1 : 0;
    special[i] = base_is_special | exponent_is_special | (below & fraction);
    any |= special[i];
  }
  if (any == 0) return;
  for (std::int64_t i = 0; i < count; ++i) {
    if (special[i] == 0) continue;
    out[i] = static_cast<float>(elementary::special_power(base[i], exponent[i]).value());
  }
}

}  // namespace ascemu::refops::composed
