#include "refops/arithmetic.h"
#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/loops.h"
#include "refops/transcendental.h"

namespace ascemu::refops {
namespace {

template <elementary::Function kFunction, class T>
void elementary_kernel(const void* /*context*/, std::int64_t count, std::byte* result,
                       const std::byte* const* operands) {
  elementary::evaluate_array(kFunction, reinterpret_cast<const T*>(operands[0]),
                             reinterpret_cast<T*>(result), count);
}

template <class T>
void power_kernel(const void* /*context*/, std::int64_t count, std::byte* result,
                  const std::byte* const* operands) {
  elementary::pow_array(reinterpret_cast<const T*>(operands[0]),
                        reinterpret_cast<const T*>(operands[1]), reinterpret_cast<T*>(result),
                        count);
}

}  // namespace

void eval_unary(OpId op, const Policy& /*policy*/, const ConstView& x, const View& out) {
  dispatch_op_dtype<Abs, Negative, Relu, Sqrt, Floor, Ceil, BitwiseNot, Exp, Log, Rsqrt, Exp2, Log2,
                    Sin, Cos, Tan, Sinh, Cosh, Tanh, Erf>(
      op, x.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        if constexpr (requires { Op::kFunction; }) {
          run_kernel<2>(out, {x}, elementary_kernel<Op::kFunction, T>, nullptr);
        } else {
          map_unary<T, T>(x, out, meaning);
        }
      });
}

void eval_binary(OpId op, const Policy& /*policy*/, const ConstView& a, const ConstView& b,
                 const View& out) {
  dispatch_op_dtype<Add, Sub, Mul, Div, Maximum, Minimum, BitwiseAnd, BitwiseOr, BitwiseXor,
                    LeftShift, RightShift, Pow>(
      op, a.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        if constexpr (std::is_same_v<Op, Pow> && kIsFloatElement<T>) {
          run_kernel<3>(out, {a, b}, power_kernel<T>, nullptr);
        } else {
          map_binary<T, T>(a, b, out, meaning);
        }
      });
}

}  // namespace ascemu::refops
