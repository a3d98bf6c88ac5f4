#include <array>

#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/loops.h"
#include "refops/round_to.h"

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

// Every value of `from` is a value of `to` (only asked for supported pairs).
constexpr bool is_exact(Dtype from, Dtype to) {
  const DtypeSet target = dtype_bit(to);
  switch (from) {
    case Dtype::int8:
      return true;
    case Dtype::int16:
      return (target & (kI32 | kF32)) != 0;
    case Dtype::int32:
      return to == Dtype::int64;
    case Dtype::float16:
    case Dtype::bfloat16:
      return to == Dtype::float32;
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
      return round_to<To>(static_cast<std::int64_t>(x), mode);
    } else {
      return round_to<To>(static_cast<double>(widen(x)), mode);
    }
  }
};

// Nearest-even conversions the compiler vectorises; bit-equal to CastValue with RoundMode::rint.
template <class From, class To>
struct CastNearest {
  static constexpr bool kExists =
      kIsFloatElement<To> &&
      (kIsFloatElement<From> || (std::is_same_v<To, float> || sizeof(From) < 4));

  To operator()(From x) const {
    if constexpr (kIsFloatElement<From>) {
      return narrow<To>(widen(x));
    } else {
      return narrow<To>(static_cast<float>(x));
    }
  }
};

// Truncation to int32 and int16; bit-equal to CastValue with RoundMode::trunc.
template <class From, class To>
struct CastTruncate {
  static constexpr bool kExists =
      kIsFloatElement<From> && !kIsFloatElement<To> && sizeof(To) <= sizeof(std::int32_t);

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
void cast_elements(RoundMode mode, const ConstView& x, const View& out) {
  if constexpr (CastNearest<From, To>::kExists) {
    if (mode == RoundMode::rint) return map_unary<To, From>(x, out, CastNearest<From, To>{});
  }
  if constexpr (CastTruncate<From, To>::kExists) {
    if (mode == RoundMode::trunc) return map_unary<To, From>(x, out, CastTruncate<From, To>{});
  }
  map_unary<To, From>(x, out, CastValue<From, To>{mode});
}

template <Dtype kFrom>
void cast_from(RoundMode mode, const ConstView& x, const View& out) {
  dispatch_dtype<targets_of(kFrom)>(
      "cast to this dtype", out.dtype,
      [&]<class To>(std::type_identity<To>) { cast_elements<Element<kFrom>, To>(mode, x, out); });
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
  // Toward zero is the device compiler's choice for int -> float (spec §12.1); int32 -> float16
  // goes through rint.
  const bool through_rint = from == Dtype::int32 && to == Dtype::float16;
  if (is_integer(from) && policy.mode == NumericMode::npu && !through_rint) return RoundMode::trunc;
  return RoundMode::rint;
}

void eval_cast(const Policy& policy, RoundMode mode, const ConstView& x, const View& out) {
  if (x.dtype == out.dtype) return eval_copy(x, out);
  if (mode == RoundMode::default_mode) mode = cast_default_mode(policy, x.dtype, out.dtype);
  if (mode == RoundMode::no_round) mode = RoundMode::rint;
  switch (x.dtype) {
    case Dtype::int8:
      return cast_from<Dtype::int8>(mode, x, out);
    case Dtype::int16:
      return cast_from<Dtype::int16>(mode, x, out);
    case Dtype::int32:
      return cast_from<Dtype::int32>(mode, x, out);
    case Dtype::int64:
      return cast_from<Dtype::int64>(mode, x, out);
    case Dtype::float16:
      return cast_from<Dtype::float16>(mode, x, out);
    case Dtype::bfloat16:
      return cast_from<Dtype::bfloat16>(mode, x, out);
    case Dtype::float32:
      return cast_from<Dtype::float32>(mode, x, out);
    default:
      raise_undefined("cast", x.dtype);
  }
}

}  // namespace ascemu::refops
