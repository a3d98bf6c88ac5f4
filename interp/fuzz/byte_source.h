// Decisions read from bytes: what makes a fuzz input a program.
//
// What it is: numbers, choices and shapes taken from the front of a byte string; after its end
// every choice is 0. Invariant: the same bytes give the same decisions on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interp/ast/builder.h"

namespace ascemu::interp::fuzz {

class ByteSource {
 public:
  explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool is_empty() const { return bytes_.empty(); }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  // 0 <= result < bound; bound 1 to 256.
  std::size_t below(std::size_t bound) { return byte() % bound; }
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = (value << 8) | byte();
    return value;
  }

  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[below(items.size() < 256 ? items.size() : 256)];
  }

  Dtype dtype() {
    static const std::vector<Dtype> kUsual{Dtype::float32, Dtype::float16, Dtype::int32,
                                           Dtype::bfloat16, Dtype::int16};
    if (!one_in(4)) return pick(kUsual);
    return static_cast<Dtype>(below(refops::kDtypeCount));
  }

  // Mostly small and legal; now and then zero, negative or huge.
  std::int64_t dim() {
    static const std::vector<std::int64_t> kUsual{16, 1, 8, 4, 2, 3, 7, 17, 32, 5};
    static const std::vector<std::int64_t> kOdd{
        0, -1, 1 << 20, std::int64_t{1} << 40, INT64_MAX, INT64_MIN, 129, 1024};
    return one_in(40) ? pick(kOdd) : pick(kUsual);
  }

  Shape shape() {
    Shape result;
    const std::size_t choice = below(16);
    const int rank = choice < 6 ? 1 : choice < 12 ? 2 : static_cast<int>(choice % 9);
    for (int i = 0; i < rank; ++i) result.push_back(dim());
    return result;
  }

  Literal literal() {
    switch (below(6)) {
      case 0:
        return static_cast<double>(static_cast<std::int8_t>(byte())) / 4;
      case 1:
        return one_in(2);
      case 2:
        return static_cast<std::int64_t>(word());
      case 3:
        return std::bit_cast<double>(word());
      default:
        return static_cast<std::int64_t>(below(12)) - 2;
    }
  }

  // Any mode and chip; saturation only where a launch may ask for it.
  refops::Policy policy() {
    const auto mode = static_cast<refops::NumericMode>(below(3));
    const auto chip = static_cast<refops::Chip>(below(3));
    const bool may_saturate = mode == refops::NumericMode::npu && chip != refops::Chip::ascend950pr;
    return {mode, chip, may_saturate && one_in(3)};
  }

  Space space() {
    static const std::vector<Space> kUsual{Space::ub, Space::l1, Space::l0a, Space::l0b, Space::bt};
    if (one_in(50)) return static_cast<Space>(below(8));
    return one_in(4) ? pick(kUsual) : Space::automatic;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace ascemu::interp::fuzz
