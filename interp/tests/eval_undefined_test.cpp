// The check uninitialised: causes, what is told of them, and what stays silent.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "interp/eval/cause_table.h"
#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

TEST(CauseTable, AStatementHasOneCauseACodeWithTheTextOfItsLastRun) {
  CauseTable table;
  const Stmt a{kNoSpan, Fill{}};
  const Stmt b{kNoSpan, Fill{}};
  EXPECT_EQ(table.add(&a, Code::undefined_tail, "loads 3"), 1);
  EXPECT_EQ(table.add(&b, Code::undefined_lanes, "masks"), 2);
  EXPECT_EQ(table.add(&a, Code::undefined_tail, "loads 4"), 1);
  EXPECT_EQ(table.at(1).text, "loads 4");
  table.tell(1);
  EXPECT_EQ(table.add(&a, Code::undefined_tail, "loads 5"), 1);
  EXPECT_EQ(table.at(1).text, "loads 4");
  EXPECT_TRUE(table.is_told(1));
  EXPECT_FALSE(table.is_told(2));
}

TEST(UndefinedUse, CountsTheFirstCauseThatIsNotTold) {
  CauseTable table;
  const Stmt a{kNoSpan, Fill{}};
  const Stmt b{kNoSpan, Fill{}};
  const CauseId told = table.add(&a, Code::undefined_tail, "");
  const CauseId open = table.add(&b, Code::undefined_tail, "");
  table.tell(told);
  const std::vector<CauseId> causes{0, told, open, 0, open};
  UndefinedUse use(table);
  EXPECT_EQ(use.cause(), 0);
  use.see(causes.data(), 5, 10);
  use.see(causes.data() + 2, 1, 40);
  EXPECT_EQ(use.cause(), open);
  EXPECT_EQ(use.count(), 3);
  EXPECT_EQ(use.first(), 12);
  EXPECT_EQ(use.last(), 40);
}

// x holds 1, 2, ... and is declared as long as a test says; out has 64 elements.
class EvalUndefined : public ::testing::Test {
 protected:
  EvalUndefined() : x_(32), out_(64, -1) {
    std::iota(x_.begin(), x_.end(), 1.0F);
    x_base_ = tree_.array("x_ptr", Dtype::float32);
    out_base_ = tree_.array("out_ptr", Dtype::float32);
  }
  // A tile of 16 of which `count` elements are loaded and the rest of their 32 bytes is zero.
  Slot loaded(std::int64_t count) {
    return tree_.copy_in(tree_.global(x_base_, numbers({count}), "x_gm"), numbers({0}), Shape{16});
  }
  void store(Slot tile, std::int64_t count) {
    tree_.copy_out(tile, tree_.global(out_base_, numbers({count}), "out_gm"), numbers({0}));
  }
  std::string run() {
    const std::vector<Argument> arguments{array_of(x_), array_of(out_)};
    return messages(launch(tree_.program, arguments, options_));
  }

  HandTree tree_;
  LaunchOptions options_;
  std::vector<float> x_;
  std::vector<float> out_;
  Slot x_base_ = 0;
  Slot out_base_ = 0;
};

const char* const kEightStored =
    "copy_out stores 8 undefined elements into 'out_gm' (parameter 'out_ptr')\n";

TEST_F(EvalUndefined, OnlyElementsThatAStoreMovesAreTold) {
  store(loaded(5), 8);
  EXPECT_EQ(run(), "");
  store(loaded(5), 16);
  EXPECT_EQ(run(), kEightStored);
}

TEST_F(EvalUndefined, ACauseIsToldOnce) {
  const Slot tile = loaded(5);
  const Slot sum = tree_.tile(Shape{16});
  tree_.add(Binary{sum, OpId::add_, at(tile), at(tile), {}});
  store(tile, 16);
  store(sum, 16);
  EXPECT_EQ(run(), kEightStored);
}

TEST_F(EvalUndefined, WhereTakesTheCausesOfTheSideItSelects) {
  const Slot tile = loaded(5);
  const Slot limit = tree_.filled(Shape{16}, float32(0));
  const Slot mask = tree_.tile(Shape{16}, Dtype::int1);
  const Slot picked = tree_.tile(Shape{16});
  const Slot whole = loaded(16);
  tree_.add(Binary{mask, OpId::greater_, at(whole), at(limit), {}});
  tree_.add(Where{picked, at(mask), at(limit), at(tile)});
  store(picked, 16);
  EXPECT_EQ(run(), "");
  tree_.add(Where{picked, at(mask), at(tile), at(limit)});
  store(picked, 16);
  EXPECT_EQ(run(), kEightStored);
}

TEST_F(EvalUndefined, AReductionIsToldWhereItMixes) {
  const Slot sum = tree_.scalar(Dtype::float32);
  tree_.add(Reduce{sum, OpId::reduce_sum_, 0, at(loaded(8))});
  EXPECT_EQ(run(), "reduce_sum takes 8 undefined elements into a scalar\n");
}

TEST_F(EvalUndefined, StopAtFirstEndsTheBlock) {
  options_.stop_at_first = true;
  store(loaded(5), 16);
  store(loaded(6), 16);
  EXPECT_EQ(run(), kEightStored);
}

TEST_F(EvalUndefined, NothingIsToldWhereTheCheckIsOff) {
  options_ = without_uninitialised();
  store(loaded(5), 16);
  EXPECT_EQ(run(), "");
}

}  // namespace
}  // namespace ascemu::interp
