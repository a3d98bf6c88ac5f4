// Arrays that start unwritten: what counts as written, and what is told of a read before that.
#include "interp/checks/fresh_arrays.h"

#include <gtest/gtest.h>

#include <vector>

#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

GlobalArray array_over(std::byte* data, std::int64_t count, Dtype dtype) {
  GlobalArray array;
  array.data = data;
  array.count_elems = count;
  array.dtype = dtype;
  return array;
}

class FreshBytes : public ::testing::Test {
 protected:
  // a: 4 float32; b: the last two of them and two more; c: the same bytes as a, in 16 bits; d:
  // apart.
  FreshBytes()
      : bytes_(64),
        arrays_{array_over(bytes_.data(), 4, Dtype::float32),
                array_over(bytes_.data() + 8, 4, Dtype::float32),
                array_over(bytes_.data(), 8, Dtype::float16),
                array_over(bytes_.data() + 32, 4, Dtype::float32)} {}
  ByteRows rows(std::size_t array, std::int64_t first, std::int64_t count) const {
    return run_bytes(arrays_[array], {0, first, count});
  }

  std::vector<std::byte> bytes_;
  std::vector<GlobalArray> arrays_;
};

TEST_F(FreshBytes, EveryParameterOverTheBytesIsCovered) {
  const std::vector<std::uint32_t> named{0};
  const FreshArrays fresh(arrays_, named);
  EXPECT_TRUE(fresh.covers(0) && fresh.covers(1) && fresh.covers(2));
  EXPECT_FALSE(fresh.covers(3));
  EXPECT_EQ(fresh.count_unwritten(arrays_[0], 0, 4, AccessKind::read), 4);
  EXPECT_EQ(fresh.count_unwritten(arrays_[1], 0, 4, AccessKind::read), 2);
  EXPECT_EQ(fresh.count_unwritten(arrays_[2], 1, 6, AccessKind::read), 6);
}

TEST_F(FreshBytes, AnElementIsWrittenWhenAllItsBytesAre) {
  const std::vector<std::uint32_t> named{0, 1};
  FreshArrays fresh(arrays_, named);
  fresh.mark(rows(2, 1, 4), AccessKind::write);  // bytes 2 to 9
  EXPECT_EQ(fresh.count_unwritten(arrays_[0], 0, 4, AccessKind::read), 3);
  EXPECT_EQ(fresh.count_unwritten(arrays_[0], 1, 1, AccessKind::read), 0);
  fresh.mark({base_address(arrays_[0]), 2, 10, 2}, AccessKind::write);  // and 0, 1, 10, 11
  EXPECT_EQ(fresh.count_unwritten(arrays_[0], 0, 4, AccessKind::read), 1);
  EXPECT_EQ(fresh.count_unwritten(arrays_[1], 0, 4, AccessKind::read), 3);
}

TEST_F(FreshBytes, UpdatesCountForReadsAndNotForUpdates) {
  const std::vector<std::uint32_t> named{0};
  FreshArrays fresh(arrays_, named);
  fresh.mark(rows(0, 0, 4), AccessKind::atomic);
  EXPECT_EQ(fresh.count_unwritten(arrays_[0], 0, 4, AccessKind::read), 0);
  EXPECT_EQ(fresh.count_unwritten(arrays_[0], 0, 4, AccessKind::atomic), 4);
  fresh.mark(rows(0, 0, 1), AccessKind::write);
  EXPECT_EQ(fresh.count_unwritten(arrays_[0], 0, 4, AccessKind::atomic), 3);
}

// y starts unwritten, out does not.
class EvalFresh : public ::testing::Test {
 protected:
  EvalFresh() : y_(64, 1), out_(64, -1) {
    y_base_ = tree_.array("y_ptr", Dtype::float32);
    out_base_ = tree_.array("out_ptr", Dtype::float32);
    y_gm_ = tree_.global(y_base_, numbers({64}), "y_gm");
    out_gm_ = tree_.global(out_base_, numbers({64}), "out_gm");
    options_.fresh = {0};
    for (const char* const check : {"race", "ordering"}) options_.checks[check] = CheckLevel::off;
  }
  Slot ones(std::int64_t count) { return tree_.filled(Shape{count}, float32(1)); }
  Slot loaded(std::int64_t first, std::int64_t count) {
    return tree_.copy_in(y_gm_, numbers({first}), Shape{count});
  }
  void add(Slot tile) { tree_.add(Atomic{OpId::atomic_add_, at(tile), at(y_gm_), numbers({0})}); }
  std::string run() {
    const std::vector<Argument> arguments{array_of(y_), array_of(out_)};
    return messages(launch(tree_.program, arguments, options_));
  }

