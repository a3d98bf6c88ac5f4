// The pass that stores local floats as float64 (N19).
#include "interp/resolve/double_precision.h"

#include <gtest/gtest.h>

#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

const refops::Policy kDouble{refops::NumericMode::fp64, refops::Chip::ascend950pr};

Program widened(const HandTree& tree) {
  Program program = tree.program;
  program.policy = kDouble;
  return in_double_precision(std::move(program));
}

template <class T>
const T& statement(const Program& program, std::size_t index) {
  return std::get<T>(program.body.stmts[index].node);
}

TEST(DoublePrecision, LocalFloatsAreStoredAsFloat64AndKeepTheirTypes) {
  HandTree tree;
  const Slot array = tree.array("x", Dtype::float16);
  const Slot argument = tree.scalar_param("s", Dtype::float32);
  const Slot global = tree.global(array, numbers({4}), "gm");
  const Slot tile = tree.tile(Shape{4}, Dtype::bfloat16);
  const Slot whole = tree.tile(Shape{4}, Dtype::int32);
  const Slot mask = tree.tile(Shape{4}, Dtype::int1);
  const Slot count = tree.scalar(Dtype::int64);
  const Program program = widened(tree);
  ASSERT_EQ(program.slots.size(), tree.program.slots.size());
  for (std::size_t i = 0; i < program.slots.size(); ++i)
    EXPECT_EQ(program.slots[i].type, tree.program.slots[i].type) << i;
  for (const Slot slot : {argument, tile}) EXPECT_EQ(program.slots[slot].storage, Dtype::float64);
  for (const Slot slot : {array, global, whole, mask, count})
    EXPECT_EQ(program.slots[slot].storage, std::nullopt);
}

TEST(DoublePrecision, FloatConstantsBecomeTheWrittenNumberInNestedBlocksToo) {
  HandTree tree;
  const Slot tile = tree.tile(Shape{4}, Dtype::float16);
  const Slot whole = tree.tile(Shape{4}, Dtype::int32);
  tree.begin_for(number(0), number(3), number(1));
  tree.add(Fill{tile, Constant(Scalar::from_double(Dtype::float16, 0.1), 0.1)});
  tree.add(Fill{whole, number(5)});
  tree.end();
  const Program program = widened(tree);
  const auto& loop = statement<For>(program, 0);
  EXPECT_EQ(std::get<Constant>(loop.stop), int32(3));
  const auto& fill = std::get<Fill>(loop.body.stmts[0].node);
  EXPECT_EQ(std::get<Constant>(fill.value), Scalar::from_double(Dtype::float64, 0.1));
  EXPECT_EQ(std::get<Constant>(std::get<Fill>(loop.body.stmts[1].node).value), int32(5));
}

TEST(DoublePrecision, AMasksOtherIsAConstantLikeAnyOther) {
  HandTree tree;
  const Slot tile = tree.filled(Shape{4}, float32(1));
  const Slot masked = tree.tile(Shape{4});
  const Constant other(float32(0.1), 0.1);
  tree.add(Unary{masked, OpId::relu_, at(tile), MaskSpec{refops::lane_mask_from_count(2), other}});
  const Program program = widened(tree);
  EXPECT_EQ(std::get<Constant>(*statement<Unary>(program, 1).mask->other),
            Scalar::from_double(Dtype::float64, 0.1));
}

TEST(DoublePrecision, TheDefaultModeOfACastIsThatOfTheDeclaredPair) {
  HandTree tree;
  const Slot narrow = tree.tile(Shape{4}, Dtype::float16);
  const Slot whole = tree.tile(Shape{4}, Dtype::int32);
  const Slot wide = tree.tile(Shape{4}, Dtype::float32);
  tree.add(Cast{whole, RoundMode::default_mode, at(narrow)});
  tree.add(Cast{wide, RoundMode::default_mode, at(whole)});
  tree.add(Cast{narrow, RoundMode::default_mode, at(wide)});
  tree.add(Cast{whole, RoundMode::ceil, at(wide)});
  const Program program = widened(tree);
  EXPECT_EQ(statement<Cast>(program, 0).mode, RoundMode::trunc);
  EXPECT_EQ(statement<Cast>(program, 1).mode, RoundMode::rint);
  EXPECT_EQ(statement<Cast>(program, 2).mode, RoundMode::rint);
  EXPECT_EQ(statement<Cast>(program, 3).mode, RoundMode::ceil);
}

TEST(DoublePrecision, ScalarCastsToFloatsGoToFloat64AndHf32IsNoRounding) {
  HandTree tree;
  const Slot a = tree.tile(Shape{16, 16}, Dtype::float32, Space::l0a);
  const Slot b = tree.tile(Shape{16, 16}, Dtype::float32, Space::l0b);
  const Slot c = tree.tile(Shape{16, 16}, Dtype::float32, Space::l0c);
  tree.add(ScalarCast{tree.scalar(Dtype::float16), Dtype::float16, number(3)});
  tree.add(ScalarCast{tree.scalar(Dtype::int16), Dtype::int16, number(3)});
  tree.add(Matmul{c, at(a), at(b), {}, true});
  tree.add(MatmulAcc{at(c), at(a), at(b), true});
  const Program program = widened(tree);
  EXPECT_EQ(statement<ScalarCast>(program, 0).to, Dtype::float64);
  EXPECT_EQ(statement<ScalarCast>(program, 1).to, Dtype::int16);
  EXPECT_FALSE(statement<Matmul>(program, 2).hf32);
  EXPECT_FALSE(statement<MatmulAcc>(program, 3).hf32);
}

}  // namespace
}  // namespace ascemu::interp
