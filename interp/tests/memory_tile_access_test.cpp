#include "interp/memory/tile_access.h"

#include <gtest/gtest.h>

#include <vector>

namespace ascemu::interp {
namespace {

struct Case {
  Shape dims;
  std::vector<std::int64_t> offsets;
  Shape tile;
  std::int64_t base = 0;
  std::optional<Shape> want{};
  bool clipped = true;
};

TileAccess resolve(const Case& c) {
  const Global tensor = declare_global({0, c.base}, c.dims);
  return resolve_tile({tensor, c.offsets, c.tile, c.want.value_or(c.tile), c.clipped});
}

std::vector<std::vector<std::int64_t>> runs(const TileAccess& access) {
  std::vector<std::vector<std::int64_t>> found;
  for_each_run(
      access, [&](const Run& run) { found.push_back({run.tile_offset, run.position, run.count}); });
  return found;
}

using Runs = std::vector<std::vector<std::int64_t>>;

TEST(TileAccess, WholeTileOfOneDimension) {
  const TileAccess access = resolve({Shape{64}, {16}, Shape{16}});
  EXPECT_TRUE(access.is_whole_tile());
  EXPECT_EQ(access.first, 16);
  EXPECT_EQ(access.last, 31);
  EXPECT_EQ(runs(access), (Runs{{0, 16, 16}}));
}

TEST(TileAccess, ClipsTheTail) {
  const TileAccess access = resolve({Shape{20}, {16}, Shape{16}});
  EXPECT_FALSE(access.is_whole_tile());
  EXPECT_EQ(access.count_elems, 4);
  EXPECT_EQ(runs(access), (Runs{{0, 16, 4}}));
  EXPECT_FALSE(access.clips_rows);
}

TEST(TileAccess, RowsOfATileAreSeparateRuns) {
  const TileAccess access = resolve({Shape{4, 10}, {1, 2}, Shape{2, 4}});
  EXPECT_EQ(runs(access), (Runs{{0, 12, 4}, {4, 22, 4}}));
}

TEST(TileAccess, FullRowsMergeIntoOneRun) {
  const TileAccess access = resolve({Shape{4, 8}, {1, 0}, Shape{3, 8}});
  EXPECT_EQ(runs(access), (Runs{{0, 8, 24}}));
  const TileAccess cube = resolve({Shape{4, 3, 8}, {1, 0, 0}, Shape{2, 3, 8}});
  EXPECT_EQ(runs(cube), (Runs{{0, 24, 48}}));
}

TEST(TileAccess, EveryDimensionClips) {
  const TileAccess access = resolve({Shape{3, 5, 7}, {2, 3, 4}, Shape{2, 4, 4}});
  EXPECT_EQ(access.count_elems, 1 * 2 * 3);
  EXPECT_EQ(runs(access), (Runs{{0, 2 * 35 + 3 * 7 + 4, 3}, {4, 2 * 35 + 4 * 7 + 4, 3}}));
  EXPECT_TRUE(access.clips_rows);
}

TEST(TileAccess, TileThatStartsOutsideMovesNothing) {
  const TileAccess access = resolve({Shape{20}, {32}, Shape{16}});
  EXPECT_EQ(access.count_elems, 0);
  EXPECT_EQ(access.negative_elems, 0);
  EXPECT_TRUE(access.is_inside(20));
  EXPECT_EQ(runs(access), Runs{});
}

TEST(TileAccess, RealShapeLimitsWhatMoves) {
  const TileAccess access = resolve({Shape{4, 8}, {0, 0}, Shape{4, 8}, 0, Shape{2, 3}});
  EXPECT_EQ(access.count_elems, 6);
  EXPECT_FALSE(access.clips_rows);
}

TEST(TileAccess, LowerRankTileTakesOneRow) {
  const TileAccess access = resolve({Shape{4, 8}, {2, 6}, Shape{4}});
  EXPECT_EQ(runs(access), (Runs{{0, 22, 2}}));
  EXPECT_FALSE(access.leaves_leading);
}

TEST(TileAccess, FixedCoordinatePastTheEndMovesNothing) {
  const TileAccess access = resolve({Shape{4, 8}, {4, 0}, Shape{8}});
  EXPECT_EQ(access.count_elems, 0);
  EXPECT_TRUE(access.leaves_leading);
}

TEST(TileAccess, HigherRankTileFillsOneRow) {
  const TileAccess access = resolve({Shape{6}, {1}, Shape{2, 4}});
  EXPECT_EQ(runs(access), (Runs{{0, 1, 4}}));
}

TEST(TileAccess, NegativeOffsetDoesNotClip) {
  const TileAccess access = resolve({Shape{16}, {-3}, Shape{8}});
  EXPECT_EQ(access.negative_elems, 3);
  EXPECT_EQ(access.count_elems, 5);
  EXPECT_EQ(access.origin, -3);
  EXPECT_EQ(runs(access), (Runs{{3, 0, 5}}));
}

TEST(TileAccess, NegativeRowsAreBadEvenWhereTheyLandInTheArray) {
  const TileAccess access = resolve({Shape{4, 4}, {-1, 0}, Shape{2, 4}, 8});
  EXPECT_EQ(access.negative_elems, 4);
  EXPECT_EQ(runs(access), (Runs{{4, 8, 4}}));
}

TEST(TileAccess, OnlyNegativeElements) {
  const TileAccess access = resolve({Shape{16}, {-8}, Shape{8}});
  EXPECT_EQ(access.negative_elems, 8);
  EXPECT_EQ(access.count_elems, 0);
}

TEST(TileAccess, OffsetsNearTheEndOf64BitsDoNotOverflow) {
  for (const std::int64_t offset : {INT64_MAX, INT64_MAX - 1, std::int64_t{1} << 62}) {
    const TileAccess access = resolve({Shape{16}, {offset}, Shape{8}});
    EXPECT_EQ(access.count_elems, 0);
  }
  const TileAccess lowest = resolve({Shape{16}, {INT64_MIN}, Shape{8}});
  EXPECT_EQ(lowest.negative_elems, 8);
  EXPECT_EQ(lowest.count_elems, 0);
  EXPECT_EQ(lowest.origin, INT64_MIN);
}

TEST(TileAccess, PositionsThatDoNotFit64BitsAreBad) {
  const std::int64_t big = std::int64_t{1} << 31;
  const TileAccess access =
      resolve({Shape{big, big, big, big}, {big - 1, big - 1, big - 1, 0}, Shape{1, 1, 1, 4}});
  EXPECT_FALSE(access.representable);
  EXPECT_EQ(access.count_elems, 4);
  EXPECT_FALSE(access.is_inside(INT64_MAX));
}

TEST(TileAccess, ArrayOfMoreThan2To31ElementsIsAddressed) {
  const TileAccess access = resolve({Shape{1 << 20, 1 << 20}, {(1 << 20) - 1, 5}, Shape{4}});
  EXPECT_EQ(access.first, ((std::int64_t{1} << 20) - 1) * (1 << 20) + 5);
  EXPECT_TRUE(access.is_inside(std::int64_t{1} << 40));
  EXPECT_FALSE(access.is_inside(access.first + 3));
}

TEST(TileAccess, DimensionsOfZeroOrLessMoveNothing) {
  EXPECT_EQ(resolve({Shape{0}, {0}, Shape{8}}).count_elems, 0);
  EXPECT_EQ(resolve({Shape{-5}, {0}, Shape{8}}).count_elems, 0);
  EXPECT_EQ(resolve({Shape{-5}, {-8}, Shape{8}}).negative_elems, 0);
}

TEST(TileAccess, BiasLoadsAreNotClipped) {
  const TileAccess access = resolve({Shape{5}, {2}, Shape{8}, 0, {}, false});
  EXPECT_EQ(runs(access), (Runs{{0, 2, 8}}));
}

TEST(ResolvePosition, IsLinear) {
  const Global tensor = declare_global({0, 3}, Shape{4, 8});
  EXPECT_EQ(resolve_position(tensor, std::vector<std::int64_t>{1, 9}), 3 + 8 + 9);
  EXPECT_EQ(resolve_position(tensor, std::vector<std::int64_t>{0, -3}), 0);
  EXPECT_EQ(resolve_position(tensor, std::vector<std::int64_t>{INT64_MAX, 0}), std::nullopt);
}

TEST(ClipRun, KeepsWhatLiesInsideTheArray) {
  const auto clipped = [](std::int64_t position, std::int64_t count) {
    const ::ascemu::interp::Run run = clip_run({100, position, count}, 10);
    return std::vector<std::int64_t>{run.tile_offset, run.position, run.count};
  };
  EXPECT_EQ(clipped(2, 5), (std::vector<std::int64_t>{100, 2, 5}));
  EXPECT_EQ(clipped(-2, 5), (std::vector<std::int64_t>{102, 0, 3}));
  EXPECT_EQ(clipped(8, 5), (std::vector<std::int64_t>{100, 8, 2}));
  EXPECT_EQ(clipped(-3, 20), (std::vector<std::int64_t>{103, 0, 10}));
  EXPECT_EQ(clipped(-5, 5)[2], 0);
  EXPECT_EQ(clipped(10, 5)[2], 0);
  EXPECT_EQ(clipped(INT64_MIN, 5)[2], 0);
  EXPECT_EQ(clipped(INT64_MAX, 5)[2], 0);
}

}  // namespace
}  // namespace ascemu::interp
