#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/round_to.h"
#include "refops/settled_loops.h"

namespace ascemu::refops {
namespace {

using namespace detail;

// Targets of each source dtype (spec asc2 §6.5), in the order of Dtype.
constexpr std::array<DtypeSet, kDtypeCount> kTargets{
    0,                                         // int1
    kI16 | kI32 | kF16,                        // int8
    kI32 | kF16 | kF32,                        // int16
    kI16 | kI64 | kF16 | kF32,                 // int32
    kI32 | kF32,                               // int64
    0,                                         // uint8
    0,                                         // uint16
    0,                                         // uint32
    0,                                         // uint64
    kI8 | kI16 | kI32 | kBf16 | kF32,          // float16
    kI32 | kF16 | kF32,                        // bfloat16
    kI16 | kI32 | kI64 | kF16 | kBf16 | kF32,  // float32
    0,                                         // float64
};

constexpr DtypeSet targets_of(Dtype from) { return kTargets[static_cast<std::size_t>(from)]; }

// What eval_cast computes: the pairs of the language, and float64 from and to every number (N19).
constexpr DtypeSet kNumbers = kAny & ~kI1;
constexpr DtypeSet computed_targets_of(Dtype from) {
  return from == Dtype::float64 ? kNumbers & ~kF64 : targets_of(from) | kF64;
}

// The mode does not reach the conversion (N9.3).
bool ignores_mode(const Behaviour& target, Dtype from, Dtype to) {
  return target.int32_to_float16_in_two && from == Dtype::int32 && to == Dtype::float16;
}

// Every value of `from` is a value of `to` (asked for pairs that eval_cast computes).
constexpr bool is_exact(Dtype from, Dtype to) {
  const DtypeSet target = dtype_bit(to);
  switch (from) {
    case Dtype::int8:
      return true;
    case Dtype::int16:
      return (target & (kI32 | kF32 | kF64)) != 0;
    case Dtype::int32:
      return to == Dtype::int64 || to == Dtype::float64;
    case Dtype::float16:
    case Dtype::bfloat16:
      return to == Dtype::float32 || to == Dtype::float64;
    case Dtype::float32:
      return to == Dtype::float64;
    default:
      return from == to;
  }
}

// The meaning of one cast with a rounding mode known at run time.
template <class From, class To>
struct CastValue {
  RoundMode mode;

  To operator()(From x) const {
    if constexpr (!kIsFloatElement<From> && !kIsFloatElement<To>) {
      using Limits = std::numeric_limits<To>;
      if constexpr (sizeof(To) < sizeof(From)) {
        const From low = x < From{Limits::min()} ? From{Limits::min()} : x;
        return static_cast<To>(low > From{Limits::max()} ? From{Limits::max()} : low);
      } else {
        return static_cast<To>(x);
      }
    } else if constexpr (!kIsFloatElement<From>) {
      using Wide = std::conditional_t<std::is_signed_v<From>, std::int64_t, std::uint64_t>;
      return round_to<To>(static_cast<Wide>(x), mode);
    } else {
      return round_to<To>(static_cast<double>(widen(x)), mode);
    }
  }
};

// Nearest-even conversions the compiler vectorises; bit-equal to CastValue with RoundMode::rint.
// int32 to float16 takes two roundings, as it does on a device (N9.3); the first is exact for every
// value that float16 does not overflow.
template <class From, class To>
struct CastNearest {
  static constexpr bool kThroughFloat =
      !std::is_same_v<From, double> && sizeof(From) <= sizeof(float);
  static constexpr bool kDirect = std::is_same_v<To, float> || std::is_same_v<To, double>;
  static constexpr bool kExists = kIsFloatElement<To> && (kThroughFloat || kDirect);

  To operator()(From x) const {
    if constexpr (kDirect) {
      return narrow<To>(static_cast<To>(widen(x)));
    } else {
      return narrow<To>(static_cast<float>(widen(x)));
    }
  }
};

// Integers toward zero (the default of N9.2), without branches; bit-equal to CastValue with
// RoundMode::trunc.
template <class From, class To>
struct CastTowardZero {
  static constexpr bool kWide = sizeof(From) > sizeof(float);
  static constexpr bool kExists =
      std::is_integral_v<From> && std::is_signed_v<From> &&
      (std::is_same_v<To, float> || (std::is_same_v<To, Float16> && sizeof(From) < sizeof(float)));

