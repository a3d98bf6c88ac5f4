// Arithmetic in every rounding mode against MPFR: the exact path, and the fast path to nearest.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "refops/eval.h"
#include "refops/exact_arithmetic.h"
#include "refops/tests/proof_report.h"
#include "refops/tests/proof_vectors.h"

namespace ascemu::refops {
namespace {

enum class Arithmetic { add, sub, mul, div, sqrt, fma };
constexpr std::array<const char*, 6> kNames{"add", "sub", "mul", "div", "sqrt", "fma"};
constexpr std::array kModes{RoundMode::rint,  RoundMode::floor, RoundMode::ceil,
                            RoundMode::round, RoundMode::trunc, RoundMode::odd};

// The numbers of the format on both sides of the exact value, and on which side of their middle it
// lies. Two exponents above the format's range are allowed, so that overflow is seen.
struct Neighbours {
  bool nan = false;
  double toward_zero = 0;
  double away = 0;
  int against_middle = 0;
};

class NeighbourOracle {
 public:
  explicit NeighbourOracle(FloatFormat format) {
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    least_ = 3 - bias - format.significand_bits;
    largest_ = std::ldexp(2 - std::ldexp(1.0, 1 - format.significand_bits), bias);
    mpfr_inits2(60, a_, b_, c_, static_cast<mpfr_ptr>(nullptr));
    mpfr_inits2(format.significand_bits, near_, far_, static_cast<mpfr_ptr>(nullptr));
    mpfr_inits2(1200, exact_, middle_, static_cast<mpfr_ptr>(nullptr));
  }
  ~NeighbourOracle() {
    mpfr_clears(a_, b_, c_, near_, far_, exact_, middle_, static_cast<mpfr_ptr>(nullptr));
  }
  NeighbourOracle(const NeighbourOracle&) = delete;
  NeighbourOracle& operator=(const NeighbourOracle&) = delete;

  Neighbours ask(Arithmetic op, double a, double b, double c) {
    mpfr_set_d(a_, a, MPFR_RNDN);
    mpfr_set_d(b_, b, MPFR_RNDN);
    mpfr_set_d(c_, c, MPFR_RNDN);
    Neighbours found;
    found.toward_zero = one_side(op, near_, MPFR_RNDZ);
    found.away = one_side(op, far_, MPFR_RNDA);
    found.nan = found.toward_zero != found.toward_zero;
    if (found.nan || found.toward_zero == found.away) return found;
    mpfr_set_d(middle_, found.toward_zero, MPFR_RNDN);
    mpfr_add_d(middle_, middle_, found.away, MPFR_RNDN);
    mpfr_div_2ui(middle_, middle_, 1, MPFR_RNDN);
    // Sums, products and fused products are exact in 1200 bits; quotients and roots that are not
    // lie further from a middle than the last of them.
    compute(op, exact_, MPFR_RNDN);
    found.against_middle = mpfr_cmpabs(exact_, middle_);
    return found;
  }

  double largest() const { return largest_; }

 private:
  int compute(Arithmetic op, mpfr_ptr result, mpfr_rnd_t mode) {
    switch (op) {
      case Arithmetic::add:
        return mpfr_add(result, a_, b_, mode);
      case Arithmetic::sub:
        return mpfr_sub(result, a_, b_, mode);
      case Arithmetic::mul:
        return mpfr_mul(result, a_, b_, mode);
      case Arithmetic::div:
        return mpfr_div(result, a_, b_, mode);
      case Arithmetic::sqrt:
        return mpfr_sqrt(result, a_, mode);
      case Arithmetic::fma:
        return mpfr_fma(result, a_, b_, c_, mode);
    }
    return 0;
  }

  double one_side(Arithmetic op, mpfr_ptr result, mpfr_rnd_t mode) {
    int ternary = compute(op, result, mode);
    const mpfr_exp_t before = mpfr_get_emin();
    mpfr_set_emin(least_);
    ternary = mpfr_check_range(result, ternary, mode);
    mpfr_subnormalize(result, ternary, mode);
    mpfr_set_emin(before);
    return mpfr_get_d(result, MPFR_RNDN);
  }

