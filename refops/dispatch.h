// From runtime tags (Dtype, OpId) to template instances: the one dispatch of refops.
//
// What it is: functions that call a generic lambda with the element type or function object that
// matches.
// What it is not: a place for meaning.
//
// Invariant: only the pairs that ops.def lists are instantiated, and float64 wherever float32 is
// (N19); a pair outside is a bug of the caller and raises std::logic_error with the op and the
// dtype in the text.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "refops/element.h"
#include "refops/ops.h"

namespace ascemu::refops {

[[noreturn]] inline void raise_undefined(std::string_view what, Dtype dtype) {
  throw std::logic_error("refops: " + std::string(what) + " is not defined for " +
                         std::string(dtype_name(dtype)) +
                         "; the type rule of the op must reject it first");
}

// Calls f(std::type_identity<T>{}) with the element type of `dtype` when it is in kSet.
template <DtypeSet kSet, class F>
void dispatch_dtype(std::string_view what, Dtype dtype, F&& f) {
  const auto visit_one = [&]<int kIndex>(std::integral_constant<int, kIndex>) {
    constexpr Dtype kDtype = static_cast<Dtype>(kIndex);
    if constexpr ((kSet & dtype_bit(kDtype)) != 0) {
      if (dtype != kDtype) return false;
      f(std::type_identity<Element<kDtype>>{});
      return true;
    } else {
      return false;
    }
  };
  const bool found = [&]<int... kIndices>(std::integer_sequence<int, kIndices...>) {
    return (visit_one(std::integral_constant<int, kIndices>{}) || ...);
  }(std::make_integer_sequence<int, kDtypeCount>{});
  if (!found) raise_undefined(what, dtype);
}

// Calls f(Op{}) with the function object whose kOp is `op`.
template <class... Ops, class F>
void dispatch_op(OpId op, F&& f) {
  const auto visit_one = [&]<class Op>(std::type_identity<Op>) {
    if (op != Op::kOp) return false;
    f(Op{});
    return true;
  };
  if (!(visit_one(std::type_identity<Ops>{}) || ...)) {
    throw std::logic_error("refops: " + std::string(op_name(op)) +
                           " has no meaning in this family");
  }
}

// float32 stands for float64 too: the mode fp64 keeps float values in it (N19).
constexpr DtypeSet with_float64(DtypeSet dtypes) {
  return (dtypes & dtype_bit(Dtype::float32)) != 0 ? dtypes | dtype_bit(Dtype::float64) : dtypes;
}

// Op and dtype together: f(Op{}, std::type_identity<T>{}) for the dtypes the table gives the op.
template <class... Ops, class F>
void dispatch_op_dtype(OpId op, Dtype dtype, F&& f) {
  dispatch_op<Ops...>(op, [&]<class Op>(Op meaning) {
    dispatch_dtype<with_float64(op_row(Op::kOp).dtypes)>(op_name(op), dtype,
                                                         [&](auto type) { f(meaning, type); });
  });
}

}  // namespace ascemu::refops
