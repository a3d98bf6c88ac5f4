// Sums and products over axes, in the orders of the devices' libraries (contract N12.2 to N12.4,
// N12.6).
//
// What it is: the orders adjacent_pairs (A2, A3) and halves (A5) for the last axis and for earlier
// ones. The facts are about float32; float16 takes the same trees over the lanes of its own size.
// What it is not: the ascending order (reduce.cpp).
//
// Invariant: the innermost requested axis is reduced first.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "refops/shape.h"
#include "refops/sums/nodes.h"

namespace ascemu::refops::sums {

template <class Node, class T>
class AxisReducer {
 public:
  AxisReducer(const Behaviour& behaviour) : node_{behaviour}, order_(behaviour.axis_sum) {}

  // `values` holds a tensor of `shape` in row-major order, then the result in its first elements.
  void evaluate(std::uint32_t axes_mask, Shape shape, std::vector<T>& values) {
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      if (((axes_mask >> axis) & 1U) == 0) continue;
      std::int64_t inner = 1;
      for (int later = axis + 1; later < shape.rank(); ++later) inner *= shape[later];
      const std::int64_t extent = shape[axis];
      shape[axis] = 1;
      const std::int64_t outer = shape.count_elems() / std::max<std::int64_t>(inner, 1);
      for (std::int64_t i = 0; inner > 0 && i < outer; ++i) {
        T* const block = values.data() + i * extent * inner;
        if (axis == shape.rank() - 1) {
          values[static_cast<std::size_t>(i)] = join_last_axis(block, extent);
        } else {
          join_earlier_axis(block, extent, inner);
          for (std::int64_t j = 0; j < inner; ++j) {
            values[static_cast<std::size_t>(i * inner + j)] = settled(node_.behaviour, block[j]);
          }
        }
      }
    }
  }

 private:
  static constexpr std::int64_t kLanes = kRepeatLanes<T>;
  static constexpr std::int64_t kBlock = kBlockLanes<T>;

  // The largest power of two below `count`.
  static std::int64_t head_of(std::int64_t count) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count - 1)));
  }

  T pairs(std::int64_t count) {
    spare_.resize(std::max(spare_.size(), static_cast<std::size_t>(count)));
    return *join_pairs(node_, row_.data(), spare_.data(), count, 1);
  }

  // N12.2.
  T join_last_axis(const T* elements, std::int64_t count) {
    const std::int64_t padded =
        count <= kLanes ? kLanes : count;  // what short rows lack holds the neutral element
    row_.assign(static_cast<std::size_t>(padded), Node::template missing_lane<T>());
    std::copy_n(elements, count, row_.begin());
    if (count <= kLanes) return join_short_row(count);
    const std::int64_t head = head_of(count);
    join_rows(node_, row_.data(), row_.data() + head, count - head);
    if (order_ == AxisSum::adjacent_pairs) return pairs(head);
    join_halves(node_, row_.data(), head, kLanes, 1);
    return pairs(kLanes);
  }

  T join_short_row(std::int64_t count) {
    if (order_ == AxisSum::adjacent_pairs) return pairs(count <= kBlock ? kBlock : kLanes);
    const std::int64_t blocks = (count + kBlock - 1) / kBlock;
    if (blocks * kBlock >= kLanes / 2) return pairs(kLanes);
    for (std::int64_t i = 1; i < blocks; ++i) {
      join_rows(node_, row_.data(), row_.data() + i * kBlock, kBlock);
    }
    return pairs(kBlock);
  }

  // N12.3, in place: the result is the first of `count` rows. On A2 the rows of a sum are copied by
  // an addition of +0.
  void join_earlier_axis(T* rows, std::int64_t count, std::int64_t width) {
    const auto head = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count)));
    if (order_ == AxisSum::adjacent_pairs) {
      for (std::int64_t i = 0; i < head * width; ++i) {
        rows[i] = node_(rows[i], Node::template missing_lane<T>());
      }
    }
    join_rows(node_, rows, rows + head * width, (count - head) * width);
    join_halves(node_, rows, head, 1, width);
  }

  Node node_;
  AxisSum order_;
  std::vector<T> row_;
  std::vector<T> spare_;
};

}  // namespace ascemu::refops::sums
