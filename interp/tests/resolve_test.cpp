#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

class Resolve : public BuilderTest {
 protected:
  Value half(const Shape& shape, Space space = Space::automatic) {
    return tensor(Dtype::float16, shape, space);
  }
  // Finishes and returns "UB" and the like for a tensor slot, or the first error.
  std::string place(const Value& value) {
    if (!finished_.program && finished_.errors.empty()) finished_ = b.finish();
    if (!finished_.program) return first_error(finished_);
    const Slot slot = std::get<SlotRef>(value.operand).slot;
    const auto& type = std::get<TensorType>(finished_.program->slots[slot].type);
    return std::string(space_name(type.space));
  }
  std::string copies() {
    std::string text;
    for (const ImplicitCopy& copy : finished_.program->implicit_copies) {
      text += std::string(space_name(copy.from)) + "->" + std::string(space_name(copy.to)) + " ";
    }
    return text;
  }
  Value product(const Value& a, const Value& other) {
    return *b.matmul(a, other, std::nullopt, false);
  }

  Builder::Finished finished_;
};

TEST_F(Resolve, UsersDecide) {
  const Value a = half({16, 32});
  const Value other = half({32, 16});
  const Value bias = tensor(Dtype::float32, {16});
  const Value c = *b.matmul(a, other, bias, false);
  store(c);
  const Value x = half({64});
  ASSERT_TRUE(b.unary(OpId::exp_, x).ok());
  EXPECT_EQ(place(a), "L0A");
  EXPECT_EQ(place(other), "L0B");
  EXPECT_EQ(place(bias), "BT");
  EXPECT_EQ(place(c), "L0C");
  EXPECT_EQ(place(x), "UB");
  EXPECT_EQ(copies(), "");
}

TEST_F(Resolve, UsersThatDisagreeMakeALoadToUbThatIsCopiedOn) {
  const Value both = half({16, 16});
  store(product(both, both));
  EXPECT_EQ(place(both), "UB");
  EXPECT_EQ(copies(), "UB->L1 L1->L0A UB->L1 L1->L0B ");
}

TEST_F(Resolve, AMatmulAndAVectorOpShareAnUbTile) {
  const Value a = half({16, 16});
  store(product(a, half({16, 16})));
  ASSERT_TRUE(b.unary(OpId::exp_, a).ok());
  EXPECT_EQ(place(a), "UB");
}

TEST_F(Resolve, AStoreDoesNotAsk) {
  const Value a = half({16, 16});
  store(product(a, half({16, 16})));
  store(a);
  EXPECT_EQ(place(a), "UB");
}

TEST_F(Resolve, ACastFollowsItsOperand) {
  const Value c = product(half({16, 16}), half({16, 16}));
  const Value narrow = *b.cast(c, Dtype::float16, RoundMode::default_mode);
  const Value positive = *b.unary(OpId::relu_, narrow);
  store(positive);
  EXPECT_EQ(place(narrow), "L0C");
  EXPECT_EQ(place(positive), "L0C");
  EXPECT_EQ(copies(), "");
}

TEST_F(Resolve, AProductOfAProductNeedsACast) {
  const Value c = product(half({16, 16}), half({16, 16}));
  const Value narrow = *b.cast(c, Dtype::float16, RoundMode::default_mode);
  store(product(narrow, half({16, 16})));
  EXPECT_EQ(place(narrow), "L0C");
  EXPECT_EQ(copies(), "L0C->L1 L1->L0A ");
}

