// libFuzzer target: random builder calls and damaged trees, run with small arrays.
#include <cstdio>
#include <cstdlib>

#include "interp/fuzz/run_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string problem = ascemu::interp::fuzz::run_input({data, size});
  if (!problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    std::abort();
  }
  return 0;
}
