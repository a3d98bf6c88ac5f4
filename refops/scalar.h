// One runtime scalar: a dtype and its bit pattern ("PlainValue" of the language, spec asc2 §3).
//
// Invariant: the bits above the dtype's width are zero for unsigned, float and int1 types and a
// sign extension for signed ones, so that two equal scalars have equal representations.
#pragma once

#include <cstdint>

#include "refops/dtype.h"

namespace ascemu::refops {

struct Scalar {
  Dtype dtype = Dtype::int32;
  std::uint64_t bits = 0;

  // Conversions round once to the dtype: floats to nearest even; ints truncate toward zero and wrap
  // (NaN and infinities: 0); int1 is "not zero".
  static Scalar from_int(Dtype dtype, std::int64_t value);
  static Scalar from_double(Dtype dtype, double value);
  // Reads dtype_size_bytes(dtype) bytes in host (little endian) order.
  static Scalar load(Dtype dtype, const void* bytes);
  void store(void* bytes) const;

  // Integer value (sign extended; unsigned as its bit pattern); floats truncate toward zero and
  // saturate, NaN is 0.
  std::int64_t as_int() const;
  // Numeric value as double (exact for every dtype but 64-bit integers).
  double as_double() const;
  // Integers: not zero. Floats: not equal to zero (NaN is true).
  bool as_bool() const;

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

}  // namespace ascemu::refops
