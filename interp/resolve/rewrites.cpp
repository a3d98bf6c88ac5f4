#include "interp/resolve/rewrites.h"

#include <set>
#include <utility>

#include "interp/ast/operands.h"
#include "interp/builtins/conversion.h"
#include "interp/resolve/rewrite_facts.h"
#include "interp/resolve/unread.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

// The scalar casts that lead to a dtype, the last one to it (spec asc2 §3.3).
std::vector<Dtype> scalar_route(Dtype from, Dtype to) {
  if (from == to) return {};
  if (refops::scalar_cast_is_legal(from, to)) return {to};
  for (const Dtype middle : {Dtype::float32, Dtype::int32}) {
    const bool leads =
        refops::scalar_cast_is_legal(from, middle) && refops::scalar_cast_is_legal(middle, to);
    if (leads) return {middle, to};
  }
  if (refops::is_integer(to)) return {Dtype::float32, Dtype::int32, to};
  return {Dtype::int32, Dtype::float32, to};
}

bool is_positive_zero(const Operand& operand) {
  const auto* scalar = std::get_if<Constant>(&operand);
  return scalar != nullptr && scalar->bits == 0;
}

bool is_zero(const Operand& operand) {
  const auto* scalar = std::get_if<Constant>(&operand);
  return scalar != nullptr && scalar->as_double() == 0;
}

class Rewriter {
 public:
  Rewriter(Program& program, bool rewrites_all)
      : program_(program), rewrites_all_(rewrites_all), facts_(program) {}

  std::vector<Diagnostic> run() {
    rewrite(program_.body);
    erase_unread(program_, unread_);
    return std::move(errors_);
  }

 private:
  void rewrite(Block& block) {
    std::vector<Stmt> before = std::move(block.stmts);
    block.stmts = {};
    for (Stmt& stmt : before) {
      span_ = stmt.span;
      made_ = &block.stmts;
      if (auto* cast = std::get_if<Cast>(&stmt.node)) {
        rewrite_cast(stmt, *cast);
      } else if (auto* binary = std::get_if<Binary>(&stmt.node)) {
        rewrite_binary(stmt, *binary);
      } else if (auto* where = std::get_if<Where>(&stmt.node)) {
        rewrite_where(*where);
      } else {
        rewrite_nested(stmt.node);
      }
      block.stmts.push_back(std::move(stmt));
    }
  }

  void rewrite_nested(StmtNode& node) {
    facts_.note_change(node);
    if (auto* branch = std::get_if<If>(&node)) {
      rewrite(branch->then_block);
      rewrite(branch->else_block);
    } else if (auto* loop = std::get_if<For>(&node)) {
      facts_.enter_loop(node);
      rewrite(loop->body);
    } else if (auto* repeat = std::get_if<While>(&node)) {
      facts_.enter_loop(node);
      rewrite(repeat->condition_block);
      rewrite(repeat->body);
    }
  }

  const TensorType* tensor(const Operand& operand) const {
    const Slot* slot = slot_of(operand);
    return slot == nullptr ? nullptr : std::get_if<TensorType>(&program_.slots[*slot].type);
  }
  const TensorType& result(Slot slot) const {
    return std::get<TensorType>(program_.slots[slot].type);
  }

  // N17.4, then N17.1.
  void rewrite_cast(Stmt& stmt, Cast& cast) {
    const Dtype to = result(cast.dst).dtype;
    const TensorType* source = tensor(cast.x);
    if (source == nullptr) return;
    const bool is_supported = refops::cast_is_supported(source->dtype, to);
    std::optional<ScalarSelect> select =
        cast.mode == RoundMode::default_mode ? facts_.select(cast.x) : std::nullopt;
    if (select && (rewrites_all_ || !is_supported)) {
      const Slot dst = cast.dst;
      unread_.insert(*slot_of(cast.x));
      Where where{dst, select->mask, select->a, select->b};
      convert_arms(where, *select, to);
      note_select(where, to);
      stmt.node = std::move(where);
      return;
    }
    if (!is_supported) {
      errors_.push_back(locate(
          make_fault(Code::bad_cast,
                     "a tensor cannot be cast from " +
                         std::string(refops::dtype_name(source->dtype)) + " to " +
                         std::string(refops::dtype_name(to)) +
                         ": the 'where' of two numbers that it comes from was made before its "
                         "operands were re-bound"),
          stmt.span));
      return;
    }
    if (rewrites_all_) fold(cast, to);
    facts_.note_cast(cast, tensor(cast.x)->dtype, to);
    if (select) {
      select->casts.push_back(to);
      facts_.note_select(cast.dst, *std::move(select));
    }
  }

