#include "interp/builtins/trace_state.h"
#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {
namespace {

using BuilderControl = BuilderTest;

TEST_F(BuilderControl, LoopsCarryVariables) {
  const Value n = scalar(Dtype::int32);
  const Value total = *b.variable(*b.constant(std::int64_t{0}, Dtype::int32));
  b.name_value(total, "total");
  const Value i = *b.begin_for(number(0), n, number(1), 2, true);
  b.name_value(i, "i");
  const Value sum = *b.scalar_binary(ScalarOp::add, total, i);
  ASSERT_TRUE(b.assign(std::vector{total}, std::vector{sum}).ok());
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(dumped(),
            "kernel k\n"
            "  %0 = param s0 : int32 scalar\n"
            "  move %1 total <- 0:int32\n"
            "  for %2 i in range(0:int32, %0, 1:int32) unroll=2 gm_barrier:\n"
            "    %3 = scalar add %1, %2 : int32 scalar\n"
            "    move %1 total <- %3\n");
}

TEST_F(BuilderControl, BranchesAndWhile) {
  const Value flag = *b.to_condition(scalar(Dtype::int32));
  const Value x = *b.variable(*b.constant(std::int64_t{1}, Dtype::int32));
  ASSERT_TRUE(b.begin_if(flag).ok());
  ASSERT_TRUE(
      b.assign(std::vector{x}, std::vector{*b.constant(std::int64_t{2}, Dtype::int32)}).ok());
  ASSERT_TRUE(b.begin_else().ok());
  ASSERT_TRUE(b.sync_all().ok());
  ASSERT_TRUE(b.end_if().ok());
  ASSERT_TRUE(b.begin_while().ok());
  const Value more = *b.scalar_binary(ScalarOp::less, x, number(9));
  ASSERT_TRUE(b.while_condition(more).ok());
  ASSERT_TRUE(b.device_assert(more, "still below").ok());
  ASSERT_TRUE(b.end_while().ok());
  ASSERT_TRUE(b.print({std::string("x="), x, std::string("\n")}).ok());
  EXPECT_EQ(dumped(),
            "kernel k\n"
            "  %0 = param s0 : int32 scalar\n"
            "  %1 = scalar not_equal %0, 0:int32 : int1 scalar\n"
            "  move %2 <- 1:int32\n"
            "  if %1:\n"
            "    move %2 <- 2:int32\n"
            "  else:\n"
            "    sync_all\n"
            "  while:\n"
            "    %3 = scalar less %2, 9:int32 : int1 scalar\n"
            "  do if %3:\n"
            "    assert %3 \"still below\"\n"
            "  print \"x=\" %2 \"\n\"\n");
}

TEST_F(BuilderControl, BoundsBecomeInt32) {
  ASSERT_TRUE(
      b.begin_for(number(1.9), scalar(Dtype::int64), scalar(Dtype::float32), 1, false).ok());
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(
      fault_text(b.begin_for(number(0), scalar(Dtype::float16), number(1), 1, false)),
      "NotImplementedError scalar-cast-missing: a scalar cannot be cast from float16 to int32");
  EXPECT_EQ(fault_text(b.begin_for(number(0), number(4), number(1), 0, false)),
            "ValueError bad-argument-value: range: 'unroll_factor' is 0; legal: 1 and above");
  const Value x = tensor(Dtype::float32, {8});
  EXPECT_EQ(
      fault_text(b.begin_for(number(0), x, number(1), 1, false)),
      "TypeError bad-argument-type: range: 'stop' must be a number, got a float32 tensor [8]");
}

TEST_F(BuilderControl, AStepThatNeverEndsIsAPortabilityFinding) {
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(0), 1, false).ok());
  ASSERT_TRUE(b.end_for().ok());
  const auto finished = b.finish();
  ASSERT_NE(finished.program, nullptr);
  ASSERT_EQ(finished.program->findings.size(), 1U);
  EXPECT_EQ(finished.program->findings[0].message,
            "range has step 0; on the device the loop never runs or never ends");
  EXPECT_EQ(finished.program->findings[0].code, Code::portability);
}

TEST_F(BuilderControl, AValueDoesNotOutliveItsBlock) {
  ASSERT_TRUE(b.begin_for(number(0), number(4), number(1), 1, false).ok());
  const Value inner = tensor(Dtype::float32, {8});
  b.name_value(inner, "tile");
  ASSERT_TRUE(b.end_for().ok());
  EXPECT_EQ(
      fault_text(b.unary(OpId::exp_, inner)),
      "RuntimeError out-of-scope: 'tile' is used outside the runtime loop or branch that makes "
      "it");
}

