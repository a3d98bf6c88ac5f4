#include "interp/checks/numeric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "interp/ast/type_text.h"
#include "interp/memory/poison.h"

namespace ascemu::interp {
namespace {

constexpr std::size_t kMostOperands = 4;
constexpr int kBitsLeft = 4;  // a difference with no more significant bits than these is told
constexpr std::size_t kRepeatBytes = 256;  // lanes of a mask repeat after these (spec asc2 §6.7)

enum class Event : std::uint8_t { not_a_number, infinity, overflow, cancellation, saturation };
constexpr std::size_t kEvents = 5;

int significant_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16:
      return 11;
    case Dtype::bfloat16:
      return 8;
    case Dtype::float64:
      return 53;
    default:
      return 24;
  }
}

// The elements of one position of the result.
struct Elements {
  std::array<Scalar, kMostOperands> operands;
  std::size_t count = 0;
  Scalar result;
};

// Also of the narrower dtypes, whose elements float64 may store (N19).
bool is_poison(const Scalar& value) {
  if (value == poison_scalar(value.dtype)) return true;
  constexpr std::array kNarrow = {Dtype::float32, Dtype::float16, Dtype::bfloat16};
  return value.dtype == Dtype::float64 && std::ranges::any_of(kNarrow, [&](Dtype declared) {
           return value == poison_scalar(declared, Dtype::float64);
         });
}

// The elements of a view by their position in a shape that it broadcasts to.
class Reader {
 public:
  Reader(const refops::ConstView& view, const Shape& shape)
      : view_(view),
        shape_(shape),
        strides_(refops::broadcast_strides(view.shape, view.strides, shape)) {}

  Scalar operator[](std::int64_t position) const {
    std::int64_t offset = 0;
    for (int dim = shape_.rank(); dim-- > 0;) {
      offset += position % shape_[dim] * strides_[dim];
      position /= shape_[dim];
    }
    const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(view_.dtype));
    return Scalar::load(view_.dtype, view_.data + offset * size);
  }

 private:
  const refops::ConstView& view_;
  const Shape& shape_;
  refops::Strides strides_;
};

bool gives_pole(std::string_view operation, const Elements& at) {
  const double first = at.operands[0].as_double();
  if (operation == "div") return at.operands[1].as_double() == 0;
  return (operation == "log" || operation == "log2" || operation == "rsqrt" ||
          operation == "pow") &&
         first == 0;
}

// The event of a cast to an integer: the number is off by one or more. A NaN was an event before.
bool is_saturated(const Scalar& from, const Scalar& to) {
  if (!refops::is_float(from.dtype)) return from.as_int() != to.as_int();
  const double value = from.as_double();
  return !std::isnan(value) && std::abs(value - static_cast<double>(to.as_int())) >= 1;
}

bool is_cancelled(const Elements& at, Dtype declared) {
  const double result = std::abs(at.result.as_double());
  const double largest =
      std::max(std::abs(at.operands[0].as_double()), std::abs(at.operands[1].as_double()));
  return result > 0 && result < std::ldexp(largest, kBitsLeft - significant_bits(declared));
}

class Observer {
 public:
  explicit Observer(const NumericStatement& statement) : statement_(statement) {}

  std::vector<Fault> observe() {
    if (refops::is_float(statement_.result.dtype) && !may_cancel() && is_all_finite()) return {};
    if (statement_.is_elementwise) {
      observe_elements();
    } else {
      observe_whole();
    }
    std::vector<Fault> faults;
    for (std::size_t event = 0; event < kEvents; ++event) {
      if (found_[event].count > 0)
        faults.push_back(explain(static_cast<Event>(event), found_[event]));
    }
    return faults;
  }

 private:
  struct Found {
    std::int64_t count = 0;
    std::int64_t first = 0;  // position in the result
    Elements at;
  };

  bool is_masked_out(std::int64_t position) const {
    if (statement_.mask == nullptr || !*statement_.mask) return false;
    const std::size_t lanes = kRepeatBytes / refops::dtype_size_bytes(statement_.declared);
    const std::size_t lane = static_cast<std::size_t>(position) % lanes;
    return ((*statement_.mask)->lanes.bits[lane / 64] >> (lane % 64) & 1) == 0;
  }

  void note(Event event, std::int64_t position, const Elements& at) {
    Found& found = found_[static_cast<std::size_t>(event)];
    if (found.count++ == 0) {
      found.first = position;
      found.at = at;
    }
  }

  bool may_cancel() const {
    return statement_.is_elementwise &&
           (statement_.operation == "add" || statement_.operation == "sub");
  }

  // The common case, told from the exponents alone; false where the result is not contiguous.
  bool is_all_finite() const {
    const refops::ConstView& result = statement_.result;
    if (!result.is_contiguous()) return false;
    const auto count = static_cast<std::size_t>(result.shape.count_elems());
    switch (result.dtype) {
      case Dtype::float16:
        return none_has_exponent<std::uint16_t>(result.data, count, 0x7C00);
      case Dtype::bfloat16:
        return none_has_exponent<std::uint16_t>(result.data, count, 0x7F80);
      case Dtype::float32:
        return none_has_exponent<std::uint32_t>(result.data, count, 0x7F800000);
      default:
        return false;
    }
  }

  template <class Bits>
  static bool none_has_exponent(const std::byte* data, std::size_t count, Bits exponent) {
    bool found = false;
    for (std::size_t i = 0; i < count; ++i) {
      Bits bits;
      std::memcpy(&bits, data + i * sizeof(Bits), sizeof(Bits));
      found |= (bits & exponent) == exponent;
    }
    return !found;
  }

