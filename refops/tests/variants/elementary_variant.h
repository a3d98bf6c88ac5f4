// Entry points of the variants of the elementary functions (see CMakeLists.txt here).
//
// What it is: C functions, so that they have no namespace. What it is not: dispatch; the caller
// asks the processor first.
//
// Invariant: `function` counts as elementary::Function; 13 is pow(x[i], x[count - 1 - i]). With
// `halves` the arrays hold float16 patterns, else float32.
#pragma once

#include <cstdint>

using ElementaryVariant = void(int function, bool halves, const void* x, void* out,
                               std::int64_t count);

extern "C" ElementaryVariant evaluate_elementary_plain;
extern "C" ElementaryVariant evaluate_elementary_avx2_fma;
extern "C" ElementaryVariant evaluate_elementary_avx512_fma;
