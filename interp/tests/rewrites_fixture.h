// A builder whose finished programs show which statements the rewrites of contract N17 left.
#pragma once

#include "interp/ast/operands.h"
#include "interp/resolve/rewrites.h"
#include "interp/tests/builder_fixture.h"

namespace ascemu::interp {

inline constexpr RoundMode kDefault = RoundMode::default_mode;
inline const Shape kLine{64};

class Rewrites : public BuilderTest {
 protected:
  Rewrites() { make_for(refops::NumericMode::npu); }

  void make_for(refops::NumericMode mode, refops::Chip chip = refops::Chip::ascend950pr) {
    b = Builder(BuilderOptions{"k", {mode, chip}});
    b.add_source("k.py", std::string(40, '\n'), 1);
    at(1);
  }
  Value cast(const Value& x, Dtype to, RoundMode mode = kDefault) { return *b.cast(x, to, mode); }
  Value compare(OpId op, const Arg& a, const Arg& other) { return *b.binary(op, a, other); }

  // The computing statements of the finished program, one word each, in order: "cast", "relu" ...
  std::string ops() {
    finished_ = b.finish();
    if (!finished_.program) return "error: " + first_error(finished_);
    std::string text;
    for_each_stmt(finished_.program->body, [&](const Stmt& stmt) {
      const std::string word = word_of(stmt.node);
      if (!word.empty()) text += (text.empty() ? "" : " ") + word;
    });
    return text;
  }

  std::string word_of(const StmtNode& node) const {
    return std::visit(Overloaded{[&](const Cast& s) { return cast_word(s); },
                                 [](const Unary& s) { return std::string(op_name(s.op)); },
                                 [](const Binary& s) { return std::string(op_name(s.op)); },
                                 [](const Where&) { return std::string("where"); },
                                 [](const ScalarCast&) { return std::string("scalar_cast"); },
                                 [](const auto&) { return std::string(); }},
                      node);
  }
  static std::string_view op_name(OpId op) { return refops::op_name(op); }

  std::string cast_word(const Cast& s) const {
    const auto& slots = finished_.program->slots;
    const auto name = [&](Slot slot) {
      return std::string(refops::dtype_name(std::get<TensorType>(slots[slot].type).dtype));
    };
    return name(*slot_of(s.x)) + "->" + name(s.dst);
  }

  Builder::Finished finished_;
};

}  // namespace ascemu::interp
