#include "interp/resolve/tensor_graph.h"

#include "interp/ast/operands.h"

namespace ascemu::interp {
namespace {

class GraphReader {
 public:
  explicit GraphReader(const Program& program) : program_(program), nodes_(program.slots.size()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].is_tensor = std::holds_alternative<TensorType>(program.slots[i].type);
      if (program.slots[i].is_variable) nodes_[i].origin = Origin::variable;
    }
  }

  std::vector<TensorNode> run() {
    for_each_stmt(program_.body, [&](const Stmt& stmt) {
      span_ = stmt.span;
      read(stmt.node);
    });
    return std::move(nodes_);
  }

 private:
  const TensorType* tensor(const Operand& operand) const {
    const Slot* slot = slot_of(operand);
    return slot == nullptr ? nullptr : std::get_if<TensorType>(&program_.slots[*slot].type);
  }

  TensorUse* use(const Operand& operand, NeedKind kind, std::string_view argument) {
    if (tensor(operand) == nullptr) return nullptr;
    auto& uses = nodes_[*slot_of(operand)].uses;
    TensorUse made;
    made.kind = kind;
    made.op = op_;
    made.argument = argument;
    made.span = span_;
    uses.push_back(made);
    return &uses.back();
  }

  void need(const Operand& operand, Space space, std::string_view argument) {
    if (TensorUse* made = use(operand, NeedKind::exact, argument)) made->space = space;
  }

  void connect(const Operand& operand, NeedKind kind, Slot result, std::string_view argument) {
    TensorUse* made = use(operand, kind, argument);
    if (made == nullptr) return;
    made->result = result;
    nodes_[result].sources.push_back(*slot_of(operand));
  }

  void fix(Slot dst, Space space) {
    nodes_[dst].origin = Origin::fixed;
    nodes_[dst].place = space;
  }

  void follow(Slot dst, Origin origin, const Operand& x) {
    nodes_[dst].origin = origin;
    connect(x, NeedKind::follow, dst, "input");
  }

  // A vector op: UB in, UB out.
  template <class... Operands>
  void vector_op(Slot dst, std::string_view op, const Operands&... operands) {
    op_ = op;
    fix(dst, Space::ub);
    (need(operands, Space::ub, "input"), ...);
  }

  void product(std::string_view op, const Operand& a, const Operand& b,
               const std::optional<Operand>& bias) {
    op_ = op;
    need(a, Space::l0a, "input");
    need(b, Space::l0b, "other");
    if (bias) need(*bias, Space::bt, "bias");
  }

  void read_load(const CopyIn& s) {
    const auto& type = std::get<TensorType>(program_.slots[s.dst].type);
    nodes_[s.dst].loaded_at = span_;
    if (type.space != Space::automatic) return fix(s.dst, type.space);
    // real_shape and padding exist for UB only.
    if (s.real_shape || s.pad_value) return fix(s.dst, Space::ub);
    nodes_[s.dst].origin = Origin::load;
  }

  void read_copy(const CopyLocal& s) {
    op_ = "copy";
    const auto& type = std::get<TensorType>(program_.slots[s.dst].type);
    nodes_[s.dst].origin = Origin::copy;
    if (type.space != Space::automatic) fix(s.dst, type.space);
    connect(s.src, NeedKind::copied, s.dst, "src");
    const TensorType* source = tensor(s.src);
    bool is_whole = source != nullptr && source->shape == type.shape;
    for (const Operand& offset : s.offsets) {
      const auto* constant = std::get_if<Constant>(&offset);
      is_whole = is_whole && constant != nullptr && constant->as_int() == 0;
    }
    if (source != nullptr) nodes_[*slot_of(s.src)].uses.back().takes_part = !is_whole;
  }

  void read(const StmtNode& node) {
    std::visit(Overloaded{
                   [&](const Unary& s) {
                     op_ = refops::op_name(s.op);
                     if (s.op == OpId::relu_) return follow(s.dst, Origin::cast, s.x);
                     vector_op(s.dst, op_, s.x);
                   },
                   [&](const Binary& s) { vector_op(s.dst, refops::op_name(s.op), s.a, s.b); },
                   [&](const Where& s) { vector_op(s.dst, "where", s.mask, s.a, s.b); },
                   [&](const Cast& s) {
                     op_ = "cast";
                     follow(s.dst, Origin::cast, s.x);
                   },
                   [&](const Reduce& s) { vector_op(s.dst, refops::op_name(s.op), s.x); },
                   [&](const Softmax& s) { vector_op(s.dst, "softmax", s.x); },
                   [&](const RmsNorm& s) { vector_op(s.dst, "rms_norm", s.x, s.gamma); },
                   [&](const LayerNorm& s) {
                     vector_op(s.dst, "layer_norm", s.x, s.gamma, s.beta);
                     fix(s.mean, Space::ub);
                     fix(s.spread, Space::ub);
                   },
                   [&](const Fill& s) { fix(s.dst, Space::ub); },
                   [&](const Reshape& s) {
                     op_ = "reshape";
                     follow(s.dst, Origin::reshape, s.x);
                   },
                   [&](const Transpose& s) {
                     op_ = "transpose";
                     follow(s.dst, Origin::transpose, s.x);
                   },
                   [&](const BroadcastTo& s) { vector_op(s.dst, "broadcast_to", s.x); },
                   [&](const Concat& s) {
                     vector_op(s.dst, "concat");
                     for (const Operand& input : s.inputs) need(input, Space::ub, "inputs");
                   },
                   [&](const ZerosAcc& s) {
                     op_ = "zeros_acc";
                     fix(s.dst, Space::l0c);
                     if (s.bias) need(*s.bias, Space::bt, "bias");
                   },
                   [&](const MatmulAcc& s) {
                     product("matmul_acc", s.a, s.b, std::nullopt);
                     need(s.acc, Space::l0c, "acc");
                   },
                   [&](const Matmul& s) {
                     product("matmul", s.a, s.b, s.bias);
                     fix(s.dst, Space::l0c);
                   },
                   [&](const CopyIn& s) { read_load(s); },
                   [&](const CopyOut& s) {
                     op_ = "copy_out";
                     use(s.src, NeedKind::stored, "src");
                   },
                   [&](const StoreScalar& s) {
                     op_ = "copy_out";
                     use(s.value, NeedKind::stored, "src");
                   },
                   [&](const CopyLocal& s) { read_copy(s); },
                   [&](const Gather& s) { vector_op(s.dst, "gather", s.index); },
                   [&](const Scatter& s) {
                     op_ = "scatter";
                     need(s.src, Space::ub, "src");
                     need(s.index, Space::ub, "index");
                   },
                   [&](const Atomic& s) {
                     op_ = refops::op_name(s.op);
                     need(s.src, Space::ub, "src");
                   },
                   [&](const Move& s) {
                     op_ = "a re-bound name";
                     for (std::size_t i = 0; i < s.dst.size(); ++i) {
                       connect(s.src[i], NeedKind::merged, s.dst[i], "value");
                     }
                   },
                   [&](const Print& s) {
                     op_ = "print";
                     for (const auto& part : s.parts) {
                       const auto* operand = std::get_if<Operand>(&part);
                       if (operand != nullptr) use(*operand, NeedKind::ignored, "values");
                     }
                   },
                   [](const auto&) {},
               },
               node);
  }

  const Program& program_;
  std::vector<TensorNode> nodes_;
  SpanId span_ = kNoSpan;
  std::string_view op_;
};

}  // namespace

std::vector<TensorNode> read_tensors(const Program& program) { return GraphReader(program).run(); }

}  // namespace ascemu::interp
