#include "interp/resolve/double_precision.h"

#include "interp/ast/operands.h"

namespace ascemu::interp {
namespace {

// The dtype of the elements a local value holds; nothing for addresses and declared arrays.
std::optional<Dtype> local_dtype(const ValueType& type) {
  if (const auto* scalar = std::get_if<ScalarType>(&type)) return scalar->dtype;
  if (const auto* tensor = std::get_if<TensorType>(&type)) return tensor->dtype;
  return std::nullopt;
}

bool is_local_float(const ValueType& type) {
  const std::optional<Dtype> dtype = local_dtype(type);
  return dtype && refops::is_float(*dtype);
}

class Widening {
 public:
  explicit Widening(Program& program) : program_(program) {}

  void run() {
    for (SlotInfo& info : program_.slots) {
      if (is_local_float(info.type)) info.storage = Dtype::float64;
    }
    widen(program_.body);
  }

 private:
  Dtype declared(const Operand& operand) const {
    const Slot* slot = slot_of(operand);
    if (slot == nullptr) return std::get<Constant>(operand).dtype;
    return *local_dtype(program_.slots[*slot].type);
  }

  void widen(Block& block) {
    for (Stmt& stmt : block.stmts) {
      std::visit(Overloaded{
                     [&](Cast& s) { fix_mode(s); },
                     [](ScalarCast& s) {
                       if (refops::is_float(s.to)) s.to = Dtype::float64;
                     },
                     // HF32 is a rounding of float32 operands, as a cast between floats is.
                     [](Matmul& s) { s.hf32 = false; },
                     [](MatmulAcc& s) { s.hf32 = false; },
                     [](auto&) {},
                 },
                 stmt.node);
      for_each_read(stmt.node, [](Operand& operand) {
        const auto* constant = std::get_if<Constant>(&operand);
        if (constant != nullptr && refops::is_float(constant->dtype))
          operand = Constant(constant->in_double());
      });
      for_each_block(stmt.node, [&](Block& inner) { widen(inner); });
    }
  }

  // Which mode is the default depends on the declared pair.
  void fix_mode(Cast& cast) const {
    if (cast.mode != RoundMode::default_mode) return;
    const Dtype to = *local_dtype(program_.slots[cast.dst].type);
    cast.mode = refops::cast_default_mode(program_.policy, declared(cast.x), to);
  }

  Program& program_;
};

}  // namespace

Program in_double_precision(Program program) {
  Widening(program).run();
  return program;
}

}  // namespace ascemu::interp
