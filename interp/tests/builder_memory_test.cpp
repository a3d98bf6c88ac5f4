#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

class BuilderMemory : public BuilderTest {
 protected:
  Result<Value> load(const Value& gm, std::vector<Arg> offsets, const Shape& shape,
                     Space space = Space::automatic,
                     std::optional<std::vector<Arg>> real_shape = std::nullopt,
                     std::optional<Arg> pad = std::nullopt) {
    return b.copy_in(gm, offsets, shape, space, real_shape, pad);
  }
  std::string loaded(const Value& gm, std::vector<Arg> offsets, const Shape& shape) {
    return type_or_fault(load(gm, std::move(offsets), shape));
  }
  std::string stored(const Value& tile, const Value& gm, std::vector<Arg> offsets,
                     std::optional<std::vector<Arg>> real_shape = std::nullopt) {
    return fault_text(b.copy_out(tile, gm, offsets, real_shape));
  }
};

TEST_F(BuilderMemory, Addresses) {
  const Value base = array(Dtype::float16);
  EXPECT_EQ(type_or_fault(b.address_add(base, number(3))), "pointer to float16");
  EXPECT_EQ(type_or_fault(b.address_add(base, scalar(Dtype::int64))), "pointer to float16");
  EXPECT_EQ(type_or_fault(b.address_add(base, number(1.5))),
            "TypeError bad-argument-type: address: 'offset' must be an integer, got 1.5");
  EXPECT_EQ(type_or_fault(b.address_add(base, scalar(Dtype::uint32))),
            "TypeError bad-argument-type: address: 'offset' must be a signed integer, got a uint32 "
            "scalar");
  EXPECT_EQ(type_or_fault(b.address_add(scalar(Dtype::int32), number(1))),
            "TypeError bad-argument-type: address: 'base' must be a global address, got an int32 "
            "scalar");
}

TEST_F(BuilderMemory, GlobalTensors) {
  const Value base = array(Dtype::float32);
  const Value n = scalar(Dtype::int32);
  EXPECT_EQ(type_or_fault(b.global_tensor(base, std::vector<Arg>{n, number(8)})),
            "float32 global tensor [?, 8]");
  EXPECT_EQ(type_or_fault(b.global_tensor(base, numbers({0, -1}))),
            "float32 global tensor [0, -1]");
  EXPECT_EQ(type_or_fault(b.global_tensor(base, {})),
            "RuntimeError bad-shape: global_tensor: 'shape' must have at least one value");
  EXPECT_EQ(type_or_fault(b.global_tensor(base, std::vector<Arg>{number(2.0)})),
            "TypeError bad-argument-type: global_tensor: 'shape[0]' must be an integer, got 2.0");
  EXPECT_EQ(type_or_fault(b.global_tensor(base, numbers({1, 1, 1, 1, 1, 1, 1, 1, 1}))),
            "RuntimeError bad-shape: global_tensor: 'shape' has 9 values; legal: 1 to 8");
  EXPECT_EQ(
      type_or_fault(b.global_tensor(n, numbers({1}))),
      "TypeError bad-argument-type: global_tensor: 'base' must be a global address, got an int32 "
      "scalar");
}

TEST_F(BuilderMemory, Loads) {
  const Value gm = global(Dtype::float16, {16, 32});
  EXPECT_EQ(loaded(gm, numbers({0, 0}), {4, 32}), "float16 tensor [4, 32]");
  EXPECT_EQ(loaded(gm, numbers({3, 0}), {32}), "float16 tensor [32]");
  EXPECT_EQ(loaded(gm, numbers({0, 0}), {1}), "float16 tensor [1]");
  EXPECT_EQ(loaded(gm, numbers({0}), {32}),
            "OffsetsError bad-offsets: copy_in: 'offsets' must have 2 values, got 1");
  EXPECT_EQ(loaded(gm, {}, {32}),
            "OffsetsError bad-offsets: copy_in: 'offsets' must have at least one value");
  EXPECT_EQ(loaded(gm, {number(0.5), number(0)}, {32}),
            "TypeError bad-argument-type: copy_in: 'offsets[0]' must be an integer, got 0.5");
  EXPECT_EQ(loaded(gm, {scalar(Dtype::float32), number(0)}, {32}),
            "TypeError bad-argument-type: copy_in: 'offsets[0]' must be a signed integer, got a "
            "float32 scalar");
  EXPECT_EQ(loaded(gm, numbers({0, 0}), {4, -4}),
            "RuntimeError bad-shape: copy_in: shape [4, -4] has a dimension that is not positive");
  EXPECT_EQ(loaded(tensor(Dtype::float16, {8}), numbers({0}), {4}),
            "TypeError bad-argument-type: copy_in: 'src' must be a global tensor, got a float16 "
            "tensor [8]");
}

