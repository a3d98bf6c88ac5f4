#include "refops/scalar_ops.h"

#include <array>
#include <string>

#include "refops/arithmetic.h"
#include "refops/dispatch.h"
#include "refops/round_to.h"
#include "refops/target/settle.h"
#include "refops/transcendental.h"

namespace ascemu::refops {
namespace {

using detail::kAny;
using detail::kI1;
inline constexpr DtypeSet kFloats = detail::kF16 | detail::kBf16 | detail::kF32 | detail::kF64;
inline constexpr DtypeSet kInts = kAny & ~kFloats;

struct ScalarOpRow {
  std::string_view name;
  DtypeSet dtypes;
};

// In the order of ScalarOp (spec asc2 §3.4).
constexpr std::array<ScalarOpRow, 24> kRows{{
    {"add", kAny},         {"sub", kAny},           {"mul", kAny},          {"div", kAny},
    {"rem", kInts},        {"bit_and", kInts},      {"bit_or", kInts},      {"bit_xor", kInts},
    {"shift_left", kInts}, {"shift_right", kInts},  {"max", kAny},          {"min", kAny},
    {"equal", kAny},       {"not_equal", kAny},     {"less", kAny},         {"less_equal", kAny},
    {"greater", kAny},     {"greater_equal", kAny}, {"logical_and", kAny},  {"logical_or", kAny},
    {"negative", kAny},    {"exp", detail::kF32},   {"sqrt", detail::kF32}, {"erf", detail::kF32},
}};
static_assert(static_cast<std::size_t>(ScalarOp::erf) + 1 == kRows.size());

const ScalarOpRow& row(ScalarOp op) { return kRows[static_cast<std::size_t>(op)]; }

Scalar truth(bool value) { return {Dtype::int1, value ? 1U : 0U}; }

template <class T>
T element_of(const Scalar& scalar) {
  if constexpr (kIsFloatElement<T>) {
    return float_from_pattern<T>(scalar.bits);
  } else {
    return static_cast<T>(scalar.bits);
  }
}

template <class T>
Scalar scalar_of(Dtype dtype, T value) {
  return Scalar::load(dtype, &value);
}

template <class T>
bool compare_values(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::equal:
      return a == b;
    case ScalarOp::not_equal:
      return a != b;
    case ScalarOp::less:
      return a < b;
    case ScalarOp::less_equal:
      return a <= b;
    case ScalarOp::greater:
      return a > b;
    default:
      return a >= b;
  }
}

template <class T>
T remainder(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

template <class T>
T integer_value(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::rem:
      return remainder(a, b);
    case ScalarOp::bit_and:
      return BitwiseAnd{}(a, b);
    case ScalarOp::bit_or:
      return BitwiseOr{}(a, b);
    case ScalarOp::bit_xor:
      return BitwiseXor{}(a, b);
    case ScalarOp::shift_left:
      return LeftShift{}(a, b);
    default:
      return RightShift{}(a, b);
  }
}

template <class T>
T binary_value(ScalarOp op, T a, T b) {
  switch (op) {
    case ScalarOp::add:
      return Add{}(a, b);
    case ScalarOp::sub:
      return Sub{}(a, b);
    case ScalarOp::mul:
      return Mul{}(a, b);
    case ScalarOp::div:
      return Div{}(a, b);
    case ScalarOp::max:
      return widen(a) > widen(b) ? a : b;
    case ScalarOp::min:
      return widen(a) < widen(b) ? a : b;
    default:
      break;
  }
  if constexpr (kIsFloatElement<T>) {
    return a;
  } else {
    return integer_value(op, a, b);
  }
}

void require_accepts(ScalarOp op, Dtype dtype) {
  if ((with_float64(row(op).dtypes) & dtype_bit(dtype)) == 0) {
    raise_undefined(scalar_op_name(op), dtype);
  }
}

// max and min choose an operand, whose bits stay.
bool is_choice(ScalarOp op) { return op == ScalarOp::max || op == ScalarOp::min; }

// Correctly rounded whatever the target (N18.1).
template <class T>
T function_value(ScalarOp op, T x) {
  if (op == ScalarOp::exp) return elementary::exp(x);
  return op == ScalarOp::sqrt ? Sqrt{}(x) : elementary::erf(x);
}

}  // namespace

