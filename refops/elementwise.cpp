#include "refops/arithmetic.h"
#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/loops.h"
#include "refops/transcendental.h"

namespace ascemu::refops {

void eval_unary(OpId op, const Policy& /*policy*/, const ConstView& x, const View& out) {
  dispatch_op_dtype<Abs, Negative, Relu, Sqrt, Floor, Ceil, BitwiseNot, Exp, Log, Rsqrt, Exp2, Log2,
                    Sin, Cos, Tan, Sinh, Cosh, Tanh, Erf>(
      op, x.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        map_unary<T, T>(x, out, meaning);
      });
}

void eval_binary(OpId op, const Policy& /*policy*/, const ConstView& a, const ConstView& b,
                 const View& out) {
  dispatch_op_dtype<Add, Sub, Mul, Div, Maximum, Minimum, BitwiseAnd, BitwiseOr, BitwiseXor,
                    LeftShift, RightShift, Pow>(
      op, a.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        map_binary<T, T>(a, b, out, meaning);
      });
}

}  // namespace ascemu::refops
