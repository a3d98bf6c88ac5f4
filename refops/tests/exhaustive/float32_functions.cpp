#include <bit>
#include <cmath>
#include <memory>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/exhaustive/sweeps.h"
#include "refops/tests/mpfr_oracle.h"

namespace ascemu::refops::exhaustive {
namespace {

inline constexpr std::uint64_t kRow = 4096;
// The libm doubles are trusted to 8 units of their last place.
inline constexpr double kTrust = 0x1p-49;

// |result - exact| in units of the last place of the result's binade.
double error_ulp(double exact, float result) {
  const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(exact) >> 52 & 0x7FF);
  const int exponent = std::max(field, 1023 - 126);
  const double per_ulp =
      std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 1023 + 23 - exponent) << 52);
  return std::fabs(static_cast<double>(result) - exact) * per_ulp;
}

struct Entry {
  OpId op;
  elementary::Function function;
  const char* name;
};

template <class Libm>
Sweep sweep_of(const Entry& entry, Libm libm) {
  const auto run_chunk = [entry, libm](std::uint64_t from, std::uint64_t to) {
    Findings findings;
    std::unique_ptr<MpfrOracle> oracle;
    std::vector<float> x;
    std::vector<float> results;
    for (std::uint64_t row = from; row < to; row += kRow) {
      const auto size = static_cast<std::size_t>(std::min(kRow, to - row));
      x.resize(size);
      results.resize(size);
      for (std::size_t i = 0; i < size; ++i) {
        x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(row + i));
      }
      const std::vector<float>& operands = x;
      eval_unary(entry.op, Policy{NumericMode::ieee, Chip::ascend950pr}, view_of(operands),
                 view_of(results));
      for (std::size_t i = 0; i < size; ++i) {
        const double near = libm(static_cast<double>(x[i]));
        float expected = static_cast<float>(near * (1 - kTrust));
        const auto pattern = std::bit_cast<std::uint32_t>(results[i]);
        if (near != near) {
          if (pattern != 0x7FC00000U) findings.add_mismatch(row + i);
          continue;
        }
        if (expected != static_cast<float>(near * (1 + kTrust))) {
          if (!oracle) oracle = std::make_unique<MpfrOracle>(kFloat32Format);
          expected = static_cast<float>(oracle->evaluate(entry.function, x[i]));
          ++findings.boundary_cases;
        }
        if (pattern != std::bit_cast<std::uint32_t>(expected)) findings.add_mismatch(row + i);
        if (std::isfinite(results[i])) {
          const double error = error_ulp(near, results[i]);
          if (error > findings.max_error_ulp) findings.add_error(error, row + i);
        }
      }
    }
    findings.count = to - from;
    return findings;
  };
  return {entry.name,
          "float32, bits of the result against libm in double, and against MPFR where that lies "
          "within 8 double ulp of a rounding boundary",
          true, run_chunk};
}

}  // namespace

std::vector<Sweep> float32_functions() {
  using elementary::Function;
  std::vector<Sweep> sweeps;
  const auto add = [&sweeps](OpId op, Function function, const char* name, auto libm) {
    sweeps.push_back(sweep_of(Entry{op, function, name}, libm));
  };
  add(OpId::exp_, Function::exp, "exp", [](double x) { return std::exp(x); });
  add(OpId::log_, Function::log, "log", [](double x) { return std::log(x); });
  add(OpId::sqrt_, Function::sqrt, "sqrt", [](double x) { return std::sqrt(x); });
  add(OpId::rsqrt_, Function::rsqrt, "rsqrt", [](double x) { return 1 / std::sqrt(x); });
  add(OpId::tanh_, Function::tanh, "tanh", [](double x) { return std::tanh(x); });
  add(OpId::erf_, Function::erf, "erf", [](double x) { return std::erf(x); });
  add(OpId::sin_, Function::sin, "sin", [](double x) { return std::sin(x); });
  add(OpId::cos_, Function::cos, "cos", [](double x) { return std::cos(x); });
  add(OpId::exp2_, Function::exp2, "exp2", [](double x) { return std::exp2(x); });
  add(OpId::log2_, Function::log2, "log2", [](double x) { return std::log2(x); });
  add(OpId::tan_, Function::tan, "tan", [](double x) { return std::tan(x); });
  add(OpId::sinh_, Function::sinh, "sinh", [](double x) { return std::sinh(x); });
  add(OpId::cosh_, Function::cosh, "cosh", [](double x) { return std::cosh(x); });
  return sweeps;
}

}  // namespace ascemu::refops::exhaustive
