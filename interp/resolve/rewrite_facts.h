// What is known of values while the rewrites of contract N17 walk a tree: which cast, comparison,
// product or `where` made each, and whether what it was made from still is what it was.
//
// What it is: memory of statements already seen. What it is not: the rewrites (rewrites.cpp).
// Invariant: an answer is given only while every variable and accumulator that the value was made
// from holds what it held then; a variable that a loop assigns is unknown from the loop's start on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

// A slot as a statement read it.
struct Reading {
  Slot slot = 0;
  std::uint64_t version = 0;
};

struct FirstCast {
  Reading x;
  Dtype from, to;
  RoundMode mode;
};

// A `where` of two scalars and the casts in the default mode that were not rewritten since.
struct ScalarSelect {
  Operand mask, a, b;
  Dtype dtype;
  std::vector<Dtype> casts;
};

class RewriteFacts {
 public:
  explicit RewriteFacts(const Program& program);

  // Statements that change what a slot holds.
  void note_change(const StmtNode& node);
  // Before the blocks of a loop: they may see what the last iteration left.
  void enter_loop(const StmtNode& loop);
  void add_slot();

  void note_cast(const Cast& cast, Dtype from, Dtype to);
  void note_select(Slot dst, ScalarSelect select);
  void note_positive(Slot dst, const Operand& x);  // dst = x > 0
  void note_scaled(Slot dst, const Operand& x);    // dst = x * scalar

  const FirstCast* first_cast(const Operand& operand) const;
  std::optional<ScalarSelect> select(const Operand& operand) const;
  bool is_positive(const Operand& mask, Slot x) const;
  bool is_scaled(const Operand& product, Slot x) const;

 private:
  struct SlotFacts {
    std::optional<FirstCast> cast;
    std::optional<ScalarSelect> select;
    std::vector<Reading> select_readings;
    std::optional<Reading> positive, scaled;
  };

  Reading reading(const Operand& operand) const;
  bool is_present(const Reading& reading) const;
  const SlotFacts* facts(const Operand& operand) const;
  std::uint64_t version(Slot slot) const;

  const Program& program_;
  std::vector<SlotFacts> facts_;
  std::vector<std::uint64_t> assigned_;  // how often the slot may have been assigned
  std::uint64_t accumulated_ = 0;        // how often an accumulator may have been changed
};

}  // namespace ascemu::interp