  To operator()(From x) const {
    if constexpr (kWide) {
      // Only the leading 24 bits are left, so that the conversion is exact.
      const auto pattern = static_cast<std::uint64_t>(x);
      const std::uint64_t size = x < 0 ? 0 - pattern : pattern;
      const int dropped = std::max(40 - std::countl_zero(size), 0);
      const float kept = static_cast<float>(size >> dropped << dropped);
      return x < 0 ? -kept : kept;
    } else {
      // The nearest value, stepped back where it is the larger one.
      using Exact = std::conditional_t<std::is_same_v<To, float>, double, float>;
      using Pattern = std::conditional_t<std::is_same_v<To, float>, std::uint32_t, std::uint16_t>;
      const Exact exact = static_cast<Exact>(x);
      const To nearest = narrow<To>(static_cast<float>(x));
      const bool beyond = std::fabs(Exact{widen(nearest)}) > std::fabs(exact);
      const auto pattern = std::bit_cast<Pattern>(nearest);
      return std::bit_cast<To>(static_cast<Pattern>(beyond ? pattern - 1 : pattern));
    }
  }
};

// Truncation to int32 and int16; bit-equal to CastValue with RoundMode::trunc.
template <class From, class To>
struct CastTruncate {
  static constexpr bool kExists = kIsFloatElement<From> && sizeof(From) <= sizeof(float) &&
                                  std::is_integral_v<To> && std::is_signed_v<To> &&
                                  sizeof(To) <= sizeof(std::int32_t);

  To operator()(From value) const {
    constexpr float kBound = static_cast<float>(std::uint32_t{1} << (sizeof(To) * 8 - 1));
    using Limits = std::numeric_limits<To>;
    const float x = static_cast<float>(widen(value));
    const bool inside = x > -kBound && x < kBound;
    const auto truncated = static_cast<To>(static_cast<std::int32_t>(inside ? x : 0.0F));
    const To low = x <= -kBound ? Limits::min() : truncated;
    return x >= kBound ? Limits::max() : low;
  }
};

template <class From, class To>
void cast_elements(const Behaviour& target, RoundMode mode, const ConstView& x, const View& out) {
  if constexpr (CastNearest<From, To>::kExists) {
    if (mode == RoundMode::rint)
      return map_settled_unary<To, From>(target, x, out, CastNearest<From, To>{});
  }
  if constexpr (CastTowardZero<From, To>::kExists) {
    if (mode == RoundMode::trunc)
      return map_settled_unary<To, From>(target, x, out, CastTowardZero<From, To>{});
  }
  if constexpr (CastTruncate<From, To>::kExists) {
    if (mode == RoundMode::trunc) return map_unary<To, From>(x, out, CastTruncate<From, To>{});
  }
  map_settled_unary<To, From>(target, x, out, CastValue<From, To>{mode});
}

}  // namespace

bool cast_is_supported(Dtype from, Dtype to) {
  return from == to || (targets_of(from) & dtype_bit(to)) != 0;
}

bool cast_mode_is_legal(Dtype from, Dtype to, RoundMode mode) {
  if (!cast_is_supported(from, to)) return false;
  if (from == to || mode == RoundMode::default_mode) return true;
  if (is_exact(from, to) || (is_integer(from) && is_integer(to)))
    return mode == RoundMode::no_round;
  if (from == Dtype::float32 && to == Dtype::float16) return true;
  return mode != RoundMode::odd && mode != RoundMode::no_round;
}

RoundMode cast_default_mode(const Policy& policy, Dtype from, Dtype to) {
  if (is_exact(from, to) || (is_integer(from) && is_integer(to))) return RoundMode::no_round;
  if (is_integer(to)) return RoundMode::trunc;
  const Behaviour& target = behaviour_of(policy);
  if (ignores_mode(target, from, to)) return RoundMode::rint;
  return is_integer(from) && target.int_to_float_truncates ? RoundMode::trunc : RoundMode::rint;
}

void eval_cast(const Policy& policy, RoundMode mode, const ConstView& x, const View& out) {
  if (x.dtype == out.dtype) return eval_copy(x, out);
  if (mode == RoundMode::default_mode) mode = cast_default_mode(policy, x.dtype, out.dtype);
  const Behaviour& target = behaviour_of(policy);
  if (mode == RoundMode::no_round || ignores_mode(target, x.dtype, out.dtype)) {
    mode = RoundMode::rint;
  }
  dispatch_dtype<kNumbers>("cast", x.dtype, [&]<class From>(std::type_identity<From>) {
    dispatch_dtype<computed_targets_of(kDtypeOf<From>)>(
        "cast to this dtype", out.dtype,
        [&]<class To>(std::type_identity<To>) { cast_elements<From, To>(target, mode, x, out); });
  });
}

}  // namespace ascemu::refops
