// The shadow of a tensor's elements: views, joins, folds.
#include "interp/value/causes.h"

#include <gtest/gtest.h>

#include <vector>

#include "interp/memory/arena.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

using refops::Dtype;
using refops::Scalar;

constexpr std::uint32_t kRows = 1U;  // axes of a matrix
constexpr std::uint32_t kColumns = 2U;

class Causes : public ::testing::Test {
 protected:
  LocalTensor made(const Shape& shape, Dtype dtype = Dtype::float32) {
    const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(dtype));
    LocalTensor tensor;
    tensor.dtype = tensor.declared = dtype;
    tensor.shape = shape;
    tensor.strides = refops::contiguous_strides(shape);
    tensor.allocation = arena_.acquire(static_cast<std::size_t>(shape.count_elems() * size));
    return tensor;
  }
  static std::vector<CauseId> read(const refops::ConstView& causes) {
    std::vector<CauseId> dense(static_cast<std::size_t>(causes.shape.count_elems()));
    refops::eval_copy(causes, refops::contiguous_view(reinterpret_cast<std::byte*>(dense.data()),
                                                      causes.dtype, causes.shape));
    return dense;
  }
  static void join(const std::vector<CauseId>& causes, const Shape& shape,
                   const LocalTensor& target) {
    join_causes(causes_view(causes, shape), define_causes(target));
  }

  LocalArena arena_{1 << 20};
};

using Ids = std::vector<CauseId>;

TEST_F(Causes, ATensorHasNoneUntilTheyAreDefined) {
  const LocalTensor tensor = made(Shape{2, 2});
  EXPECT_FALSE(has_causes(tensor));
  define_causes(tensor);
  EXPECT_TRUE(has_causes(tensor));
  EXPECT_EQ(read(causes_of(tensor)), (Ids{0, 0, 0, 0}));
  settle_causes(tensor);
  EXPECT_FALSE(has_causes(tensor));
}

TEST_F(Causes, SettlingKeepsWhatIsUndefined) {
  const LocalTensor tensor = made(Shape{3});
  join({0, 0, 7}, Shape{3}, tensor);
  settle_causes(tensor);
  EXPECT_EQ(read(causes_of(tensor)), (Ids{0, 0, 7}));
}

TEST_F(Causes, ViewsOfTheBytesSeeTheSameByElement) {
  for (const Dtype dtype : {Dtype::int8, Dtype::float16, Dtype::float64}) {
    const LocalTensor tensor = made(Shape{2, 3}, dtype);
    join({1, 2, 3, 4, 5, 6}, Shape{2, 3}, tensor);
    LocalTensor turned = tensor;
    turned.shape = Shape{2, 2};
    turned.strides = Shape{1, 3};
    turned.offset_bytes = static_cast<std::int64_t>(refops::dtype_size_bytes(dtype));
    EXPECT_EQ(read(causes_of(turned)), (Ids{2, 5, 3, 6}));
  }
}

TEST_F(Causes, ReleasedBytesComeBackWithoutCauses) {
  LocalTensor tensor = made(Shape{4});
  join({1, 1, 1, 1}, Shape{4}, tensor);
  tensor.allocation.reset();
  EXPECT_FALSE(has_causes(made(Shape{4})));
}

TEST_F(Causes, AJoinBroadcastsAndKeepsTheFirstCause) {
  const LocalTensor tensor = made(Shape{2, 3});
  join({0, 8, 0}, Shape{3}, tensor);
  join({0, 9}, Shape{2, 1}, tensor);
  EXPECT_EQ(read(causes_of(tensor)), (Ids{0, 8, 0, 9, 8, 9}));
  join_causes(no_causes(Shape{2, 3}), define_causes(tensor));
  EXPECT_EQ(read(causes_of(tensor)), (Ids{0, 8, 0, 9, 8, 9}));
}

TEST_F(Causes, AJoinOfAScalarReachesEveryElement) {
  const LocalTensor tensor = made(Shape{2, 1});
  join({3}, Shape{}, tensor);
  EXPECT_EQ(read(causes_of(tensor)), (Ids{3, 3}));
}

TEST_F(Causes, LinesWithoutADefinedElementFoldToTheirFirstCause) {
  const Ids causes{0, 0, 0, 4, 5, 4};
  const FoldedCauses folded = fold_causes(causes_view(causes, Shape{2, 3}), kColumns);
  EXPECT_EQ(folded.of_lines, (Ids{0, 4}));
  EXPECT_TRUE(folded.of_mixed.empty());
}

TEST_F(Causes, MixedLinesFoldToNothingAndAreTold) {
  const Ids causes{0, 4, 0, 5, 5, 5};
  const FoldedCauses rows = fold_causes(causes_view(causes, Shape{2, 3}), kColumns);
  EXPECT_EQ(rows.of_lines, (Ids{0, 5}));
  EXPECT_EQ(rows.of_mixed, (Ids{0, 4, 0, 0, 0, 0}));
  const FoldedCauses columns = fold_causes(causes_view(causes, Shape{2, 3}), kRows);
  EXPECT_EQ(columns.of_lines, (Ids{0, 4, 0}));
  EXPECT_EQ(columns.of_mixed, (Ids{0, 0, 0, 5, 0, 5}));
  const FoldedCauses all = fold_causes(causes_view(causes, Shape{2, 3}), kRows | kColumns);
  EXPECT_EQ(all.of_lines, (Ids{0}));
  EXPECT_EQ(all.of_mixed, causes);
}

TEST_F(Causes, EmptyShapesFoldToNothing) {
  const FoldedCauses folded = fold_causes(no_causes(Shape{0, 3}), kRows);
  EXPECT_EQ(folded.of_lines, (Ids{0, 0, 0}));
  EXPECT_TRUE(folded.of_mixed.empty());
}

}  // namespace
}  // namespace ascemu::interp
