// The nodes of a reduction's tree and the lanes it is laid over (contract N12).
//
// What it is: one operation of the element type per node, the value of a lane that no element
// fills, and the two ways of halving a row of lanes.
// What it is not: the order of a particular reduction (whole_sum.h, axis_sum.h, row_sum.h).
//
// Invariant: every node is one rounding in the element type, settled by the target (N2.1, N4).
#pragma once

#include <cstdint>
#include <utility>

#include "refops/arithmetic.h"
#include "refops/target/settle.h"

namespace ascemu::refops::sums {

// kMissing is what a lane without an element holds.
template <class Op, int kMissing>
struct Node {
  Behaviour behaviour;

  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    return settled(behaviour, Op{}(a, b));
  }
  template <class T>
  static constexpr T missing_lane() {
    return narrow<T>(Compute<T>{kMissing});
  }
};

using SumNode = Node<Add, 0>;
using ProductNode = Node<Mul, 1>;

// Lanes of the 256 bytes one instruction repeat works on, and of one 32-byte block.
template <class T>
inline constexpr std::int64_t kRepeatLanes = 256 / static_cast<std::int64_t>(sizeof(T));
template <class T>
inline constexpr std::int64_t kBlockLanes = 32 / static_cast<std::int64_t>(sizeof(T));

// to[i] = to[i] op from[i]; the rows do not overlap.
template <class Node, class T>
void join_rows(const Node& node, T* to, const T* from, std::int64_t count) {
  const Node meaning = node;
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) to[i] = meaning(to[i], from[i]);
}

// Adjacent pairs until `left` of `count` lanes (powers of two) remain; returns where they are:
// in `lanes` or in `spare`, both of which are used up.
template <class Node, class T>
T* join_pairs(const Node& node, T* lanes, T* spare, std::int64_t count, std::int64_t left) {
  const Node meaning = node;
  for (; count > left; count /= 2) {
#pragma omp simd
    for (std::int64_t i = 0; i < count / 2; ++i) {
      spare[i] = meaning(lanes[2 * i], lanes[2 * i + 1]);
    }
    std::swap(lanes, spare);
  }
  return lanes;
}

// Row i with row i + m/2 until one of `rows` (a power of two) is left, the first; `width` elements
// each.
template <class Node, class T>
void join_halves(const Node& node, T* values, std::int64_t rows, std::int64_t left,
                 std::int64_t width) {
  for (; rows > left; rows /= 2) {
    join_rows(node, values, values + rows / 2 * width, rows / 2 * width);
  }
}

}  // namespace ascemu::refops::sums
