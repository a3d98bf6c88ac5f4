#include "refops/settled_loops.h"

#include <algorithm>

#include "refops/target/settle.h"

namespace ascemu::refops {
namespace {

inline constexpr std::int64_t kSettledElems = 1024;

template <int kOperands>
struct Settling {
  const Behaviour* behaviour;
  RowKernel kernel;
  const void* context;
  Dtype dtype;                                       // of the result
  std::array<std::int64_t, kOperands> size_bytes{};  // the result first
};

template <int kOperands>
void settling_row(const void* context, std::int64_t count, std::byte* result,
                  const std::byte* const* operands) {
  const auto& plan = *static_cast<const Settling<kOperands>*>(context);
  for (std::int64_t start = 0; start < count; start += kSettledElems) {
    const std::int64_t part = std::min(kSettledElems, count - start);
    std::byte* const target = result + start * plan.size_bytes[0];
    std::array<const std::byte*, kOperands - 1> sources;
    for (std::size_t i = 1; i < kOperands; ++i) {
      sources[i - 1] = operands[i - 1] + start * plan.size_bytes[i];
    }
    plan.kernel(plan.context, part, target, sources.data());
    settle(*plan.behaviour, plan.dtype, target, part);
  }
}

}  // namespace

template <int kOperands>
void run_settled_kernel(const Behaviour& behaviour, const View& result,
                        const std::array<ConstView, kOperands - 1>& operands, RowKernel kernel,
                        const void* context) {
  if (!is_float(result.dtype) || narrow_settles(behaviour)) {
    return run_kernel<kOperands>(result, operands, kernel, context);
  }
  Settling<kOperands> plan{&behaviour, kernel, context, result.dtype};
  plan.size_bytes[0] = static_cast<std::int64_t>(dtype_size_bytes(result.dtype));
  for (std::size_t i = 1; i < kOperands; ++i) {
    plan.size_bytes[i] = static_cast<std::int64_t>(dtype_size_bytes(operands[i - 1].dtype));
  }
  run_kernel<kOperands>(result, operands, settling_row<kOperands>, &plan);
}

template void run_settled_kernel<2>(const Behaviour&, const View&, const std::array<ConstView, 1>&,
                                    RowKernel, const void*);
template void run_settled_kernel<3>(const Behaviour&, const View&, const std::array<ConstView, 2>&,
                                    RowKernel, const void*);

}  // namespace ascemu::refops
