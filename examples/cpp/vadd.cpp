// ascemu from plain C++: c = a + b, built with the Builder and run on two threads, and the same
// kernel with an offset that is wrong, explained by its diagnostic.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "interp/ast/builder.h"
#include "interp/diag/render.h"
#include "interp/launch/launch.h"

namespace {

using namespace ascemu::interp;

constexpr std::int64_t kTile = 64;
constexpr std::int64_t kBlocks = 8;
constexpr std::int64_t kCount = kTile * kBlocks;

// What a kernel file would hold; the positions below point into it.
constexpr const char* kSource =
    "x = copy_in(a, [start], [64])\n"
    "y = copy_in(b, [start], [64])\n"
    "copy_out(x + y, c, [start])\n";

Arg number(std::int64_t value) { return Literal{value}; }

// Takes the value of a step that cannot fail here.
template <class T>
T take(Result<T> result) {
  if (result.ok()) return std::move(*result);
  std::printf("unexpected fault: %s\n", result.fault().message.c_str());
  std::exit(1);
}

// Block i adds tile i. `shift` moves every block's tile and is 0 in a correct program; the arrays
// are declared as long as `declared`.
Builder::Finished build_vadd(std::int64_t shift, std::int64_t declared) {
  Builder builder({"vadd", {}});
  const std::uint32_t source = builder.add_source("vadd.py", kSource, 1);
  std::vector<Value> tensors;
  for (const char* name : {"a", "b", "c"}) {
    const Value base = builder.array_param(name, Dtype::float32);
    tensors.push_back(take(builder.global_tensor(base, std::vector{number(declared)})));
  }
  const Value block = builder.program_scalar(OpId::block_idx_);
  const Value first = take(builder.scalar_binary(ScalarOp::mul, block, number(kTile)));
  const Value start = take(builder.scalar_binary(ScalarOp::add, first, number(shift)));
  const std::vector<Arg> offsets{start};

  builder.set_position(source, 1, 4, 1, 29);
  const Value x = take(builder.copy_in(tensors[0], offsets, Shape{kTile}, Space::automatic,
                                       std::nullopt, std::nullopt));
  builder.set_position(source, 2, 4, 2, 29);
  const Value y = take(builder.copy_in(tensors[1], offsets, Shape{kTile}, Space::automatic,
                                       std::nullopt, std::nullopt));
  builder.set_position(source, 3, 9, 3, 14);
  const Value sum = take(builder.binary(OpId::add_, x, y));
  builder.set_position(source, 3, 0, 3, 27);
  take(builder.copy_out(sum, tensors[2], offsets, std::nullopt));
  return builder.finish();
}

struct Arrays {
  std::vector<float> a, b, c;
};

Arrays make_arrays() {
  Arrays arrays{std::vector<float>(kCount), std::vector<float>(kCount), std::vector<float>(kCount)};
  for (std::size_t i = 0; i < arrays.a.size(); ++i) {
    arrays.a[i] = static_cast<float>(i);
    arrays.b[i] = 0.5F;
  }
  return arrays;
}

LaunchResult run(const Program& program, Arrays& arrays) {
  std::vector<Argument> arguments;
  for (std::vector<float>* array : {&arrays.a, &arrays.b, &arrays.c}) {
    arguments.push_back(ArrayArgument{reinterpret_cast<std::byte*>(array->data()), kCount, true});
  }
  LaunchOptions options;
  options.blocks = kBlocks;
  options.threads = 2;
  return launch(program, arguments, options);
}

bool correct_program_adds() {
  const auto finished = build_vadd(0, kCount);
  if (finished.program == nullptr) return false;
  Arrays arrays = make_arrays();
  const LaunchResult result = run(*finished.program, arrays);
  for (std::size_t i = 0; i < arrays.c.size(); ++i) {
    if (arrays.c[i] != static_cast<float>(i) + 0.5F) return false;
  }
  std::printf("c[0] = %.1f, c[%lld] = %.1f, findings: %zu\n", static_cast<double>(arrays.c.front()),
              static_cast<long long>(kCount - 1), static_cast<double>(arrays.c.back()),
              result.findings.size());
  return result.findings.empty();
}

// The arrays are declared one tile longer than they are, and the last block reads there.
bool broken_program_is_explained() {
  const auto finished = build_vadd(kTile, kCount + kTile);
  if (finished.program == nullptr) return false;
  Arrays arrays = make_arrays();
  const LaunchResult result = run(*finished.program, arrays);
  for (const Diagnostic& finding : result.findings) {
    std::printf("%s\n", render_text(finding, finished.program->sources).c_str());
  }
  return !result.findings.empty() && result.findings.front().code == Code::read_out_of_bounds &&
         result.findings.front().block == kBlocks - 1;
}

}  // namespace

int main() {
  const bool adds = correct_program_adds();
  const bool explains = broken_program_is_explained();
  return adds && explains ? 0 : 1;
}
