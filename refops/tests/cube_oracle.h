// The cube's groups by GNU MPFR: exact products, exact sum, one rounding (contract N14.1).
//
// What it is: a float32 accumulator plus products of float32 values, summed in 1,200 bits and
// rounded once. What it is not: fast, or defined for infinities and NaN.
//
// Invariant: nothing before the last step rounds; the exponent range of float32 holds only there.
#pragma once

#include <mpfr.h>

#include <span>

namespace ascemu::refops {

class CubeOracle {
 public:
  CubeOracle() {
    widen_exponents();
    for (mpfr_ptr number : {a_, b_, product_, sum_}) mpfr_init2(number, 1200);
    mpfr_init2(result_, 24);
  }
  ~CubeOracle() { mpfr_clears(a_, b_, product_, sum_, result_, static_cast<mpfr_ptr>(nullptr)); }
  CubeOracle(const CubeOracle&) = delete;
  CubeOracle& operator=(const CubeOracle&) = delete;

  float join(float accumulator, std::span<const float> a, std::span<const float> b) {
    int inexact = mpfr_set_flt(sum_, accumulator, MPFR_RNDN);
    for (std::size_t k = 0; k < a.size(); ++k) {
      mpfr_set_flt(a_, a[k], MPFR_RNDN);
      mpfr_set_flt(b_, b[k], MPFR_RNDN);
      inexact |= mpfr_mul(product_, a_, b_, MPFR_RNDN);
      inexact |= mpfr_add(sum_, sum_, product_, MPFR_RNDN);
    }
    is_exact_ = is_exact_ && inexact == 0;
    int ternary = mpfr_set(result_, sum_, MPFR_RNDN);
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    ternary = mpfr_check_range(result_, ternary, MPFR_RNDN);
    mpfr_subnormalize(result_, ternary, MPFR_RNDN);
    const float value = mpfr_get_flt(result_, MPFR_RNDN);
    widen_exponents();
    return value;
  }

  // Whether every sum so far was exact before its rounding.
  bool is_exact() const { return is_exact_; }

 private:
  static void widen_exponents() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }

  mpfr_t a_;
  mpfr_t b_;
  mpfr_t product_;
  mpfr_t sum_;
  mpfr_t result_;
  bool is_exact_ = true;
};

}  // namespace ascemu::refops
