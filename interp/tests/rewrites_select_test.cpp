// maximum with zero, leaky relu, casts of a `where` of two scalars (contract N17.2 to N17.4).
#include "interp/tests/rewrites_fixture.h"

namespace ascemu::interp {
namespace {

TEST_F(Rewrites, MaximumWithZeroIsRelu) {
  for (const Dtype dtype : {Dtype::float16, Dtype::float32}) {
    store(*b.binary(OpId::maximum_, tensor(dtype, kLine), number(0)));
    store(*b.binary(OpId::maximum_, number(0.0), tensor(dtype, kLine)));
  }
  EXPECT_EQ(ops(), "relu relu relu relu");
}

TEST_F(Rewrites, OtherMaximaStay) {
  const Value x = tensor(Dtype::float32, kLine);
  store(*b.binary(OpId::maximum_, x, number(-0.0)));
  store(*b.binary(OpId::maximum_, x, number(1)));
  store(*b.binary(OpId::maximum_, x, scalar(Dtype::float32)));
  store(*b.binary(OpId::maximum_, x, *b.full(kLine, number(0), Dtype::float32)));
  store(*b.binary(OpId::minimum_, x, number(0)));
  store(*b.binary(OpId::maximum_, tensor(Dtype::int32, kLine), number(0)));
  store(*b.binary(OpId::maximum_, tensor(Dtype::bfloat16, kLine), number(0)));
  EXPECT_EQ(ops(), "maximum maximum maximum maximum minimum maximum maximum");
}

TEST_F(Rewrites, OperationsOnConstantTilesStay) {  // N17.5
  const Value two = *b.full(kLine, number(2), Dtype::float16);
  const Value zero = *b.full(kLine, number(0), Dtype::float16);
  store(*b.binary(OpId::div_, two, zero));
  store(*b.binary(OpId::maximum_, two, zero));
  store(cast(*b.unary(OpId::exp_, two), Dtype::float32));
  EXPECT_EQ(ops(), "div maximum exp float16->float32");
}

TEST_F(Rewrites, MaximumKeepsItsMask) {
  ASSERT_TRUE(b.push_mask(5, std::nullopt, number(7)).ok());
  const Value result = *b.binary(OpId::maximum_, tensor(Dtype::float32, kLine), number(0));
  b.pop_mask();
  store(result);
  ASSERT_EQ(ops(), "relu");
  for_each_stmt(finished_.program->body, [](const Stmt& stmt) {
    const auto* relu = std::get_if<Unary>(&stmt.node);
    if (relu == nullptr) return;
    ASSERT_TRUE(relu->mask.has_value());
    EXPECT_EQ(relu->mask->lanes.bits[0], 31U);
    ASSERT_TRUE(relu->mask->other.has_value());
    EXPECT_EQ(std::get<Constant>(*relu->mask->other).as_double(), 7);
  });
}

TEST_F(Rewrites, LeakyReluComparesWithOrEqual) {
  for (const Dtype dtype : {Dtype::float16, Dtype::float32}) {
    const Value x = tensor(dtype, kLine);
    const Value slope = scalar(dtype);
    const auto select = [&](const Value& mask, const Arg& alpha, bool swapped) {
      const Value scaled =
          swapped ? *b.binary(OpId::mul_, alpha, x) : *b.binary(OpId::mul_, x, alpha);
      store(*b.where(mask, x, scaled));
    };
    select(compare(OpId::greater_, x, number(0)), number(0.5), false);
    select(compare(OpId::less_, number(0), x), number(0.5), true);
    select(compare(OpId::greater_, x, number(-0.0)), slope, false);
  }
  EXPECT_EQ(ops(),
            "mul greater_equal where mul greater_equal where mul greater_equal where "
            "mul greater_equal where mul greater_equal where mul greater_equal where");
}

TEST_F(Rewrites, WhatIsNoLeakyReluStays) {
  const Value x = tensor(Dtype::float32, kLine);
  const Value y = tensor(Dtype::float32, kLine);
  const Value scaled = *b.binary(OpId::mul_, x, number(0.5));
  const auto select = [&](const Value& mask, const Arg& a, const Arg& other) {
    store(*b.where(mask, a, other));
  };
  const Value positive = compare(OpId::greater_, x, number(0));
  select(positive, x, *b.binary(OpId::mul_, x, y));            // alpha is a tensor
  select(positive, x, *b.binary(OpId::mul_, y, number(0.5)));  // of another tensor
  select(positive, y, scaled);
  select(positive, scaled, x);
  select(compare(OpId::greater_equal_, x, number(0)), x, scaled);
  select(compare(OpId::greater_, x, number(1)), x, scaled);
  select(compare(OpId::greater_, y, number(0)), x, scaled);
  select(compare(OpId::less_, x, number(0)), x, scaled);
  select(compare(OpId::greater_, number(0), x), x, scaled);
  EXPECT_EQ(ops(),
            "mul greater mul where mul where where where greater_equal where greater where "
            "greater where less where greater where");
}

TEST_F(Rewrites, LeakyReluOfBfloat16Stays) {
  const Value x = tensor(Dtype::bfloat16, kLine);
  const Value positive = compare(OpId::greater_, x, number(0));
  store(*b.where(positive, x, *b.binary(OpId::mul_, x, number(0.5))));
  EXPECT_EQ(ops(), "greater mul where");
}

TEST_F(Rewrites, AMaskedProductIsNoLeakyRelu) {
  const Value x = tensor(Dtype::float32, kLine);
  ASSERT_TRUE(b.push_mask(5, std::nullopt, number(7)).ok());
  const Value scaled = *b.binary(OpId::mul_, x, number(0.5));
  b.pop_mask();
  store(*b.where(compare(OpId::greater_, x, number(0)), x, scaled));
  EXPECT_EQ(ops(), "mul greater where");
}

TEST_F(Rewrites, AComparisonWithAnotherReaderStays) {
  const Value x = tensor(Dtype::float32, kLine);
  const Value positive = compare(OpId::greater_, x, number(0));
  store(*b.where(positive, x, *b.binary(OpId::mul_, x, number(0.5))));
  store(*b.where(positive, number(1), number(2)));
  EXPECT_EQ(ops(), "greater mul greater_equal where where");
}

TEST_F(Rewrites, ACarriedProductIsNoLeakyRelu) {
  const Value x = tensor(Dtype::float32, kLine);
  const Value scaled = *b.variable(*b.binary(OpId::mul_, x, number(0.5)));
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  store(*b.where(compare(OpId::greater_, x, number(0)), x, scaled));
  ASSERT_TRUE(b.assign(std::vector{scaled}, std::vector{x}).ok());
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(ops(), "mul greater where");
}

TEST_F(Rewrites, ARewrittenStatementStandsWhereTheUserWroteIt) {
  at(3);
  const Value x = tensor(Dtype::float32, kLine);
  const Value positive = compare(OpId::greater_, x, number(0));
  const Value scaled = *b.binary(OpId::mul_, x, number(0.5));
  at(7);
  const Value leaky = *b.where(positive, x, scaled);
  at(9);
  const Value back = cast(cast(leaky, Dtype::float16), Dtype::float32);
  at(11);
  store(back);
  ASSERT_EQ(ops(), "mul greater_equal where float32->float32");
  std::string lines;
  for_each_stmt(finished_.program->body, [&](const Stmt& stmt) {
    if (word_of(stmt.node).empty()) return;
    lines += std::to_string(finished_.program->sources.spans[stmt.span].line) + " ";
  });
  EXPECT_EQ(lines, "3 7 7 9 ");
}

TEST_F(Rewrites, ACastOfConstantArmsSelectsConvertedConstants) {
  const Value mask = compare(OpId::greater_, tensor(Dtype::float32, kLine), number(0));
  store(cast(*b.where(mask, number(70000), number(3)), Dtype::int16));
  ASSERT_EQ(ops(), "greater where");
  for_each_stmt(finished_.program->body, [](const Stmt& stmt) {
    const auto* where = std::get_if<Where>(&stmt.node);
    if (where == nullptr) return;
    EXPECT_EQ(std::get<Constant>(where->a), Scalar::from_int(Dtype::int16, 4464));
    EXPECT_EQ(std::get<Constant>(where->b), Scalar::from_int(Dtype::int16, 3));
  });
}

TEST_F(Rewrites, ACastOfRuntimeArmsConvertsThemFirst) {
  const Value mask = compare(OpId::greater_, tensor(Dtype::float32, kLine), number(0));
  store(cast(*b.where(mask, scalar(Dtype::int32), number(3)), Dtype::int16));
  EXPECT_EQ(ops(), "greater scalar_cast where");
}

TEST_F(Rewrites, OtherCastsOfSelectsStay) {
  const Value x = tensor(Dtype::int32, kLine);
  const Value mask = compare(OpId::greater_, x, number(0));
  store(cast(*b.where(mask, x, number(3)), Dtype::int16));
  store(cast(*b.where(mask, number(4), number(3)), Dtype::int16, RoundMode::no_round));
  const Value carried = *b.variable(*b.where(mask, number(4), number(3)));
  store(cast(carried, Dtype::int16));
  EXPECT_EQ(ops(), "greater where int32->int16 where int32->int16 where int32->int16");
}

TEST_F(Rewrites, IeeeCastsSelectsWhereTheLanguageHasTheCast) {
  make_for(refops::NumericMode::ieee);
  const Value mask = compare(OpId::greater_, tensor(Dtype::float32, kLine), number(0));
  const Value selected = *b.where(mask, number(300), scalar(Dtype::int32));
  store(cast(selected, Dtype::int16));
  store(cast(selected, Dtype::bfloat16));
  store(cast(cast(selected, Dtype::float32), Dtype::int8));  // float32 -> int8 is no pair
  EXPECT_EQ(ops(),
            "greater where int32->int16 scalar_cast scalar_cast where scalar_cast scalar_cast "
            "scalar_cast where");
}

TEST_F(Rewrites, ASelectWhoseScalarWasReboundHasNoSuchCast) {
  const Value mask = compare(OpId::greater_, tensor(Dtype::float32, kLine), number(0));
  const Value arm = *b.variable(scalar(Dtype::int32));
  const Value selected = *b.where(mask, arm, number(3));
  ASSERT_TRUE(b.assign(std::vector{arm}, std::vector{scalar(Dtype::int32)}).ok());
  at(5);
  store(cast(selected, Dtype::bfloat16));
  const auto finished = b.finish();
  ASSERT_EQ(finished.errors.size(), 1U);
  EXPECT_EQ(finished.errors[0].code, Code::bad_cast);
  EXPECT_EQ(finished.errors[0].message,
            "a tensor cannot be cast from int32 to bfloat16: the 'where' of two numbers that it "
            "comes from was made before its operands were re-bound");
  EXPECT_EQ(finished.sources.spans[finished.errors[0].span].line, 5);
}

}  // namespace
}  // namespace ascemu::interp
