// Sums of all elements of a tensor, repeat by repeat (contract N12.1).
//
// What it is: the orders repeats_in_order and repeats_folded.
// What it is not: the ascending order, which reduce.cpp shares with the other reductions.
//
// Invariant: the elements come in row-major order; lanes past the last one hold +0.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "refops/sums/nodes.h"

namespace ascemu::refops::sums {

template <class T>
class WholeSumOf {
 public:
  WholeSumOf(const Behaviour& behaviour, const std::vector<T>& elements)
      : node_{behaviour}, elements_(elements) {}

  T evaluate(WholeSum order) const {
    return order == WholeSum::repeats_in_order ? in_order() : folded();
  }

 private:
  static constexpr std::int64_t kLanes = kRepeatLanes<T>;
  using Repeat = std::array<T, static_cast<std::size_t>(kLanes)>;

  static std::int64_t repeats(const std::vector<T>& elements) {
    return (static_cast<std::int64_t>(elements.size()) + kLanes - 1) / kLanes;
  }

  static Repeat load(const std::vector<T>& elements, std::int64_t repeat) {
    Repeat lanes;
    lanes.fill(SumNode::missing_lane<T>());
    const std::int64_t start = repeat * kLanes;
    const auto left = static_cast<std::int64_t>(elements.size()) - start;
    std::copy_n(elements.data() + start, std::min(kLanes, left), lanes.data());
    return lanes;
  }

  T tree(Repeat lanes) const {
    Repeat spare;
    return *join_pairs(node_, lanes.data(), spare.data(), kLanes, 1);
  }

  Repeat joined(Repeat lanes, const Repeat& others) const {
    join_rows(node_, lanes.data(), others.data(), kLanes);
    return lanes;
  }

  // A2, A3: the tree of each repeat, added one after the other.
  T in_order() const {
    T total = tree(load(elements_, 0));
    for (std::int64_t i = 1; i < repeats(elements_); ++i) {
      total = node_(total, tree(load(elements_, i)));
    }
    return total;
  }

  // A5: up to four repeats are joined lane by lane before the only tree; the trees of more repeats
  // form a vector that is treated by plain trees again.
  T folded() const {
    const std::int64_t count = repeats(elements_);
    if (count > 4) return tree_of_trees();
    const auto at = [this](std::int64_t i) { return load(elements_, i); };
    if (count == 1) return tree(at(0));
    const Repeat first = joined(at(0), at(1));
    if (count == 2) return tree(first);
    return tree(joined(first, count == 3 ? at(2) : joined(at(2), at(3))));
  }

  T tree_of_trees() const {
    std::vector<T> partials = elements_;
    while (partials.size() > 1) {
      std::vector<T> trees;
      for (std::int64_t i = 0; i < repeats(partials); ++i) trees.push_back(tree(load(partials, i)));
      partials = std::move(trees);
    }
    return partials.front();
  }

  SumNode node_;
  const std::vector<T>& elements_;
};

}  // namespace ascemu::refops::sums
