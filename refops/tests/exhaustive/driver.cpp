// refops_exhaustive: checks ops over every operand of a small enough set.
//
//   refops_exhaustive [NAME...] [--all] [--pairs] [--from CODE] [--to CODE] [--threads N]
//                     [--reports DIR] [--checkpoints DIR] [--list]
//
// Without a name: exp, log, sqrt, rsqrt, tanh, erf, sin and cos over all 2^32 float32 operands, in
// the numeric mode ieee. --all: every elementary function. --pairs: the float16 pair sweeps. A code
// is a float32 pattern or left * 65536 + right; --to is included. With --checkpoints the same build
// resumes an interrupted run. Exit status 1 on a mismatch.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "refops/tests/exhaustive/sweeps.h"

namespace {

using ascemu::refops::exhaustive::Sweep;
using ascemu::refops::exhaustive::SweepOptions;

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "refops_exhaustive: %s\n", message.c_str());
  std::exit(2);
}

std::uint64_t number_of(const std::string& option, const char* text, std::uint64_t limit) {
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(text, &end, 0);
  if (end == text || *end != '\0' || number > limit) {
    fail(option + " takes a number up to " + std::to_string(limit) + ", not '" + text + "'");
  }
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ascemu::refops::exhaustive;
  const std::vector<Sweep> functions = float32_functions();
  const std::vector<Sweep> pairs = float16_pairs();
  std::vector<Sweep> chosen;
  SweepOptions options;
  constexpr std::uint64_t kLastCode = 0xFFFFFFFF;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&]() -> const char* {
      if (i + 1 == argc) fail(argument + " needs a value");
      return argv[++i];
    };
    if (argument == "--all") {
      chosen.insert(chosen.end(), functions.begin(), functions.end());
    } else if (argument == "--pairs") {
      chosen.insert(chosen.end(), pairs.begin(), pairs.end());
    } else if (argument == "--from") {
      options.from = number_of(argument, value(), kLastCode);
    } else if (argument == "--to") {
      options.to = number_of(argument, value(), kLastCode) + 1;
    } else if (argument == "--threads") {
      options.threads = static_cast<int>(number_of(argument, value(), 256));
    } else if (argument == "--reports") {
      options.reports = value();
    } else if (argument == "--checkpoints") {
      options.checkpoints = value();
    } else if (argument == "--list") {
      for (const auto* group : {&functions, &pairs}) {
        for (const Sweep& sweep : *group) std::printf("%s\n", sweep.name.c_str());
      }
      return 0;
    } else {
      bool found = false;
      for (const auto* group : {&functions, &pairs}) {
        for (const Sweep& sweep : *group) {
          if (sweep.name != argument) continue;
          chosen.push_back(sweep);
          found = true;
        }
      }
      if (!found) fail("no sweep or option '" + argument + "'; --list prints the sweeps");
    }
  }
  if (options.from >= options.to) fail("--from lies beyond --to");
  if (chosen.empty()) chosen.assign(functions.begin(), functions.begin() + kRequiredFunctions);
  std::uint64_t mismatches = 0;
  for (const Sweep& sweep : chosen) mismatches += run_sweep(sweep, options).mismatches;
  for (const Sweep& sweep : chosen) forget_checkpoint(sweep, options);
  return mismatches == 0 ? 0 : 1;
}
