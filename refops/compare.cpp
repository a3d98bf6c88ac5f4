#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/loops.h"
#include "refops/target/behaviour.h"

namespace ascemu::refops {
namespace {

// A relation with a NaN is false; not_equal is the exception where N8.1 says so.
struct Equal {
  static constexpr OpId kOp = OpId::equal_;
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};

struct NotEqual {
  static constexpr OpId kOp = OpId::not_equal_;
  template <class T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};

// not_equal of a target on which a NaN is unequal to nothing (N8.1).
struct Apart {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || a > b;
  }
};

struct Greater {
  static constexpr OpId kOp = OpId::greater_;
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};

struct GreaterEqual {
  static constexpr OpId kOp = OpId::greater_equal_;
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};

struct Less {
  static constexpr OpId kOp = OpId::less_;
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};

struct LessEqual {
  static constexpr OpId kOp = OpId::less_equal_;
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};

// What a target compares integers as (N8.2, N8.3): float32 for int32, float16 for the narrower
// ones, nearest even. float16 holds every int8, so int8 compares as itself.
template <class T>
float comparable(T value) {
  const float wide = static_cast<float>(value);
  if constexpr (sizeof(T) == sizeof(float)) return wide;
  return Float16::from_float(wide).to_float();
}

template <class T, class Relation>
void compare_elements(const ConstView& a, const ConstView& b, const View& out, Relation relation) {
  map_binary<Int1, T>(a, b, out, [relation](T left, T right) {
    return Int1{static_cast<std::uint8_t>(relation(widen(left), widen(right)))};
  });
}

template <class T, class Relation>
void compare_as_floats(const ConstView& a, const ConstView& b, const View& out, Relation relation) {
  map_binary<Int1, T>(a, b, out, [relation](T left, T right) {
    return Int1{static_cast<std::uint8_t>(relation(comparable(left), comparable(right)))};
  });
}

// Selects by element size: where moves bits and never looks at the value.
template <class Bits>
void select_bits(const void* /*context*/, std::int64_t count, std::byte* result,
                 const std::byte* const* operands) {
  const auto* mask = reinterpret_cast<const std::uint8_t*>(operands[0]);
  const auto* a = reinterpret_cast<const Bits*>(operands[1]);
  const auto* b = reinterpret_cast<const Bits*>(operands[2]);
  auto* target = reinterpret_cast<Bits*>(result);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const Bits chosen = a[i];
    const Bits other = b[i];
    target[i] = mask[i] != 0 ? chosen : other;
  }
}

RowKernel select_kernel(std::size_t size_bytes) {
  switch (size_bytes) {
    case 1:
      return select_bits<std::uint8_t>;
    case 2:
      return select_bits<std::uint16_t>;
    case 4:
      return select_bits<std::uint32_t>;
    default:
      return select_bits<std::uint64_t>;
  }
}

}  // namespace

void eval_compare(OpId op, const Policy& policy, const ConstView& a, const ConstView& b,
                  const View& out) {
  const Behaviour& target = behaviour_of(policy);
  const bool with_scalar = a.shape.rank() == 0 || b.shape.rank() == 0;
  const bool as_floats =
      with_scalar ? target.scalars_compare_as_float : target.tensors_compare_as_float;
  dispatch_op_dtype<Equal, NotEqual, Greater, GreaterEqual, Less, LessEqual>(
      op, a.dtype, [&]<class Op, class T>(Op relation, std::type_identity<T>) {
        if constexpr (kIsFloatElement<T>) {
          if constexpr (std::is_same_v<Op, NotEqual>) {
            if (target.nan_equals_nothing) return compare_elements<T>(a, b, out, Apart{});
          }
        } else if constexpr (sizeof(T) > 1) {
          if (as_floats) return compare_as_floats<T>(a, b, out, relation);
        }
        compare_elements<T>(a, b, out, relation);
      });
}

void eval_where(const ConstView& mask, const ConstView& a, const ConstView& b, const View& out) {
  run_kernel<4>(out, {mask, a, b}, select_kernel(dtype_size_bytes(out.dtype)), nullptr);
}

}  // namespace ascemu::refops
