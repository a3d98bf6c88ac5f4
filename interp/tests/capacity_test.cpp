// What local tensors need of on-chip memory, and what the check says of it (spec asc2 §5.1, §5.2).
#include "interp/checks/capacity.h"

#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

class Capacity : public BuilderTest {
 protected:
  void make_for(refops::Chip chip, refops::NumericMode mode = refops::NumericMode::npu) {
    b = Builder(BuilderOptions{"k", {mode, chip}});
    b.add_source("folder/k.py", std::string(40, '\n'), 1);
    at(1);
  }
  Value add(const Value& x, const Arg& y) { return *b.binary(OpId::add_, x, y); }

  // "UB 96 of 253952, at least 64" for every memory in use.
  std::string uses() {
    finished_ = b.finish();
    if (!finished_.program) return "error: " + first_error(finished_);
    std::string text;
    for (const MemoryUse& use : account_memory(*finished_.program)) {
      text += (text.empty() ? "" : "; ") + std::string(space_name(use.space)) + " " +
              std::to_string(use.estimated_bytes) + " of " + std::to_string(use.capacity_bytes) +
              ", at least " + std::to_string(use.certain_bytes);
    }
    return text;
  }
  // "capacity-exceeded: message" for every finding of the check.
  std::string findings() {
    finished_ = b.finish();
    if (!finished_.program) return "error: " + first_error(finished_);
    std::string text;
    for (const Diagnostic& finding : finished_.program->findings) {
      if (finding.check != "capacity") continue;
      text += (text.empty() ? "" : "; ") + std::string(code_row(finding.code).slug) + ": " +
              finding.message;
    }
    return text;
  }
  // The words of the buffers of the first memory, largest first.
  std::string holdings() {
    finished_ = b.finish();
    if (!finished_.program) return "error: " + first_error(finished_);
    std::string text;
    const std::vector<MemoryUse> uses = account_memory(*finished_.program);
    for (const Holding& holding : uses.front().holdings) {
      text += (text.empty() ? "" : "; ") + std::to_string(holding.size_bytes) + " " +
              holding_text(*finished_.program, holding) + " " +
              place_text(*finished_.program, holding.span);
    }
    return text;
  }

  Builder::Finished finished_;
};

TEST_F(Capacity, SizesOfTheChips) {
  using refops::Chip;
  const auto sizes = [](Chip chip) {
    std::string text;
    for (const Space space : {Space::ub, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::bt})
      text += std::to_string(capacity_bytes(chip, space)) + " ";
    return text;
  };
  EXPECT_EQ(sizes(Chip::ascend910b), "196608 524288 65536 65536 131072 1024 ");
  EXPECT_EQ(sizes(Chip::ascend910_93), "196608 524288 65536 65536 262144 1024 ");
  EXPECT_EQ(sizes(Chip::ascend950pr), "253952 524288 65536 65536 262144 4096 ");
}

TEST_F(Capacity, EveryTensorIsRoundedToBlocksAndKeptToTheEnd) {
  const Value x = tensor(Dtype::float32, Shape{9});  // 36 bytes
  store(add(x, add(x, number(1.0))));
  EXPECT_EQ(uses(), "UB 192 of 253952, at least 192");
}

TEST_F(Capacity, ReshapesShareAndNumbersNeedNothing) {
  const Value x = tensor(Dtype::float32, Shape{8});
  store(*b.reshape(x, Shape{2, 4}));
  store(*b.full(Shape{8}, number(1.0), Dtype::float32));
  EXPECT_EQ(uses(), "UB 64 of 253952, at least 32");
}

TEST_F(Capacity, WhatHasNoEffectIsNotSure) {
  const Value x = tensor(Dtype::float32, Shape{8});
  add(add(x, number(1.0)), number(2.0));
  store(tensor(Dtype::float32, Shape{8}));
  EXPECT_EQ(uses(), "UB 128 of 253952, at least 32");
}

