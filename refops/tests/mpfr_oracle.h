// The exact values of the elementary functions, rounded once by GNU MPFR.
//
// What it is: for a function and operands of a small float format, the correctly rounded result in
// that format as a double. What it is not: fast (a microsecond or so), or part of the product.
//
// Invariant: one rounding, to nearest even, with the format's exponent range and its subnormals;
// MPFR's own rule differs from C99 only in rsqrt(-0), which is settled here.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <limits>

#include "refops/elementary/elementary.h"
#include "refops/round_to.h"

namespace ascemu::refops {

class MpfrOracle {
 public:
  // Sets MPFR's exponent range for this thread: one oracle at a time in a thread.
  explicit MpfrOracle(FloatFormat format) {
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    mpfr_set_emax(bias + 1);
    mpfr_set_emin(3 - bias - format.significand_bits);
    mpfr_init2(x_, 53);
    mpfr_init2(y_, 53);
    mpfr_init2(result_, format.significand_bits);
    // The ratio to a result is looked at with more bits.
    mpfr_init2(wide_, 160);
  }
  ~MpfrOracle() {
    mpfr_clears(x_, y_, result_, wide_, static_cast<mpfr_ptr>(nullptr));
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  MpfrOracle(const MpfrOracle&) = delete;
  MpfrOracle& operator=(const MpfrOracle&) = delete;

  double evaluate(elementary::Function function, double x) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    return rounded(apply(function, result_, x_),
                   function == elementary::Function::rsqrt && x == 0 ? std::copysign(1.0, x) : 0);
  }

  double pow(double x, double y) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    mpfr_set_d(y_, y, MPFR_RNDN);
    return rounded(mpfr_pow(result_, x_, y_, MPFR_RNDN), 0);
  }

  // |value / exact - 1| in units of 2^-53; needs a format with the exponent range of double.
  double relative_error(elementary::Function function, double x, double value) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    apply(function, wide_, x_);
    return ratio(value);
  }

  double relative_error_of_pow(double x, double y, double value) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    mpfr_set_d(y_, y, MPFR_RNDN);
    mpfr_pow(wide_, x_, y_, MPFR_RNDN);
    return ratio(value);
  }

 private:
  static int apply(elementary::Function function, mpfr_ptr result, mpfr_srcptr x) {
    using elementary::Function;
    switch (function) {
      case Function::exp:
        return mpfr_exp(result, x, MPFR_RNDN);
      case Function::exp2:
        return mpfr_exp2(result, x, MPFR_RNDN);
      case Function::log:
        return mpfr_log(result, x, MPFR_RNDN);
      case Function::log2:
        return mpfr_log2(result, x, MPFR_RNDN);
      case Function::sqrt:
        return mpfr_sqrt(result, x, MPFR_RNDN);
      case Function::rsqrt:
        return mpfr_rec_sqrt(result, x, MPFR_RNDN);
      case Function::sin:
        return mpfr_sin(result, x, MPFR_RNDN);
      case Function::cos:
        return mpfr_cos(result, x, MPFR_RNDN);
      case Function::tan:
        return mpfr_tan(result, x, MPFR_RNDN);
      case Function::sinh:
        return mpfr_sinh(result, x, MPFR_RNDN);
      case Function::cosh:
        return mpfr_cosh(result, x, MPFR_RNDN);
      case Function::tanh:
        return mpfr_tanh(result, x, MPFR_RNDN);
      case Function::erf:
        return mpfr_erf(result, x, MPFR_RNDN);
    }
    return 0;
  }

  double rounded(int ternary, double sign_of_infinity) {
    mpfr_subnormalize(result_, ternary, MPFR_RNDN);
    const double value = mpfr_get_d(result_, MPFR_RNDN);
    return sign_of_infinity == 0 ? value : std::copysign(value, sign_of_infinity);
  }

  double ratio(double value) {
    mpfr_d_div(wide_, value, wide_, MPFR_RNDN);
    mpfr_sub_ui(wide_, wide_, 1, MPFR_RNDN);
    return std::fabs(mpfr_get_d(wide_, MPFR_RNDN)) * 0x1p53;
  }

  mpfr_t x_;
  mpfr_t y_;
  mpfr_t result_;
  mpfr_t wide_;
};

}  // namespace ascemu::refops
