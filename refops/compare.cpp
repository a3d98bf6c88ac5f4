#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/loops.h"

namespace ascemu::refops {
namespace {

// NaN: not_equal is true, every other relation false (IEEE; spec asc2 §6.2).
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

// Selects by element size: where moves bits and never looks at the value.
template <class Bits>
void select_bits(const ConstView& mask, const ConstView& a, const ConstView& b, const View& out) {
  const auto plan =
      plan_loops<4>(out.shape, {out.strides, broadcast_strides(mask.shape, mask.strides, out.shape),
                                broadcast_strides(a.shape, a.strides, out.shape),
                                broadcast_strides(b.shape, b.strides, out.shape)});
  const auto* mask_bytes = reinterpret_cast<const std::uint8_t*>(mask.data);
  const auto* source_a = reinterpret_cast<const Bits*>(a.data);
  const auto* source_b = reinterpret_cast<const Bits*>(b.data);
  auto* target = reinterpret_cast<Bits*>(out.data);
  const auto [to, from_mask, from_a, from_b] = plan.inner_strides;
  run_rows(plan, [&](const std::array<std::int64_t, 4>& at) {
    Bits* const row = target + at[0];
    const std::uint8_t* const row_mask = mask_bytes + at[1];
    const Bits* const row_a = source_a + at[2];
    const Bits* const row_b = source_b + at[3];
    if (to == 1 && from_mask == 1 && from_a == 1 && from_b == 1) {
#pragma omp simd
      for (std::int64_t i = 0; i < plan.inner; ++i) {
        const Bits chosen = row_a[i];
        const Bits other = row_b[i];
        row[i] = row_mask[i] != 0 ? chosen : other;
      }
    } else {
      for (std::int64_t i = 0; i < plan.inner; ++i) {
        const Bits chosen = row_a[i * from_a];
        const Bits other = row_b[i * from_b];
        row[i * to] = row_mask[i * from_mask] != 0 ? chosen : other;
      }
    }
  });
}

}  // namespace

void eval_compare(OpId op, const Policy& /*policy*/, const ConstView& a, const ConstView& b,
                  const View& out) {
  dispatch_op_dtype<Equal, NotEqual, Greater, GreaterEqual, Less, LessEqual>(
      op, a.dtype, [&]<class Op, class T>(Op meaning, std::type_identity<T>) {
        map_binary<Int1, T>(a, b, out, [meaning](T left, T right) {
          return Int1{static_cast<std::uint8_t>(meaning(widen(left), widen(right)))};
        });
      });
}

void eval_where(const ConstView& mask, const ConstView& a, const ConstView& b, const View& out) {
  switch (dtype_size_bytes(out.dtype)) {
    case 1:
      return select_bits<std::uint8_t>(mask, a, b, out);
    case 2:
      return select_bits<std::uint16_t>(mask, a, b, out);
    case 4:
      return select_bits<std::uint32_t>(mask, a, b, out);
    default:
      return select_bits<std::uint64_t>(mask, a, b, out);
  }
}

}  // namespace ascemu::refops
