// What the check `numeric` sees of a statement: its operands and its result, after it has run.
#include <initializer_list>
#include <vector>

#include "interp/checks/numeric.h"
#include "interp/eval/walker.h"

namespace ascemu::interp {
namespace {

// A statement the check looks at; control flow, copies and layout make no number.
struct Observed {
  std::string_view operation;
  Operand result;
  std::vector<Operand> operands;
  bool is_elementwise = true;
  const std::optional<MaskSpec>* mask = nullptr;
};

struct Describe {
  using Seen = std::optional<Observed>;

  Seen operator()(const Unary& node) const {
    return Observed{refops::op_name(node.op), SlotRef{node.dst}, {node.x}, true, &node.mask};
  }
  Seen operator()(const Binary& node) const {
    if (refops::op_row(node.op).family == refops::OpFamily::compare) return std::nullopt;
    return Observed{
        refops::op_name(node.op), SlotRef{node.dst}, {node.a, node.b}, true, &node.mask};
  }
  Seen operator()(const Cast& node) const { return Observed{"cast", SlotRef{node.dst}, {node.x}}; }
  Seen operator()(const Reduce& node) const {
    return Observed{refops::op_name(node.op), SlotRef{node.dst}, {node.x}, false};
  }
  Seen operator()(const Softmax& node) const {
    return Observed{"softmax", SlotRef{node.dst}, {node.x}, false};
  }
  Seen operator()(const RmsNorm& node) const {
    return Observed{"rms_norm", SlotRef{node.dst}, {node.x, node.gamma, node.epsilon}, false};
  }
  Seen operator()(const LayerNorm& node) const {
    return Observed{
        "layer_norm", SlotRef{node.dst}, {node.x, node.gamma, node.beta, node.epsilon}, false};
  }
  Seen operator()(const Matmul& node) const {
    Observed seen{"matmul", SlotRef{node.dst}, {node.a, node.b}, false};
    if (node.bias) seen.operands.push_back(*node.bias);
    return seen;
  }
  Seen operator()(const MatmulAcc& node) const {
    return Observed{"matmul_acc", node.acc, {node.a, node.b}, false};
  }
  Seen operator()(const ScalarUnary& node) const {
    return Observed{refops::scalar_op_name(node.op), SlotRef{node.dst}, {node.a}};
  }
  Seen operator()(const ScalarBinary& node) const {
    if (refops::scalar_op_is_comparison(node.op)) return std::nullopt;
    return Observed{refops::scalar_op_name(node.op), SlotRef{node.dst}, {node.a, node.b}};
  }
  Seen operator()(const ScalarCast& node) const {
    return Observed{"cast", SlotRef{node.dst}, {node.a}};
  }
  template <class Other>
  Seen operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

void Walker::observe_numeric(const Stmt& stmt) {
  const std::optional<Observed> seen = std::visit(Describe{}, stmt.node);
  if (!seen) return;
  std::vector<std::uint64_t> storage(seen->operands.size() + 1);
  std::vector<NumericOperand> operands;
  for (std::size_t i = 0; i < seen->operands.size(); ++i) {
    const auto* const slot = std::get_if<SlotRef>(&seen->operands[i]);
    operands.push_back({view(seen->operands[i], storage[i]),
                        slot == nullptr ? std::string_view() : program_.slots[slot->slot].name});
  }
  const refops::ConstView result = view(seen->result, storage.back());
  const ValueType& type = program_.slots[std::get<SlotRef>(seen->result).slot].type;
  const auto* const tensor_type = std::get_if<TensorType>(&type);
  const Dtype declared =
      tensor_type != nullptr ? tensor_type->dtype : std::get<ScalarType>(type).dtype;
  const NumericStatement statement{seen->operation,      operands,  result, declared,
                                   seen->is_elementwise, seen->mask};
  for (Fault& fault : numeric_events(statement)) report(fault.code, [&] { return fault; });
}

}  // namespace ascemu::interp
