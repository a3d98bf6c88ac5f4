// gather, scatter and atomics in one block (spec asc2 §5.8, §5.9, §11.4).
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "interp/memory/poison.h"
#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

// x holds 1..24; the index array holds what the test asks for.
class EvalIndexed : public ::testing::Test {
 protected:
  EvalIndexed() : x_(24), out_(64, -1) {
    std::iota(x_.begin(), x_.end(), 1.0F);
    x_base_ = tree_.array("x_ptr", Dtype::float32);
    out_base_ = tree_.array("out_ptr", Dtype::float32);
    index_base_ = tree_.array("index_ptr", Dtype::int64);
  }
  Slot index(std::vector<std::int64_t> values) {
    index_ = std::move(values);
    const auto count = static_cast<std::int64_t>(index_.size());
    return tree_.copy_in(tree_.global(index_base_, numbers({count}), "index_gm"), numbers({0}),
                         Shape{count});
  }
  Slot x(std::initializer_list<std::int64_t> dims) {
    return tree_.global(x_base_, numbers(dims), "x_gm");
  }
  Slot out(std::initializer_list<std::int64_t> dims) {
    return tree_.global(out_base_, numbers(dims), "out_gm");
  }
  void store(Slot tile, std::int64_t count) {
    const Slot flat = tree_.tile(Shape{count});
    tree_.add(Reshape{flat, at(tile)});
    tree_.copy_out(flat, out({64}), numbers({0}));
  }
  std::vector<std::uint32_t> run(std::size_t count) {
    const std::vector<Argument> arguments{array_of(x_), array_of(out_), array_of(index_)};
    result_ = launch(tree_.program, arguments, {});
    return bits({out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(count)});
  }

  HandTree tree_;
  LaunchResult result_;
  std::vector<float> x_;
  std::vector<float> out_;
  std::vector<std::int64_t> index_;
  Slot x_base_ = 0;
  Slot out_base_ = 0;
  Slot index_base_ = 0;
};

TEST_F(EvalIndexed, GatherTakesRowsAndPadsTheTail) {
  const Slot rows = index({2, 0});
  const Slot tile = tree_.tile(Shape{2, 8});
  tree_.add(Gather{tile, at(x({4, 6})), numbers({1}), 0, at(rows), true, {}, {}});
  store(tile, 16);
  EXPECT_EQ(run(16), bits({19, 20, 21, 22, 23, 24, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0}));
  EXPECT_TRUE(result_.findings.empty());
}

TEST_F(EvalIndexed, GatherOutOfRangeRowsArePad) {
  const Slot rows = index({-1, 3, 2});
  const Slot tile = tree_.tile(Shape{3, 8});
  tree_.add(Gather{tile, at(x({4, 6})), numbers({1}), 0, at(rows), true, {}, float32(-7)});
  store(tile, 24);
  std::vector<float> expected(24, -7);
  for (std::size_t i = 0; i < 6; ++i) expected[16 + i] = static_cast<float>(19 + i);
  EXPECT_EQ(run(24), bits(expected));
}

TEST_F(EvalIndexed, RowsBeyondNumIndicesArePoison) {
  const Slot rows = index({0, 1});
  const Slot tile = tree_.tile(Shape{2, 8});
  tree_.add(Gather{tile, at(x({3, 8})), numbers({0}), 0, at(rows), true, number(1), {}});
  store(tile, 16);
  EXPECT_EQ(run(9), bits({1, 2, 3, 4, 5, 6, 7, 8, kPoison}));
}

TEST_F(EvalIndexed, GatherAlongAMiddleDimension) {
  const Slot rows = index({1});
  const Slot tile = tree_.tile(Shape{1, 8});
  tree_.add(Gather{tile, at(x({2, 3, 4})), numbers({1, 0}), 1, at(rows), true, {}, {}});
  store(tile, 8);
  EXPECT_EQ(run(8), bits({17, 18, 19, 20, 0, 0, 0, 0}));
}

TEST_F(EvalIndexed, GatherOfThreeDimensionsPadsEveryLine) {
  const Slot rows = index({1});
  const Slot tile = tree_.tile(Shape{1, 3, 8});
  tree_.add(Gather{tile, at(x({2, 3, 4})), numbers({0}), 0, at(rows), true, {}, float32(-1)});
  store(tile, 24);
  EXPECT_EQ(run(24), bits({13, 14, 15, 16, -1, -1, -1, -1, 17, 18, 19, 20,
                           -1, -1, -1, -1, 21, 22, 23, 24, -1, -1, -1, -1}));
}

TEST_F(EvalIndexed, Int64IndicesAreTruncatedToInt32) {
  const Slot rows = index({(std::int64_t{1} << 32) + 2});
  const Slot tile = tree_.tile(Shape{1, 8});
  tree_.add(Gather{tile, at(x({3, 8})), numbers({0}), 0, at(rows), true, {}, {}});
  store(tile, 8);
  EXPECT_EQ(run(1), bits({17}));
}

