// Shapes and strides of tiles and views: fixed capacity, no allocation.
//
// Invariant: rank <= kMaxRank; entries past the rank are zero. Strides count elements; a broadcast
// dimension has stride 0.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace ascemu::refops {

inline constexpr int kMaxRank = 8;

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims);
  explicit Shape(std::span<const std::int64_t> dims);  // at most kMaxRank entries

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const { return dims_[static_cast<std::size_t>(axis)]; }
  std::int64_t& operator[](int axis) { return dims_[static_cast<std::size_t>(axis)]; }
  std::span<const std::int64_t> dims() const {
    return {dims_.data(), static_cast<std::size_t>(rank_)};
  }
  // Product of the dimensions (1 for rank 0).
  std::int64_t count_elems() const;
  void push_back(std::int64_t dim);
  // "[2, 3]"
  std::string to_string() const;

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::array<std::int64_t, kMaxRank> dims_{};
  int rank_ = 0;
};

using Strides = Shape;

// Row-major strides of a contiguous array.
Strides contiguous_strides(const Shape& shape);
// NumPy's broadcasting rule; nothing when the shapes do not fit.
std::optional<Shape> broadcast_shapes(const Shape& a, const Shape& b);
// Strides that read an array of `from` (with `strides`) as if it had shape `to`. Requires: `from`
// broadcasts to `to`.
Strides broadcast_strides(const Shape& from, const Strides& strides, const Shape& to);

}  // namespace ascemu::refops