TEST_F(Resolve, AFloat32ProductCannotBeAnOperand) {
  at(2);
  const Value c = product(half({16, 16}), half({16, 16}));
  b.name_value(c, "c");
  at(3);
  store(product(c, tensor(Dtype::float32, {16, 16})));
  finished_ = b.finish();
  ASSERT_EQ(finished_.errors.size(), 1U);
  const Diagnostic& error = finished_.errors[0];
  EXPECT_EQ(
      error.message,
      "matmul: 'input' ('c') is a float32 tensor [16, 16] in L0C; the device cannot move it to "
      "L0A");
  EXPECT_EQ(error.exception, ExceptionKind::runtime_error);
  EXPECT_EQ(error.code, Code::bad_location);
  EXPECT_EQ(error.help, "Cast the matmul result to float16 or bfloat16 first.");
  EXPECT_EQ(finished_.sources.spans[error.span].line, 3);
  ASSERT_EQ(error.labels.size(), 1U);
  EXPECT_EQ(finished_.sources.spans[error.labels[0].span].line, 2);
  EXPECT_EQ(error.labels[0].text, "the tensor is made here, in L0C");
}

TEST_F(Resolve, ABiasComputedInUbCannotReachBt) {
  const Value bias = *b.unary(OpId::exp_, tensor(Dtype::float32, {16}));
  store(*b.matmul(half({16, 16}), half({16, 16}), bias, false));
  EXPECT_EQ(place(bias),
            "matmul: 'bias' is a float32 tensor [16] in UB; the device cannot move it to BT");
}

TEST_F(Resolve, UbToL1IsTwoDimensional) {
  const Value line = *b.unary(OpId::exp_, half({64}));
  ASSERT_TRUE(b.copy(line, std::nullopt, std::nullopt, Space::l1).ok());
  EXPECT_EQ(place(line),
            "copy: 'src' is a float16 tensor [64] in UB; the device cannot move it to L1");
}

TEST_F(Resolve, MatmulResultsMoveToUbForVectorOps) {
  const Value c = product(half({16, 16}), half({16, 16}));
  store(*b.binary(OpId::add_, c, tensor(Dtype::float32, {16, 16})));
  EXPECT_EQ(place(c), "L0C");
  EXPECT_EQ(copies(), "L0C->UB ");
}

TEST_F(Resolve, ReshapeAndTransposeFollowTheirUsersToTheLoad) {
  const Value a = half({32, 16});
  const Value turned = *b.transpose(a, {});
  const Value flat = half({512});
  const Value square = *b.reshape(flat, {32, 16});
  store(product(turned, square));
  EXPECT_EQ(place(turned), "L0A");
  EXPECT_EQ(place(a), "L0A");
  EXPECT_EQ(place(square), "L0B");
  EXPECT_EQ(place(flat), "L0B");
  EXPECT_EQ(copies(), "");
}

TEST_F(Resolve, ACastOfALoadStaysInUb) {
  const Value a = tensor(Dtype::float32, {16, 16});
  const Value narrow = *b.cast(a, Dtype::float16, RoundMode::default_mode);
  store(product(narrow, half({16, 16})));
  EXPECT_EQ(place(a), "UB");
  EXPECT_EQ(place(narrow), "UB");
  EXPECT_EQ(copies(), "UB->L1 L1->L0A ");
}

TEST_F(Resolve, RealShapeKeepsALoadInUb) {
  const Value gm = global(Dtype::float16, {16, 16});
  const Value a =
      *b.copy_in(gm, numbers({0, 0}), {16, 16}, Space::automatic, numbers({9, 9}), std::nullopt);
  store(product(a, half({16, 16})));
  EXPECT_EQ(place(a), "UB");
}

TEST_F(Resolve, ExplicitCopies) {
  const Value l1 = half({32, 32}, Space::l1);
  const Value left = *b.copy(l1, numbers({0, 0}), Shape{16, 32}, Space::l0a);
  const Value right = half({32, 16}, Space::l0b);
  const Value c = product(left, right);
  const Value ub = *b.copy(c, std::nullopt, std::nullopt, Space::ub);
  store(*b.unary(OpId::exp_, ub));
  // A whole tensor that is in place already: .to("UB") on a UB tensor.
  ASSERT_TRUE(b.copy(ub, std::nullopt, std::nullopt, Space::ub).ok());
  EXPECT_EQ(place(left), "L0A");
  EXPECT_EQ(place(ub), "UB");
  EXPECT_EQ(copies(), "");
}