  void observe_elements() {
    const Shape& shape = statement_.result.shape;
    const Reader results(statement_.result, shape);
    std::vector<Reader> readers;
    for (const NumericOperand& operand : statement_.operands)
      readers.emplace_back(operand.view, shape);
    const std::int64_t total = shape.count_elems();
    for (std::int64_t position = 0; position < total; ++position) {
      if (is_masked_out(position)) continue;
      Elements at;
      at.result = results[position];
      bool is_defined = true;
      for (const Reader& reader : readers) {
        const Scalar& value = at.operands[at.count++] = reader[position];
        is_defined = is_defined && !is_poison(value);
      }
      if (is_defined) classify(position, at);
    }
  }

  void classify(std::int64_t position, const Elements& at) {
    if (!refops::is_float(at.result.dtype)) {
      if (statement_.operation == "cast" && at.result.dtype != Dtype::int1 &&
          is_saturated(at.operands[0], at.result))
        note(Event::saturation, position, at);
      return;
    }
    const double result = at.result.as_double();
    bool has_nan = false;
    bool is_finite = true;
    for (std::size_t i = 0; i < at.count; ++i) {
      const double value = at.operands[i].as_double();
      has_nan = has_nan || std::isnan(value);
      is_finite = is_finite && std::isfinite(value);
    }
    if (std::isnan(result)) {
      if (!has_nan) note(Event::not_a_number, position, at);
    } else if (std::isinf(result)) {
      if (!is_finite) return;
      const bool overflows =
          at.result.dtype == Dtype::float16 && !gives_pole(statement_.operation, at);
      note(overflows ? Event::overflow : Event::infinity, position, at);
    } else if (is_finite && may_cancel() && is_cancelled(at, statement_.declared)) {
      note(Event::cancellation, position, at);
    }
  }

  void observe_whole() {
    if (!refops::is_float(statement_.result.dtype)) return;
    bool has_nan = false;
    bool is_finite = true;
    for (const NumericOperand& operand : statement_.operands) {
      const Reader elements(operand.view, operand.view.shape);
      const std::int64_t total = operand.view.shape.count_elems();
      for (std::int64_t position = 0; position < total; ++position) {
        const double value = elements[position].as_double();
        has_nan = has_nan || std::isnan(value);
        is_finite = is_finite && std::isfinite(value);
      }
    }
    if (has_nan) return;
    const Reader results(statement_.result, statement_.result.shape);
    const std::int64_t total = statement_.result.shape.count_elems();
    for (std::int64_t position = 0; position < total; ++position) {
      Elements at;
      at.result = results[position];
      const double result = at.result.as_double();
      if (std::isnan(result)) {
        note(Event::not_a_number, position, at);
      } else if (std::isinf(result) && is_finite) {
        const bool is_half = at.result.dtype == Dtype::float16;
        note(is_half ? Event::overflow : Event::infinity, position, at);
      }
    }
  }

  std::string operands_text(const Elements& at) const {
    std::string text;
    for (std::size_t i = 0; i < at.count; ++i) {
      if (i > 0) text += i + 1 == at.count ? " and " : ", ";
      const std::string_view name = statement_.operands[i].name;
      if (!name.empty()) text += std::string(name) + " = ";
      text += scalar_text(at.operands[i]);
    }
    return text;
  }

  std::string of_operands(const Elements& at) const {
    return at.count == 0 ? " of operands that hold none" : " of " + operands_text(at);
  }

  std::vector<std::string> notes(const Found& found) const {
    const Shape& shape = statement_.result.shape;
    if (shape.rank() == 0) return {};
    std::string index;
    std::int64_t rest = found.first;
    for (int dim = shape.rank(); dim-- > 0;) {
      index = std::to_string(rest % shape[dim]) + (index.empty() ? "" : ", ") + index;
      rest /= shape[dim];
    }
    return {
        "first element: [" + index + "] of " + shape.to_string(),
        "elements: " + std::to_string(found.count) + " of " + std::to_string(shape.count_elems())};
  }

  Fault explain(Event event, const Found& found) const {
    const std::string operation(statement_.operation);
    const std::string result = scalar_text(found.at.result);
    switch (event) {
      case Event::not_a_number:
        return make_fault(Code::numeric_nan, operation + " makes NaN" + of_operands(found.at),
                          notes(found));
      case Event::infinity:
        return make_fault(Code::numeric_infinity,
                          operation + " makes infinity" + of_operands(found.at), notes(found));
      case Event::overflow:
        return make_fault(
            Code::numeric_overflow,
            operation + (found.at.count == 0 ? " overflows float16"
                                             : " of " + operands_text(found.at) +
                                                   " overflows float16, which ends at 65504"),
            notes(found));
      case Event::cancellation:
        return make_fault(Code::numeric_cancellation,
                          operation + " of " + operands_text(found.at) + " leaves " + result +
                              ": at most " + std::to_string(kBitsLeft) + " of the " +
                              std::to_string(significant_bits(statement_.declared)) +
                              " significant bits",
                          notes(found));
      case Event::saturation:
        return make_fault(Code::numeric_saturation,
                          "cast of " + operands_text(found.at) + " to " +
                              std::string(refops::dtype_name(statement_.declared)) + " gives " +
                              result,
                          notes(found));
    }
    return make_fault(Code::internal_error, "an event without a text");
  }

  const NumericStatement& statement_;
  std::array<Found, kEvents> found_{};
};

}  // namespace

std::vector<Fault> numeric_events(const NumericStatement& statement) {
  return Observer(statement).observe();
}

}  // namespace ascemu::interp
