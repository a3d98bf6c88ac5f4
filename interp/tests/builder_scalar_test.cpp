#include <cmath>

#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

using BuilderScalar = BuilderTest;

// "int32 3" for a constant, "int32 %" for a slot.
std::string shown(const Result<Value>& result) {
  if (!result.ok()) return fault_text(result);
  const std::string dtype(refops::dtype_name(result->dtype()));
  const auto* constant = std::get_if<Constant>(&result->operand);
  return dtype + " " + (constant == nullptr ? "%" : scalar_text(*constant));
}

TEST_F(BuilderScalar, LiteralsTakeTheirDefaultDtype) {
  EXPECT_EQ(shown(b.materialise(number(true))), "int1 True");
  EXPECT_EQ(shown(b.materialise(number(7))), "int32 7");
  EXPECT_EQ(shown(b.materialise(number(0.1))), "float32 0.1");
  EXPECT_EQ(shown(b.materialise(number(std::int64_t{1} << 31))),
            "OverflowError bad-argument-value: the number 2147483648 does not fit int32, the dtype "
            "of a plain integer");
}

TEST_F(BuilderScalar, ConstantsConvertLikePython) {
  EXPECT_EQ(shown(b.constant(2.75, Dtype::int32)), "int32 2");
  EXPECT_EQ(shown(b.constant(-2.75, Dtype::int8)), "int8 -2");
  EXPECT_EQ(shown(b.constant(std::int64_t{5}, Dtype::float16)), "float16 5.0");
  EXPECT_EQ(shown(b.constant(0.0, Dtype::int1)), "int1 False");
  EXPECT_EQ(shown(b.constant(std::numeric_limits<double>::quiet_NaN(), Dtype::int32)),
            "ValueError bad-argument-value: the number nan has no value as int32");
  EXPECT_EQ(shown(b.constant(std::numeric_limits<double>::infinity(), Dtype::int32)),
            "OverflowError bad-argument-value: the number inf has no value as int32");
  EXPECT_EQ(shown(b.constant(std::int64_t{255}, Dtype::int8)), "int8 -1");
  const auto wrapped = b.constant(std::int64_t{300}, Dtype::int8);
  EXPECT_EQ(shown(wrapped), "int8 44");
  const auto finished = b.finish();
  ASSERT_EQ(finished.program->findings.size(), 1U);
  EXPECT_EQ(finished.program->findings[0].message,
            "the number 300 does not fit int8 and wraps to 44");
  EXPECT_EQ(finished.program->findings[0].severity, Severity::warning);
}

// What a computation in double takes for the constant (N19).
double written(const Result<Value>& result) { return std::get<Constant>(result->operand).exact; }

TEST_F(BuilderScalar, FloatConstantsKeepTheNumberTheyWereWrittenAs) {
  const auto tenth = b.constant(0.1, Dtype::float16);
  EXPECT_EQ(written(tenth), 0.1);
  EXPECT_EQ(written(b.materialise(number(0.1))), 0.1);
  EXPECT_EQ(written(b.constant(std::int64_t{16777217}, Dtype::float32)), 16777217);
  EXPECT_EQ(written(b.constant(true, Dtype::float16)), 1);
  EXPECT_EQ(written(b.constant(1e9, Dtype::float16)), 1e9);
  const auto wide = b.scalar_cast(*tenth, Dtype::float32);
  EXPECT_EQ(shown(wide), "float32 0.099975586");
  EXPECT_EQ(written(wide), 0.1);
  EXPECT_EQ(written(b.scalar_binary(ScalarOp::mul, *wide, number(3.0))), 0.1 * 3.0);
  EXPECT_EQ(written(b.scalar_unary(ScalarOp::sqrt, *wide)), std::sqrt(0.1));
  EXPECT_EQ(written(b.scalar_unary(ScalarOp::negative, *wide)), -0.1);
  const auto integer = b.constant(std::int64_t{16777217}, Dtype::int32);
  EXPECT_EQ(written(b.scalar_cast(*integer, Dtype::float32)), 16777217);
  EXPECT_EQ(written(b.scalar_cast(*wide, Dtype::int32)), 0);
  // Decisions made while tracing are the same in every mode.
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::less, *tenth, number(0.1))), "int1 False");
}

TEST_F(BuilderScalar, TheLeftValueDecidesTheDtype) {
  const Value i32 = scalar(Dtype::int32);
  const Value i64 = scalar(Dtype::int64);
  const Value f32 = scalar(Dtype::float32);
  const Value f16 = scalar(Dtype::float16);
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::mul, i32, number(2.5))), "int32 %");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::add, number(1.5), i32)), "int32 %");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::add, i32, f32)), "int32 %");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::add, i32, i64)), "int32 %");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::add, f16, f32)), "float16 %");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::less, f32, i32)), "int1 %");
  EXPECT_EQ(
      shown(b.scalar_binary(ScalarOp::add, i64, f32)),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from float32 to int64");
  EXPECT_EQ(
      shown(b.scalar_binary(ScalarOp::add, f16, i32)),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from int32 to float16");
}

TEST_F(BuilderScalar, ConstantsFold) {
  const Value seven = *b.constant(std::int64_t{7}, Dtype::int32);
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::div, seven, number(-2))), "int32 -3");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::rem, seven, number(-2))), "int32 1");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::less, seven, number(8))), "int1 True");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::div, seven, number(0))), "int32 %");
  EXPECT_EQ(shown(b.scalar_unary(ScalarOp::negative, seven)), "int32 -7");
  EXPECT_EQ(shown(b.scalar_cast(seven, Dtype::float32)), "float32 7.0");
  EXPECT_EQ(dumped(), "kernel k\n  %0 = scalar div 7:int32, 0:int32 : int32 scalar\n");
}