TEST_F(BuilderControl, MergesKeepDtypeAndShape) {
  const Value a = *b.variable(tensor(Dtype::float32, {8}));
  b.name_value(a, "acc");
  at(7);
  ASSERT_TRUE(b.assign(std::vector{a}, std::vector{tensor(Dtype::float16, {8})}).ok());
  const auto finished = b.finish();
  ASSERT_EQ(finished.errors.size(), 1U);
  EXPECT_EQ(finished.program, nullptr);
  EXPECT_EQ(finished.errors[0].message,
            "'acc' holds a float32 tensor [8] and is re-bound to a float16 tensor [8]");
  EXPECT_EQ(finished.errors[0].exception, ExceptionKind::runtime_error);
  EXPECT_EQ(finished.sources.spans[finished.errors[0].span].line, 7);
}

TEST_F(BuilderControl, AssignmentsSwapInParallel) {
  const Value a = *b.variable(*b.constant(std::int64_t{1}, Dtype::int32));
  const Value c = *b.variable(*b.constant(std::int64_t{2}, Dtype::int32));
  ASSERT_TRUE(b.assign(std::vector{a, c}, std::vector{c, a}).ok());
  EXPECT_FALSE(b.assign(std::vector{a}, std::vector<Value>{}).ok());
  EXPECT_EQ(fault_text(b.assign(std::vector{scalar(Dtype::int32)}, std::vector{a})),
            "KernelError internal-error: the target of an assignment is no variable");
  EXPECT_EQ(dumped(),
            "kernel k\n"
            "  %2 = param s0 : int32 scalar\n"
            "  move %0 <- 1:int32\n"
            "  move %1 <- 2:int32\n"
            "  move %0 <- %1, %1 <- %0\n");
}

TEST_F(BuilderControl, NestingIsChecked) {
  EXPECT_EQ(fault_text(b.end_for()),
            "KernelError internal-error: end_for does not match what is open");
  const Value yes = *b.to_condition(number(true));
  ASSERT_TRUE(b.begin_if(yes).ok());
  EXPECT_FALSE(b.end_while().ok());
  EXPECT_FALSE(b.while_condition(yes).ok());
  const auto finished = b.finish();
  EXPECT_EQ(first_error(finished), "a loop or branch is still open at the end");
}

TEST_F(BuilderControl, DepthIsLimited) {
  const Value yes = *b.to_condition(number(true));
  std::size_t depth = 0;
  while (depth < 1000 && b.begin_if(yes).ok()) ++depth;
  EXPECT_EQ(depth, kMaxNesting);
  EXPECT_EQ(fault_text(b.begin_if(yes)),
            "KernelError nesting-limit: loops, branches and calls are nested more than 200 deep");
  for (; depth > 0; --depth) ASSERT_TRUE(b.end_if().ok());
  EXPECT_NE(b.finish().program, nullptr);
}

TEST_F(BuilderControl, UseAfterFinishIsAFault) {
  const Value n = scalar(Dtype::int32);
  ASSERT_NE(b.finish().program, nullptr);
  EXPECT_EQ(fault_text(b.scalar_unary(ScalarOp::negative, n)),
            "KernelError internal-error: the builder was used after finish()");
  EXPECT_EQ(first_error(b.finish()), "finish() was called twice");
}

TEST_F(BuilderControl, ValuesOfAnotherBuilderAreRefused) {
  Builder other({"other", {}});
  const Value foreign = other.scalar_param("n", Dtype::float32);
  EXPECT_EQ(fault_text(b.scalar_unary(ScalarOp::negative, foreign)),
            "RuntimeError out-of-scope: a value that another trace of a kernel made is used");
}

TEST_F(BuilderControl, CallSitesChain) {
  at(3);
  b.push_call();
  at(20);
  const SpanId inner = b.position();
  b.pop_call();
  const SpanId outer = b.position();
  EXPECT_EQ(b.sources().spans[inner].line, 20);
  EXPECT_EQ(b.sources().spans[inner].call_site, outer);
  EXPECT_EQ(b.sources().spans[outer].line, 3);
}

}  // namespace
}  // namespace ascemu::interp
