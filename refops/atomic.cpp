#include "refops/arithmetic.h"
#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/settled_loops.h"

namespace ascemu::refops {
namespace {

struct AtomicAdd : Add {
  static constexpr OpId kOp = OpId::atomic_add_;
};
struct AtomicMax : Maximum {
  static constexpr OpId kOp = OpId::atomic_max_;
};
struct AtomicMin : Minimum {
  static constexpr OpId kOp = OpId::atomic_min_;
};

}  // namespace

void eval_atomic(OpId op, const Policy& policy, const ConstView& src, const View& dst) {
  const Behaviour& target = behaviour_of(policy);
  dispatch_op_dtype<AtomicAdd, AtomicMax, AtomicMin>(
      op, dst.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        map_settled_binary<T, T>(target, dst, src, dst, meaning);
      });
}

}  // namespace ascemu::refops
