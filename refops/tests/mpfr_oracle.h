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
    mpfr_init2(exact_, 200);
    mpfr_init2(sum_, 200);
  }
  ~MpfrOracle() {
    mpfr_clears(x_, y_, result_, exact_, sum_, static_cast<mpfr_ptr>(nullptr));
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

  // |value / exact - 1| in units of 2^-53. This and the next need the exponent range of double.
  double relative_error(elementary::Function function, double x, double value) {
    return relative_error_of_sum(function, x, value, 0) * 0x1p53;
  }

  // |(high + low) / exact - 1|.
  double relative_error_of_sum(elementary::Function function, double x, double high, double low) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    apply(function, exact_, x_);
    return ratio(high, low);
  }

  double relative_error_of_pow(double x, double y, double high, double low) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    mpfr_set_d(y_, y, MPFR_RNDN);
    mpfr_pow(exact_, x_, y_, MPFR_RNDN);
    return ratio(high, low);
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

  double ratio(double high, double low) {
    mpfr_set_d(sum_, high, MPFR_RNDN);
    mpfr_add_d(sum_, sum_, low, MPFR_RNDN);
    mpfr_sub(sum_, sum_, exact_, MPFR_RNDN);
    mpfr_div(sum_, sum_, exact_, MPFR_RNDN);
    return std::fabs(mpfr_get_d(sum_, MPFR_RNDN));
  }

  mpfr_t x_;
  mpfr_t y_;
  mpfr_t result_;
  mpfr_t exact_;
  mpfr_t sum_;
};

}  // namespace ascemu::refops
