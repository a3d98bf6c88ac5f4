#include "interp/ast/type_text.h"

#include <array>
#include <charconv>
#include <cmath>

#include "interp/ast/operands.h"

namespace ascemu::interp {
namespace {

// Shortest text that reads back as the same number; looks like a float.
template <class T>
std::string float_text(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), end.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string dims_text(const GlobalType& type) {
  std::string text = "[";
  for (const auto& dim : type.dims) {
    if (text.size() > 1) text += ", ";
    text += dim ? std::to_string(*dim) : "?";
  }
  return text + "]";
}

std::string type_text(const ValueType& type) {
  const auto name = [](Dtype dtype) { return std::string(refops::dtype_name(dtype)); };
  return std::visit(
      Overloaded{
          [&](const ScalarType& scalar) { return name(scalar.dtype) + " scalar"; },
          [&](const TensorType& tensor) {
            return name(tensor.dtype) + " tensor " + tensor.shape.to_string();
          },
          [&](const AddressType& address) { return "pointer to " + name(address.dtype); },
          [&](const GlobalType& global) {
            return name(global.dtype) + " global tensor " + dims_text(global);
          },
      },
      type);
}

std::string type_phrase(const ValueType& type) {
  const std::string text = type_text(type);
  return (text.starts_with('i') ? "an " : "a ") + text;
}

std::string dtype_set_text(refops::DtypeSet set) {
  std::string text;
  std::string last;
  for (int i = 0; i < refops::kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    if ((set & refops::dtype_bit(dtype)) == 0) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = refops::dtype_name(dtype);
  }
  if (last.empty()) return "no dtype";
  return text.empty() ? last : text + " and " + last;
}

std::string literal_text(const Literal& literal) {
  return std::visit(Overloaded{
                        [](bool value) { return std::string(value ? "True" : "False"); },
                        [](std::int64_t value) { return std::to_string(value); },
                        [](double value) { return float_text(value); },
                    },
                    literal);
}

std::string scalar_text(const Scalar& scalar) {
  if (scalar.dtype == Dtype::int1) return scalar.as_bool() ? "True" : "False";
  if (scalar.dtype == Dtype::float64) return float_text(scalar.as_double());
  if (refops::is_float(scalar.dtype)) return float_text(static_cast<float>(scalar.as_double()));
  if (refops::is_unsigned_integer(scalar.dtype)) return std::to_string(scalar.bits);
  return std::to_string(scalar.as_int());
}

std::string arg_text(const Arg& arg) {
  return std::visit(Overloaded{
                        [](const Value& value) { return type_text(value.type); },
                        [](const Literal& literal) { return literal_text(literal); },
                    },
                    arg);
}

}  // namespace ascemu::interp
