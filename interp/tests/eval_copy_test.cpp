// copy_in and copy_out: clipping, tails, ranks (spec asc2 §5.6, §5.7, §11.4, §12.6).
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "interp/memory/poison.h"
#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

// x holds 1, 2, 3, ...; whatever the test copies in is stored whole into out.
class EvalCopy : public ::testing::Test {
 protected:
  EvalCopy() : x_(32), out_(64, -1) {
    std::iota(x_.begin(), x_.end(), 1.0F);
    x_base_ = tree_.array("x_ptr", Dtype::float32);
    out_base_ = tree_.array("out_ptr", Dtype::float32);
  }
  Slot x(std::initializer_list<std::int64_t> dims) {
    return tree_.global(x_base_, numbers(dims), "x_gm");
  }
  Slot out(std::initializer_list<std::int64_t> dims) {
    return tree_.global(out_base_, numbers(dims), "out_gm");
  }
  // A copy_in with everything said.
  Slot copy_in(Slot source, std::vector<Operand> offsets, const Shape& shape,
               std::optional<std::vector<Operand>> real_shape, std::optional<Operand> pad) {
    const Slot made = tree_.tile(shape);
    tree_.add(CopyIn{made, at(source), std::move(offsets), std::move(real_shape), pad});
    return made;
  }
  void store_flat(Slot tile, std::int64_t count) {
    const Slot flat = tree_.tile(Shape{count});
    tree_.add(Reshape{flat, at(tile)});
    tree_.copy_out(flat, out({64}), numbers({0}));
  }
  LaunchResult run() {
    const std::vector<Argument> arguments{array_of(x_), array_of(out_)};
    return launch(tree_.program, arguments, options_);
  }
  std::vector<std::uint32_t> first(std::size_t count) const {
    return bits(
        std::vector<float>(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(count)));
  }

  HandTree tree_;
  LaunchOptions options_ = without_races();
  std::vector<float> x_;
  std::vector<float> out_;
  Slot x_base_ = 0;
  Slot out_base_ = 0;
};

TEST_F(EvalCopy, TailIsZeroToTheBlockThenPoison) {
  options_ = without_uninitialised();
  store_flat(tree_.copy_in(x({5}), numbers({0}), Shape{12}), 12);
  EXPECT_TRUE(run().findings.empty());
  const float p = kPoison;
  EXPECT_EQ(first(12), bits({1, 2, 3, 4, 5, 0, 0, 0, p, p, p, p}));
}

TEST_F(EvalCopy, ShortTileHasNoPoison) {
  store_flat(tree_.copy_in(x({5}), numbers({2}), Shape{5}), 5);
  run();
  EXPECT_EQ(first(5), bits({3, 4, 5, 0, 0}));
}

TEST_F(EvalCopy, RowsPastTheEndArePoison) {
  store_flat(tree_.copy_in(x({2, 3}), numbers({1, 1}), Shape{2, 4}), 8);
  run();
  const float p = kPoison;
  EXPECT_EQ(first(8), bits({5, 6, 0, 0, p, p, p, p}));
}

TEST_F(EvalCopy, RealShapeAlonePadsWithZero) {
  store_flat(copy_in(x({4, 4}), numbers({1, 0}), Shape{3, 4}, numbers({2, 3}), {}), 12);
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(first(12), bits({5, 6, 7, 0, 9, 10, 11, 0, 0, 0, 0, 0}));
}

TEST_F(EvalCopy, PadValueAloneImpliesTheTile) {
  store_flat(copy_in(x({2, 3}), numbers({0, 1}), Shape{3, 4}, {}, float32(-5)), 12);
  run();
  EXPECT_EQ(first(12), bits({2, 3, -5, -5, 5, 6, -5, -5, -5, -5, -5, -5}));
}

TEST_F(EvalCopy, RealShapeOutsideTheTileIsATrapAndIsHeld) {
  store_flat(copy_in(x({32}), numbers({0}), Shape{4}, numbers({6}), {}), 4);
  store_flat(copy_in(x({32}), numbers({0}), Shape{2}, numbers({-1}), {}), 2);
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code, Code::bad_real_shape);
  EXPECT_EQ(result.findings[0].message,
            "real_shape [6] does not fit the tile [4]; [4] is used instead");
  EXPECT_EQ(first(4), bits({0, 0, 3, 4}));
}