TEST_F(Capacity, LoopsCountOnceAndUnrolledOnesByCopies) {
  const auto body = [&](const Arg& stop, int unroll) {
    ASSERT_TRUE(b.begin_for(number(0), stop, number(1), unroll, false).ok());
    store(tensor(Dtype::float32, Shape{8}));
    ASSERT_TRUE(b.end_for().ok());
  };
  const Value count = scalar(Dtype::int32);
  body(count, 1);      // 32
  body(count, 4);      // 128
  body(number(2), 4);  // 64
  body(number(0), 4);  // nothing
  EXPECT_EQ(uses(), "UB 224 of 253952, at least 224");
}

TEST_F(Capacity, ReuseCountsWhatLivesTogether) {
  b.set_allocation({std::nullopt, 1, false});
  const Value x = tensor(Dtype::float32, Shape{8});
  const Value y = add(x, number(1.0));  // may take the place of x
  const Value z = add(y, number(1.0));
  store(z);
  const Value a = tensor(Dtype::float32, Shape{16});
  const Value c = tensor(Dtype::float32, Shape{16});
  store(add(a, c));
  EXPECT_EQ(uses(), "UB 192 of 253952, at least 128");
}

TEST_F(Capacity, WhatALoopReadsFromOutsideLivesToItsEnd) {
  b.set_allocation({std::nullopt, 1, false});
  const Value x = tensor(Dtype::float32, Shape{8});
  ASSERT_TRUE(b.begin_for(number(0), scalar(Dtype::int32), number(1), 1, false).ok());
  store(add(x, number(1.0)));
  store(tensor(Dtype::float32, Shape{8}));
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(uses(), "UB 64 of 253952, at least 64");
}

TEST_F(Capacity, AReboundNameKeepsItsValues) {
  b.set_allocation({std::nullopt, 1, false});
  const Value sum = *b.variable(tensor(Dtype::float32, Shape{8}));
  ASSERT_TRUE(b.begin_for(number(0), scalar(Dtype::int32), number(1), 1, false).ok());
  const Value next = add(sum, tensor(Dtype::float32, Shape{8}));
  const Value targets[] = {sum}, values[] = {next};
  ASSERT_TRUE(b.assign(targets, values).ok());
  ASSERT_TRUE(b.end_for().ok());
  store(sum);
  // The sum may be made in place.
  EXPECT_EQ(uses(), "UB 96 of 253952, at least 64");
}

TEST_F(Capacity, FusionNeedsNoIntermediates) {
  b.set_allocation({std::nullopt, 0, true});
  const Value x = tensor(Dtype::float32, Shape{8});
  store(add(add(x, number(1.0)), number(2.0)));
  EXPECT_EQ(uses(), "UB 96 of 253952, at least 32");
}

TEST_F(Capacity, ScratchIsApproximate) {
  at(3);
  const Value x = tensor(Dtype::float32, Shape{16, 8});
  b.name_value(x, "x");
  at(4);
  store(*b.softmax(x));
  EXPECT_EQ(holdings(),
            "640 scratch of softmax for float32 tensor [16, 8] (approximate) k.py:4; "
            "512 'x' float32 tensor [16, 8] k.py:3; 512 float32 tensor [16, 8] k.py:4");
}

TEST_F(Capacity, LoadsOfTheCubePassL1) {
  const Value a = tensor(Dtype::float16, Shape{16, 16}, Space::l0a);
  const Value w = tensor(Dtype::float16, Shape{16, 16}, Space::l0b);
  store(*b.matmul(a, w, std::nullopt, false));
  EXPECT_EQ(uses(),
            "L1 1024 of 524288, at least 0; L0A 512 of 65536, at least 512; "
            "L0B 512 of 65536, at least 512; L0C 1024 of 262144, at least 1024");
}