TEST_F(BuilderScalar, OperationsThatDoNotExist) {
  const Value f32 = scalar(Dtype::float32);
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::rem, f32, number(2))),
            "ValueError bad-scalar-operation: scalars of dtype float32 have no '%'");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::shift_left, number(2), f32)),
            "ValueError bad-scalar-operation: scalars of dtype float32 have no '<<'");
  const Value x = tensor(Dtype::float32, {8});
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::mul, f32, x)),
            "TypeError bad-argument-type: mul: the operand must be a scalar, got a float32 tensor "
            "[8]");
  EXPECT_EQ(shown(b.scalar_unary(ScalarOp::exp, x)),
            "TypeError bad-argument-type: exp: the operand must be a scalar, got a float32 tensor "
            "[8]");
}

TEST_F(BuilderScalar, ElementaryFunctionsYieldFloat32) {
  EXPECT_EQ(shown(b.unary(OpId::sqrt_, number(4))), "float32 2.0");
  EXPECT_EQ(shown(b.unary(OpId::exp_, scalar(Dtype::int32))), "float32 %");
  EXPECT_EQ(shown(b.unary(OpId::erf_, scalar(Dtype::float32))), "float32 %");
  EXPECT_EQ(
      shown(b.unary(OpId::sqrt_, scalar(Dtype::int64))),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from int64 to float32");
  EXPECT_EQ(shown(b.unary(OpId::tanh_, number(1.0))),
            "TypeError bad-argument-type: tanh: 'input' must be a local tensor, got 1.0");
}

// Contract N2.1, N18.1.
TEST_F(BuilderScalar, FoldedNansAreThoseOfTheMode) {
  const auto pattern = [](const Result<Value>& result) {
    return std::get<Constant>(result->operand).bits;
  };
  EXPECT_EQ(pattern(b.unary(OpId::sqrt_, number(-1))), 0x7FC00000U);
  for (const auto chip : {refops::Chip::ascend910b, refops::Chip::ascend950pr}) {
    b = Builder(BuilderOptions{"k", {refops::NumericMode::npu, chip}});
    EXPECT_EQ(pattern(b.unary(OpId::sqrt_, number(-1))), 0x7FFFFFFFU);
    const Value zero = *b.constant(0.0, Dtype::float32);
    EXPECT_EQ(pattern(b.scalar_binary(ScalarOp::div, zero, zero)), 0x7FFFFFFFU);
    const Value nan = *b.unary(OpId::sqrt_, number(-1));
    EXPECT_EQ(pattern(b.scalar_cast(nan, Dtype::float16)), 0x7FFFU);
  }
}

TEST_F(BuilderScalar, Conditions) {
  EXPECT_EQ(shown(b.to_condition(number(0.5))), "int1 True");
  EXPECT_EQ(shown(b.to_condition(number(0))), "int1 False");
  EXPECT_EQ(shown(b.to_condition(scalar(Dtype::int8))), "int1 %");
  EXPECT_EQ(
      shown(b.to_condition(scalar(Dtype::float32))),
      "NotImplementedError scalar-cast-missing: a float32 scalar cannot be used as a condition");
  EXPECT_EQ(shown(b.scalar_binary(ScalarOp::logical_and, number(true), scalar(Dtype::int32))),
            "int1 %");
}

TEST_F(BuilderScalar, CastsOfScalars) {
  EXPECT_EQ(shown(b.scalar_cast(scalar(Dtype::float16), Dtype::bfloat16)),
            "NotImplementedError scalar-cast-missing: a scalar cannot be cast from float16 to "
            "bfloat16");
  EXPECT_EQ(
      shown(b.scalar_cast(scalar(Dtype::int1), Dtype::float32)),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from int1 to float32");
  EXPECT_EQ(shown(b.cast(number(3), Dtype::int16, RoundMode::default_mode)), "int16 3");
  EXPECT_EQ(
      shown(b.cast(scalar(Dtype::int32), Dtype::int64, RoundMode::rint)),
      "RuntimeError bad-cast: cast: 'round_mode' is only legal for tensors, got int32 scalar");
}

TEST_F(BuilderScalar, AFaultLeavesNoTrace) {
  const Value i64 = scalar(Dtype::int64);
  const Value f16 = scalar(Dtype::float16);
  const Value gm = global(Dtype::float32, {8});
  // The cast of the first operand is emitted before the second one fails.
  EXPECT_FALSE(b.begin_for(i64, f16, number(1), 1, false).ok());
  EXPECT_FALSE(b.store_scalar(f16, gm, {}).ok());
  EXPECT_EQ(dumped(),
            "kernel k\n"
            "  %0 = param s0 : int64 scalar\n"
            "  %1 = param s1 : float16 scalar\n"
            "  %2 = param p2 : pointer to float32\n"
            "  %3 = global_tensor %2 [8:int32] : float32 global tensor [8]\n");
}

TEST_F(BuilderScalar, ProgramScalars) {
  EXPECT_EQ(shown(b.program_scalar(OpId::block_idx_)), "int32 %");
  EXPECT_EQ(shown(b.program_scalar(OpId::add_)), "int32 0");
}

}  // namespace
}  // namespace ascemu::interp
