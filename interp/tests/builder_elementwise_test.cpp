#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

class BuilderElementwise : public BuilderTest {
 protected:
  std::string binary(OpId op, const Arg& a, const Arg& other) {
    return type_or_fault(b.binary(op, a, other));
  }
  std::string add(Dtype a, Dtype other) {
    return binary(OpId::add_, tensor(a, {8}), tensor(other, {8}));
  }
};

TEST_F(BuilderElementwise, EveryRowOfTheTableTakesItsDtypesOnly) {
  for (const auto& row : refops::op_table()) {
    for (int i = 0; i < refops::kDtypeCount; ++i) {
      const auto dtype = static_cast<Dtype>(i);
      if (row.family == refops::OpFamily::unary) {
        const auto result = b.unary(row.id, tensor(dtype, {4}));
        EXPECT_EQ(result.ok(), refops::op_accepts(row.id, dtype)) << row.name;
        if (result.ok()) {
          EXPECT_EQ(result->dtype(), dtype) << row.name;
        }
      } else if (row.family == refops::OpFamily::binary ||
                 row.family == refops::OpFamily::compare) {
        const auto result = b.binary(row.id, tensor(dtype, {4}), tensor(dtype, {4}));
        EXPECT_EQ(result.ok(), refops::op_accepts(row.id, dtype)) << row.name;
        const bool is_compare = row.family == refops::OpFamily::compare;
        if (result.ok()) {
          EXPECT_EQ(result->dtype(), is_compare ? Dtype::int1 : dtype) << row.name;
        }
      }
    }
  }
}

TEST_F(BuilderElementwise, WrongDtypesAreRuntimeErrors) {
  EXPECT_EQ(type_or_fault(b.unary(OpId::exp_, tensor(Dtype::bfloat16, {8}))),
            "RuntimeError bad-dtype: exp: 'input' has dtype bfloat16; legal: float16 and float32");
  EXPECT_EQ(binary(OpId::add_, number(1), tensor(Dtype::int8, {8})),
            "RuntimeError bad-dtype: add: 'other' has dtype int8; legal: int16, int32, int64, "
            "float16, bfloat16 and float32");
  EXPECT_EQ(binary(OpId::equal_, tensor(Dtype::int64, {8}), number(1)),
            "RuntimeError bad-dtype: equal: 'input' has dtype int64; legal: int8, int16, int32, "
            "float16, bfloat16 and float32");
}

TEST_F(BuilderElementwise, TensorsUnify) {
  EXPECT_EQ(add(Dtype::int16, Dtype::int32), "int32 tensor [8]");
  EXPECT_EQ(add(Dtype::float16, Dtype::float32), "float32 tensor [8]");
  EXPECT_EQ(add(Dtype::float16, Dtype::bfloat16), "float16 tensor [8]");
  EXPECT_EQ(add(Dtype::bfloat16, Dtype::float16), "bfloat16 tensor [8]");
  EXPECT_EQ(add(Dtype::int32, Dtype::float32), "float32 tensor [8]");
  EXPECT_EQ(add(Dtype::float16, Dtype::int16), "float16 tensor [8]");
  EXPECT_EQ(add(Dtype::int32, Dtype::float16),
            "RuntimeError no-common-dtype: add: int32 and float16 have no common dtype");
}

TEST_F(BuilderElementwise, AMissingCastOfAnOperandIsACompileError) {
  EXPECT_EQ(add(Dtype::int16, Dtype::bfloat16), "bfloat16 tensor [8]");
  EXPECT_EQ(compile_error(b),
            "RuntimeError bad-cast: a tensor cannot be cast from int16 to bfloat16");
}

