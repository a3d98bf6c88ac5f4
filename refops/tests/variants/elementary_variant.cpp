#include "refops/tests/variants/elementary_variant.h"

#include <algorithm>
#include <vector>

#include "refops/elementary/array_loops.h"

namespace {

using namespace ascemu::refops;

template <class T>
void evaluate(int function, const T* x, T* out, std::int64_t count) {
  namespace el = ascemu::refops::elementary;
  using Loop = void (*)(const T*, T*, std::int64_t);
  // In the order of elementary::Function.
  constexpr Loop kLoops[] = {el::evaluate_blocks<el::Exp, T>,  el::evaluate_blocks<el::Exp2, T>,
                             el::evaluate_blocks<el::Log, T>,  el::evaluate_blocks<el::Log2, T>,
                             el::evaluate_blocks<el::Sqrt, T>, el::evaluate_blocks<el::Rsqrt, T>,
                             el::evaluate_blocks<el::Sin, T>,  el::evaluate_blocks<el::Cos, T>,
                             el::evaluate_blocks<el::Tan, T>,  el::evaluate_blocks<el::Sinh, T>,
                             el::evaluate_blocks<el::Cosh, T>, el::evaluate_blocks<el::Tanh, T>,
                             el::evaluate_blocks<el::Erf, T>};
  if (function < static_cast<int>(std::size(kLoops))) return kLoops[function](x, out, count);
  std::vector<T> exponents(x, x + count);
  std::reverse(exponents.begin(), exponents.end());
  el::power_blocks(x, exponents.data(), out, count);
}

}  // namespace

extern "C" void ASCEMU_VARIANT_NAME(int function, bool halves, const void* x, void* out,
                                    std::int64_t count) {
  if (halves) {
    evaluate(function, static_cast<const Float16*>(x), static_cast<Float16*>(out), count);
  } else {
    evaluate(function, static_cast<const float*>(x), static_cast<float*>(out), count);
  }
}