  // N17.1: the cast reads what the cast before it reads, as far back as that is legal.
  void fold(Cast& cast, Dtype to) {
    while (const FirstCast* first = facts_.first_cast(cast.x)) {
      const bool is_identity = first->from == first->to;
      const bool is_back = first->from == to;
      const bool merges = first->mode == cast.mode &&
                          (is_back || refops::cast_mode_is_legal(first->from, to, cast.mode));
      if (!is_identity && !merges) return;
      unread_.insert(*slot_of(cast.x));
      cast.x = SlotRef{first->x.slot};
    }
  }

  // N17.2; and what N17.3 asks of its comparison and its product.
  void rewrite_binary(Stmt& stmt, Binary& binary) {
    if (!rewrites_all_) return;
    const TensorType& type = result(binary.dst);
    const bool is_left = tensor(binary.a) != nullptr;
    const Operand& x = is_left ? binary.a : binary.b;
    const Operand& other = is_left ? binary.b : binary.a;
    if (tensor(x) == nullptr || tensor(other) != nullptr) return;
    switch (binary.op) {
      case OpId::maximum_:
        if (!refops::op_accepts(OpId::relu_, type.dtype) || !is_positive_zero(other)) return;
        stmt.node = Unary{binary.dst, OpId::relu_, x, std::move(binary.mask)};
        return;
      case OpId::greater_:
        if (is_left && is_zero(other)) facts_.note_positive(binary.dst, x);
        return;
      case OpId::less_:
        if (!is_left && is_zero(other)) facts_.note_positive(binary.dst, x);
        return;
      case OpId::mul_:
        if (!binary.mask) facts_.note_scaled(binary.dst, x);
        return;
      default:
        return;
    }
  }

  void rewrite_where(Where& where) {
    const TensorType type = result(where.dst);
    if (tensor(where.a) == nullptr && tensor(where.b) == nullptr) {
      note_select(where, type.dtype);
      return;
    }
    if (!rewrites_all_ || !refops::op_accepts(OpId::relu_, type.dtype)) return;
    const Slot* x = slot_of(where.a);
    const bool is_leaky =
        x != nullptr && facts_.is_positive(where.mask, *x) && facts_.is_scaled(where.b, *x);
    if (!is_leaky) return;
    // N17.3: x >= 0 ? x : x * alpha.
    unread_.insert(*slot_of(where.mask));
    const Slot mask = new_slot(TensorType{Dtype::int1, type.shape, type.space});
    made_->push_back(Stmt{span_, Binary{mask, OpId::greater_equal_, where.a,
                                        Scalar::from_int(type.dtype, 0), std::nullopt}});
    where.mask = SlotRef{mask};
  }

  void note_select(const Where& where, Dtype dtype) {
    facts_.note_select(where.dst, {where.mask, where.a, where.b, dtype, {}});
  }

  void convert_arms(Where& where, const ScalarSelect& select, Dtype to) {
    for (Operand* arm : {&where.a, &where.b}) {
      Dtype from = select.dtype;
      std::vector<Dtype> steps = select.casts;
      steps.push_back(to);
      for (const Dtype step : steps) *arm = converted(*arm, std::exchange(from, step), step);
    }
  }

  Operand converted(const Operand& operand, Dtype from, Dtype to) {
    if (const auto* constant = std::get_if<Constant>(&operand)) {
      const Scalar value = refops::is_float(from) ? Scalar::from_double(to, constant->as_double())
                                                  : Scalar::from_int(to, constant->as_int());
      return convert_constant(*constant, to, value);
    }
    Operand last = operand;
    for (const Dtype step : scalar_route(from, to)) {
      const Slot dst = new_slot(ScalarType{step});
      made_->push_back(Stmt{span_, ScalarCast{dst, step, last}});
      last = SlotRef{dst};
    }
    return last;
  }

  Slot new_slot(ValueType type) {
    SlotInfo info;
    info.type = std::move(type);
    info.defined_at = span_;
    program_.slots.push_back(std::move(info));
    facts_.add_slot();
    return static_cast<Slot>(program_.slots.size() - 1);
  }

  Program& program_;
  const bool rewrites_all_;
  RewriteFacts facts_;
  std::set<Slot> unread_;  // the rewrites took a reader from them
  std::vector<Diagnostic> errors_;
  SpanId span_ = kNoSpan;
  std::vector<Stmt>* made_ = nullptr;  // where the statements before the present one go
};

}  // namespace

std::vector<Diagnostic> apply_rewrites(Program& program, const refops::Behaviour& behaviour) {
  return Rewriter(program, behaviour.rewrites).run();
}

}  // namespace ascemu::interp