TEST_F(BuilderElementwise, ScalarsTakeTheTensorsDtype) {
  const Value half = tensor(Dtype::float16, {8});
  EXPECT_EQ(binary(OpId::mul_, half, number(2)), "float16 tensor [8]");
  EXPECT_EQ(binary(OpId::sub_, number(1.5), tensor(Dtype::int32, {8})), "int32 tensor [8]");
  EXPECT_EQ(binary(OpId::add_, half, scalar(Dtype::float32)), "float16 tensor [8]");
  EXPECT_EQ(
      binary(OpId::add_, half, scalar(Dtype::int32)),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from int32 to float16");
  EXPECT_EQ(binary(OpId::left_shift_, tensor(Dtype::int32, {8}), number(2.9)), "int32 tensor [8]");
}

TEST_F(BuilderElementwise, ScalarOperandsAreConvertedOnce) {
  const Value x = tensor(Dtype::int32, {8});
  ASSERT_TRUE(b.binary(OpId::sub_, number(1.5), x).ok());
  EXPECT_EQ(dumped(),
            "kernel k\n"
            "  %0 = param p0 : pointer to int32\n"
            "  %1 = global_tensor %0 [1048576:int32] : int32 global tensor [1048576]\n"
            "  %2 = copy_in %1 at [0:int32] : int32 tensor [8] in UB\n"
            "  %3 = sub 1:int32, %2 : int32 tensor [8] in UB\n");
}

TEST_F(BuilderElementwise, ShapesBroadcast) {
  const auto added = [&](const Shape& a, const Shape& other) {
    return binary(OpId::add_, tensor(Dtype::float32, a), tensor(Dtype::float32, other));
  };
  EXPECT_EQ(added({4, 1}, {1, 8}), "float32 tensor [4, 8]");
  EXPECT_EQ(added({1}, {8}), "float32 tensor [8]");
  EXPECT_EQ(added({2, 4, 8}, {8}), "float32 tensor [2, 4, 8]");
  EXPECT_EQ(added({4}, {8}), "RuntimeError bad-shape: add: shapes [4] and [8] do not broadcast");
  EXPECT_EQ(added({65536, 1}, {1, 65536}),
            "KernelError memory-limit: add: a float32 tensor [65536, 65536] is larger than 1 GiB");
}

TEST_F(BuilderElementwise, AtLeastOneTensor) {
  EXPECT_EQ(binary(OpId::add_, number(1), scalar(Dtype::int32)),
            "BinaryOperandTypeError bad-argument-type: add: at least one operand must be a tensor, "
            "got 1 and int32 scalar");
  EXPECT_EQ(binary(OpId::add_, tensor(Dtype::float32, {8}), global(Dtype::float32, {8})),
            "BinaryOperandTypeError bad-argument-type: add: 'other' must be a tensor or a number, "
            "got a float32 global tensor [8]");
}

TEST_F(BuilderElementwise, Masks) {
  const Value x = tensor(Dtype::float16, {300});
  ASSERT_TRUE(b.push_mask(3, std::nullopt, number(7)).ok());
  ASSERT_TRUE(b.unary(OpId::exp_, x).ok());
  ASSERT_TRUE(b.binary(OpId::less_, x, number(0)).ok());
  EXPECT_EQ(
      binary(OpId::pow_, x, number(2)),
      "RuntimeError bad-argument-value: pow: the device has no masked form of this operation");
  b.pop_mask();
  ASSERT_TRUE(b.push_mask(std::nullopt, std::array<std::uint64_t, 2>{1, 0xF0}, std::nullopt).ok());
  ASSERT_TRUE(b.binary(OpId::add_, x, x).ok());
  b.pop_mask();
  ASSERT_TRUE(b.unary(OpId::abs_, x).ok());
  const std::string text = dumped();
  EXPECT_NE(text.find("exp %2 mask=0x7 other=7.0:float16 :"), std::string::npos) << text;
  EXPECT_NE(text.find("less %2, 0.0:float16 :"), std::string::npos) << text;
  EXPECT_NE(text.find("add %2, %2 mask=0x100000000000000f0 :"), std::string::npos) << text;
  EXPECT_NE(text.find("abs %2 :"), std::string::npos) << text;
}

TEST_F(BuilderElementwise, MaskArguments) {
  EXPECT_EQ(fault_text(b.push_mask(std::nullopt, std::nullopt, std::nullopt)),
            "ValueError bad-argument-value: mask: 'count' or 'bits' is needed");
  EXPECT_EQ(fault_text(b.push_mask(1, std::array<std::uint64_t, 2>{}, std::nullopt)),
            "ValueError bad-argument-value: mask: give either 'count' or 'bits', not both");
  EXPECT_EQ(fault_text(b.push_mask(-1, std::nullopt, std::nullopt)),
            "ValueError bad-argument-value: mask: 'count' is -1; legal: 0 and above");
  EXPECT_EQ(
      fault_text(b.push_mask(1, std::nullopt, tensor(Dtype::float32, {8}))),
      "TypeError bad-argument-type: mask: 'other' must be a number, got a float32 tensor [8]");
}

TEST_F(BuilderElementwise, Where) {
  const Value x = tensor(Dtype::float32, {4, 8});
  const Value mask = *b.binary(OpId::greater_, x, number(0));
  const auto where = [&](const Arg& a, const Arg& other) {
    return type_or_fault(b.where(mask, a, other));
  };
  EXPECT_EQ(where(number(1), number(0)), "int32 tensor [4, 8]");
  EXPECT_EQ(where(number(1), number(0.5)), "float32 tensor [4, 8]");
  EXPECT_EQ(where(tensor(Dtype::float16, {8}), number(3)), "float16 tensor [4, 8]");
  EXPECT_EQ(where(x, tensor(Dtype::float16, {4, 1})), "float32 tensor [4, 8]");
  EXPECT_EQ(where(scalar(Dtype::float32), number(1)), "float32 tensor [4, 8]");
  EXPECT_EQ(where(scalar(Dtype::float16), number(1)),
            "RuntimeError no-common-dtype: where: float16 and int32 have no common dtype");
  EXPECT_EQ(where(tensor(Dtype::float32, {2, 4, 8}), number(1)),
            "RuntimeError bad-shape: where: 'src0' of shape [2, 4, 8] does not broadcast to the "
            "mask's shape [4, 8]");
  EXPECT_EQ(where(tensor(Dtype::int64, {8}), number(1)),
            "RuntimeError bad-dtype: where: 'src0' has dtype int64; legal: int16, int32, float16, "
            "bfloat16 and float32");
  EXPECT_EQ(type_or_fault(b.where(x, number(1), number(0))),
            "RuntimeError bad-dtype: where: 'mask' has dtype float32; legal: int1");
  EXPECT_EQ(
      type_or_fault(b.where(scalar(Dtype::int1), number(1), number(0))),
      "TypeError bad-argument-type: where: 'mask' must be a local tensor, got an int1 scalar");
}

TEST_F(BuilderElementwise, Casts) {
  const Value x = tensor(Dtype::float32, {8});
  EXPECT_EQ(b.cast(x, Dtype::float32, RoundMode::floor)->operand, x.operand);
  EXPECT_EQ(type_or_fault(b.cast(x, Dtype::float16, RoundMode::odd)), "float16 tensor [8]");
  EXPECT_EQ(type_or_fault(b.cast(x, Dtype::int32, RoundMode::ceil)), "int32 tensor [8]");
  EXPECT_NE(b.finish().program, nullptr);
}

TEST_F(BuilderElementwise, MissingCastPairsAndModesAreCompileErrors) {
  const Value x = tensor(Dtype::float32, {8});
  at(4);
  EXPECT_EQ(type_or_fault(b.cast(x, Dtype::int8, RoundMode::default_mode)), "int8 tensor [8]");
  at(5);
  EXPECT_TRUE(b.cast(x, Dtype::int32, RoundMode::odd).ok());
  const auto finished = b.finish();
  ASSERT_EQ(finished.errors.size(), 2U);
  EXPECT_EQ(finished.errors[0].message, "a tensor cannot be cast from float32 to int8");
  EXPECT_EQ(finished.errors[0].exception, ExceptionKind::runtime_error);
  EXPECT_EQ(finished.sources.spans[finished.errors[0].span].line, 4);
  EXPECT_EQ(finished.errors[1].message,
            "a tensor cannot be cast from float32 to int32 with round mode Odd");
}

TEST_F(BuilderElementwise, ACastOfAWhereOfScalarsIsLegalForEveryPair) {
  const Value x = tensor(Dtype::float32, {8});
  const Value mask = *b.binary(OpId::greater_, x, number(0));
  const Value one = *b.where(mask, number(300), number(0));
  EXPECT_EQ(type_or_fault(b.cast(one, Dtype::bfloat16, RoundMode::default_mode)),
            "bfloat16 tensor [8]");
  const Value bytes = *b.cast(one, Dtype::int8, RoundMode::default_mode);
  store(bytes);
  EXPECT_TRUE(b.cast(bytes, Dtype::float32, RoundMode::default_mode).ok());
  const Value runtime = *b.where(mask, scalar(Dtype::int32), number(0));
  EXPECT_TRUE(b.cast(runtime, Dtype::float16, RoundMode::default_mode).ok());
  const std::string text = dumped();
  EXPECT_NE(text.find("where %3, 300.0:bfloat16, 0.0:bfloat16 :"), std::string::npos) << text;
  EXPECT_NE(text.find("where %3, 44:int8, 0:int8 :"), std::string::npos) << text;
  EXPECT_NE(text.find("where %3, 44.0:float32, 0.0:float32 :"), std::string::npos) << text;
}

TEST_F(BuilderElementwise, ChipGapsAreFindings) {
  Builder older({"k", {refops::NumericMode::ieee, refops::Chip::ascend910b}});
  const Value base = older.array_param("a", Dtype::int32);
  const Value gm = *older.global_tensor(base, numbers({8}));
  const Value x =
      *older.copy_in(gm, numbers({0}), {8}, Space::automatic, std::nullopt, std::nullopt);
  ASSERT_TRUE(older.binary(OpId::div_, x, number(2)).ok());
  ASSERT_TRUE(older.binary(OpId::add_, x, number(2)).ok());
  const auto finished = older.finish();
  ASSERT_EQ(finished.program->findings.size(), 1U);
  EXPECT_EQ(finished.program->findings[0].message,
            "div of int32 has no vector instruction on Ascend 910B and 910_93");
}

}  // namespace
}  // namespace ascemu::interp
