// Orders of summation, written for reading: what the tests of N12 and N13 hold the product to.
//
// What it is: recursive and index-by-index formulations of every order of the contract and of the
// orders one could mistake it for, over an addition that the test passes in.
// What it is not: code of the product; nothing here is shared with refops/sums.
//
// Invariant: a vector is never changed; lanes that no element fills hold the value `missing`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ascemu::refops::orders {

template <class T>
using Vector = std::vector<T>;

template <class T>
Vector<T> slice(const Vector<T>& v, std::size_t start, std::size_t stop) {
  const auto size = v.size();
  return {v.begin() + static_cast<std::ptrdiff_t>(std::min(start, size)),
          v.begin() + static_cast<std::ptrdiff_t>(std::min(stop, size))};
}

template <class T>
Vector<T> padded(Vector<T> v, std::size_t size, T missing = T{}) {
  v.resize(std::max(v.size(), size), missing);
  return v;
}

template <class T, class Join>
T ascending(const Vector<T>& v, Join join) {
  T total = v[0];
  for (std::size_t i = 1; i < v.size(); ++i) total = join(total, v[i]);
  return total;
}

template <class T, class Join>
T descending(const Vector<T>& v, Join join) {
  return ascending(Vector<T>(v.rbegin(), v.rend()), join);
}

// Adjacent pairs: the tree of a power of two of lanes is that of its two halves, joined.
template <class T, class Join>
T tree(const Vector<T>& v, Join join) {
  if (v.size() == 1) return v[0];
  return join(tree(slice(v, 0, v.size() / 2), join), tree(slice(v, v.size() / 2, v.size()), join));
}

// Lane i with lane i + m/2: the last join meets the even lanes and the odd lanes.
template <class T, class Join>
T halves(const Vector<T>& v, Join join) {
  if (v.size() == 1) return v[0];
  Vector<T> even;
  Vector<T> odd;
  for (std::size_t i = 0; i < v.size(); i += 2) {
    even.push_back(v[i]);
    odd.push_back(v[i + 1]);
  }
  return join(halves(even, join), halves(odd, join));
}

// The blocks of `size` elements; a short last one is filled up.
template <class T>
Vector<Vector<T>> blocks(const Vector<T>& v, std::size_t size, T missing = T{}) {
  Vector<Vector<T>> result;
  for (std::size_t i = 0; i < v.size(); i += size) {
    result.push_back(padded(slice(v, i, i + size), size, missing));
  }
  return result;
}

template <class T, class Join>
Vector<T> joined(const Vector<T>& a, const Vector<T>& b, Join join) {
  Vector<T> result = a;
  for (std::size_t i = 0; i < b.size(); ++i) result[i] = join(a[i], b[i]);
  return result;
}

// Blocks joined lane by lane, one after the other.
template <class T, class Join>
Vector<T> blocks_in_order(const Vector<Vector<T>>& parts, Join join) {
  Vector<T> lanes = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) lanes = joined(lanes, parts[i], join);
  return lanes;
}

template <class T, class Join>
Vector<T> trees_of(const Vector<Vector<T>>& parts, Join join) {
  Vector<T> result;
  for (const Vector<T>& part : parts) result.push_back(tree(part, join));
  return result;
}

// N12.1, A2 and A3.
template <class T, class Join>
T repeats_in_order(const Vector<T>& v, std::size_t lanes, Join join) {
  return ascending(trees_of(blocks(v, lanes), join), join);
}

// The trees of all repeats, then trees of those.
template <class T, class Join>
T trees_of_trees(Vector<T> v, std::size_t lanes, Join join) {
  do {
    v = trees_of(blocks(v, lanes), join);
  } while (v.size() > 1);
  return v[0];
}

// N12.1, A5.
template <class T, class Join>
T repeats_folded(const Vector<T>& v, std::size_t lanes, Join join) {
  const auto r = blocks(v, lanes);
  switch (r.size()) {
    case 1:
      return tree(r[0], join);
    case 2:
      return tree(joined(r[0], r[1], join), join);
    case 3:
      return tree(joined(joined(r[0], r[1], join), r[2], join), join);
    case 4:
      return tree(joined(joined(r[0], r[1], join), joined(r[2], r[3], join), join), join);
    default:
      return trees_of_trees(v, lanes, join);
  }
}

// The elements from `head` on joined to the first ones.
template <class T, class Join>
Vector<T> tail_on_head(const Vector<T>& v, std::size_t head, Join join) {
  return joined(slice(v, 0, head), slice(v, head, v.size()), join);
}

inline std::size_t power_of_two_below(std::size_t count) {
  std::size_t power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

// N12.2, A2 and A3. `lanes` fill a repeat, `lanes` / 8 a block.
template <class T, class Join>
T last_axis_pairs(const Vector<T>& v, std::size_t lanes, Join join, T missing = T{}) {
  if (v.size() <= lanes / 8) return tree(padded(v, lanes / 8, missing), join);
  if (v.size() <= lanes) return tree(padded(v, lanes, missing), join);
  return tree(tail_on_head(v, power_of_two_below(v.size()), join), join);
}

// Halving lane distance until `lanes` are left: each of them collects every lanes-th element.
template <class T, class Join>
T halves_then_tree(const Vector<T>& v, std::size_t lanes, Join join) {
  Vector<T> left;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    Vector<T> mine;
    for (std::size_t i = lane; i < v.size(); i += lanes) mine.push_back(v[i]);
    left.push_back(halves(mine, join));
  }
  return tree(left, join);
}

// N12.2, A5.
template <class T, class Join>
T last_axis_halves(const Vector<T>& v, std::size_t lanes, Join join, T missing = T{}) {
  const auto parts = blocks(v, lanes / 8, missing);
  if (parts.size() < 4) return tree(blocks_in_order(parts, join), join);
  if (v.size() <= lanes) return tree(padded(v, lanes, missing), join);
  return halves_then_tree(tail_on_head(v, power_of_two_below(v.size()), join), lanes, join);
}

// N12.3, one column. A2 and A3 pass the rows through `first` before anything else.
template <class T, class Join, class First>
T earlier_axis(const Vector<T>& v, Join join, First first) {
  Vector<T> rows;
  for (const T& value : v) rows.push_back(first(value));
  std::size_t head = 1;
  while (head * 2 <= rows.size()) head *= 2;
  return halves(tail_on_head(rows, head, join), join);
}

// N13, A5: 64 lanes start at zero.
template <class T, class Join>
T row_lanes(const Vector<T>& v, Join join) {
  auto parts = blocks(v, 64);
  parts.insert(parts.begin(), Vector<T>(64));
  return tree(blocks_in_order(parts, join), join);
}

// N13, A2 and A3.
template <class T, class Join>
T row_blocks(const Vector<T>& v, Join join) {
  const std::size_t whole = v.size() / 512 * 512;
  Vector<T> lanes(64);
  if (whole == 0) {
    lanes = padded(slice(v, 0, 64), 64);
  } else {
    Vector<Vector<T>> partials;
    for (const auto& part : blocks(slice(v, 0, whole), 512)) {
      partials.push_back(trees_of(blocks(part, 8), join));
    }
    lanes = blocks_in_order(partials, join);
  }
  for (std::size_t i = whole == 0 ? 64 : whole; i < v.size(); i += 64) {
    lanes = joined(lanes, slice(v, i, i + 64), join);
  }
  return tree(lanes, join);
}

}  // namespace ascemu::refops::orders
