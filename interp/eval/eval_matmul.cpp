// Cube ops (spec asc2 §6.6, §12.3): the accumulator starts from the bias or 0 at the first
// matmul_acc after its zeros_acc.
#include <algorithm>

#include "interp/eval/walker.h"
#include "refops/eval.h"

namespace ascemu::interp {

bool Walker::start_accumulator(const LocalTensor* bias, const refops::View& out) {
  if (bias == nullptr) {
    refops::eval_fill(Scalar{out.dtype, 0}, out);
    return true;
  }
  if (bias->dtype == out.dtype) {
    refops::eval_copy(bias->view(), out);
    return true;
  }
  LocalTensor wide{{},
                   0,
                   out.dtype,
                   out.dtype,
                   bias->space,
                   bias->shape,
                   refops::contiguous_strides(bias->shape)};
  if (!allocate(wide)) return false;
  refops::eval_cast(policy_, RoundMode::default_mode, bias->view(), wide.mutable_view());
  refops::eval_copy(wide.view(), out);
  return true;
}

Completion Walker::eval_node(const ZerosAcc& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  poison(node.dst, *out);
  const LocalTensor& result = std::get<LocalTensor>(slots_[node.dst]);
  Allocation* const allocation = result.allocation.get();
  allocation->accumulator_pending = true;
  if (tracks_undefined_) {
    const CauseId cause = causes_.add(current_, Code::undefined_accumulator,
                                      "makes an accumulator that holds nothing yet");
    refops::eval_fill(Scalar{Dtype::int16, cause}, define_causes(result));
  }
  std::erase_if(biases_, [&](const auto& entry) { return entry.first == allocation; });
  if (node.bias) biases_.emplace_back(allocation, tensor(*node.bias));
  return Completion::normal;
}

Completion Walker::eval_node(const MatmulAcc& node) {
  const LocalTensor& accumulator = tensor(node.acc);
  const refops::View out = accumulator.mutable_view();
  Allocation* const allocation = accumulator.allocation.get();
  if (allocation->accumulator_pending) {
    const auto bias = std::find_if(biases_.begin(), biases_.end(),
                                   [&](const auto& entry) { return entry.first == allocation; });
    const bool has_bias = bias != biases_.end();
    if (!start_accumulator(has_bias ? &bias->second : nullptr, out)) return Completion::end_launch;
    drop_causes(*allocation);
    if (has_bias) {
      if (has_causes(bias->second))
        join_causes(causes_of(bias->second), define_causes(accumulator));
      biases_.erase(bias);
    }
    allocation->accumulator_pending = false;
  }
  refops::eval_matmul_acc(policy_, node.hf32, tensor(node.a).view(), tensor(node.b).view(), out);
  carry_product(accumulator, node.a, node.b);
  return Completion::normal;
}

Completion Walker::eval_node(const Matmul& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  if (!start_accumulator(node.bias ? &tensor(*node.bias) : nullptr, *out))
    return Completion::end_launch;
  refops::eval_matmul_acc(policy_, node.hf32, tensor(node.a).view(), tensor(node.b).view(), *out);
  if (node.bias) carry(node.dst, *node.bias);
  carry_product(std::get<LocalTensor>(slots_[node.dst]), node.a, node.b);
  return Completion::normal;
}

}  // namespace ascemu::interp
