// Accesses that leave the array (issue "end to end" §5, spec asc2 §12.7).
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "interp/memory/poison.h"
#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

constexpr std::uint32_t kPoison = kPoisonFloat32;

class EvalBounds : public ::testing::Test {
 protected:
  EvalBounds() : x_(16), out_(16, -1) {
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
  LaunchResult run() {
    const std::vector<Argument> arguments{array_of(x_), array_of(out_, writable_)};
    return launch(tree_.program, arguments, options_);
  }
  std::uint32_t bits(std::size_t i) const { return std::bit_cast<std::uint32_t>(out_[i]); }

  HandTree tree_;
  LaunchOptions options_ = without_races();
  bool writable_ = true;
  std::vector<float> x_;
  std::vector<float> out_;
  Slot x_base_ = 0;
  Slot out_base_ = 0;
};

TEST_F(EvalBounds, DeclaredLargerThanTheArray) {
  const Slot tile = tree_.copy_in(x({20}), numbers({12}), Shape{8});
  tree_.copy_out(tile, out({20}), numbers({12}));
  tree_.copy_out(tile, out({8}), numbers({0}));
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  const Diagnostic& read = result.findings[0];
  EXPECT_EQ(read.code, Code::read_out_of_bounds);
  EXPECT_EQ(read.kind, DiagKind::trap);
  EXPECT_EQ(read.check, "bounds");
  EXPECT_EQ(read.message,
            "copy_in reads 4 elements past the end of the array of 'x_gm' (parameter 'x_ptr')");
  EXPECT_EQ(read.notes,
            (std::vector<std::string>{"tensor: x_gm, float32 [20]", "offsets: [12]", "extent: [8]",
                                      "accessed: elements 12 to 19 (bytes 48 to 79)",
                                      "array: x_ptr, float32, 16 elements (64 bytes)"}));
  EXPECT_EQ(read.help,
            "The kernel reads outside the array; the device would return whatever lies there. "
            "Correct the offsets or the declared shape.");
  EXPECT_EQ(result.findings[1].message,
            "copy_out writes 4 elements past the end of the array of 'out_gm' (parameter "
            "'out_ptr')");
  // Good elements moved, bad ones are poison or dropped.
  EXPECT_EQ(out_[3], 16);
  EXPECT_EQ(bits(4), kPoison);
  EXPECT_EQ(bits(7), kPoison);
  EXPECT_EQ(out_[12], 13);
  EXPECT_EQ(out_[15], 16);
}

TEST_F(EvalBounds, NegativeOffset) {
  const Slot tile = tree_.copy_in(x({16}), numbers({-2}), Shape{4});
  tree_.copy_out(tile, out({16}), numbers({0}));
  tree_.copy_out(tile, out({16}), numbers({-1}));
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].message,
            "copy_in reads 2 elements at negative coordinates of 'x_gm' (parameter 'x_ptr')");
  EXPECT_EQ(result.findings[0].notes[1], "offsets: [-2]");
  EXPECT_EQ(result.findings[0].notes[3], "accessed: elements -2 to 1 (bytes -8 to 7)");
  EXPECT_EQ(result.findings[1].message,
            "copy_out writes 1 element at negative coordinates of 'out_gm' (parameter 'out_ptr')");
  // The second store moves elements 1.. of the tile to 0..
  EXPECT_EQ(bits(0), kPoison);
  EXPECT_EQ(out_[1], 1);
  EXPECT_EQ(out_[2], 2);
  EXPECT_EQ(out_[3], 2);
}

TEST_F(EvalBounds, NegativeFixedCoordinate) {
  const Slot row = tree_.copy_in(x({4, 4}), numbers({-1, 0}), Shape{4});
  tree_.copy_out(row, out({16}), numbers({0}));
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::read_out_of_bounds);
  EXPECT_EQ(result.findings[0].notes[3], "accessed: elements -4 to -1 (bytes -16 to -1)");
  EXPECT_EQ(bits(3), kPoison);
}

TEST_F(EvalBounds, AnAddressOutsideTheArray) {
  const Slot moved = tree_.slot(AddressType{Dtype::float32});
  tree_.add(AddressAdd{moved, at(x_base_), Scalar::from_int(Dtype::int64, INT64_MAX)});
  const Slot gm = tree_.global(moved, numbers({16}), "far");
  const Slot tile = tree_.copy_in(gm, numbers({4}), Shape{4});
  tree_.copy_out(tile, out({16}), numbers({0}));
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].message,
            "copy_in reads 4 elements past the end of the array of 'far' (parameter 'x_ptr')");
  EXPECT_EQ(bits(0), kPoison);
  EXPECT_EQ(bits(3), kPoison);
}