  mpfr_exp_t least_ = 0;
  double largest_ = 0;
  mpfr_t a_, b_, c_, near_, far_, exact_, middle_;
};

template <class T>
T element(std::uint32_t pattern) {
  return float_from_pattern<T>(pattern);
}

template <class T>
std::uint32_t pattern_of(T value) {
  if constexpr (kIsHalf<T>) {
    return value.bits;
  } else {
    return std::bit_cast<std::uint32_t>(value);
  }
}

template <class T>
double number(std::uint32_t pattern) {
  return static_cast<double>(widen(element<T>(pattern)));
}

// The neighbour that `mode` chooses, as a pattern; overflow is infinity in every mode.
template <class T>
std::uint32_t chosen(const Neighbours& found, RoundMode mode, double largest) {
  constexpr FloatFormat kFormat = float_format<T>();
  constexpr std::uint32_t kInfinity = ((1U << kFormat.exponent_bits) - 1)
                                      << (kFormat.significand_bits - 1);
  if (found.nan) return kInfinity | (1U << (kFormat.significand_bits - 2));
  const bool negative = std::signbit(found.toward_zero);
  const auto packed = [&](double value) {
    if (std::fabs(value) > largest) {
      return kInfinity |
             (negative ? 1U << (kFormat.significand_bits + kFormat.exponent_bits - 1) : 0);
    }
    return pattern_of(narrow<T>(static_cast<Compute<T>>(value)));
  };
  const std::uint32_t near = packed(found.toward_zero);
  const std::uint32_t far = packed(found.away);
  const bool near_is_odd = (near & 1) != 0;
  switch (mode) {
    case RoundMode::floor:
      return negative ? far : near;
    case RoundMode::ceil:
      return negative ? near : far;
    case RoundMode::trunc:
      return near;
    case RoundMode::odd:
      return near_is_odd ? near : far;
    case RoundMode::round:
      return found.against_middle >= 0 ? far : near;
    default:
      return found.against_middle > 0 || (found.against_middle == 0 && near_is_odd) ? far : near;
  }
}

template <class T>
std::uint32_t computed(Arithmetic op, const std::array<std::uint32_t, 3>& v, RoundMode mode) {
  const T a = element<T>(v[0]);
  const T b = element<T>(v[1]);
  switch (op) {
    case Arithmetic::add:
      return pattern_of(exact::add(a, b, mode));
    case Arithmetic::sub:
      return pattern_of(exact::sub(a, b, mode));
    case Arithmetic::mul:
      return pattern_of(exact::mul(a, b, mode));
    case Arithmetic::div:
      return pattern_of(exact::div(a, b, mode));
    case Arithmetic::sqrt:
      return pattern_of(exact::sqrt(a, mode));
    case Arithmetic::fma:
      return pattern_of(exact::fma(a, b, element<T>(v[2]), mode));
  }
  return 0;
}

template <class T>
void prove(Arithmetic op, const std::string& dtype) {
  constexpr FloatFormat kFormat = float_format<T>();
  const std::string name = kNames[static_cast<std::size_t>(op)];
  const auto vectors = ProofVectors(kFormat, static_cast<std::uint64_t>(op) + 1).triples();
  NeighbourOracle oracle(kFormat);
  std::array<std::int64_t, kModes.size()> mismatches{};
  std::array<std::int64_t, kModes.size()> unlike_nearest{};
  for (const auto& vector : vectors) {
    const Neighbours found =
        oracle.ask(op, number<T>(vector[0]), number<T>(vector[1]), number<T>(vector[2]));
    const bool is_exact = found.nan || found.toward_zero == found.away;
    for (std::size_t i = 0; i < kModes.size(); ++i) {
      std::uint32_t expected = chosen<T>(found, kModes[i], oracle.largest());
      // IEEE 754, 6.3: an exact zero of unlike terms is -0 only when rounding down.
      if (is_exact && !found.nan && found.toward_zero == 0 && op != Arithmetic::mul &&
          op != Arithmetic::div && op != Arithmetic::sqrt && kModes[i] == RoundMode::floor) {
        const double a = number<T>(vector[0]);
        const double b = number<T>(vector[1]);
        const double first = op == Arithmetic::fma ? a * b : a;
        const double second = op == Arithmetic::fma   ? number<T>(vector[2])
                              : op == Arithmetic::sub ? -b
                                                      : b;
        const bool unlike = std::signbit(first) != std::signbit(second);
        if (unlike)
          expected =
              pattern_of(element<T>(1U << (kFormat.significand_bits + kFormat.exponent_bits - 1)));
      }
      const std::uint32_t got = computed<T>(op, vector, kModes[i]);
      if (got != expected && mismatches[i]++ == 0) {
        ADD_FAILURE() << name << " " << dtype << " " << round_mode_name(kModes[i]) << std::hex
                      << " of 0x" << vector[0] << ", 0x" << vector[1] << ", 0x" << vector[2]
                      << ": 0x" << got << ", expected 0x" << expected;
      }
      unlike_nearest[i] += got != computed<T>(op, vector, RoundMode::rint);
    }
  }
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    write_proof({name, dtype, std::string(round_mode_name(kModes[i])),
                 op == Arithmetic::div || op == Arithmetic::sqrt ? "N6.1" : "N3.1",
                 static_cast<std::int64_t>(vectors.size()), mismatches[i]});
    EXPECT_EQ(mismatches[i], 0);
    // Roots have no ties; elsewhere they are rare. Every other mode is told apart in thousands.
    const bool ties_only = kModes[i] == RoundMode::rint || kModes[i] == RoundMode::round;
    const bool has_ties = kModes[i] == RoundMode::round && op != Arithmetic::sqrt;
    const std::int64_t least = has_ties ? 0 : ties_only ? -1 : 1000;
    EXPECT_GT(unlike_nearest[i], least);
  }
}

class ProofArithmetic : public ::testing::TestWithParam<Arithmetic> {};

TEST_P(ProofArithmetic, Float16) { prove<Float16>(GetParam(), "float16"); }
TEST_P(ProofArithmetic, Bfloat16) { prove<Bfloat16>(GetParam(), "bfloat16"); }
TEST_P(ProofArithmetic, Float32) { prove<float>(GetParam(), "float32"); }

INSTANTIATE_TEST_SUITE_P(AllModes, ProofArithmetic,
                         ::testing::Values(Arithmetic::add, Arithmetic::sub, Arithmetic::mul,
                                           Arithmetic::div, Arithmetic::sqrt, Arithmetic::fma),
                         [](const auto& info) {
                           return std::string(kNames[static_cast<std::size_t>(info.param)]);
                         });

}  // namespace
}  // namespace ascemu::refops