TEST_F(EvalCopy, LowerRankTileLoadsAndStoresOneRow) {
  const Slot row = tree_.copy_in(x({4, 6}), numbers({2, 3}), Shape{4});
  tree_.copy_out(row, out({4, 6}), numbers({1, 4}));
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(bits({out_.begin() + 9, out_.begin() + 13}), bits({-1, 16, 17, -1}));
}

TEST_F(EvalCopy, FixedCoordinatePastTheEndMovesNothing) {
  const Slot row = tree_.copy_in(x({2, 4}), numbers({2, 0}), Shape{4});
  tree_.copy_out(row, out({2, 4}), numbers({5, 0}));
  store_flat(row, 4);
  options_ = without_uninitialised();
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code, Code::portability_outside_row);
  EXPECT_EQ(result.findings[0].severity, Severity::warning);
  EXPECT_EQ(result.findings[0].check, "portability");
  EXPECT_EQ(result.findings[0].message,
            "copy_in moves nothing: its leading coordinate lies past the end of 'x_gm' (parameter "
            "'x_ptr')");
  EXPECT_EQ(result.findings[1].message,
            "copy_out moves nothing: its leading coordinate lies past the end of 'out_gm' "
            "(parameter 'out_ptr')");
  EXPECT_EQ(first(5), bits({kPoison, kPoison, kPoison, kPoison, -1}));
}

TEST_F(EvalCopy, StoresClipEveryDimension) {
  const Slot tile = tree_.filled(Shape{2, 2, 4}, float32(7));
  tree_.copy_out(tile, out({2, 3, 5}), numbers({1, 2, 3}));
  const LaunchResult result = run();
  for (std::size_t i = 0; i < out_.size(); ++i)
    EXPECT_EQ(out_[i], i == 28 || i == 29 ? 7 : -1) << i;
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::portability_clip_rows);
  EXPECT_EQ(result.findings[0].message,
            "copy_out is clipped in its rows, which run past the end of 'out_gm' (parameter "
            "'out_ptr')");
}

TEST_F(EvalCopy, ClippedColumnsAndRealShapeAreSilent) {
  const Slot tile = tree_.filled(Shape{4, 4}, float32(7));
  tree_.copy_out(tile, out({8, 3}), numbers({0, 0}));
  tree_.add(CopyOut{at(tile), at(out({2, 4})), numbers({0, 0}), numbers({2, 4})});
  tree_.copy_out(tile, out({8, 4}), numbers({8, 4}));
  EXPECT_EQ(messages(run()), "");
}

TEST_F(EvalCopy, PortabilityIsToldOncePerStatementAndLaunch) {
  const Slot tile = tree_.filled(Shape{4, 4}, float32(7));
  tree_.copy_out(tile, out({2, 4}), numbers({0, 0}));
  options_.blocks = 5;
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].block, 0);
  options_.checks["portability"] = CheckLevel::off;
  EXPECT_TRUE(run().findings.empty());
  options_.checks["portability"] = CheckLevel::error;
  EXPECT_EQ(run().findings.at(0).severity, Severity::error);
}

TEST_F(EvalCopy, TheFixpipeAlwaysClippedRows) {
  const Slot tile = tree_.tile(Shape{4, 4}, Dtype::float32, Space::l0c);
  tree_.add(Fill{tile, float32(7)});
  tree_.copy_out(tile, out({2, 4}), numbers({0, 0}));
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(out_[7], 7);
  EXPECT_EQ(out_[8], -1);
}

TEST_F(EvalCopy, AddressAddMovesTheTensor) {
  const Slot moved = tree_.slot(AddressType{Dtype::float32});
  tree_.add(AddressAdd{moved, at(x_base_), number(10)});
  const Slot gm = tree_.global(moved, numbers({4}), "part");
  store_flat(tree_.copy_in(gm, numbers({1}), Shape{3}), 3);
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(first(3), bits({12, 13, 14}));
}

TEST_F(EvalCopy, DefinedUnderRotationAndReuse) {
  // The second run of a loop body gets fresh poison, not the bytes of the first.
  const Slot gm = x({12});
  const Slot i = tree_.begin_for(number(0), number(24), number(8));
  const Slot tile = tree_.tile(Shape{16});
  tree_.add(CopyIn{tile, at(gm), {at(i)}, {}, {}});
  tree_.copy_out(tile, out({64}), numbers({0}));
  tree_.end();
  run();
  // The last run starts at 16, wholly outside.
  EXPECT_EQ(first(16), bits(std::vector<float>(16, kPoison)));
}

}  // namespace
}  // namespace ascemu::interp
