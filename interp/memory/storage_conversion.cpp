#include "interp/memory/storage_conversion.h"

#include <bit>

#include "refops/dispatch.h"
#include "refops/round_to.h"

namespace ascemu::interp {
namespace {

using refops::Dtype;
using refops::FloatFormat;

constexpr refops::DtypeSet kNarrow =
    refops::detail::kF16 | refops::detail::kBf16 | refops::detail::kF32;
constexpr int kDoubleFraction = refops::kFloat64Format.significand_bits - 1;
constexpr std::uint64_t kDoubleInfinity = std::uint64_t{0x7FF} << kDoubleFraction;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

template <class T>
double widened(T value) {
  const auto wide = static_cast<double>(refops::widen(value));
  if (wide == wide) return wide;
  constexpr FloatFormat kFormat = refops::float_format<T>();
  constexpr int kFraction = kFormat.significand_bits - 1;
  const std::uint64_t pattern = refops::pattern_of_float(value);
  const std::uint64_t payload = pattern & ((std::uint64_t{1} << kFraction) - 1);
  const std::uint64_t sign = (pattern >> (kFraction + kFormat.exponent_bits)) << 63;
  return std::bit_cast<double>(sign | kDoubleInfinity | payload << (kDoubleFraction - kFraction));
}

template <class T>
T narrowed(double value) {
  if (value == value) return refops::round_to<T>(value, refops::RoundMode::rint);
  constexpr FloatFormat kFormat = refops::float_format<T>();
  constexpr int kFraction = kFormat.significand_bits - 1;
  constexpr std::uint64_t kQuiet = std::uint64_t{1} << (kFraction - 1);
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t payload =
      (pattern & ~(kSign | kDoubleInfinity)) >> (kDoubleFraction - kFraction);
  const std::uint64_t infinity = ((std::uint64_t{1} << kFormat.exponent_bits) - 1) << kFraction;
  const std::uint64_t sign = (pattern >> 63) << (kFraction + kFormat.exponent_bits);
  return refops::float_from_pattern<T>(sign | infinity | (payload == 0 ? kQuiet : payload));
}

}  // namespace

void convert_elements(Dtype from, const std::byte* source, Dtype to, std::byte* target,
                      std::int64_t count) {
  if (to == Dtype::float64) {
    refops::dispatch_dtype<kNarrow>("a load", from, [&]<class T>(std::type_identity<T>) {
      const auto* narrow = reinterpret_cast<const T*>(source);
      auto* wide = reinterpret_cast<double*>(target);
      for (std::int64_t i = 0; i < count; ++i) wide[i] = widened(narrow[i]);
    });
  } else {
    refops::dispatch_dtype<kNarrow>("a store", to, [&]<class T>(std::type_identity<T>) {
      const auto* wide = reinterpret_cast<const double*>(source);
      auto* narrow = reinterpret_cast<T*>(target);
      for (std::int64_t i = 0; i < count; ++i) narrow[i] = narrowed<T>(wide[i]);
    });
  }
}

refops::Scalar converted_scalar(const refops::Scalar& value, Dtype to) {
  std::uint64_t bits = 0;
  std::uint64_t moved = 0;
  value.store(&bits);
  convert_elements(value.dtype, reinterpret_cast<const std::byte*>(&bits), to,
                   reinterpret_cast<std::byte*>(&moved), 1);
  return refops::Scalar::load(to, &moved);
}

}  // namespace ascemu::interp
