#include <algorithm>
#include <vector>

#include "refops/arithmetic.h"
#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/loops.h"
#include "refops/sums/axis_sum.h"
#include "refops/sums/whole_sum.h"
#include "refops/target/settle.h"

namespace ascemu::refops {
namespace {

// A reduction in ascending order is: a start, and one step in the element type, whose values are
// carried in its compute type. Sums start at -0, the identity of addition, so that the sum of one
// element is that element. A reduction with a Node has trees as well (contract N12).
struct ReduceSum {
  using Node = sums::SumNode;
  static constexpr bool kOrderFree = false;
  static constexpr OpId kOp = OpId::reduce_sum_;
  template <class T>
  static constexpr Compute<T> start() {
    if constexpr (kIsFloatElement<T>) return -Compute<T>{0};
    return Compute<T>{0};
  }
  template <class T>
  static Compute<T> step(Compute<T> total, Compute<T> value) {
    if constexpr (kIsHalf<T>) {
      return widen(narrow<T>(total + value));
    } else if constexpr (kIsFloatElement<T>) {
      return total + value;
    } else {
      return Add{}(total, value);
    }
  }
};

struct ReduceProd {
  using Node = sums::ProductNode;
  static constexpr bool kOrderFree = false;
  static constexpr OpId kOp = OpId::reduce_prod_;
  template <class T>
  static constexpr Compute<T> start() {
    return Compute<T>{1};
  }
  template <class T>
  static Compute<T> step(Compute<T> total, Compute<T> value) {
    return total * value;
  }
};

struct ReduceMax {
  static constexpr bool kOrderFree =
      true;  // NaN is canonical and zeros are ordered: any order gives the bits
  static constexpr OpId kOp = OpId::reduce_max_;
  template <class T>
  static constexpr Compute<T> start() {
    using Limits = std::numeric_limits<Compute<T>>;
    return kIsFloatElement<T> ? -Limits::infinity() : Limits::lowest();
  }
  template <class T>
  static Compute<T> step(Compute<T> best, Compute<T> value) {
    return Maximum{}(best, value);
  }
};

struct ReduceMin {
  static constexpr bool kOrderFree = true;
  static constexpr OpId kOp = OpId::reduce_min_;
  template <class T>
  static constexpr Compute<T> start() {
    using Limits = std::numeric_limits<Compute<T>>;
    return kIsFloatElement<T> ? Limits::infinity() : Limits::max();
  }
  template <class T>
  static Compute<T> step(Compute<T> best, Compute<T> value) {
    return Minimum{}(best, value);
  }
};

// Row-major strides over the kept axes, 0 on the reduced ones.
Strides accumulator_strides(const Shape& shape, std::uint32_t axes_mask) {
  Strides strides = shape;
  std::int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const bool reduced = ((axes_mask >> axis) & 1U) != 0;
    strides[axis] = reduced ? 0 : stride;
    if (!reduced) stride *= shape[axis];
  }
  return strides;
}

// One row into one total. Order-free reductions run in parallel lanes, the others element by
// element.
template <class Reduction, class T>
Compute<T> reduce_row(Compute<T> total, const T* row, std::int64_t stride, std::int64_t count) {
  using A = Compute<T>;
  std::int64_t i = 0;
  if constexpr (Reduction::kOrderFree) {
    constexpr std::int64_t kLanes = 16;
    if (stride == 1 && count >= kLanes) {
      std::array<A, kLanes> lanes;
      lanes.fill(total);
      for (; i + kLanes <= count; i += kLanes) {
#pragma omp simd
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
          A& best = lanes[static_cast<std::size_t>(lane)];
          best = Reduction::template step<T>(best, A{widen(row[i + lane])});
        }
      }
      for (const A lane : lanes) total = Reduction::template step<T>(total, lane);
    }
  }
  for (; i < count; ++i) total = Reduction::template step<T>(total, A{widen(row[i * stride])});
  return total;
}

