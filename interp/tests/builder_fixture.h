// A builder with short ways to make operands, and assertions on faults, for the tests of the type
// rules.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "interp/ast/builder.h"
#include "interp/ast/dump.h"
#include "interp/ast/type_text.h"

namespace ascemu::interp {

class BuilderTest : public ::testing::Test {
 protected:
  BuilderTest() : b(BuilderOptions{"k", {}}) {
    const std::string lines(40, '\n');
    b.add_source("k.py", lines, 1);
    at(1);
  }

  // Every statement stands on a line of its own where a test asks for it.
  void at(int line) { b.set_position(0, line, 0, line, 4); }

  static Arg number(std::int64_t value) { return Literal{value}; }
  static Arg number(int value) { return Literal{std::int64_t{value}}; }
  static Arg number(double value) { return Literal{value}; }
  static Arg number(bool value) { return Literal{value}; }
  static std::vector<Arg> numbers(std::initializer_list<int> values) {
    std::vector<Arg> args;
    for (const int value : values) args.push_back(number(value));
    return args;
  }

  Value array(Dtype dtype) { return b.array_param("p" + std::to_string(count_++), dtype); }
  Value scalar(Dtype dtype) { return b.scalar_param("s" + std::to_string(count_++), dtype); }
  Value global(Dtype dtype, std::initializer_list<int> dims) {
    return *b.global_tensor(array(dtype), numbers(dims));
  }
  Value tensor(Dtype dtype, const Shape& shape, Space space = Space::automatic) {
    const Value gm = *b.global_tensor(array(dtype), numbers({1 << 20}));
    return *b.copy_in(gm, numbers({0}), shape, space, std::nullopt, std::nullopt);
  }
  // Stores a tensor of any dtype and shape so that it has a user.
  void store(const Value& value) {
    const Value gm = *b.global_tensor(array(value.dtype()), numbers({1 << 20}));
    EXPECT_TRUE(b.copy_out(value, gm, numbers({0}), std::nullopt).ok());
  }

  // The statements so far, as text; the builder is finished afterwards.
  std::string dumped() {
    auto finished = b.finish();
    if (finished.program == nullptr) return "error: " + first_error(finished);
    return dump(*finished.program);
  }
  static std::string first_error(const Builder::Finished& finished) {
    return finished.errors.empty() ? "" : finished.errors.front().message;
  }

  Builder b;

 private:
  int count_ = 0;
};

// "RuntimeError bad-dtype: message", or "ok".
template <class T>
std::string fault_text(const Result<T>& result) {
  if (result.ok()) return "ok";
  const Fault& fault = result.fault();
  return std::string(exception_name(fault.exception)) + " " +
         std::string(code_row(fault.code).slug) + ": " + fault.message;
}

// "float32 tensor [4, 8]", or the fault.
inline std::string type_or_fault(const Result<Value>& result) {
  return result.ok() ? type_text(result->type) : fault_text(result);
}

// The only compile error of a finished builder, as fault_text writes it.
inline std::string compile_error(Builder& builder) {
  const auto finished = builder.finish();
  if (finished.errors.size() != 1) return std::to_string(finished.errors.size()) + " errors";
  const Diagnostic& error = finished.errors.front();
  return std::string(exception_name(error.exception)) + " " +
         std::string(code_row(error.code).slug) + ": " + error.message;
}

}  // namespace ascemu::interp
