#include <algorithm>

#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

class BuilderReduce : public BuilderTest {
 protected:
  std::string reduce(OpId op, Dtype dtype, const Shape& shape, std::vector<std::int64_t> dims,
                     bool keep_dims = false) {
    return type_or_fault(b.reduce(op, tensor(dtype, shape), dims, keep_dims));
  }
  std::string sum(const Shape& shape, std::vector<std::int64_t> dims, bool keep_dims = false) {
    return reduce(OpId::reduce_sum_, Dtype::float32, shape, std::move(dims), keep_dims);
  }
};

TEST_F(BuilderReduce, WholeReductionsYieldScalars) {
  EXPECT_EQ(sum({4, 8}, {}), "float32 scalar");
  EXPECT_EQ(reduce(OpId::reduce_sum_, Dtype::float16, {8}, {}), "float16 scalar");
  EXPECT_EQ(reduce(OpId::reduce_max_, Dtype::int16, {8}, {}), "int16 scalar");
  EXPECT_EQ(
      reduce(OpId::reduce_sum_, Dtype::int32, {8}, {}),
      "RuntimeError bad-dtype: reduce_sum: 'input' has dtype int32; legal: int64, float16 and "
      "float32");
  EXPECT_EQ(reduce(OpId::reduce_min_, Dtype::bfloat16, {8}, {}),
            "RuntimeError bad-dtype: reduce_min: 'input' has dtype bfloat16; legal: int16, int32, "
            "int64, float16 and float32");
  EXPECT_EQ(reduce(OpId::reduce_prod_, Dtype::float32, {8}, {}),
            "RuntimeError bad-argument-value: reduce_prod: a reduction to a scalar does not exist");
}

TEST_F(BuilderReduce, AxesAreRemovedOrKept) {
  EXPECT_EQ(sum({4, 8}, {1}), "float32 tensor [4]");
  EXPECT_EQ(sum({4, 8}, {0}, true), "float32 tensor [1, 8]");
  EXPECT_EQ(sum({2, 4, 8}, {0, 2}), "float32 tensor [4]");
  EXPECT_EQ(sum({4, 8}, {0, 1}, true), "float32 tensor [1, 1]");
  EXPECT_EQ(reduce(OpId::reduce_max_, Dtype::bfloat16, {4, 8}, {1}), "bfloat16 tensor [4]");
  EXPECT_EQ(reduce(OpId::reduce_prod_, Dtype::float32, {4, 8}, {0}), "float32 tensor [8]");
}

TEST_F(BuilderReduce, IllegalAxes) {
  EXPECT_EQ(
      sum({4, 8}, {0, 1}),
      "RuntimeError bad-shape: reduce_sum: all dimensions of shape [4, 8] are reduced without "
      "keep_dims");
  EXPECT_EQ(
      sum({4, 8}, {2}),
      "RuntimeError bad-shape: reduce_sum: dimension 2 is out of range for a tensor of rank 2");
  EXPECT_EQ(
      sum({4, 8}, {-1}),
      "RuntimeError bad-shape: reduce_sum: dimension -1 is out of range for a tensor of rank 2");
  EXPECT_EQ(sum({4, 8}, {1, 1}), "RuntimeError bad-shape: reduce_sum: dimension 1 occurs twice");
  EXPECT_EQ(
      reduce(OpId::reduce_sum_, Dtype::float16, {4, 8}, {1}),
      "RuntimeError bad-dtype: reduce_sum: 'input' has dtype float16; legal: int32, int64 and "
      "float32");
  EXPECT_EQ(sum({1}, {0}),
            "RuntimeError bad-shape: reduce_sum: all dimensions of shape [1] are reduced without "
            "keep_dims");
}

TEST_F(BuilderReduce, UnitDimsKeepNumpysMeaningAndWarn) {
  EXPECT_EQ(sum({1, 8}, {1}), "float32 tensor [1]");
  EXPECT_EQ(sum({1, 8}, {0}), "float32 tensor [8]");
  EXPECT_EQ(sum({4, 1, 8}, {2}), "float32 tensor [4, 1]");
  EXPECT_EQ(sum({1, 64, 32}, {0, 1}), "float32 tensor [32]");
  // A reduction over unit dims only never looks at the dtype.
  EXPECT_EQ(reduce(OpId::reduce_sum_, Dtype::int8, {1, 8}, {0}), "int8 tensor [8]");
  const auto finished = b.finish();
  ASSERT_NE(finished.program, nullptr);
  // One finding a place and shape.
  EXPECT_EQ(std::ranges::count(finished.program->findings, Code::portability, &Diagnostic::code),
            3);
  EXPECT_EQ(
      finished.program->findings[0].message,
      "reduce_sum of shape [1, 8] without keep_dims: the device compiler also drops or shifts "
      "the dimensions of size 1");
}

