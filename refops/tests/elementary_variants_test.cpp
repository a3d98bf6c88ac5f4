#include <gtest/gtest.h>

#include "refops/elementary/elementary.h"
#include "refops/tests/arrays.h"
#include "refops/tests/elementary_inputs.h"
#include "refops/tests/variants/elementary_variant.h"

namespace ascemu::refops {
namespace {

using elementary::Function;
using elementary::VectorLevel;

constexpr int kPow = elementary::kFunctionCount;

template <class T>
std::vector<T> computed(int function, const std::vector<T>& x) {
  std::vector<T> out(x.size());
  const auto count = static_cast<std::int64_t>(x.size());
  if (function == kPow) {
    const std::vector<T> exponents(x.rbegin(), x.rend());
    elementary::pow_array(x.data(), exponents.data(), out.data(), count);
  } else {
    elementary::evaluate_array(static_cast<Function>(function), x.data(), out.data(), count);
  }
  return out;
}

const std::vector<float>& floats() {
  static const std::vector<float> numbers = random_floats(1'000'000, 8);
  return numbers;
}

const std::vector<Float16>& halves_of_every_pattern() {
  static const std::vector<Float16> numbers = [] {
    std::vector<Float16> all;
    for (std::uint32_t i = 0; i < 65536; ++i) {
      all.push_back(Float16::from_bits(static_cast<std::uint16_t>(i)));
    }
    return all;
  }();
  return numbers;
}

constexpr VectorLevel kVectorLevels[] = {VectorLevel::sse42, VectorLevel::avx2,
                                         VectorLevel::avx512};

// Puts the thread back on the widest instruction set.
struct WidestLevelAgain {
  ~WidestLevelAgain() {
    for (const VectorLevel level : kVectorLevels) {
      if (elementary::vector_level_is_available(level)) elementary::force_vector_level(level);
    }
  }
};

template <class T>
void check_levels(const std::vector<T>& x) {
  const WidestLevelAgain restore;
  for (int function = 0; function <= kPow; ++function) {
    elementary::force_vector_level(VectorLevel::baseline);
    const Bits expected = bits_of(computed(function, x));
    for (const VectorLevel level : kVectorLevels) {
      if (!elementary::vector_level_is_available(level)) continue;
      elementary::force_vector_level(level);
      EXPECT_TRUE(bits_of(computed(function, x)) == expected)
          << "function " << function << ", level " << static_cast<int>(level);
    }
  }
}

template <class T>
void check_build(ElementaryVariant* variant, int function, const std::vector<T>& x) {
  std::vector<T> out(x.size());
  variant(function, kIsHalf<T>, x.data(), out.data(), static_cast<std::int64_t>(x.size()));
  EXPECT_TRUE(bits_of(out) == bits_of(computed(function, x))) << "function " << function;
}

void check_every_function(ElementaryVariant* variant) {
  for (int function = 0; function <= kPow; ++function) {
    check_build(variant, function, floats());
    check_build(variant, function, halves_of_every_pattern());
  }
}

TEST(ElementaryVariants, VectorLevelsReturnTheSameBits) {
  check_levels(floats());
  check_levels(halves_of_every_pattern());
}

TEST(ElementaryVariants, PlainBuildReturnsTheSameBits) {
  check_every_function(evaluate_elementary_plain);
}

TEST(ElementaryVariants, Avx2AndFmaBuildReturnsTheSameBits) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this processor has no AVX2 and FMA";
  }
  check_every_function(evaluate_elementary_avx2_fma);
}

TEST(ElementaryVariants, Avx512AndFmaBuildReturnsTheSameBits) {
  if (!elementary::vector_level_is_available(VectorLevel::avx512)) {
    GTEST_SKIP() << "this processor has no AVX-512";
  }
  check_every_function(evaluate_elementary_avx512_fma);
}

}  // namespace
}  // namespace ascemu::refops