// The accumulators of all kept positions; x is visited in row-major order, so each one sees its
// elements ascending.
template <class Reduction, class T>
std::vector<Compute<T>> accumulate(std::uint32_t axes_mask, const ConstView& x) {
  using A = Compute<T>;
  const Strides kept = accumulator_strides(x.shape, axes_mask);
  std::int64_t count = 1;
  for (int axis = 0; axis < x.shape.rank(); ++axis) {
    if (((axes_mask >> axis) & 1U) == 0) count *= x.shape[axis];
  }
  std::vector<A> totals(static_cast<std::size_t>(count), Reduction::template start<T>());
  const auto plan = plan_loops<2>(x.shape, {kept, x.strides});
  const auto* source = reinterpret_cast<const T*>(x.data);
  const auto [to, from] = plan.inner_strides;
  run_rows(plan, [&](const std::array<std::int64_t, 2>& at) {
    A* const row_totals = totals.data() + at[0];
    const T* const row = source + at[1];
    if (to == 0) {
      *row_totals = reduce_row<Reduction, T>(*row_totals, row, from, plan.inner);
    } else if (to == 1 && from == 1) {
#pragma omp simd
      for (std::int64_t i = 0; i < plan.inner; ++i) {
        row_totals[i] = Reduction::template step<T>(row_totals[i], A{widen(row[i])});
      }
    } else {
      for (std::int64_t i = 0; i < plan.inner; ++i) {
        row_totals[i * to] =
            Reduction::template step<T>(row_totals[i * to], A{widen(row[i * from])});
      }
    }
  });
  return totals;
}

template <class T>
std::vector<T> row_major_elements(const ConstView& x) {
  std::vector<T> elements(static_cast<std::size_t>(x.shape.count_elems()));
  eval_copy(x, contiguous_view(reinterpret_cast<std::byte*>(elements.data()), x.dtype, x.shape));
  return elements;
}

// Whether the target combines elements of T in an order of its own. Integers wrap in any order.
template <class Reduction, class T>
constexpr bool kHasTrees =
    requires { typename Reduction::Node; } && kIsFloatElement<T> && !std::is_same_v<T, double>;

template <class Reduction, class T>
void reduce_axes(const Behaviour& behaviour, std::uint32_t axes_mask, const ConstView& x,
                 const View& out) {
  auto* const results = reinterpret_cast<T*>(out.data);
  if constexpr (kHasTrees<Reduction, T>) {
    if (behaviour.axis_sum != AxisSum::ascending) {
      auto values = row_major_elements<T>(x);
      sums::AxisReducer<typename Reduction::Node, T>(behaviour).evaluate(axes_mask, x.shape,
                                                                         values);
      std::copy_n(values.begin(), out.shape.count_elems(), results);
      return;
    }
  }
  const auto totals = accumulate<Reduction, T>(axes_mask, x);
  std::ranges::transform(totals, results, [&](Compute<T> total) {
    if constexpr (kIsFloatElement<T>) {
      return settled(behaviour, narrow<T>(total));
    } else {
      return total;
    }
  });
}

template <class F>
void dispatch_reduction(OpId op, Dtype dtype, F&& f) {
  dispatch_op_dtype<ReduceSum, ReduceMax, ReduceMin, ReduceProd>(op, dtype, f);
}

}  // namespace

void eval_reduce(OpId op, const Policy& policy, std::uint32_t axes_mask, const ConstView& x,
                 const View& out) {
  const Behaviour& behaviour = behaviour_of(policy);
  dispatch_reduction(op, x.dtype, [&]<class Reduction, class T>(Reduction, std::type_identity<T>) {
    reduce_axes<Reduction, T>(behaviour, axes_mask, x, out);
  });
}

Scalar eval_reduce_all(OpId op, const Policy& policy, const ConstView& x) {
  const Behaviour& behaviour = behaviour_of(policy);
  std::uint64_t storage = 0;
  const View out = contiguous_view(reinterpret_cast<std::byte*>(&storage), x.dtype, Shape{});
  dispatch_reduction(op, x.dtype, [&]<class Reduction, class T>(Reduction, std::type_identity<T>) {
    if constexpr (std::is_same_v<Reduction, ReduceSum> && kHasTrees<Reduction, T>) {
      if (behaviour.whole_sum != WholeSum::ascending) {
        const auto elements = row_major_elements<T>(x);
        *reinterpret_cast<T*>(out.data) =
            sums::WholeSumOf<T>(behaviour, elements).evaluate(behaviour.whole_sum);
        return;
      }
    }
    reduce_axes<Reduction, T>(behaviour, (1U << x.shape.rank()) - 1, x, out);
  });
  return Scalar::load(x.dtype, &storage);
}

}  // namespace ascemu::refops
