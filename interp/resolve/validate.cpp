#include "interp/resolve/validate.h"

#include <algorithm>

#include "interp/builtins/conversion.h"
#include "interp/resolve/validator.h"

namespace ascemu::interp {
namespace {

bool is_known(Dtype dtype) { return static_cast<int>(dtype) < refops::kDtypeCount; }
bool is_known(Space space) { return space <= Space::fix && space != Space::automatic; }

}  // namespace

Validator::Validator(const Program& program)
    : program_(program),
      is_assigned_(program.slots.size()),
      is_written_(program.slots.size()),
      is_accumulator_(program.slots.size()) {}

std::vector<Diagnostic> Validator::run() {
  check_slots();
  if (!fails()) check_params();
  if (!fails()) check_block(program_.body, 0);
  if (!fails()) return {};
  return {locate(std::move(*fault_), span_)};
}

void Validator::require(bool holds, const char* what) {
  if (holds || fails()) return;
  fault_ = make_fault(Code::internal_error, std::string("the program is not valid: ") + what);
}

void Validator::check_slots() {
  for (const SlotInfo& info : program_.slots) {
    require(std::visit([](const auto& type) { return is_known(type.dtype); }, info.type),
            "a slot has no known dtype");
    if (const auto* global_type = std::get_if<GlobalType>(&info.type)) {
      const std::size_t rank = global_type->dims.size();
      require(rank >= 1 && rank <= refops::kMaxRank, "a global tensor has a wrong rank");
    }
    const auto* type = std::get_if<TensorType>(&info.type);
    if (type == nullptr || fails()) continue;
    require(is_known(type->space), "a tensor has no place");
    if (fails()) return;
    const Status shape = check_shape("a slot", type->shape, type->dtype);
    if (!shape) fault_ = shape.fault();
    if (fails()) return;
  }
}

void Validator::check_params() {
  for (const Param& param : program_.params) {
    require(param.slot < program_.slots.size(), "a parameter has no slot");
    if (fails()) return;
    const SlotInfo& info = program_.slots[param.slot];
    const bool is_plain = std::holds_alternative<ScalarType>(param.type) ||
                          std::holds_alternative<AddressType>(param.type);
    require(is_plain && info.type == param.type, "a parameter is no pointer and no scalar");
    write(param.slot, false);
  }
}

void Validator::write(Slot slot, bool by_move) {
  require(slot < program_.slots.size(), "a result has no slot");
  if (fails()) return;
  require(program_.slots[slot].is_variable == by_move, "only a move may write a variable");
  require(by_move || !is_written_[slot], "a slot is written twice");
  is_written_[slot] = true;
  if (is_assigned_[slot]) return;
  is_assigned_[slot] = true;
  trail_.push_back(slot);
}

bool Validator::readable(const Operand& operand) {
  const Slot* slot = slot_of(operand);
  if (slot == nullptr) {
    require(is_known(std::get<Constant>(operand).dtype), "a constant has no known dtype");
  } else {
    require(*slot < program_.slots.size() && is_assigned_[*slot],
            "a slot is read before it is written");
  }
  return !fails();
}

void Validator::leave_scope(std::size_t mark) {
  while (trail_.size() > mark) {
    is_assigned_[trail_.back()] = false;
    trail_.pop_back();
  }
}

void Validator::check_block(const Block& block, int depth) {
  if (depth > static_cast<int>(kMaxNesting) + 1) {
    fault_ = make_fault(Code::nesting_limit,
                        "blocks are nested more than " + std::to_string(kMaxNesting) + " deep");
    return;
  }
  for (const Stmt& stmt : block.stmts) {
    check_stmt(stmt, depth);
    if (fails()) return;
  }
}

void Validator::check_stmt(const Stmt& stmt, int depth) {
  span_ = stmt.span;
  for_each_read(stmt.node, [&](const Operand& operand) { readable(operand); });
  if (fails()) return;
  const bool is_loop = std::holds_alternative<For>(stmt.node);
  if (!is_loop) {
    const bool by_move = std::holds_alternative<Move>(stmt.node);
    for_each_write(stmt.node, [&](Slot slot) { write(slot, by_move); });
  }
  if (fails()) return;
  std::visit([&](const auto& node) { check(node); }, stmt.node);
  if (!fails()) check_nested(stmt.node, depth);
}

void Validator::check_nested(const StmtNode& node, int depth) {
  if (const auto* loop = std::get_if<While>(&node)) return check_while(*loop, depth);
  const std::size_t mark = trail_.size();
  if (const auto* loop = std::get_if<For>(&node)) write(loop->induction, false);
  for_each_block(node, [&](const Block& inner) {
    if (fails()) return;
    const std::size_t inner_mark = trail_.size();
    check_block(inner, depth + 1);
    leave_scope(inner_mark);
  });
  leave_scope(std::holds_alternative<For>(node) ? mark : trail_.size());
}

void Validator::check_while(const While& loop, int depth) {
  const std::size_t mark = trail_.size();
  check_block(loop.condition_block, depth + 1);
  if (!fails() && readable(loop.condition)) {
    require(scalar(loop.condition) == Dtype::int1, "a condition is not int1");
  }
  if (!fails()) check_block(loop.body, depth + 1);
  leave_scope(mark);
}

void Validator::check(const Move& s) {
  require(s.dst.size() == s.src.size(), "a move has unequal sides");
  for (std::size_t i = 0; i < s.dst.size() && !fails(); ++i) {
    const auto copies = std::ranges::count(s.dst, s.dst[i]);
    require(copies == 1, "a move writes a slot twice");
    const ValueType& target = program_.slots[s.dst[i]].type;
    if (const auto* type = std::get_if<TensorType>(&target)) {
      const TensorType& source = tensor(s.src[i]);
      require(source.dtype == type->dtype && source.shape == type->shape,
              "a move changes the type of a tensor");
    } else if (const Slot* slot = slot_of(s.src[i])) {
      require(program_.slots[*slot].type == target, "a move changes a type");
    } else {
      require(target == ValueType{ScalarType{scalar(s.src[i])}}, "a move changes a type");
    }
  }
}

Dtype Validator::scalar(const Operand& operand) {
  const Slot* slot = slot_of(operand);
  if (slot == nullptr) return std::get<Constant>(operand).dtype;
  const auto* type = std::get_if<ScalarType>(&program_.slots[*slot].type);
  require(type != nullptr, "an operand is no scalar");
  return type == nullptr ? Dtype::int32 : type->dtype;
}

namespace {

template <class T>
const T* slot_type(const Program& program, const Operand& operand) {
  const Slot* slot = slot_of(operand);
  return slot == nullptr ? nullptr : std::get_if<T>(&program.slots[*slot].type);
}

}  // namespace

const TensorType& Validator::tensor(const Operand& operand) {
  static const TensorType kNone{Dtype::int32, Shape{1}, Space::ub};
  const auto* type = slot_type<TensorType>(program_, operand);
  require(type != nullptr, "an operand is no tensor");
  return type == nullptr ? kNone : *type;
}

const GlobalType& Validator::global(const Operand& operand) {
  static const GlobalType kNone{Dtype::int32, {1}};
  const auto* type = slot_type<GlobalType>(program_, operand);
  require(type != nullptr, "an operand is no global tensor");
  return type == nullptr ? kNone : *type;
}

const AddressType& Validator::address(const Operand& operand) {
  static const AddressType kNone{Dtype::int32};
  const auto* type = slot_type<AddressType>(program_, operand);
  require(type != nullptr, "an operand is no address");
  return type == nullptr ? kNone : *type;
}

const TensorType& Validator::result_tensor(Slot slot) { return tensor(SlotRef{slot}); }
Dtype Validator::result_scalar(Slot slot) { return scalar(SlotRef{slot}); }

std::vector<Diagnostic> validate(const Program& program) { return Validator(program).run(); }

}  // namespace ascemu::interp