TEST_F(BuilderReduce, KeepDimsNeverWarns) {
  EXPECT_EQ(sum({1, 8}, {1}, true), "float32 tensor [1, 1]");
  const Value x = tensor(Dtype::float32, {1, 8});
  EXPECT_EQ(b.reduce(OpId::reduce_sum_, x, std::vector<std::int64_t>{0}, true)->operand, x.operand);
  EXPECT_EQ(b.finish().program->findings.size(), 0U);
}

TEST_F(BuilderReduce, Softmax) {
  EXPECT_EQ(type_or_fault(b.softmax(tensor(Dtype::float16, {4, 8}))), "float16 tensor [4, 8]");
  EXPECT_EQ(type_or_fault(b.softmax(tensor(Dtype::float32, {2, 4, 8}))),
            "RuntimeError bad-shape: softmax: 'input' has rank 3; legal: 1 and 2");
  EXPECT_EQ(
      type_or_fault(b.softmax(tensor(Dtype::bfloat16, {8}))),
      "RuntimeError bad-dtype: softmax: 'input' has dtype bfloat16; legal: float16 and float32");
}

TEST_F(BuilderReduce, RmsNorm) {
  const Value x = tensor(Dtype::float16, {4, 8});
  const Value gamma = tensor(Dtype::float32, {8});
  EXPECT_EQ(type_or_fault(b.rms_norm(x, gamma, number(1e-6))), "float16 tensor [4, 8]");
  EXPECT_EQ(type_or_fault(b.rms_norm(x, gamma, scalar(Dtype::float32))), "float16 tensor [4, 8]");
  EXPECT_EQ(type_or_fault(b.rms_norm(x, gamma, number(1))),
            "TypeError bad-argument-type: rms_norm: 'epsilon' must be a float, got 1");
  EXPECT_EQ(type_or_fault(b.rms_norm(x, gamma, scalar(Dtype::int32))),
            "TypeError bad-argument-type: rms_norm: 'epsilon' must be a float, got int32 scalar");
  EXPECT_EQ(type_or_fault(b.rms_norm(x, tensor(Dtype::float32, {4}), number(1e-6))),
            "RuntimeError bad-shape: rms_norm: 'gamma' of shape [4] does not broadcast to the "
            "input's shape [4, 8]");
  EXPECT_EQ(type_or_fault(b.rms_norm(tensor(Dtype::bfloat16, {8}), gamma, number(1e-6))),
            "RuntimeError bad-dtype: rms_norm: 'input' has dtype bfloat16; legal: float16 and "
            "float32");
  // Epsilon is held in the input's dtype: 1e-8 is 0 in float16.
  ASSERT_TRUE(b.rms_norm(x, gamma, number(1e-8)).ok());
  const std::string text = dumped();
  EXPECT_NE(text.find("rms_norm %2, %5, 0.0:float16 :"), std::string::npos) << text;
}

TEST_F(BuilderReduce, LayerNorm) {
  const Value weight = tensor(Dtype::bfloat16, {8});
  const auto parts =
      b.layer_norm(tensor(Dtype::bfloat16, {4, 8}), weight, weight, number(1e-8), false);
  ASSERT_TRUE(parts.ok());
  EXPECT_EQ(type_text((*parts)[0].type), "bfloat16 tensor [4, 8]");
  EXPECT_EQ(type_text((*parts)[1].type), "float32 tensor [4]");
  EXPECT_EQ(type_text((*parts)[2].type), "float32 tensor [4]");
  const auto row = b.layer_norm(tensor(Dtype::float32, {8}), weight, weight, number(1e-8), true);
  EXPECT_EQ(type_text((*row)[1].type), "float32 tensor [1]");
  EXPECT_EQ(fault_text(b.layer_norm(tensor(Dtype::int32, {8}), weight, weight, number(1.0), true)),
            "RuntimeError bad-dtype: layer_norm: 'input' has dtype int32; legal: float16, bfloat16 "
            "and float32");
  const std::string text = dumped();
  EXPECT_NE(text.find("1e-08:float32 mean="), std::string::npos) << text;
  EXPECT_NE(text.find(" variance="), std::string::npos) << text;
}

}  // namespace
}  // namespace ascemu::interp