TEST_F(Capacity, WhatIsComputedOnTheWayNeedsNothing) {
  const Value a = tensor(Dtype::float16, Shape{16, 16}, Space::l0a);
  const Value w = *b.transpose(tensor(Dtype::float16, Shape{16, 16}, Space::l0b), {});
  const Value product = *b.matmul(a, w, std::nullopt, false);
  store(*b.cast(*b.unary(OpId::relu_, product), Dtype::float16, RoundMode::default_mode));
  const Value turned = *b.transpose(tensor(Dtype::float32, Shape{16, 16}), {});  // while it loads
  store(*b.transpose(add(turned, number(1.0)), {}));
  EXPECT_EQ(uses(),
            "UB 3072 of 253952, at least 2048; L1 1024 of 524288, at least 0; "
            "L0A 512 of 65536, at least 512; L0B 512 of 65536, at least 512; "
            "L0C 1024 of 262144, at least 1024");
}

TEST_F(Capacity, TheNumericModeChangesNothing) {
  using refops::NumericMode;
  for (const NumericMode mode : {NumericMode::npu, NumericMode::ieee, NumericMode::fp64}) {
    make_for(refops::Chip::ascend950pr, mode);
    const Value x = tensor(Dtype::float32, Shape{8});
    const Value wide = *b.cast(*b.cast(x, Dtype::float16, RoundMode::default_mode), Dtype::float32,
                               RoundMode::default_mode);
    store(wide);
    EXPECT_EQ(uses(), "UB 64 of 253952, at least 32");
  }
}

TEST_F(Capacity, SureOverflowIsRefused) {
  const Value x = tensor(Dtype::float32, Shape{32768});
  store(add(x, number(1.0)));
  EXPECT_EQ(findings(),
            "capacity-exceeded: UB overflow: 253952 bytes are available, at least 262144 bytes are "
            "used");
}

TEST_F(Capacity, AsMuchAsThereIsFits) {
  store(tensor(Dtype::float32, Shape{253952 / 4}));
  EXPECT_EQ(findings(), "");
}

TEST_F(Capacity, AnEstimateOnlyWarns) {
  const Value x = tensor(Dtype::float32, Shape{32768});
  store(*b.cast(x, Dtype::int32, RoundMode::default_mode));
  EXPECT_EQ(findings(),
            "capacity-estimate: UB may overflow: 253952 bytes are available, about 262144 bytes "
            "are used");
}

TEST_F(Capacity, WhereTheCompilerDoesNotCountItWarns) {
  const std::string available = " bytes are available, at least 262144 bytes are used";
  const std::string uncounted =
      "; the compiler does not count them here, the kernel would fail on the device";
  const auto overflow = [&](std::optional<bool> static_alloc, bool broadcasts) {
    b.set_allocation({static_alloc, 0, false});
    Value x = tensor(Dtype::float32, Shape{1, 32768});
    if (broadcasts) store(*b.broadcast_to(tensor(Dtype::float32, Shape{1, 8}), Shape{2, 8}));
    store(add(x, number(1.0)));
  };
  make_for(refops::Chip::ascend910b);
  overflow(std::nullopt, false);
  EXPECT_EQ(findings(), "capacity-estimate: UB overflow: 196608" + available + uncounted);
  make_for(refops::Chip::ascend910b);
  overflow(true, false);
  EXPECT_EQ(findings(), "capacity-exceeded: UB overflow: 196608" + available);
  make_for(refops::Chip::ascend950pr);
  overflow(false, false);
  EXPECT_EQ(findings(), "capacity-estimate: UB overflow: 253952" + available + uncounted);
}

TEST_F(Capacity, BroadcastsTurnTheCountingOffUnlessAskedFor) {
  const auto is_counted_with = [&](std::optional<bool> static_alloc) {
    make_for(refops::Chip::ascend950pr);
    b.set_allocation({static_alloc, 0, false});
    store(*b.broadcast_to(tensor(Dtype::float32, Shape{1, 8}), Shape{2, 8}));
    return is_counted(*b.finish().program);
  };
  EXPECT_FALSE(is_counted_with(std::nullopt));
  EXPECT_FALSE(is_counted_with(false));
  EXPECT_TRUE(is_counted_with(true));
}

}  // namespace
}  // namespace ascemu::interp
