// The fuzz target's programs from seeds: what a build without libFuzzer can run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "interp/fuzz/run_input.h"

namespace ascemu::interp {
namespace {

// ASCEMU_FUZZ_PROGRAMS and ASCEMU_FUZZ_SEED run more or other programs by hand.
std::uint64_t number_from_environment(const char* name, std::uint64_t standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : std::strtoull(text, nullptr, 10);
}

TEST(FuzzSmoke, SeededProgramsRunWithoutInternalError) {
  const std::uint64_t programs = number_from_environment("ASCEMU_FUZZ_PROGRAMS", 20000);
  const std::uint64_t first = number_from_environment("ASCEMU_FUZZ_SEED", 1);
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> bytes(100 + random() % 900);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 32);
    ASSERT_EQ(fuzz::run_input(bytes), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace ascemu::interp
