#include <algorithm>

#include "refops/arithmetic.h"
#include "refops/composed/composed.h"
#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/settled_loops.h"
#include "refops/transcendental.h"

namespace ascemu::refops {
namespace {

template <elementary::Function kFunction, class T>
void elementary_row(const void* /*context*/, std::int64_t count, std::byte* result,
                    const std::byte* const* operands) {
  elementary::evaluate_array(kFunction, reinterpret_cast<const T*>(operands[0]),
                             reinterpret_cast<T*>(result), count);
}

template <class T>
void power_row(const void* /*context*/, std::int64_t count, std::byte* result,
               const std::byte* const* operands) {
  elementary::pow_array(reinterpret_cast<const T*>(operands[0]),
                        reinterpret_cast<const T*>(operands[1]), reinterpret_cast<T*>(result),
                        count);
}

// exp and log with the flush of N5.
template <elementary::Function kFunction, class T>
void flushed_row(const void* context, std::int64_t count, std::byte* result,
                 const std::byte* const* operands) {
  const auto& target = *static_cast<const Behaviour*>(context);
  const auto* x = reinterpret_cast<const T*>(operands[0]);
  auto* out = reinterpret_cast<T*>(result);
  for (std::int64_t start = 0; start < count; start += composed::kChunkElems) {
    const std::int64_t part = std::min(composed::kChunkElems, count - start);
    composed::function_step<kFunction>(target, x + start, out + start, part);
  }
}

}  // namespace

void eval_unary(OpId op, const Policy& policy, const ConstView& x, const View& out) {
  const Behaviour& target = behaviour_of(policy);
  if (target.composes_functions && composed::is_composed(op)) {
    return composed::eval_unary(op, target, x, out);
  }
  dispatch_op_dtype<Abs, Negative, Relu, Sqrt, Floor, Ceil, BitwiseNot, Exp, Log, Rsqrt, Exp2, Log2,
                    Sin, Cos, Tan, Sinh, Cosh, Tanh, Erf>(
      op, x.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        if constexpr (requires { Op::kFunction; }) {
          constexpr bool kFlushes = std::is_same_v<Op, Exp> || std::is_same_v<Op, Log>;
          const bool flushes = kFlushes && target.flushes_functions;
          run_settled_kernel<2>(
              target, out, {x},
              flushes ? flushed_row<Op::kFunction, T> : elementary_row<Op::kFunction, T>, &target);
        } else {
          if constexpr (std::is_same_v<Op, Sqrt>) {
            if (target.flushes_functions) {
              return map_settled_unary<T, T>(target, x, out, Flushed<Sqrt>{});
            }
          }
          map_settled_unary<T, T>(target, x, out, meaning);
        }
      });
}

void eval_binary(OpId op, const Policy& policy, const ConstView& a, const ConstView& b,
                 const View& out) {
  const Behaviour& target = behaviour_of(policy);
  dispatch_op_dtype<Add, Sub, Mul, Div, Maximum, Minimum, BitwiseAnd, BitwiseOr, BitwiseXor,
                    LeftShift, RightShift, Pow>(
      op, a.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        if constexpr (std::is_same_v<Op, Pow> && kIsFloatElement<T>) {
          if (target.composes_functions) return composed::eval_pow(target, a, b, out);
          run_settled_kernel<3>(target, out, {a, b}, power_row<T>, nullptr);
        } else {
          if constexpr (std::is_same_v<Op, Div> && kIsFloatElement<T>) {
            if (target.flushes_div) {
              return map_settled_binary<T, T>(target, a, b, out, Flushed<Div>{});
            }
          }
          map_settled_binary<T, T>(target, a, b, out, meaning);
        }
      });
}

}  // namespace ascemu::refops