TEST_F(EvalBounds, LevelsAndTheirEffects) {
  const Slot tile = tree_.copy_in(x({20}), numbers({12}), Shape{8});
  tree_.copy_out(tile, out({8}), numbers({0}));
  options_.checks["bounds"] = CheckLevel::warn;
  const LaunchResult warned = run();
  ASSERT_EQ(warned.findings.size(), 1U);
  EXPECT_EQ(warned.findings[0].severity, Severity::warning);
  const std::vector<float> as_warned = out_;
  options_.checks["bounds"] = CheckLevel::off;
  EXPECT_TRUE(run().findings.empty());
  EXPECT_EQ(bits(4), kPoison);
  EXPECT_EQ(out_[3], as_warned[3]);
}

TEST_F(EvalBounds, ReadOnlyArraysKeepTheirBytes) {
  writable_ = false;
  const Slot tile = tree_.filled(Shape{4}, float32(7));
  const Slot gm = out({16});
  tree_.copy_out(tile, gm, numbers({0}));
  tree_.add(StoreScalar{float32(3), at(gm), numbers({0})});
  tree_.add(Atomic{OpId::atomic_add_, at(tile), at(gm), numbers({0})});
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 3U);
  for (const Diagnostic& finding : result.findings)
    EXPECT_EQ(finding.code, Code::write_to_read_only);
  EXPECT_EQ(result.findings[0].message,
            "copy_out writes the read-only array of 'out_gm' (parameter 'out_ptr')");
  EXPECT_EQ(result.findings[2].message,
            "atomic_add updates the read-only array of 'out_gm' (parameter 'out_ptr')");
  EXPECT_EQ(out_, std::vector<float>(16, -1));
}

TEST_F(EvalBounds, OneFindingPerStatementAndBlockSortedByBlock) {
  const Slot gm = x({64});
  const Slot target = out({16});
  const Slot block = tree_.block_idx();
  const Slot i = tree_.begin_for(number(0), number(3), number(1));
  const Slot offset = tree_.scalar_binary(ScalarOp::add, number(14), at(i));
  const Slot tile = tree_.tile(Shape{8});
  tree_.add(CopyIn{tile, at(gm), {at(offset)}, {}, {}});
  tree_.add(StoreScalar{float32(1), at(target), {at(block)}});
  tree_.end();
  options_.blocks = 6;
  options_.threads = 3;
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 6U);
  for (std::size_t b = 0; b < 6; ++b) {
    EXPECT_EQ(result.findings[b].block, static_cast<std::int64_t>(b));
    EXPECT_EQ(result.findings[b].block_count, 6);
    EXPECT_EQ(result.findings[b].notes.back(), "repeated: 2 more times in this block");
    EXPECT_EQ(result.findings[b].loops[0], "i = 0 of range(0, 3, 1) at line 4");
    EXPECT_EQ(out_[b], 1);
  }
}

TEST_F(EvalBounds, FindingsLimit) {
  const Slot gm = x({64});
  for (int i = 0; i < 5; ++i) tree_.copy_in(gm, numbers({12 + i}), Shape{8});
  options_.blocks = 4;
  options_.findings_limit = 7;
  const LaunchResult result = run();
  EXPECT_EQ(result.findings.size(), 7U);
  EXPECT_EQ(result.findings_dropped, 13U);
  EXPECT_EQ(result.findings[4].block, 0);
  EXPECT_EQ(result.findings[5].block, 1);
}

TEST_F(EvalBounds, TheFirstErrorOutlivesALimitFullOfWarnings) {
  const Slot tile = tree_.filled(Shape{4, 4}, float32(7));
  for (int i = 0; i < 3; ++i) tree_.copy_out(tile, out({2, 4}), numbers({0, 0}));
  tree_.copy_in(x({64}), numbers({60}), Shape{4});
  options_.findings_limit = 2;
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].code, Code::portability_clip_rows);
  EXPECT_EQ(result.findings[1].code, Code::read_out_of_bounds);
  EXPECT_EQ(result.findings_dropped, 2U);
}

TEST_F(EvalBounds, LocalSubCopyOutsideItsTensor) {
  const Slot tile = tree_.copy_in(x({4, 4}), numbers({0, 0}), Shape{4, 4}, Space::l1);
  const Slot part = tree_.tile(Shape{2, 2}, Dtype::float32, Space::l0a);
  tree_.add(CopyLocal{part, at(tile), numbers({3, 1})});
  tree_.copy_out(part, out({2, 2}), numbers({0, 0}));
  const LaunchResult result = run();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, Code::read_out_of_bounds);
  EXPECT_EQ(result.findings[0].message, "copy reads 2 elements outside the local tensor");
  EXPECT_EQ(out_[0], 14);
  EXPECT_EQ(out_[1], 15);
  EXPECT_EQ(bits(2), kPoison);
}

}  // namespace
}  // namespace ascemu::interp
