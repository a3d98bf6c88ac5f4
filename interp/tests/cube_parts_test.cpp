// Parts of tiles that lie in fractals: which are scrambled, and what is said (spec asc2 §5.5).
#include "interp/checks/cube_parts.h"

#include <gtest/gtest.h>

#include <array>

namespace ascemu::interp {
namespace {

bool is_wrong(Dtype dtype, Space space, std::array<std::int64_t, 2> offsets) {
  return is_scrambled({{dtype, Shape{64, 64}, space}, offsets, Shape{16, 16}});
}

TEST(CubeParts, RowsBeginAtMultiplesOfSixteen) {
  for (const Space space : {Space::l1, Space::l0c}) {
    EXPECT_FALSE(is_wrong(Dtype::float32, space, {0, 0}));
    EXPECT_FALSE(is_wrong(Dtype::float32, space, {16, 0}));
    EXPECT_TRUE(is_wrong(Dtype::float32, space, {8, 0}));
    EXPECT_TRUE(is_wrong(Dtype::float32, space, {17, 0}));
  }
}

TEST(CubeParts, ColumnsOfL1BeginAtBlocksOf32Bytes) {
  EXPECT_FALSE(is_wrong(Dtype::float32, Space::l1, {0, 8}));
  EXPECT_TRUE(is_wrong(Dtype::float32, Space::l1, {0, 4}));
  EXPECT_FALSE(is_wrong(Dtype::float16, Space::l1, {0, 16}));
  EXPECT_TRUE(is_wrong(Dtype::float16, Space::l1, {0, 8}));
  EXPECT_FALSE(is_wrong(Dtype::int8, Space::l1, {0, 32}));
  EXPECT_TRUE(is_wrong(Dtype::int8, Space::l1, {0, 16}));
}

TEST(CubeParts, ColumnsOfL0CBeginAtMultiplesOfSixteen) {
  EXPECT_FALSE(is_wrong(Dtype::float32, Space::l0c, {0, 16}));
  EXPECT_TRUE(is_wrong(Dtype::float32, Space::l0c, {0, 8}));
}

TEST(CubeParts, OtherTilesAndOffsetsAreNotJudged) {
  EXPECT_FALSE(is_wrong(Dtype::float32, Space::ub, {1, 1}));
  EXPECT_FALSE(is_wrong(Dtype::float32, Space::l1, {-1, 3}));  // out of bounds: said elsewhere
  const std::array<std::int64_t, 1> one{3};
  EXPECT_FALSE(is_scrambled({{Dtype::float32, Shape{64}, Space::l1}, one, Shape{16}}));
  EXPECT_FALSE(is_scrambled({{Dtype::float32, Shape{64, 64}, Space::l1}, {}, Shape{16, 16}}));
}

TEST(CubeParts, TheAddressIsThatOfTheLayout) {
  const std::array<std::int64_t, 2> offsets{16, 8};
  const Fault fault =
      scrambled_part({{Dtype::float16, Shape{40, 32}, Space::l1}, offsets, Shape{16, 16}}, "a");
  EXPECT_EQ(fault.message,
            "copy takes a part of 'a' in L1 that does not begin where a fractal does: column 8 is "
            "no multiple of 16");
  const std::vector<std::string> notes{
      "tensor: a, float16 [40, 32] in L1", "offsets: [16, 8]", "extent: [16, 16]",
      "layout: blocks of 16 columns and 48 rows, in fractals of 16 x 16",
      "address: row 16 x 16 + column 8 x 48 = element 640, but [16, 8] lies at element 264"};
  EXPECT_EQ(fault.notes, notes);
}

TEST(CubeParts, ARowInsideAFractalHasARightAddress) {
  const std::array<std::int64_t, 2> offsets{8, 16};
  const Fault fault =
      scrambled_part({{Dtype::float16, Shape{32, 32}, Space::l1}, offsets, Shape{16, 16}}, "");
  EXPECT_EQ(fault.message,
            "copy takes a part of a tile in L1 that does not begin where a fractal does: row 8 is "
            "no multiple of 16");
  EXPECT_EQ(fault.notes.back(),
            "address: row 8 x 16 + column 16 x 32 = element 640, inside a fractal");
}

}  // namespace
}  // namespace ascemu::interp
