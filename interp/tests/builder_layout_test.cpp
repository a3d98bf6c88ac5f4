#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

class BuilderLayout : public BuilderTest {
 protected:
  Value x() { return tensor(Dtype::float32, {4, 8}); }
};

TEST_F(BuilderLayout, FullInfersItsDtype) {
  EXPECT_EQ(type_or_fault(b.full({4}, number(true), std::nullopt)), "int32 tensor [4]");
  EXPECT_EQ(type_or_fault(b.full({4}, number(3), std::nullopt)), "int32 tensor [4]");
  EXPECT_EQ(type_or_fault(b.full({4}, number(3.5), std::nullopt)), "float32 tensor [4]");
  EXPECT_EQ(type_or_fault(b.full({4}, scalar(Dtype::float16), std::nullopt)), "float16 tensor [4]");
  EXPECT_EQ(type_or_fault(b.full({1, 4}, number(1), Dtype::bfloat16)), "bfloat16 tensor [1, 4]");
  EXPECT_EQ(
      type_or_fault(b.full({4}, scalar(Dtype::uint8), std::nullopt)),
      "RuntimeError bad-dtype: full: 'dtype' has dtype uint8; legal: int8, int16, int32, int64, "
      "float16, bfloat16 and float32");
  EXPECT_EQ(
      type_or_fault(b.full({4}, x(), std::nullopt)),
      "TypeError bad-argument-type: full: 'value' must be a number, got a float32 tensor [4, 8]");
  EXPECT_EQ(
      type_or_fault(b.full({4}, scalar(Dtype::int32), Dtype::float16)),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from int32 to float16");
}

TEST_F(BuilderLayout, ShapesAreChecked) {
  EXPECT_EQ(type_or_fault(b.full(Shape{}, number(1), std::nullopt)),
            "RuntimeError bad-shape: full: the shape must have at least one value");
  EXPECT_EQ(type_or_fault(b.full({4, 0}, number(1), std::nullopt)),
            "RuntimeError bad-shape: full: shape [4, 0] has a dimension that is not positive");
  EXPECT_EQ(type_or_fault(b.full({1 << 28}, number(1), Dtype::int32)), "int32 tensor [268435456]");
  EXPECT_EQ(type_or_fault(b.full({(1 << 28) + 1}, number(1), Dtype::int32)),
            "KernelError memory-limit: full: an int32 tensor [268435457] is larger than 1 GiB");
  EXPECT_EQ(type_or_fault(b.full({INT64_MAX, INT64_MAX, 4}, number(1), Dtype::int8)),
            "KernelError memory-limit: full: an int8 tensor [9223372036854775807, "
            "9223372036854775807, 4] is larger than 1 GiB");
  EXPECT_EQ(type_or_fault(b.full({INT64_MAX, -1}, number(1), Dtype::int8)),
            "RuntimeError bad-shape: full: shape [9223372036854775807, -1] has a dimension that is "
            "not positive");
}

TEST_F(BuilderLayout, Reshape) {
  EXPECT_EQ(type_or_fault(b.reshape(x(), {32})), "float32 tensor [32]");
  EXPECT_EQ(type_or_fault(b.reshape(tensor(Dtype::float64, {4}), {2, 2})), "float64 tensor [2, 2]");
  EXPECT_EQ(type_or_fault(b.reshape(x(), {31})),
            "RuntimeError bad-shape: reshape: shape [4, 8] has 32 elements, shape [31] has 31");
  const Value mask = *b.binary(OpId::less_, x(), number(0));
  EXPECT_EQ(type_or_fault(b.reshape(mask, {32})),
            "RuntimeError bad-dtype: reshape: 'input' has dtype int1; legal: int8, int16, int32, "
            "int64, float16, bfloat16, float32 and float64");
}

TEST_F(BuilderLayout, Transpose) {
  EXPECT_EQ(type_or_fault(b.transpose(x(), {})), "float32 tensor [8, 4]");
  EXPECT_EQ(type_or_fault(b.transpose(tensor(Dtype::int8, {2, 3, 4}), {2, 0, 1})),
            "int8 tensor [4, 2, 3]");
  EXPECT_EQ(type_or_fault(b.transpose(tensor(Dtype::int8, {2, 3, 4}), {})),
            "int8 tensor [2, 4, 3]");
  const Value same = x();
  EXPECT_EQ(b.transpose(same, {0, 1})->operand, same.operand);
  EXPECT_EQ(type_or_fault(b.transpose(tensor(Dtype::float32, {8}), {})),
            "IndexError bad-shape: transpose: 'input' has rank 1; without axes the last two are "
            "swapped");
  EXPECT_EQ(type_or_fault(b.transpose(x(), {0})),
            "RuntimeError bad-shape: transpose: a tensor of rank 2 needs 2 axes, got 1");
  EXPECT_EQ(type_or_fault(b.transpose(x(), {-1, 0})),
            "RuntimeError bad-shape: transpose: the axes are no permutation of 0 to 1, axis -1 is "
            "wrong");
  EXPECT_EQ(type_or_fault(b.transpose(x(), {1, 1})),
            "RuntimeError bad-shape: transpose: the axes are no permutation of 0 to 1, axis 1 is "
            "wrong");
  EXPECT_EQ(
      type_or_fault(b.transpose(tensor(Dtype::int64, {2, 2}), {})),
      "RuntimeError bad-dtype: transpose: 'input' has dtype int64; legal: int8, int16, int32, "
      "float16, bfloat16 and float32");
}

TEST_F(BuilderLayout, BroadcastTo) {
  EXPECT_EQ(type_or_fault(b.broadcast_to(tensor(Dtype::float16, {4, 1}), {2, 4, 8})),
            "float16 tensor [2, 4, 8]");
  EXPECT_EQ(type_or_fault(b.broadcast_to(x(), {8})),
            "RuntimeError bad-shape: broadcast_to: shape [4, 8] does not broadcast to [8]");
  EXPECT_EQ(type_or_fault(b.broadcast_to(x(), {4, 1})),
            "RuntimeError bad-shape: broadcast_to: shape [4, 8] does not broadcast to [4, 1]");
}

TEST_F(BuilderLayout, Concat) {
  const std::vector parts{x(), tensor(Dtype::float32, {2, 8})};
  EXPECT_EQ(type_or_fault(b.concat(parts)), "float32 tensor [6, 8]");
  EXPECT_EQ(type_or_fault(b.concat({})),
            "TypeError bad-argument-type: concat: at least one tensor is needed");
  EXPECT_EQ(type_or_fault(b.concat(std::vector{x(), tensor(Dtype::float16, {2, 8})})),
            "RuntimeError bad-dtype: concat: 'inputs[1]' has dtype float16, the first has float32");
  EXPECT_EQ(type_or_fault(b.concat(std::vector{x(), tensor(Dtype::float32, {2, 7})})),
            "RuntimeError bad-shape: concat: 'inputs[1]' of shape [2, 7] differs from the first "
            "beyond dimension 0");
  EXPECT_EQ(
      type_or_fault(b.concat(std::vector{x(), tensor(Dtype::float32, {8})})),
      "RuntimeError bad-shape: concat: 'inputs[1]' of shape [8] differs from the first beyond "
      "dimension 0");
  EXPECT_EQ(
      type_or_fault(b.concat(std::vector{x(), scalar(Dtype::float32)})),
      "TypeError bad-argument-type: concat: 'inputs[1]' must be a local tensor, got a float32 "
      "scalar");
}

class BuilderMatmul : public BuilderTest {
 protected:
  Value matrix(Dtype dtype, std::int64_t rows, std::int64_t columns) {
    return tensor(dtype, {rows, columns});
  }
};

TEST_F(BuilderMatmul, Products) {
  const Value a = matrix(Dtype::float16, 1, 32);
  const Value other = matrix(Dtype::float16, 32, 11);
  EXPECT_EQ(type_or_fault(b.matmul(a, other, std::nullopt, false)), "float32 tensor [1, 11]");
  EXPECT_EQ(type_or_fault(b.matmul(a, other, tensor(Dtype::bfloat16, {11}), false)),
            "float32 tensor [1, 11]");
  const auto finished = b.finish();
  ASSERT_NE(finished.program, nullptr);
  EXPECT_TRUE(finished.program->has_cube);
}

TEST_F(BuilderMatmul, ChecksInTheLanguagesOrder) {
  const Value half = matrix(Dtype::float16, 4, 8);
  const auto product = [&](const Value& a, const Value& other, bool hf32 = false) {
    return type_or_fault(b.matmul(a, other, std::nullopt, hf32));
  };
  EXPECT_EQ(
      product(half, scalar(Dtype::float16)),
      "BinaryOperandTypeError bad-argument-type: matmul: 'other' must be a local tensor, got a "
      "float16 scalar");
  EXPECT_EQ(product(matrix(Dtype::int8, 4, 8), half),
            "RuntimeError bad-dtype: matmul: 'input' has dtype int8; legal: float16, bfloat16 and "
            "float32");
  EXPECT_EQ(product(half, tensor(Dtype::float32, {8})),
            "RuntimeError bad-dtype: matmul: both operands must have one dtype, got float16 and "
            "float32");
  EXPECT_EQ(product(half, tensor(Dtype::float16, {8})),
            "RuntimeError bad-shape: matmul: 'other' must have two dimensions, got shape [8]");
  EXPECT_EQ(product(half, matrix(Dtype::float16, 7, 4)),
            "RuntimeError bad-shape: matmul: shapes [4, 8] and [7, 4] do not fit, 8 columns meet 7 "
            "rows");
  EXPECT_EQ(product(half, matrix(Dtype::float16, 8, 4), true),
            "RuntimeError bad-dtype: matmul: 'hf32' needs float32 operands, got float16");
  EXPECT_EQ(type_or_fault(b.matmul(half, matrix(Dtype::float16, 8, 4),
                                   tensor(Dtype::float32, {1, 4}), false)),
            "RuntimeError bad-shape: matmul: 'bias' must have shape [4], got [1, 4]");
}

TEST_F(BuilderMatmul, Accumulators) {
  const Value acc = *b.zeros_acc({4, 5}, Dtype::float32, std::nullopt);
  EXPECT_EQ(fault_text(b.matmul_acc(acc, matrix(Dtype::float16, 4, 8), matrix(Dtype::float16, 8, 5),
                                    false)),
            "ok");
  EXPECT_EQ(type_or_fault(b.zeros_acc({4}, Dtype::float16, std::nullopt)),
            "RuntimeError bad-dtype: zeros_acc: 'dtype' has dtype float16; legal: float32");
  EXPECT_EQ(type_or_fault(b.zeros_acc({4}, Dtype::float32, std::nullopt)),
            "IndexError bad-shape: zeros_acc: shape [4] has no second dimension");
  EXPECT_EQ(type_or_fault(b.zeros_acc({4, 0}, Dtype::float32, std::nullopt)),
            "RuntimeError bad-shape: zeros_acc: shape [4, 0] has a dimension that is not positive");
  EXPECT_NE(b.finish().program, nullptr);
}

TEST_F(BuilderMatmul, OnlyTheResultOfZerosAccAccumulates) {
  const Value acc = *b.variable(*b.zeros_acc({4, 5}, Dtype::float32, std::nullopt));
  ASSERT_TRUE(
      b.matmul_acc(acc, matrix(Dtype::float16, 4, 8), matrix(Dtype::float16, 8, 5), false).ok());
  EXPECT_EQ(
      compile_error(b),
      "RuntimeError bad-accumulator: matmul_acc: 'acc' is a float32 tensor [4, 5] that is not "
      "directly the result of zeros_acc");
}

TEST_F(BuilderMatmul, TheAccumulatorMustHaveTheProductsShape) {
  const Value acc = *b.zeros_acc({4, 4}, Dtype::float32, std::nullopt);
  ASSERT_TRUE(
      b.matmul_acc(acc, matrix(Dtype::float16, 4, 8), matrix(Dtype::float16, 8, 5), false).ok());
  EXPECT_EQ(compile_error(b),
            "RuntimeError bad-shape: matmul_acc: 'acc' has shape [4, 4], the product has [4, 5]");
}

}  // namespace
}  // namespace ascemu::interp
