// The compositions of N11 written once more, from the text of the contract, on StepOracle.
//
// What it is: for every clause a function of one operand (two for pow). What it is not: related to
// refops/composed.
#pragma once

#include "refops/ops.h"
#include "refops/tests/step_oracle.h"

namespace ascemu::refops::composed_oracle {

// A NaN in gives a NaN out.
inline double clip(double x, double low, double high) {
  if (x < low) return low;
  return x > high ? high : x;
}

// N11.1, in the oracle's format.
inline double exp2(StepOracle& o, double x) { return o.exp(o.mul(x, "0.6931471805599453")); }
// N11.2
inline double log2(StepOracle& o, double x) { return o.mul(o.log(x), "1.4426950408889634"); }
// N11.3, in the oracle's format.
inline double rsqrt(StepOracle& o, double x) { return o.div(1, o.sqrt(x)); }
// N11.4
inline double tanh(StepOracle& o, double x) {
  const double bound = o.constant("8.8");
  const double e = o.exp(o.mul(2, clip(x, -bound, bound)));
  return o.div(o.sub(e, 1), o.add(e, 1));
}
// N11.5
inline double erf(StepOracle& o, double x) {
  const double bound = o.constant("3.92");
  const double t = clip(x, -bound, bound);
  const double s = o.mul(t, t);
  double p = o.constant("0.053443748819");
  for (const char* c :
       {"7.5517016694", "101.62808918", "1393.8061484", "5063.7915060", "29639.384698"}) {
    p = o.add(o.mul(p, s), c);
  }
  double q = o.add(s, "31.212858877");
  for (const char* c : {"398.56963806", "3023.1248150", "13243.365831", "26267.224157"}) {
    q = o.add(o.mul(q, s), c);
  }
  return o.div(o.mul(p, t), q);
}

inline double signed_sine(StepOracle& o, double r, double k) {
  const double sign = o.add(o.add(o.mul(o.floor(o.mul(k, 0.5)), 4), o.mul(k, -2)), 1);
  const double s = o.mul(r, r);
  double p = o.constant("2.604926501e-6");
  for (const char* c : {"-0.0001980894471", "0.008333049340", "-0.1666665792", "1"}) {
    p = o.add(o.mul(p, s), c);
  }
  return o.mul(o.mul(p, r), sign);
}
inline double reduce(StepOracle& o, double x, double k) {
  double r = x;
  for (const char* part : {"3.140625", "0.0009670257568359375", "6.2771141529083251953125e-7",
                           "1.21644916362129151821e-10"}) {
    r = o.sub(r, o.mul(k, part));
  }
  return r;
}
// N11.6
inline double sin(StepOracle& o, double x) {
  const double k = o.rint(o.mul(x, "0.31830987334"));
  return signed_sine(o, reduce(o, x, k), k);
}
// N11.7
inline double cos(StepOracle& o, double x) {
  const double k = o.rint(o.add(o.mul(x, "0.31830987334"), 0.5));
  double r = o.sub(x, o.mul(k, "3.140625"));
  r = o.sub(r, o.mul(k, "0.0009670257568359375"));
  r = o.add(r, "1.57079637050628662");
  r = o.sub(r, o.mul(k, "6.2771141529083251953125e-7"));
  r = o.sub(r, o.mul(k, "1.21644916362129151821e-10"));
  r = o.sub(r, o.mul(k, "-1.0290623200529979e-13"));
  r = o.add(r, "-4.371139000189375e-8");
  return clip(signed_sine(o, r, k), -1, 1);
}
// N11.8
inline double tan(StepOracle& o, double x) {
  const double r = reduce(o, x, o.rint(o.mul(x, "0.31830987334")));
  const double s = o.mul(r, r);
  const double cubic = o.sub(o.mul(s, "0.0698520831551998762793"), "6.8711573651634203789");
  const double numerator = o.mul(o.add(o.mul(cubic, s), "61.20362572811089435388"), r);
  const double left = o.mul(o.sub(s, "24.8048928861126769186219"), o.add(r, "1.5707963267948966"));
  return o.div(numerator, o.mul(left, o.sub(r, "1.5707963267948966")));
}
// N11.9
inline double sinh(StepOracle& o, double x) {
  return o.sub(o.exp(o.sub(x, "0.6931471805599453")), o.exp(o.sub(-x, "0.6931471805599453")));
}
// N11.10
inline double cosh(StepOracle& o, double x) {
  const double y = o.exp(o.sub(x, "0.6931471805599453"));
  return o.add(y, o.div(0.25, y));
}
// N11.11
inline double pow(StepOracle& o, double x, double y) {
  const bool integral = std::floor(y) == y;
  const bool special = x == 0 || y == 0 || !std::isfinite(x) || !std::isfinite(y);
  if (special || (x < 0 && !integral)) return o.special_pow(x, y);
  const double size = o.exp(o.mul(y, o.log(std::fabs(x))));
  return x < 0 && std::fmod(std::fabs(y), 2) == 1 ? -size : size;
}

using Unary = double (*)(StepOracle&, double);

struct Row {
  OpId op;
  Unary steps;
  bool in_dtype;  // N11.1, N11.3
};

inline constexpr Row kRows[] = {
    {OpId::exp2_, exp2, true},  {OpId::log2_, log2, false}, {OpId::rsqrt_, rsqrt, true},
    {OpId::tanh_, tanh, false}, {OpId::erf_, erf, false},   {OpId::sin_, sin, false},
    {OpId::cos_, cos, false},   {OpId::tan_, tan, false},   {OpId::sinh_, sinh, false},
    {OpId::cosh_, cosh, false},
};

}  // namespace ascemu::refops::composed_oracle
