#include "refops/elementary/elementary.h"

#include "refops/elementary/functions.h"
#include "refops/elementary/power.h"

namespace ascemu::refops::elementary {
template <Function kFunction, class T>
T evaluate(T x) {
  if constexpr (kFunction == Function::exp) return evaluate_element<Exp>(x);
  if constexpr (kFunction == Function::exp2) return evaluate_element<Exp2>(x);
  if constexpr (kFunction == Function::log) return evaluate_element<Log>(x);
  if constexpr (kFunction == Function::log2) return evaluate_element<Log2>(x);
  if constexpr (kFunction == Function::sqrt) return evaluate_element<Sqrt>(x);
  if constexpr (kFunction == Function::rsqrt) return evaluate_element<Rsqrt>(x);
  if constexpr (kFunction == Function::sin) return evaluate_element<Sin>(x);
  if constexpr (kFunction == Function::cos) return evaluate_element<Cos>(x);
  if constexpr (kFunction == Function::tan) return evaluate_element<Tan>(x);
  if constexpr (kFunction == Function::sinh) return evaluate_element<Sinh>(x);
  if constexpr (kFunction == Function::cosh) return evaluate_element<Cosh>(x);
  if constexpr (kFunction == Function::tanh) return evaluate_element<Tanh>(x);
  if constexpr (kFunction == Function::erf) return evaluate_element<Erf>(x);
}

template <class T>
T pow(T base, T exponent) {
  const double x = static_cast<double>(widen(base));
  const double y = static_cast<double>(widen(exponent));
  if constexpr (!std::is_same_v<T, double>) {
    if (fast::Pow::is_regular(x, y)) {
      const double value = fast::Pow::evaluate(x, y);
      if (settles<T>(value, fast::Pow::kError)) return element_of<T>(quantize<T>(value));
    }
  }
  return resolve_power<T>(x, y);
}

#define ASCEMU_INSTANTIATE_FUNCTION(name)                         \
  template float evaluate<Function::name, float>(float);          \
  template Float16 evaluate<Function::name, Float16>(Float16);    \
  template Bfloat16 evaluate<Function::name, Bfloat16>(Bfloat16); \
  template double evaluate<Function::name, double>(double);

ASCEMU_INSTANTIATE_FUNCTION(exp)
ASCEMU_INSTANTIATE_FUNCTION(exp2)
ASCEMU_INSTANTIATE_FUNCTION(log)
ASCEMU_INSTANTIATE_FUNCTION(log2)
ASCEMU_INSTANTIATE_FUNCTION(sqrt)
ASCEMU_INSTANTIATE_FUNCTION(rsqrt)
ASCEMU_INSTANTIATE_FUNCTION(sin)
ASCEMU_INSTANTIATE_FUNCTION(cos)
ASCEMU_INSTANTIATE_FUNCTION(tan)
ASCEMU_INSTANTIATE_FUNCTION(sinh)
ASCEMU_INSTANTIATE_FUNCTION(cosh)
ASCEMU_INSTANTIATE_FUNCTION(tanh)
ASCEMU_INSTANTIATE_FUNCTION(erf)
#undef ASCEMU_INSTANTIATE_FUNCTION

template float pow<float>(float, float);
template Float16 pow<Float16>(Float16, Float16);
template Bfloat16 pow<Bfloat16>(Bfloat16, Bfloat16);
template double pow<double>(double, double);

}  // namespace ascemu::refops::elementary
