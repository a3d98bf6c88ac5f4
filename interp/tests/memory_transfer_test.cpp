#include "interp/memory/transfer.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "interp/memory/poison.h"

namespace ascemu::interp {
namespace {

const float kPoison = std::bit_cast<float>(kPoisonFloat32);

class TransferTest : public ::testing::Test {
 protected:
  TransferTest() : values_(64) { std::iota(values_.begin(), values_.end(), 1.0F); }

  GlobalArray array(std::int64_t count) {
    return {reinterpret_cast<std::byte*>(values_.data()), count, Dtype::float32, true, "x"};
  }

  // Bit patterns, so that poison compares equal to itself.
  std::vector<std::uint32_t> load(const Shape& dims, const std::vector<std::int64_t>& offsets,
                                  const Shape& tile, const TailRule& rule, std::int64_t count,
                                  const std::optional<Shape>& want = {}) {
    const Global tensor = declare_global({0, 0}, dims);
    const TileAccess access = resolve_tile({tensor, offsets, tile, want.value_or(tile)});
    std::vector<std::uint32_t> out(static_cast<std::size_t>(tile.count_elems()), 0xDEAD);
    outside_ = load_tile(
        array(count), access, rule,
        refops::contiguous_view(reinterpret_cast<std::byte*>(out.data()), Dtype::float32, tile));
    return out;
  }

  static std::vector<std::uint32_t> bits(const std::vector<float>& values) {
    std::vector<std::uint32_t> patterns;
    for (const float value : values) patterns.push_back(std::bit_cast<std::uint32_t>(value));
    return patterns;
  }

  std::vector<float> values_;
  std::int64_t outside_ = 0;
};

TEST_F(TransferTest, WholeTile) {
  EXPECT_EQ(load(Shape{64}, {4}, Shape{3}, {}, 64), bits({5, 6, 7}));
  EXPECT_EQ(outside_, 0);
}

TEST_F(TransferTest, WithoutARuleTheRestIsPoison) {
  EXPECT_EQ(load(Shape{6}, {4}, Shape{4}, {}, 64), bits({5, 6, kPoison, kPoison}));
}

TEST_F(TransferTest, ZerosReachTheEndOfTheBlockAndPoisonFollows) {
  const TailRule rule{{}, 8, 0};
  std::vector<float> expected(20, kPoison);
  for (int i = 0; i < 10; ++i) expected[static_cast<std::size_t>(i)] = static_cast<float>(i + 1);
  for (std::size_t i = 10; i < 16; ++i) expected[i] = 0;
  EXPECT_EQ(load(Shape{10}, {0}, Shape{20}, rule, 64), bits(expected));
}

TEST_F(TransferTest, RowsBelowTheValidOnesArePoison) {
  const TailRule rule{{}, 8, 0};
  const float p = kPoison;
  EXPECT_EQ(load(Shape{2, 3}, {1, 0}, Shape{2, 4}, rule, 64), bits({4, 5, 6, 0, p, p, p, p}));
}

TEST_F(TransferTest, RowMultipleZerosTheRowsBelow) {
  const TailRule rule{{}, 0, 3};
  const float p = kPoison;
  EXPECT_EQ(load(Shape{1, 2}, {0, 0}, Shape{4, 3}, rule, 64),
            bits({1, 2, p, 0, 0, p, 0, 0, p, p, p, p}));
}

TEST_F(TransferTest, BothMultiplesZeroTheCorner) {
  const TailRule rule{{}, 2, 2};
  const float p = kPoison;
  EXPECT_EQ(load(Shape{1, 1}, {0, 0}, Shape{3, 3}, rule, 64), bits({1, 0, p, 0, 0, p, p, p, p}));
}

TEST_F(TransferTest, NothingValidMeansAllPoison) {
  const TailRule rule{{}, 8, 8};
  EXPECT_EQ(load(Shape{4}, {4}, Shape{2}, rule, 64), bits({kPoison, kPoison}));
}

TEST_F(TransferTest, PadValueFillsEverything) {
  const TailRule rule{refops::Scalar::from_double(Dtype::float32, -1), 0, 0};
  EXPECT_EQ(load(Shape{2, 3}, {1, 1}, Shape{2, 3}, rule, 64), bits({5, 6, -1, -1, -1, -1}));
  EXPECT_EQ(load(Shape{4, 3}, {0, 0}, Shape{2, 3}, rule, 64, Shape{1, 2}),
            bits({1, 2, -1, -1, -1, -1}));
}

TEST_F(TransferTest, ElementsPastTheArrayArePoisonAlsoUnderAPad) {
  const TailRule rule{refops::Scalar::from_double(Dtype::float32, -1), 0, 0};
  EXPECT_EQ(load(Shape{6}, {2}, Shape{6}, rule, 4), bits({3, 4, kPoison, kPoison, -1, -1}));
  EXPECT_EQ(outside_, 2);
}

TEST_F(TransferTest, ElementsBeforeTheTensorArePoison) {
  EXPECT_EQ(load(Shape{8}, {-2}, Shape{4}, {}, 64), bits({kPoison, kPoison, 1, 2}));
  EXPECT_EQ(outside_, 0);
}

TEST_F(TransferTest, StoreDropsWhatLeavesTheArray) {
  const Global tensor = declare_global({0, 0}, Shape{4, 4});
  const std::vector<std::int64_t> offsets{1, 0};
  const TileAccess access = resolve_tile({tensor, offsets, Shape{2, 4}, Shape{2, 4}});
  const std::vector<float> tile{-1, -2, -3, -4, -5, -6, -7, -8};
  const std::int64_t outside =
      store_tile(refops::contiguous_view(reinterpret_cast<const std::byte*>(tile.data()),
                                         Dtype::float32, Shape{2, 4}),
                 access, array(10));
  EXPECT_EQ(outside, 2);
  EXPECT_EQ(values_[3], 4);
  EXPECT_EQ(values_[4], -1);
  EXPECT_EQ(values_[9], -6);
  EXPECT_EQ(values_[10], 11);
}

TEST_F(TransferTest, RunsOutsideAreCounted) {
  std::vector<std::uint32_t> out(4);
  EXPECT_EQ(load_run(array(6), 4, 4, Dtype::float32, reinterpret_cast<std::byte*>(out.data())), 2);
  EXPECT_EQ(out, bits({5, 6, kPoison, kPoison}));
  const std::vector<float> data{-1, -2, -3};
  EXPECT_EQ(
      store_run(Dtype::float32, reinterpret_cast<const std::byte*>(data.data()), -1, 3, array(6)),
      1);
  EXPECT_EQ(values_[0], -2);
  EXPECT_EQ(values_[1], -3);
  EXPECT_EQ(store_run(Dtype::float32, reinterpret_cast<const std::byte*>(data.data()), INT64_MAX, 3,
                      array(6)),
            3);
}

}  // namespace
}  // namespace ascemu::interp