  HandTree tree_;
  LaunchOptions options_;
  std::vector<float> y_;
  std::vector<float> out_;
  Slot y_base_ = 0;
  Slot out_base_ = 0;
  Slot y_gm_ = 0;
  Slot out_gm_ = 0;
};

TEST_F(EvalFresh, LoadsAreToldWhereTheirElementsArrive) {
  tree_.copy_out(ones(16), y_gm_, numbers({0}));
  tree_.copy_out(loaded(0, 16), out_gm_, numbers({0}));
  loaded(16, 16);  // used by nothing
  EXPECT_EQ(run(), "");
  tree_.copy_out(loaded(8, 16), out_gm_, numbers({0}));
  EXPECT_EQ(run(), "copy_out stores 8 undefined elements into 'out_gm' (parameter 'out_ptr')\n");
  EXPECT_EQ(out_[15], 1);  // what the array holds is what is moved
}

TEST_F(EvalFresh, ScalarLoadsAreToldAtOnce) {
  tree_.add(LoadScalar{tree_.scalar(Dtype::float32), at(y_gm_), numbers({5})});
  EXPECT_EQ(run(),
            "copy_in reads 1 element of 'y_gm' (parameter 'y_ptr') that nothing has written\n");
}

TEST_F(EvalFresh, AScalarStoreWrites) {
  tree_.add(StoreScalar{float32(3), at(y_gm_), numbers({5})});
  tree_.add(LoadScalar{tree_.scalar(Dtype::float32), at(y_gm_), numbers({5})});
  EXPECT_EQ(run(), "");
}

TEST_F(EvalFresh, EveryBlockIsToldOfItsUpdate) {
  options_.blocks = 3;
  options_.threads = 2;
  add(ones(16));
  const std::string one =
      "atomic_add updates 16 elements of 'y_gm' (parameter 'y_ptr') that nothing has written\n";
  EXPECT_EQ(run(), one + one + one);
}

TEST_F(EvalFresh, AnUpdateOfStoredElementsIsInOrder) {
  tree_.copy_out(ones(16), y_gm_, numbers({0}));
  add(ones(16));
  tree_.copy_out(loaded(0, 16), out_gm_, numbers({0}));
  EXPECT_EQ(run(), "");
  EXPECT_EQ(out_[0], 2);
}

TEST_F(EvalFresh, RowsOfAGatherAreFollowed) {
  const Slot index_base = tree_.array("i_ptr", Dtype::int32);
  const Slot index_gm = tree_.global(index_base, numbers({2}), "i_gm");
  const Slot rows_gm = tree_.global(y_base_, numbers({8, 8}), "rows_gm");
  tree_.copy_out(ones(8), rows_gm, numbers({3, 0}));
  const Slot index = tree_.copy_in(index_gm, numbers({0}), Shape{2});
  const Slot rows = tree_.tile(Shape{2, 8});
  tree_.add(Gather{rows, at(rows_gm), numbers({0}), 0, at(index), true, {}, {}});
  tree_.copy_out(rows, tree_.global(out_base_, numbers({8, 8}), "out_rows"), numbers({0, 0}));
  std::vector<std::int32_t> indices{3, 6};
  const std::vector<Argument> arguments{array_of(y_), array_of(out_), array_of(indices)};
  EXPECT_EQ(messages(launch(tree_.program, arguments, options_)),
            "copy_out stores 8 undefined elements into 'out_rows' (parameter 'out_ptr')\n");
}

TEST_F(EvalFresh, NothingIsWatchedWhereTheCheckIsOff) {
  options_.checks["uninitialised"] = CheckLevel::off;
  add(loaded(0, 16));
  EXPECT_EQ(run(), "");
}

TEST_F(EvalFresh, AnUnknownParameterIsRefused) {
  options_.fresh = {7};
  EXPECT_EQ(run(), "no parameter 7\n");
}

}  // namespace
}  // namespace ascemu::interp