TEST_F(BuilderMemory, RealShapeAndPadding) {
  const Value gm = global(Dtype::float16, {16, 32});
  const auto padded = [&](std::vector<Arg> real_shape) {
    return type_or_fault(load(gm, numbers({0, 0}), {4, 32}, Space::ub, real_shape, number(-1.5)));
  };
  EXPECT_EQ(padded(numbers({4, 30})), "float16 tensor [4, 32]");
  EXPECT_EQ(padded({scalar(Dtype::int32), number(0)}), "float16 tensor [4, 32]");
  EXPECT_EQ(padded(numbers({4})),
            "ValueError bad-argument-value: copy_in: 'real_shape' must have 2 values, one a "
            "dimension of the tile, got 1");
  EXPECT_EQ(padded(numbers({4, 33})),
            "RuntimeError bad-shape: copy_in: 'real_shape' has 33 in dimension 1; legal: 0 to 32");
  EXPECT_EQ(padded(numbers({-1, 3})),
            "RuntimeError bad-shape: copy_in: 'real_shape' has -1 in dimension 0; legal: 0 to 4");
  const std::string text = dumped();
  EXPECT_NE(text.find("real_shape=[4:int32, 30:int32] pad_value=-1.5:float16"), std::string::npos)
      << text;
}

TEST_F(BuilderMemory, IllegalPlacesOfALoadAreCompileErrors) {
  const Value gm = global(Dtype::float16, {16, 32});
  at(3);
  EXPECT_TRUE(load(gm, numbers({0, 0}), {4, 32}, Space::l0c).ok());
  EXPECT_TRUE(load(gm, numbers({0, 0}), {4, 32}, Space::fix).ok());
  EXPECT_TRUE(load(gm, numbers({0, 0}), {4, 32}, Space::l1, numbers({4, 30})).ok());
  const auto finished = b.finish();
  ASSERT_EQ(finished.errors.size(), 3U);
  EXPECT_EQ(finished.errors[0].message,
            "copy_in: a tile cannot be loaded to location L0C; legal: UB, L1, L0A, L0B and BT");
  EXPECT_EQ(finished.errors[0].exception, ExceptionKind::runtime_error);
  EXPECT_EQ(finished.errors[2].message,
            "copy_in: 'real_shape' is not supported with location L1; legal: UB");
}

TEST_F(BuilderMemory, ScalarLoads) {
  const Value gm = global(Dtype::int64, {16, 32});
  EXPECT_EQ(type_or_fault(b.load_scalar(gm, numbers({1, 2}))), "int64 scalar");
  EXPECT_EQ(type_or_fault(b.load_scalar(gm, numbers({1}))),
            "OffsetsError bad-offsets: copy_in: 'offsets' must have 2 values, got 1");
}

TEST_F(BuilderMemory, Stores) {
  const Value gm = global(Dtype::float16, {16, 32});
  const Value tile = tensor(Dtype::float16, {4, 32});
  EXPECT_EQ(stored(tile, gm, numbers({0, 0})), "ok");
  EXPECT_EQ(stored(tensor(Dtype::float16, {32}), gm, numbers({2, 0}), numbers({7})), "ok");
  EXPECT_EQ(stored(tile, gm, numbers({0})),
            "OffsetsError bad-offsets: copy_out: 'offsets' must have 2 values, got 1");
  EXPECT_EQ(stored(tile, gm, numbers({0, 0}), numbers({5, 1})),
            "RuntimeError bad-shape: copy_out: 'real_shape' has 5 in dimension 0; legal: 0 to 4");
  EXPECT_EQ(stored(scalar(Dtype::float16), gm, numbers({0, 0})),
            "TypeError bad-argument-type: copy_out: 'src' must be a local tensor, got a float16 "
            "scalar");
  EXPECT_EQ(stored(tile, tile, numbers({0, 0})),
            "TypeError bad-argument-type: copy_out: 'dst' must be a global tensor, got a float16 "
            "tensor [4, 32]");
  EXPECT_NE(b.finish().program, nullptr);
}