std::string_view scalar_op_name(ScalarOp op) { return row(op).name; }

std::optional<ScalarOp> scalar_op_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<ScalarOp>(i);
  }
  return std::nullopt;
}

bool scalar_op_is_unary(ScalarOp op) { return op >= ScalarOp::negative; }

bool scalar_op_is_comparison(ScalarOp op) {
  return op >= ScalarOp::equal && op <= ScalarOp::greater_equal;
}

bool scalar_op_accepts(ScalarOp op, Dtype dtype) {
  return (row(op).dtypes & dtype_bit(dtype)) != 0;
}

Scalar eval_scalar_binary(ScalarOp op, const Scalar& a, const Scalar& b, bool* divided_by_zero,
                          const Policy& policy) {
  require_accepts(op, a.dtype);
  if (op == ScalarOp::logical_and) return truth(a.as_bool() && b.as_bool());
  if (op == ScalarOp::logical_or) return truth(a.as_bool() || b.as_bool());
  if (divided_by_zero != nullptr) {
    const bool divides = op == ScalarOp::div || op == ScalarOp::rem;
    *divided_by_zero = divides && is_integer(a.dtype) && b.bits == 0;
  }
  // int1 computes as int32 and becomes "not zero" again, as a C bool does.
  if (a.dtype == Dtype::int1) {
    const Scalar wide = eval_scalar_binary(op, {Dtype::int32, a.bits}, {Dtype::int32, b.bits});
    return truth(wide.bits != 0);
  }
  Scalar result;
  dispatch_dtype<kAny & ~kI1>(scalar_op_name(op), a.dtype, [&]<class T>(std::type_identity<T>) {
    const T left = element_of<T>(a);
    const T right = element_of<T>(b);
    if (scalar_op_is_comparison(op)) {
      result = truth(compare_values(op, widen(left), widen(right)));
    } else {
      const T value = binary_value(op, left, right);
      result = scalar_of(a.dtype, is_choice(op) ? value : with_nan_of(behaviour_of(policy), value));
    }
  });
  return result;
}

Scalar eval_scalar_unary(ScalarOp op, const Scalar& a, const Policy& policy) {
  require_accepts(op, a.dtype);
  if (a.dtype == Dtype::int1) return a;
  const Behaviour& target = behaviour_of(policy);
  Scalar result;
  dispatch_dtype<kAny & ~kI1>(scalar_op_name(op), a.dtype, [&]<class T>(std::type_identity<T>) {
    const T x = element_of<T>(a);
    if (op == ScalarOp::negative) {
      result = scalar_of(a.dtype, with_nan_of(target, Negative{}(x)));
    } else if constexpr (std::is_floating_point_v<T>) {
      result = scalar_of(a.dtype, with_nan_of(target, function_value(op, x)));
    }
  });
  return result;
}

bool scalar_cast_is_legal(Dtype from, Dtype to) {
  if (from == to) return true;
  const bool same_kind = is_float(from) == is_float(to);
  const bool same_width = dtype_width_bits(from) == dtype_width_bits(to);
  if (same_kind) return is_integer(from) || !same_width;
  return same_width;
}

Scalar eval_scalar_cast(const Scalar& a, Dtype to, const Policy& policy) {
  if (a.dtype == to) return a;
  if (!is_float(to)) {
    if (is_integer(a.dtype)) return Scalar::from_int(to, static_cast<std::int64_t>(a.bits));
    Scalar result;
    dispatch_dtype<kInts & ~kI1>("cast", to, [&]<class T>(std::type_identity<T>) {
      result = scalar_of(to, round_to<T>(a.as_double(), RoundMode::trunc));
    });
    return result;
  }
  Scalar result;
  dispatch_dtype<kFloats>("cast", to, [&]<class T>(std::type_identity<T>) {
    T value{};
    if (is_float(a.dtype)) {
      value = round_to<T>(a.as_double(), RoundMode::rint);
    } else if (is_unsigned_integer(a.dtype)) {
      value = round_to<T>(a.bits, RoundMode::rint);
    } else {
      value = round_to<T>(static_cast<std::int64_t>(a.bits), RoundMode::rint);
    }
    result = scalar_of(to, with_nan_of(behaviour_of(policy), value));
  });
  return result;
}

}  // namespace ascemu::refops