TEST_F(Resolve, APartOfAUbTensorCannotBeCopiedToUb) {
  const Value x = half({64}, Space::ub);
  const Value part = *b.copy(x, numbers({16}), Shape{16}, Space::automatic);
  ASSERT_TRUE(b.unary(OpId::exp_, part).ok());
  EXPECT_EQ(place(part), "copy: 'src' lies in UB; the device cannot copy a part of it to UB");
}

TEST_F(Resolve, L1FeedsNoVectorOp) {
  const Value x = half({16, 16}, Space::l1);
  b.name_value(x, "tile");
  ASSERT_TRUE(b.unary(OpId::exp_, x).ok());
  EXPECT_EQ(
      place(x),
      "exp: 'input' ('tile') is a float16 tensor [16, 16] in L1; the device cannot move it to "
      "UB");
}

TEST_F(Resolve, OnlyUbAndL0cAreStored) {
  const Value x = half({16, 16}, Space::l0a);
  store(x);
  EXPECT_EQ(place(x),
            "copy_out: 'src' is a float16 tensor [16, 16] in L0A; only UB and L0C can be stored");
}

TEST_F(Resolve, TheRightSideIsNotTheLeft) {
  const Value x = half({16, 16}, Space::l0b);
  store(product(x, half({16, 16})));
  EXPECT_EQ(
      place(x),
      "matmul: 'input' is a float16 tensor [16, 16] in L0B; the device cannot move it to L0A");
}

TEST_F(Resolve, AnL1TileFeedsOneSide) {
  at(2);
  const Value x = half({16, 16}, Space::l1);
  at(3);
  store(product(x, *b.transpose(x, {})));
  finished_ = b.finish();
  ASSERT_EQ(finished_.errors.size(), 1U);
  EXPECT_EQ(finished_.errors[0].message,
            "a tile in L1 feeds both the left and the right side of a matmul");
  EXPECT_EQ(finished_.sources.spans[finished_.errors[0].span].line, 2);
  ASSERT_EQ(finished_.errors[0].labels.size(), 2U);
  EXPECT_EQ(finished_.errors[0].labels[0].text, "moved to L0A here");
}

TEST_F(Resolve, AnL1TileMayFeedOneSideTwice) {
  const Value x = half({16, 16}, Space::l1);
  store(product(x, half({16, 16})));
  store(product(*b.transpose(x, {}), half({16, 16})));
  EXPECT_EQ(place(x), "L1");
  EXPECT_EQ(copies(), "L1->L0A L1->L0A ");
}

TEST_F(Resolve, LoopCarriedTensorsTakeTheirUsersPlace) {
  const Value first = half({16, 16});
  const Value tile = *b.variable(first);
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  store(product(tile, half({16, 16})));
  const Value next = half({16, 16});
  ASSERT_TRUE(b.assign(std::vector{tile}, std::vector{next}).ok());
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(place(tile), "L0A");
  EXPECT_EQ(place(first), "L0A");
  EXPECT_EQ(place(next), "L0A");
  EXPECT_EQ(copies(), "");
}

TEST_F(Resolve, AnAccumulationInUb) {
  const Value zero = *b.full({64}, number(0.0), Dtype::float32);
  const Value sum = *b.variable(zero);
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  const Value x = tensor(Dtype::float32, {64});
  ASSERT_TRUE(b.assign(std::vector{sum}, std::vector{*b.binary(OpId::add_, sum, x)}).ok());
  ASSERT_TRUE(b.end_for().ok());
  store(sum);
  EXPECT_EQ(place(sum), "UB");
  EXPECT_EQ(place(x), "UB");
}

TEST_F(Resolve, ACarriedProductIsStoredFromUb) {
  const Value c = *b.variable(product(half({16, 16}), half({16, 16})));
  const Value flag = *b.to_condition(scalar(Dtype::int32));
  ASSERT_TRUE(b.begin_if(flag).ok());
  ASSERT_TRUE(b.assign(std::vector{c}, std::vector{product(half({16, 8}), half({8, 16}))}).ok());
  ASSERT_TRUE(b.end_if().ok());
  store(c);
  EXPECT_EQ(place(c), "UB");
  EXPECT_EQ(copies(), "L0C->UB L0C->UB ");
}