TEST_F(BuilderMemory, AStoreOfAnotherDtypeIsACompileError) {
  EXPECT_EQ(stored(tensor(Dtype::float32, {32}), global(Dtype::float16, {32}), numbers({0})), "ok");
  EXPECT_EQ(
      compile_error(b),
      "RuntimeError bad-dtype: copy_out: 'src' is a float32 tensor [32], 'dst' holds float16");
}

TEST_F(BuilderMemory, AStoreTakesFourLongDimensions) {
  const Value gm = global(Dtype::float32, {2, 2, 2, 2, 2});
  EXPECT_EQ(stored(tensor(Dtype::float32, {2, 1, 2, 2, 2}), gm, numbers({0, 0, 0, 0, 0})), "ok");
  EXPECT_EQ(stored(tensor(Dtype::float32, {2, 2, 2, 2, 2}), gm, numbers({0, 0, 0, 0, 0})), "ok");
  EXPECT_EQ(compile_error(b),
            "RuntimeError bad-shape: copy_out: a tile of shape [2, 2, 2, 2, 2] has more than four "
            "dimensions above 1");
}

TEST_F(BuilderMemory, ScalarStoresConvert) {
  const Value gm = global(Dtype::int32, {8});
  EXPECT_EQ(fault_text(b.store_scalar(number(2.9), gm, numbers({0}))), "ok");
  EXPECT_EQ(fault_text(b.store_scalar(scalar(Dtype::int64), gm, numbers({1}))), "ok");
  EXPECT_EQ(stored(tensor(Dtype::float32, {1}), gm, numbers({2}), numbers({9})), "ok");
  EXPECT_EQ(
      fault_text(b.store_scalar(scalar(Dtype::float16), gm, numbers({1}))),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from float16 to int32");
  EXPECT_EQ(fault_text(b.store_scalar(tensor(Dtype::int32, {2}), gm, numbers({1}))),
            "RuntimeError bad-shape: copy_out: a scalar store takes one element, got shape [2]");
  EXPECT_EQ(fault_text(b.store_scalar(gm, gm, numbers({1}))),
            "TypeError bad-argument-type: copy_out: 'src' must be a number, got an int32 global "
            "tensor [8]");
  const std::string text = dumped();
  EXPECT_NE(text.find("store 2:int32 to %1 at [0:int32]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("%7 = reduce_max %6 axes=all : float32 scalar\n"
                      "  %8 = scalar cast %7 : int32 scalar\n"
                      "  store %8 to %1 at [2:int32]\n"),
            std::string::npos)
      << text;
}

TEST_F(BuilderMemory, LocalCopies) {
  const Value tile = tensor(Dtype::float16, {32, 32}, Space::l1);
  EXPECT_EQ(type_or_fault(b.copy(tile, std::nullopt, std::nullopt, Space::l0a)),
            "float16 tensor [32, 32]");
  EXPECT_EQ(type_or_fault(b.copy(tile, numbers({0, 16}), Shape{16, 16}, Space::l0a)),
            "float16 tensor [16, 16]");
  EXPECT_EQ(type_or_fault(b.copy(tile, numbers({0}), std::nullopt, Space::l0a)),
            "OffsetsError bad-offsets: copy: 'offsets' must have 2 values, got 1");
  EXPECT_EQ(type_or_fault(b.copy(tile, std::nullopt, Shape{0}, Space::l0a)),
            "RuntimeError bad-shape: copy: shape [0] has a dimension that is not positive");
  EXPECT_TRUE(b.copy(tile, std::nullopt, std::nullopt, Space::l0c).ok());
  EXPECT_EQ(compile_error(b),
            "RuntimeError bad-location: copy: a tile cannot be copied to location L0C; legal: UB, "
            "L1, L0A, L0B and BT");
}

TEST_F(BuilderMemory, Atomics) {
  const Value gm = global(Dtype::float32, {8, 8});
  const Value tile = tensor(Dtype::float32, {8});
  const auto add = [&](const Value& src, const Value& dst, std::vector<Arg> offsets) {
    return fault_text(b.atomic(OpId::atomic_add_, src, dst, offsets));
  };
  EXPECT_EQ(add(tile, gm, numbers({0, 0})), "ok");
  EXPECT_EQ(
      add(tensor(Dtype::int64, {8}), global(Dtype::int64, {8}), numbers({0})),
      "RuntimeError bad-dtype: atomic_add: 'dst' has dtype int64; legal: int16, int32, float16, "
      "bfloat16 and float32");
  EXPECT_EQ(add(tensor(Dtype::float16, {8}), gm, numbers({0, 0})),
            "RuntimeError bad-dtype: atomic_add: 'src' has dtype float16, 'dst' has float32");
  EXPECT_EQ(add(tile, gm, numbers({0, 0, 0})),
            "OffsetsError bad-offsets: atomic_add: 'offsets' must have 2 values, got 3");
  EXPECT_EQ(add(tile, gm, numbers({3})), "ok");
  const auto finished = b.finish();
  ASSERT_EQ(finished.program->findings.size(), 1U);
  EXPECT_EQ(
      finished.program->findings[0].message,
      "atomic_add: 1 offsets for a global tensor of rank 2; missing leading offsets count as 0");
}

class BuilderIndexed : public BuilderTest {
 protected:
  std::string gather(const Value& src, std::vector<Arg> offsets, std::int64_t dim,
                     const Value& index, std::optional<Arg> count = std::nullopt) {
    return type_or_fault(b.gather(src, offsets, dim, index, true, count, std::nullopt));
  }
  std::string scatter(const Value& src, std::int64_t dim, const Value& index, const Value& dst,
                      std::vector<Arg> offsets) {
    return fault_text(b.scatter(src, dim, index, dst, offsets, true, std::nullopt));
  }
  Value index() { return tensor(Dtype::int32, {6}); }
};

TEST_F(BuilderIndexed, GatherRoundsItsLastDimUpToABlock) {
  EXPECT_EQ(gather(global(Dtype::float32, {100, 5}), numbers({0}), 0, index()),
            "float32 tensor [6, 8]");
  EXPECT_EQ(gather(global(Dtype::int8, {4, 100, 3, 33}), numbers({0, 0}), 1, index()),
            "int8 tensor [6, 3, 64]");
  EXPECT_EQ(gather(global(Dtype::float64, {9, 4}), numbers({0}), 0, index()),
            "float64 tensor [6, 4]");
}

TEST_F(BuilderIndexed, GatherChecksInTheLanguagesOrder) {
  const Value gm = global(Dtype::float32, {100, 5});
  EXPECT_EQ(
      gather(index(), numbers({0}), 0, index()),
      "TypeError bad-argument-type: gather: 'src' must be a global tensor, got an int32 tensor "
      "[6]");
  EXPECT_EQ(
      gather(gm, numbers({0, 0}), 0, index()),
      "OffsetsError bad-offsets: gather: 'offsets' must have 'dim' + 1 values, got 2 for dim 0");
  EXPECT_EQ(gather(gm, {}, 0, index()),
            "OffsetsError bad-offsets: gather: 'offsets' must have at least one value");
  EXPECT_EQ(gather(gm, {number(0.5)}, 0, index()),
            "TypeError bad-argument-type: gather: 'offsets[0]' must be an integer, got 0.5");
  EXPECT_EQ(
      gather(gm, numbers({0}), 0, scalar(Dtype::int32)),
      "TypeError bad-argument-type: gather: 'index' must be a local tensor, got an int32 scalar");
  EXPECT_EQ(gather(gm, numbers({0}), 0, tensor(Dtype::float32, {2, 3})),
            "RuntimeError bad-dtype: gather: 'index' has dtype float32; legal: int8, int16, int32 "
            "and int64");
  EXPECT_EQ(gather(gm, numbers({0}), 0, tensor(Dtype::int32, {2, 3})),
            "ValueError bad-argument-value: gather: 'index' must have one dimension, got shape [2, "
            "3]");
  EXPECT_EQ(gather(gm, numbers({0, 0, 0}), 2, index()),
            "ValueError bad-argument-value: gather: 'dim' is 2; legal: 0 to 1");
  EXPECT_EQ(gather(gm, numbers({0, 0}), 1, index()),
            "NotImplementedError bad-argument-value: gather: the last dimension cannot be indexed");
  EXPECT_EQ(gather(gm, numbers({0}), 0, index(), number(2.0)),
            "TypeError bad-argument-type: gather: 'num_indices' must be an integer, got 2.0");
  const Value dynamic =
      *b.global_tensor(array(Dtype::float32), std::vector<Arg>{number(9), scalar(Dtype::int32)});
  EXPECT_EQ(gather(dynamic, numbers({0}), 0, index()),
            "ValueError bad-argument-value: gather: 'src' has a dimension after 'dim' that is only "
            "known at run time: [9, ?]");
  EXPECT_EQ(gather(gm, numbers({0}), INT64_MAX, index()),
            "OffsetsError bad-offsets: gather: 'offsets' must have 'dim' + 1 values, got 1 for dim "
            "9223372036854775807");
  EXPECT_EQ(gather(global(Dtype::float32, {9, 0}), numbers({0}), 0, index()),
            "RuntimeError bad-shape: gather: shape [6, 0] has a dimension that is not positive");
}

TEST_F(BuilderIndexed, ScatterChecksInTheLanguagesOrder) {
  const Value gm = global(Dtype::float32, {100, 3, 8});
  const Value src = tensor(Dtype::float32, {6, 3, 7});
  EXPECT_EQ(scatter(src, 0, index(), gm, numbers({0})), "ok");
  EXPECT_EQ(scatter(src, 0, index(), src, numbers({0})),
            "TypeError bad-argument-type: scatter: 'dst' must be a global tensor, got a float32 "
            "tensor [6, 3, 7]");
  EXPECT_EQ(scatter(src, 0, tensor(Dtype::float16, {6}), gm, numbers({0})),
            "RuntimeError bad-dtype: scatter: 'index' has dtype float16; legal: int8, int16, int32 "
            "and int64");
  EXPECT_EQ(
      scatter(src, 2, index(), gm, numbers({0, 0, 0})),
      "NotImplementedError bad-argument-value: scatter: the last dimension cannot be indexed");
  EXPECT_EQ(
      scatter(src, 1, index(), gm, numbers({0, 0})),
      "ValueError bad-argument-value: scatter: 'dst' has rank 3, the rank of 'src' plus 'dim' "
      "is 4");
  EXPECT_EQ(scatter(tensor(Dtype::float16, {6, 3, 7}), 0, index(), gm, numbers({0})),
            "ValueError bad-argument-value: scatter: 'src' has dtype float16, 'dst' has float32");
  EXPECT_EQ(
      scatter(tensor(Dtype::float32, {6, 4, 8}), 0, index(), gm, numbers({0})),
      "ValueError bad-argument-value: scatter: dimension 1 of 'src' is 4, the matching one of "
      "'dst' is 3");
  EXPECT_NE(b.finish().program, nullptr);
}

TEST_F(BuilderIndexed, MoreIndicesThanRowsIsACompileError) {
  EXPECT_EQ(scatter(tensor(Dtype::float32, {5, 8}), 0, index(), global(Dtype::float32, {100, 8}),
                    numbers({0})),
            "ok");
  EXPECT_EQ(compile_error(b),
            "RuntimeError bad-shape: scatter: 'index' has 6 values, 'src' has only 5 rows");
}

}  // namespace
}  // namespace ascemu::interp
