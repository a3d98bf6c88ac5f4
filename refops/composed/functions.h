// The compositions of N11 over one chunk of float32 values.
//
// What it is: for every function its steps in the order of its clause, each one operation.
// What it is not: the widening and rounding of float16, settling, loops over views (composed.cpp).
//
// Invariant: count is at most kChunkElems; `out` may be `x`. Constants are rounded to float32.
#pragma once

#include <cstdint>

#include "refops/composed/steps.h"

namespace ascemu::refops::composed {

using Composition = void (*)(const Behaviour& target, const float* x, float* out,
                             std::int64_t count);

void log2_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);  // N11.2
void tanh_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);  // N11.4
void erf_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);   // N11.5
void sin_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);   // N11.6
void cos_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);   // N11.7
void tan_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);   // N11.8
void sinh_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);  // N11.9
void cosh_steps(const Behaviour& target, const float* x, float* out, std::int64_t count);  // N11.10
// N11.11. `out` is neither operand.
void pow_steps(const Behaviour& target, const float* base, const float* exponent, float* out,
               std::int64_t count);

}  // namespace ascemu::refops::composed
