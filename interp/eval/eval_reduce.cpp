// Reductions and normalisations (spec asc2 §6.4).
#include "interp/eval/walker.h"
#include "refops/eval.h"

namespace ascemu::interp {

Completion Walker::eval_node(const Reduce& node) {
  std::uint64_t storage = 0;
  const refops::ConstView x = view(node.x, storage);
  if (node.axes_mask == 0) {
    set_scalar(node.dst, refops::eval_reduce_all(node.op, policy_, x));
    if (undefined_in(node.x) != nullptr) {
      report_undefined(undefined_use(node.x), node.x,
                       std::string(refops::op_name(node.op)) + " takes", " into a scalar", {});
    }
    return Completion::normal;
  }
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  refops::eval_reduce(node.op, policy_, node.axes_mask, x, *out);
  carry_reduced(node);
  return Completion::normal;
}

Completion Walker::eval_node(const Softmax& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage = 0;
  refops::eval_softmax(policy_, view(node.x, storage), *out);
  carry_rows(node.dst, node.x, "softmax");
  return Completion::normal;
}

Completion Walker::eval_node(const RmsNorm& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage_x = 0;
  std::uint64_t storage_gamma = 0;
  refops::eval_rms_norm(policy_, view(node.x, storage_x), view(node.gamma, storage_gamma),
                        scalar(node.epsilon), *out);
  carry_rows(node.dst, node.x, "rms_norm");
  carry(node.dst, node.gamma);
  return Completion::normal;
}

Completion Walker::eval_node(const LayerNorm& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  const std::optional<refops::View> mean = out ? define_tensor(node.mean) : std::nullopt;
  const std::optional<refops::View> spread = mean ? define_tensor(node.spread) : std::nullopt;
  if (!spread) return Completion::end_launch;
  std::uint64_t storage_x = 0;
  std::uint64_t storage_gamma = 0;
  std::uint64_t storage_beta = 0;
  refops::eval_layer_norm(policy_, view(node.x, storage_x), view(node.gamma, storage_gamma),
                          view(node.beta, storage_beta), scalar(node.epsilon), node.output_rstd,
                          *out, *mean, *spread);
  for (const Slot result : {node.dst, node.mean, node.spread})
    carry_rows(result, node.x, "layer_norm");
  carry(node.dst, node.gamma);
  carry(node.dst, node.beta);
  return Completion::normal;
}

}  // namespace ascemu::interp
