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
  run_kernel<4>(out, {mask, a, b}, select_kernel(dtype_size_bytes(out.dtype)), nullptr);
}

}  // namespace ascemu::refops
