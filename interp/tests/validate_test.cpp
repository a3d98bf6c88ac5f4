#include "interp/resolve/validate.h"

#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

class Validate : public BuilderTest {
 protected:
  // A valid program to damage: x = copy_in; y = exp(x); in a loop, copy_out(y).
  Program valid() {
    const Value x = tensor(Dtype::float32, {8});
    const Value y = *b.unary(OpId::exp_, x);
    EXPECT_TRUE(b.begin_for(number(0), number(2), number(1), 1, false).ok());
    store(y);
    EXPECT_TRUE(b.end_for().ok());
    Program program = *b.finish().program;
    EXPECT_EQ(fault(program), "");
    return program;
  }
  static std::string fault(const Program& program) {
    const auto errors = validate(program);
    return errors.empty() ? "" : errors.front().message;
  }
  static std::string invalid(const char* what) {
    return std::string("the program is not valid: ") + what;
  }
  static Unary& exp_of(Program& program) {
    for (Stmt& stmt : program.body.stmts) {
      if (auto* unary = std::get_if<Unary>(&stmt.node)) return *unary;
    }
    std::abort();
  }
};

TEST_F(Validate, SlotsOutOfRange) {
  Program program = valid();
  exp_of(program).x = SlotRef{1000};
  EXPECT_EQ(fault(program), invalid("a slot is read before it is written"));
}

TEST_F(Validate, ResultsOutOfRange) {
  Program program = valid();
  exp_of(program).dst = 1000;
  EXPECT_EQ(fault(program), invalid("a result has no slot"));
}

TEST_F(Validate, ReadBeforeWrite) {
  Program program = valid();
  exp_of(program).x = SlotRef{exp_of(program).dst};
  EXPECT_EQ(fault(program), invalid("a slot is read before it is written"));
}

TEST_F(Validate, WrittenTwice) {
  Program program = valid();
  program.body.stmts.insert(program.body.stmts.begin() + 3, Stmt(program.body.stmts[2]));
  EXPECT_EQ(fault(program), invalid("a slot is written twice"));
}

TEST_F(Validate, ValuesOfABlockEndWithIt) {
  Program program = valid();
  auto& loop = std::get<For>(program.body.stmts.back().node);
  const Slot view = std::get<MakeGlobal>(loop.body.stmts.front().node).dst;
  program.body.stmts.push_back({kNoSpan, LoadScalar{exp_of(program).dst, SlotRef{view}, {}}});
  EXPECT_EQ(fault(program), invalid("a slot is read before it is written"));
}

TEST_F(Validate, OnlyMovesWriteVariables) {
  Program program = valid();
  program.slots[exp_of(program).dst].is_variable = true;
  EXPECT_EQ(fault(program), invalid("only a move may write a variable"));
}

TEST_F(Validate, DtypesOfOps) {
  Program program = valid();
  exp_of(program).op = OpId::bitwise_not_;
  EXPECT_EQ(fault(program), invalid("a unary op and its dtype"));
  exp_of(program).op = OpId::add_;
  EXPECT_EQ(fault(program), invalid("a unary op and its dtype"));
}

TEST_F(Validate, ShapesOfOps) {
  Program program = valid();
  std::get<TensorType>(program.slots[exp_of(program).dst].type).shape = Shape{4, 2};
  EXPECT_EQ(fault(program), invalid("the result of a unary op"));
}

TEST_F(Validate, PlacesAndSizesOfSlots) {
  Program program = valid();
  auto& type = std::get<TensorType>(program.slots[exp_of(program).dst].type);
  type.space = Space::automatic;
  EXPECT_EQ(fault(program), invalid("a tensor has no place"));
  type.space = Space::ub;
  type.shape = Shape{1 << 30};
  EXPECT_EQ(fault(program), "a slot: a float32 tensor [1073741824] is larger than 1 GiB");
  type.shape = Shape{};
  EXPECT_EQ(fault(program), "a slot: the shape must have at least one value");
}

TEST_F(Validate, ScalarsWhereTensorsBelong) {
  Program program = valid();
  exp_of(program).x = Scalar::from_int(Dtype::float32, 1);
  EXPECT_EQ(fault(program), invalid("an operand is no tensor"));
}

TEST_F(Validate, Conditions) {
  Program program = valid();
  program.body.stmts.push_back({kNoSpan, If{Scalar::from_int(Dtype::int32, 1), {}, {}}});
  EXPECT_EQ(fault(program), invalid("a condition is not int1"));
  program.body.stmts.back().node = While{{}, Scalar::from_int(Dtype::int32, 1), {}};
  EXPECT_EQ(fault(program), invalid("a condition is not int1"));
  program.body.stmts.back().node = While{{}, SlotRef{4000}, {}};
  EXPECT_EQ(fault(program), invalid("a slot is read before it is written"));
}

TEST_F(Validate, Barriers) {
  Program program = valid();
  program.body.stmts.push_back({kNoSpan, SyncAll{}});
  EXPECT_EQ(fault(program), invalid("a barrier in a program that declares none"));
  program.has_barrier = true;
  EXPECT_EQ(fault(program), "");
}

TEST_F(Validate, DepthIsLimited) {
  Program program = valid();
  const Operand yes = Scalar::from_int(Dtype::int1, 1);
  for (int depth = 0; depth < 300; ++depth) {
    Block outer;
    outer.stmts.push_back({kNoSpan, If{yes, std::move(program.body), {}}});
    program.body = std::move(outer);
  }
  EXPECT_EQ(fault(program), "blocks are nested more than 200 deep");
}

TEST_F(Validate, Moves) {
  Program program = valid();
  Move move;
  move.dst = {0};
  program.body.stmts.push_back({kNoSpan, move});
  EXPECT_EQ(fault(program), invalid("only a move may write a variable"));
  program.slots.push_back({ScalarType{Dtype::int32}, "", kNoSpan, true, -1});
  const Slot variable = static_cast<Slot>(program.slots.size() - 1);
  const auto moved = [&](std::vector<Slot> dst, std::vector<Operand> src) {
    program.body.stmts.back().node = Move{std::move(dst), std::move(src)};
    return fault(program);
  };
  const Operand one = Scalar::from_int(Dtype::int32, 1);
  EXPECT_EQ(moved({variable}, {}), invalid("a move has unequal sides"));
  EXPECT_EQ(moved({variable}, {Scalar::from_int(Dtype::int8, 1)}),
            invalid("a move changes a type"));
  EXPECT_EQ(moved({variable, variable}, {one, one}), invalid("a move writes a slot twice"));
  EXPECT_EQ(moved({variable}, {one}), "");
}

}  // namespace
}  // namespace ascemu::interp
