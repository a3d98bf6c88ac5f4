// What the walk itself costs: a scalar op, a loop step, a tile op, a launch (targets: 40 ns, 40 ns,
// 250 ns, 30 us).
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

void run(const HandTree& tree, std::vector<std::vector<float>>& arrays, std::int64_t blocks = 1) {
  std::vector<Argument> arguments;
  for (std::vector<float>& values : arrays) arguments.emplace_back(array_of(values));
  LaunchOptions options;
  options.blocks = blocks;
  const LaunchResult result = launch(tree.program, arguments, options);
  benchmark::DoNotOptimize(result.findings.size());
}

void empty_launch(benchmark::State& state) {
  HandTree tree;
  std::vector<std::vector<float>> arrays;
  for (auto _ : state) run(tree, arrays, state.range(0));
}
BENCHMARK(empty_launch)->Arg(1)->Arg(2)->Arg(72);

// Items are loop steps; each holds `range(0)` scalar additions.
void scalar_ops_in_a_loop(benchmark::State& state) {
  constexpr std::int64_t kSteps = 1000;
  HandTree tree;
  const Slot i = tree.begin_for(number(0), number(kSteps), number(1));
  Slot value = i;
  for (std::int64_t n = 0; n < state.range(0); ++n)
    value = tree.scalar_binary(ScalarOp::add, at(value), number(3));
  tree.end();
  std::vector<std::vector<float>> arrays;
  for (auto _ : state) run(tree, arrays);
  state.SetItemsProcessed(state.iterations() * kSteps);
}
BENCHMARK(scalar_ops_in_a_loop)->Arg(0)->Arg(1)->Arg(11);

// Items are tile additions.
void tile_add(benchmark::State& state) {
  constexpr std::int64_t kSteps = 1000;
  HandTree tree;
  const Shape shape{state.range(0)};
  const Slot a = tree.filled(shape, float32(1));
  tree.begin_for(number(0), number(kSteps), number(1));
  const Slot sum = tree.tile(shape);
  tree.add(Binary{sum, OpId::add_, at(a), at(a), {}});
  tree.end();
  std::vector<std::vector<float>> arrays;
  for (auto _ : state) run(tree, arrays);
  state.SetItemsProcessed(state.iterations() * kSteps);
}
BENCHMARK(tile_add)->Arg(128)->Arg(4096);

// 64 tiles of 128: two loads, an addition, a store each (issue: below 0.3 ms).
void vadd_64_tiles(benchmark::State& state) {
  constexpr std::int64_t kTile = 128;
  constexpr std::int64_t kTiles = 64;
  HandTree tree;
  std::vector<Slot> gms;
  for (const char* const name : {"x", "y", "z"}) {
    const Slot base = tree.array(name, Dtype::float32);
    gms.push_back(tree.global(base, numbers({kTile * kTiles}), name));
  }
  const Slot i = tree.begin_for(number(0), number(kTiles), number(1));
  const Slot offset = tree.scalar_binary(ScalarOp::mul, at(i), number(kTile));
  const Slot x = tree.copy_in(gms[0], {at(offset)}, Shape{kTile});
  const Slot y = tree.copy_in(gms[1], {at(offset)}, Shape{kTile});
  const Slot sum = tree.tile(Shape{kTile});
  tree.add(Binary{sum, OpId::add_, at(x), at(y), {}});
  tree.copy_out(sum, gms[2], {at(offset)});
  tree.end();
  std::vector<std::vector<float>> arrays(3, std::vector<float>(kTile * kTiles, 1));
  for (auto _ : state) run(tree, arrays);
}
BENCHMARK(vadd_64_tiles);

}  // namespace
}  // namespace ascemu::interp