TEST_F(Resolve, RotatedNamesResolve) {
  const Value a = *b.variable(half({64}));
  const Value other = *b.variable(half({64}));
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  ASSERT_TRUE(b.assign(std::vector{a, other}, std::vector{other, a}).ok());
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(place(a), "UB");
  EXPECT_EQ(place(other), "UB");
}

TEST_F(Resolve, CarriedTensorsWithDisagreeingUsersAreUnresolved) {
  at(2);
  const Value tile = *b.variable(half({16, 16}));
  b.name_value(tile, "tile");
  at(3);
  store(product(tile, half({16, 16})));
  at(4);
  ASSERT_TRUE(b.unary(OpId::exp_, tile).ok());
  finished_ = b.finish();
  ASSERT_EQ(finished_.errors.size(), 1U);
  const Diagnostic& error = finished_.errors[0];
  EXPECT_EQ(error.code, Code::unresolved_location);
  EXPECT_EQ(error.exception, ExceptionKind::runtime_error);
  EXPECT_EQ(error.message,
            "'tile' is re-bound in a runtime loop or branch, and its users need it in different "
            "places");
  ASSERT_EQ(error.labels.size(), 2U);
  EXPECT_EQ(error.labels[0].text, "matmul needs it in L0A");
  EXPECT_EQ(error.labels[1].text, "exp needs it in UB");
}

TEST_F(Resolve, AtomicsOfAProductGoThroughUb) {
  const Value c = product(half({16, 16}), half({16, 16}));
  ASSERT_TRUE(
      b.atomic(OpId::atomic_add_, c, global(Dtype::float32, {16, 16}), numbers({0, 0})).ok());
  EXPECT_EQ(place(c), "L0C");
  EXPECT_EQ(copies(), "L0C->UB ");
}

TEST_F(Resolve, PrintDoesNotDecide) {
  const Value a = half({16, 16});
  ASSERT_TRUE(b.print({a}).ok());
  store(product(a, half({16, 16})));
  EXPECT_EQ(place(a), "L0A");
}

TEST_F(Resolve, LoneTransposesOfHighRankAreFindings) {
  const Value cube = half({2, 3, 16});
  store(*b.binary(OpId::add_, *b.transpose(cube, {1, 0, 2}), number(1)));  // after a load
  const Value sum = *b.binary(OpId::add_, half({2, 3, 16}), number(1));
  store(*b.transpose(sum, {1, 0, 2}));  // before a store
  store(*b.reshape(*b.binary(OpId::add_, *b.transpose(sum, {2, 0, 1}), number(1)), {96}));
  const auto finished = b.finish();
  ASSERT_NE(finished.program, nullptr);
  ASSERT_EQ(finished.program->findings.size(), 1U);
  EXPECT_EQ(finished.program->findings[0].message,
            "transpose of a tensor of rank 3 stands between other operations");
}

TEST_F(Resolve, HighRankTransposesStayInUb) {
  const Value cube = half({2, 3, 16}, Space::l1);
  ASSERT_TRUE(b.transpose(cube, {1, 0, 2}).ok());
  EXPECT_EQ(place(cube),
            "transpose: 'input' is a float16 tensor [2, 3, 16] in L1; the device cannot move it to "
            "UB");
}

TEST_F(Resolve, CubeIsSeen) {
  half({16, 16}, Space::l0a);
  EXPECT_TRUE(b.finish().program->has_cube);
}

TEST_F(Resolve, VectorProgramsAreNotCube) {
  store(*b.unary(OpId::exp_, half({64})));
  EXPECT_FALSE(b.finish().program->has_cube);
}

}  // namespace
}  // namespace ascemu::interp
