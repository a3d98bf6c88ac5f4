#include "refops/scalar.h"

#include <cmath>
#include <cstring>

#include "refops/dispatch.h"
#include "refops/round_to.h"

namespace ascemu::refops {
namespace {

using detail::kAny;

template <class T>
Scalar from_element(Dtype dtype, T value) {
  if constexpr (std::is_same_v<T, Int1> || kIsHalf<T>) {
    return {dtype, value.bits};
  } else if constexpr (std::is_same_v<T, float>) {
    return {dtype, std::bit_cast<std::uint32_t>(value)};
  } else if constexpr (std::is_same_v<T, double>) {
    return {dtype, std::bit_cast<std::uint64_t>(value)};
  } else {
    return {dtype, static_cast<std::uint64_t>(value)};
  }
}

template <class T>
T to_element(const Scalar& scalar) {
  if constexpr (std::is_same_v<T, Int1>) {
    return Int1{static_cast<std::uint8_t>(scalar.bits)};
  } else if constexpr (kIsFloatElement<T>) {
    return float_from_pattern<T>(scalar.bits);
  } else {
    return static_cast<T>(scalar.bits);
  }
}

// Truncates toward zero and keeps the low 64 bits; NaN and infinities are 0.
std::int64_t wrap_double(double value) {
  if (!std::isfinite(value)) return 0;
  const double whole = std::trunc(value);
  const double low = std::fmod(std::fabs(whole), 0x1p64);
  const auto pattern = static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(whole < 0 ? 0 - pattern : pattern);
}

}  // namespace

Scalar Scalar::from_int(Dtype dtype, std::int64_t value) {
  Scalar result;
  dispatch_dtype<kAny>("a scalar", dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Int1>) {
      result = {dtype, value != 0 ? 1U : 0U};
    } else if constexpr (kIsFloatElement<T>) {
      result = from_element(dtype, round_to<T>(value, RoundMode::rint));
    } else {
      result = from_element(dtype, static_cast<T>(value));
    }
  });
  return result;
}

Scalar Scalar::from_double(Dtype dtype, double value) {
  Scalar result;
  dispatch_dtype<kAny>("a scalar", dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Int1>) {
      result = {dtype, value != 0 ? 1U : 0U};
    } else if constexpr (kIsFloatElement<T>) {
      result = from_element(dtype, round_to<T>(value, RoundMode::rint));
    } else {
      result = from_element(dtype, static_cast<T>(wrap_double(value)));
    }
  });
  return result;
}

Scalar Scalar::load(Dtype dtype, const void* bytes) {
  Scalar result;
  dispatch_dtype<kAny>("a scalar", dtype, [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    result = from_element(dtype, value);
  });
  return result;
}

void Scalar::store(void* bytes) const { std::memcpy(bytes, &bits, dtype_size_bytes(dtype)); }

std::int64_t Scalar::as_int() const {
  if (is_integer(dtype)) return static_cast<std::int64_t>(bits);
  return round_to<std::int64_t>(as_double(), RoundMode::trunc);
}

double Scalar::as_double() const {
  double result = 0;
  dispatch_dtype<kAny>("a scalar", dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Int1>) {
      result = static_cast<double>(bits);
    } else {
      result = static_cast<double>(widen(to_element<T>(*this)));
    }
  });
  return result;
}

bool Scalar::as_bool() const {
  if (is_integer(dtype)) return bits != 0;
  return as_double() != 0;
}

}  // namespace ascemu::refops