TEST_F(EvalIndexed, UncheckedGatherOutsideTheArrayIsATrap) {
  const Slot rows = index({2, 5, -1});
  const Slot tile = tree_.tile(Shape{3, 8});
  tree_.add(Gather{tile, at(x({3, 8})), numbers({0}), 0, at(rows), false, {}, {}});
  store(tile, 24);
  const std::vector<std::uint32_t> found = run(24);
  EXPECT_EQ(found[0], bits({17})[0]);
  EXPECT_EQ(found[8], kPoisonFloat32);
  EXPECT_EQ(found[23], kPoisonFloat32);
  ASSERT_EQ(result_.findings.size(), 1U);
  EXPECT_EQ(result_.findings[0].code, Code::index_out_of_bounds);
  EXPECT_EQ(result_.findings[0].message,
            "gather reads 16 elements outside the array of 'x_gm' (parameter 'x_ptr')");
  EXPECT_EQ(result_.findings[0].notes[3], "accessed: elements -8 to 47 (bytes -32 to 191)");
}

TEST_F(EvalIndexed, CheckedGatherOnATooLargeDeclaration) {
  const Slot rows = index({3});
  const Slot tile = tree_.tile(Shape{1, 8});
  tree_.add(Gather{tile, at(x({9, 8})), numbers({0}), 0, at(rows), true, {}, {}});
  store(tile, 8);
  EXPECT_EQ(run(1), bits({kPoison}));
  ASSERT_EQ(result_.findings.size(), 1U);
  EXPECT_EQ(result_.findings[0].code, Code::read_out_of_bounds);
}

TEST_F(EvalIndexed, ScatterSkipsAndTheLastDuplicateWins) {
  const Slot rows = index({1, 3, -1, 1});
  const Slot tile = tree_.copy_in(x({4, 6}), numbers({0, 0}), Shape{4, 6});
  tree_.add(Scatter{at(tile), 0, at(rows), at(out({4, 4})), numbers({1}), true, {}});
  run(1);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(out_[i], -1);
  EXPECT_EQ(bits({out_.begin() + 8, out_.begin() + 12}), bits({19, 20, 21, 22}));
  EXPECT_EQ(out_[12], -1);
  EXPECT_TRUE(result_.findings.empty());
}

TEST_F(EvalIndexed, ScatterNumIndicesAndOutside) {
  const Slot rows = index({0, 30, 1});
  const Slot tile = tree_.copy_in(x({3, 8}), numbers({0, 0}), Shape{3, 8});
  tree_.add(Scatter{at(tile), 0, at(rows), at(out({100, 8})), numbers({0}), true, number(2)});
  run(1);
  EXPECT_EQ(out_[0], 1);
  EXPECT_EQ(out_[8], -1);
  ASSERT_EQ(result_.findings.size(), 1U);
  EXPECT_EQ(result_.findings[0].code, Code::write_out_of_bounds);
  EXPECT_EQ(result_.findings[0].message,
            "scatter writes 8 elements past the end of the array of 'out_gm' (parameter "
            "'out_ptr')");
}

TEST_F(EvalIndexed, AtomicsClipAndUpdate) {
  index({0});
  const Slot tile = tree_.copy_in(x({2, 4}), numbers({0, 0}), Shape{2, 4});
  const Slot gm = out({3, 3});
  tree_.add(Atomic{OpId::atomic_add_, at(tile), at(gm), numbers({1, 1})});
  tree_.add(Atomic{OpId::atomic_max_, at(tile), at(gm), numbers({2, 2})});
  tree_.add(Atomic{OpId::atomic_min_, at(tile), at(gm), numbers({0, 0})});
  const LaunchResult* const result = &result_;
  run(1);
  EXPECT_EQ(bits({out_.begin(), out_.begin() + 9}), bits({-1, -1, -1, -1, 0, 1, -1, 4, 5}));
  ASSERT_EQ(result->findings.size(), 1U);
  EXPECT_EQ(result->findings[0].code, Code::portability_clip_rows);
}

TEST_F(EvalIndexed, AtomicOutsideTheArrayDropsOnlyTheBadElements) {
  index({0});
  const Slot tile = tree_.copy_in(x({8}), numbers({0}), Shape{8});
  tree_.add(Atomic{OpId::atomic_add_, at(tile), at(out({100})), numbers({60})});
  run(1);
  EXPECT_EQ(out_[60], 0);
  EXPECT_EQ(out_[63], 3);
  ASSERT_EQ(result_.findings.size(), 1U);
  EXPECT_EQ(result_.findings[0].code, Code::write_out_of_bounds);
  EXPECT_EQ(result_.findings[0].message,
            "atomic_add updates 4 elements past the end of the array of 'out_gm' (parameter "
            "'out_ptr')");
}

}  // namespace
}  // namespace ascemu::interp
