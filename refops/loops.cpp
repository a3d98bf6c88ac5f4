#include "refops/loops.h"

#include <algorithm>

namespace ascemu::refops {
namespace {

inline constexpr std::int64_t kChunkElems = 256;
inline constexpr std::size_t kChunkBytes = kChunkElems * sizeof(std::uint64_t);

// What the loops need to know of one operand.
struct Cursor {
  std::int64_t size_bytes = 0;
  std::int64_t stride = 0;  // of the inner loop, in elements

  bool contiguous(std::int64_t count) const { return stride == 1 || count == 1; }
};

template <class Bits>
void gather_bits(const std::byte* from, std::int64_t stride, std::int64_t count, std::byte* to) {
  const auto* source = reinterpret_cast<const Bits*>(from);
  auto* target = reinterpret_cast<Bits*>(to);
  if (stride == 0) {
    std::fill_n(target, count, *source);
  } else {
    for (std::int64_t i = 0; i < count; ++i) target[i] = source[i * stride];
  }
}

template <class Bits>
void scatter_bits(const std::byte* from, std::int64_t count, std::int64_t stride, std::byte* to) {
  const auto* source = reinterpret_cast<const Bits*>(from);
  auto* target = reinterpret_cast<Bits*>(to);
  for (std::int64_t i = 0; i < count; ++i) target[i * stride] = source[i];
}

void gather_row(const Cursor& cursor, const std::byte* from, std::int64_t count, std::byte* to) {
  switch (cursor.size_bytes) {
    case 1:
      return gather_bits<std::uint8_t>(from, cursor.stride, count, to);
    case 2:
      return gather_bits<std::uint16_t>(from, cursor.stride, count, to);
    case 4:
      return gather_bits<std::uint32_t>(from, cursor.stride, count, to);
    default:
      return gather_bits<std::uint64_t>(from, cursor.stride, count, to);
  }
}

void scatter_row(const Cursor& cursor, const std::byte* from, std::int64_t count, std::byte* to) {
  switch (cursor.size_bytes) {
    case 1:
      return scatter_bits<std::uint8_t>(from, count, cursor.stride, to);
    case 2:
      return scatter_bits<std::uint16_t>(from, count, cursor.stride, to);
    case 4:
      return scatter_bits<std::uint32_t>(from, count, cursor.stride, to);
    default:
      return scatter_bits<std::uint64_t>(from, count, cursor.stride, to);
  }
}

// One inner row in chunks: buffers stand in for whatever is not contiguous.
template <int kOperands>
class RowRunner {
 public:
  RowRunner(const std::array<Cursor, kOperands>& cursors, std::int64_t count, RowKernel kernel,
            const void* context)
      : cursors_(cursors), count_(count), kernel_(kernel), context_(context) {
    for (const Cursor& cursor : cursors_) direct_ = direct_ && cursor.contiguous(count_);
  }

  void run(std::byte* result, std::array<const std::byte*, kOperands - 1> operands) {
    if (direct_) return kernel_(context_, count_, result, operands.data());
    for (std::size_t i = 0; i < kOperands - 1; ++i) {
      if (cursors_[i + 1].stride == 0) {
        gather_row(cursors_[i + 1], operands[i], std::min(count_, kChunkElems), buffers_[i + 1]);
      }
    }
    for (std::int64_t start = 0; start < count_; start += kChunkElems) {
      run_chunk(start, std::min(kChunkElems, count_ - start), result, operands);
    }
  }

 private:
  void run_chunk(std::int64_t start, std::int64_t count, std::byte* result,
                 const std::array<const std::byte*, kOperands - 1>& operands) {
    std::array<const std::byte*, kOperands - 1> sources;
    for (std::size_t i = 0; i < kOperands - 1; ++i) {
      const Cursor& cursor = cursors_[i + 1];
      sources[i] = operands[i] + start * cursor.stride * cursor.size_bytes;
      if (cursor.contiguous(count_)) continue;
      if (cursor.stride != 0) gather_row(cursor, sources[i], count, buffers_[i + 1]);
      sources[i] = buffers_[i + 1];
    }
    const Cursor& cursor = cursors_[0];
    std::byte* const target = result + start * cursor.stride * cursor.size_bytes;
    if (cursor.contiguous(count_)) return kernel_(context_, count, target, sources.data());
    kernel_(context_, count, buffers_[0], sources.data());
    scatter_row(cursor, buffers_[0], count, target);
  }

  std::array<Cursor, kOperands> cursors_;
  std::int64_t count_;
  RowKernel kernel_;
  const void* context_;
  bool direct_ = true;
  alignas(64) std::byte buffers_[kOperands][kChunkBytes];
};

}  // namespace

int detail::merge_axes(const Shape& shape, int operands, const Strides* operand_strides,
                       std::int64_t* dims, std::int64_t* strides) {
  int rank = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    bool merges = rank > 0;
    for (int i = 0; i < operands && merges; ++i) {
      merges = strides[i * kMaxRank + rank - 1] == operand_strides[i][axis] * shape[axis];
    }
    if (!merges) dims[rank++] = 1;
    dims[rank - 1] *= shape[axis];
    for (int i = 0; i < operands; ++i) {
      strides[i * kMaxRank + rank - 1] = operand_strides[i][axis];
    }
  }
  return rank;
}

template <int kOperands>
void run_kernel(const View& result, const std::array<ConstView, kOperands - 1>& operands,
                RowKernel kernel, const void* context) {
  std::array<Strides, kOperands> strides{result.strides};
  std::array<Cursor, kOperands> cursors;
  cursors[0].size_bytes = static_cast<std::int64_t>(dtype_size_bytes(result.dtype));
  for (std::size_t i = 1; i < kOperands; ++i) {
    const ConstView& operand = operands[i - 1];
    strides[i] = broadcast_strides(operand.shape, operand.strides, result.shape);
    cursors[i].size_bytes = static_cast<std::int64_t>(dtype_size_bytes(operand.dtype));
  }
  const auto plan = plan_loops<kOperands>(result.shape, strides);
  if (plan.inner == 0) return;
  for (std::size_t i = 0; i < kOperands; ++i) cursors[i].stride = plan.inner_strides[i];
  RowRunner<kOperands> runner(cursors, plan.inner, kernel, context);
  run_rows(plan, [&](const std::array<std::int64_t, kOperands>& at) {
    std::array<const std::byte*, kOperands - 1> sources;
    for (std::size_t i = 1; i < kOperands; ++i) {
      sources[i - 1] = operands[i - 1].data + at[i] * cursors[i].size_bytes;
    }
    runner.run(result.data + at[0] * cursors[0].size_bytes, sources);
  });
}

template void run_kernel<2>(const View&, const std::array<ConstView, 1>&, RowKernel, const void*);
template void run_kernel<3>(const View&, const std::array<ConstView, 2>&, RowKernel, const void*);
template void run_kernel<4>(const View&, const std::array<ConstView, 3>&, RowKernel, const void*);

}  // namespace ascemu::refops
