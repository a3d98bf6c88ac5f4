// Makes small Programs by hand for the tests of the run side, statement by statement.
//
// What it is not: the Builder; nothing is checked, so a test can also make what the Builder would
// refuse.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "interp/ast/tree.h"
#include "interp/launch/launch.h"
#include "interp/memory/poison.h"

namespace ascemu::interp::test {

inline Scalar int32(std::int64_t value) { return Scalar::from_int(Dtype::int32, value); }
inline Scalar float32(double value) { return Scalar::from_double(Dtype::float32, value); }
inline Operand at(Slot slot) { return SlotRef{slot}; }
inline Operand number(std::int64_t value) { return int32(value); }
inline std::vector<Operand> numbers(std::initializer_list<std::int64_t> values) {
  std::vector<Operand> operands;
  for (const std::int64_t value : values) operands.push_back(number(value));
  return operands;
}

// What an undefined float32 reads as; compare it through bits(), since it is a NaN.
inline const float kPoison = std::bit_cast<float>(kPoisonFloat32);

inline std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> patterns;
  for (const float value : values) patterns.push_back(std::bit_cast<std::uint32_t>(value));
  return patterns;
}

// For tests whose blocks store scalars next to each other and are not about that.
inline LaunchOptions without_races() {
  LaunchOptions options;
  options.checks["race"] = CheckLevel::off;
  return options;
}

// For tests that store undefined elements to see what they hold.
inline LaunchOptions without_uninitialised() {
  LaunchOptions options;
  options.checks["uninitialised"] = CheckLevel::off;
  return options;
}

class HandTree {
 public:
  HandTree() {
    program.name = "hand_made";
    program.sources.files.push_back({"kernel.py", "", 1});
    blocks_.push_back(&program.body);
  }
  HandTree(const HandTree&) = delete;
  HandTree& operator=(const HandTree&) = delete;

  Slot slot(ValueType type, std::string name = "") {
    program.slots.push_back({std::move(type), std::move(name), kNoSpan, false, -1});
    return static_cast<Slot>(program.slots.size() - 1);
  }
  Slot array(const std::string& name, Dtype dtype) {
    const Slot made = slot(AddressType{dtype}, name);
    program.params.push_back({name, AddressType{dtype}, made});
    return made;
  }
  Slot scalar_param(const std::string& name, Dtype dtype) {
    const Slot made = slot(ScalarType{dtype}, name);
    program.params.push_back({name, ScalarType{dtype}, made});
    return made;
  }
  Slot scalar(Dtype dtype = Dtype::int32, std::string name = "") {
    return slot(ScalarType{dtype}, std::move(name));
  }
  Slot tile(const Shape& shape, Dtype dtype = Dtype::float32, Space space = Space::ub,
            std::string name = "") {
    return slot(TensorType{dtype, shape, space}, std::move(name));
  }

  // Every statement stands on a line of its own, counted from 1.
  Stmt& add(StmtNode node) {
    program.sources.spans.push_back({0, ++line_, 0, line_, 1, kNoSpan});
    blocks_.back()->stmts.push_back(
        {static_cast<SpanId>(program.sources.spans.size() - 1), std::move(node)});
    return blocks_.back()->stmts.back();
  }

  // Statements added until end() go into the block.
  void begin(Block& block) { blocks_.push_back(&block); }
  void end() { blocks_.pop_back(); }
  Slot begin_for(Operand start, Operand stop, Operand step, const std::string& name = "i") {
    const Slot induction = scalar(Dtype::int32, name);
    Stmt& stmt = add(For{induction, start, stop, step, 1, false, {}});
    begin(std::get<For>(stmt.node).body);
    return induction;
  }

  Slot global(Slot base, std::vector<Operand> dims, const std::string& name) {
    const Dtype dtype = std::get<AddressType>(program.slots[base].type).dtype;
    const Slot made =
        slot(GlobalType{dtype, std::vector<std::optional<std::int64_t>>(dims.size())}, name);
    add(MakeGlobal{made, at(base), std::move(dims)});
    return made;
  }
  Slot copy_in(Slot source, std::vector<Operand> offsets, const Shape& shape,
               Space space = Space::ub) {
    const Slot made = tile(shape, std::get<GlobalType>(program.slots[source].type).dtype, space);
    add(CopyIn{made, at(source), std::move(offsets), {}, {}});
    return made;
  }
  void copy_out(Slot value, Slot target, std::vector<Operand> offsets) {
    add(CopyOut{at(value), at(target), std::move(offsets), {}});
  }
  Slot scalar_binary(ScalarOp op, Operand a, Operand b, Dtype result = Dtype::int32) {
    const Slot made = scalar(result);
    add(ScalarBinary{made, op, a, b});
    return made;
  }
  Slot block_idx() {
    const Slot made = scalar(Dtype::int32, "block");
    add(ProgramScalar{made, OpId::block_idx_});
    return made;
  }
  Slot filled(const Shape& shape, Scalar value) {
    const Slot made = tile(shape, value.dtype);
    add(Fill{made, value});
    return made;
  }

  Program program;

 private:
  std::vector<Block*> blocks_;
  std::int32_t line_ = 0;
};

template <class T>
ArrayArgument array_of(std::vector<T>& values, bool writable = true) {
  return {reinterpret_cast<std::byte*>(values.data()), static_cast<std::int64_t>(values.size()),
          writable};
}

inline std::string messages(const LaunchResult& result) {
  std::string text;
  for (const Diagnostic& finding : result.findings) text += finding.message + "\n";
  return text;
}

}  // namespace ascemu::interp::test
