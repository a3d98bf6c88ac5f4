// sin, cos and tan: reduction by multiples of pi in several parts, then a polynomial or a quotient.
#include <cmath>

#include "refops/composed/functions.h"

namespace ascemu::refops::composed {
namespace {

constexpr float kInversePi = 0.31830987334F;
// pi in four parts, the largest first; cos takes a fifth.
constexpr float kPi1 = 3.140625F;
constexpr float kPi2 = 0.0009670257568359375F;
constexpr float kPi3 = 6.2771141529083251953125e-7F;
constexpr float kPi4 = 1.21644916362129151821e-10F;
constexpr float kPi5 = -1.0290623200529979e-13F;
constexpr float kHalfPi1 = 1.57079637050628662F;
constexpr float kHalfPi2 = -4.371139000189375e-8F;

// x - k pi.
[[gnu::always_inline]] inline float reduced(float x, float k) {
  float r = x - k * kPi1;
  r = r - k * kPi2;
  r = r - k * kPi3;
  return r - k * kPi4;
}

// 1 for even k, -1 for odd k.
[[gnu::always_inline]] inline float sign_of_turns(float k) {
  const float pairs = Floor{}(k * 0.5F);
  return (pairs * 4.0F + k * -2.0F) + 1.0F;
}

// sin(r) for |r| <= pi / 2, times the sign.
[[gnu::always_inline]] inline float signed_sine(float r, float k) {
  const float s = r * r;
  float p = 2.604926501e-6F * s + -0.0001980894471F;
  p = p * s + 0.008333049340F;
  p = p * s + -0.1666665792F;
  p = p * s + 1.0F;
  return (p * r) * sign_of_turns(k);
}

}  // namespace

void sin_steps(const Behaviour& /*target*/, const float* x, float* out, std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float k = nearest_integral(x[i] * kInversePi);
    out[i] = signed_sine(reduced(x[i], k), k);
  }
}

void cos_steps(const Behaviour& /*target*/, const float* x, float* out, std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float k = nearest_integral(x[i] * kInversePi + 0.5F);
    float r = x[i] - k * kPi1;
    r = r - k * kPi2;
    r = r + kHalfPi1;
    r = r - k * kPi3;
    r = r - k * kPi4;
    r = r - k * kPi5;
    r = r + kHalfPi2;
    const float value = signed_sine(r, k);
    const float above = value < -1.0F ? -1.0F : value;
    out[i] = above > 1.0F ? 1.0F : above;
  }
}

void tan_steps(const Behaviour& target, const float* x, float* out, std::int64_t count) {
  constexpr float kHalfPi = 1.5707963267948966F;
  alignas(64) float numerator[kChunkElems]{};
  alignas(64) float denominator[kChunkElems]{};
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float r = reduced(x[i], nearest_integral(x[i] * kInversePi));
    const float s = r * r;
    const float p = 0.0698520831551998762793F * s - 6.8711573651634203789F;
    numerator[i] = (p * s + 61.20362572811089435388F) * r;
    denominator[i] = ((s - 24.8048928861126769186219F) * (r + kHalfPi)) * (r - kHalfPi);
  }
  div_step(target, numerator, denominator, out, count);
}

}  // namespace ascemu::refops::composed
