// One operation at a time, rounded by GNU MPFR: what the compositions of N11 are checked against.
//
// What it is: + - * / exp log sqrt of a float format, values as doubles, with the flush of N5.
// What it is not: fast; a user of the code under test (decimal constants are rounded here too).
//
// Invariant: each call is one rounding to nearest even in the format, subnormals included.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <map>
#include <string>

#include "refops/round_to.h"

namespace ascemu::refops {

struct Flushes {
  bool functions = false;  // exp, log, sqrt
  bool div = false;
};

class StepOracle {
 public:
  StepOracle(FloatFormat format, Flushes flushes) : format_(format), flushes_(flushes) {
    mpfr_inits2(53, a_, b_, static_cast<mpfr_ptr>(nullptr));
    mpfr_init2(result_, format.significand_bits);
  }
  ~StepOracle() { mpfr_clears(a_, b_, result_, static_cast<mpfr_ptr>(nullptr)); }
  StepOracle(const StepOracle&) = delete;
  StepOracle& operator=(const StepOracle&) = delete;

  double add(double a, double b) { return apply(mpfr_add, a, b); }
  double sub(double a, double b) { return apply(mpfr_sub, a, b); }
  double mul(double a, double b) { return apply(mpfr_mul, a, b); }
  double div(double a, double b) {
    if (!flushes_.div) return apply(mpfr_div, a, b);
    return flushed_result(apply(mpfr_div, flushed_operand(a), flushed_operand(b)));
  }
  double exp(double x) { return function(mpfr_exp, x); }
  double log(double x) { return function(mpfr_log, x); }
  double sqrt(double x) { return function(mpfr_sqrt, x); }
  // C99 pow of operands whose result needs no rounding.
  double special_pow(double x, double y) { return apply(mpfr_pow, x, y); }

  // The decimal number, rounded once.
  double constant(const std::string& text) {
    const auto found = constants_.find(text);
    if (found != constants_.end()) return found->second;
    mpfr_t number;
    mpfr_init2(number, format_.significand_bits);
    mpfr_set_str(number, text.c_str(), 10, MPFR_RNDN);
    const double value = mpfr_get_d(number, MPFR_RNDN);
    mpfr_clear(number);
    return constants_[text] = value;
  }
  double mul(double a, const char* b) { return mul(a, constant(b)); }
  double add(double a, const char* b) { return add(a, constant(b)); }
  double sub(double a, const char* b) { return sub(a, constant(b)); }

  double rint(double x) {
    set_range();
    mpfr_set_d(a_, x, MPFR_RNDN);
    mpfr_rint(result_, a_, MPFR_RNDN);
    return mpfr_get_d(result_, MPFR_RNDN);
  }
  double floor(double x) {
    set_range();
    mpfr_set_d(a_, x, MPFR_RNDN);
    mpfr_rint(result_, a_, MPFR_RNDD);
    return mpfr_get_d(result_, MPFR_RNDN);
  }

 private:
  void set_range() {
    const int bias = (1 << (format_.exponent_bits - 1)) - 1;
    mpfr_set_emax(bias + 1);
    mpfr_set_emin(3 - bias - format_.significand_bits);
  }
  double rounded(int ternary) {
    mpfr_subnormalize(result_, ternary, MPFR_RNDN);
    return mpfr_get_d(result_, MPFR_RNDN);
  }
  template <class Operation>
  double apply(Operation operation, double a, double b) {
    mpfr_set_d(a_, a, MPFR_RNDN);
    mpfr_set_d(b_, b, MPFR_RNDN);
    set_range();
    const double value = rounded(operation(result_, a_, b_, MPFR_RNDN));
    restore_range();
    return value;
  }
  template <class Operation>
  double function(Operation operation, double x) {
    mpfr_set_d(a_, flushes_.functions ? flushed_operand(x) : x, MPFR_RNDN);
    set_range();
    const double value = rounded(operation(result_, a_, MPFR_RNDN));
    restore_range();
    return flushes_.functions ? flushed_result(value) : value;
  }
  static void restore_range() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  bool is_subnormal(double x) const {
    const int least_exponent = 2 - (1 << (format_.exponent_bits - 1));
    return x != 0 && std::fabs(x) < std::ldexp(1.0, least_exponent);
  }
  double flushed_operand(double x) const { return is_subnormal(x) ? std::copysign(0.0, x) : x; }
  double flushed_result(double x) const { return is_subnormal(x) ? 0.0 : x; }

  FloatFormat format_;
  Flushes flushes_;
  mpfr_t a_;
  mpfr_t b_;
  mpfr_t result_;
  std::map<std::string, double> constants_;
};

}  // namespace ascemu::refops
