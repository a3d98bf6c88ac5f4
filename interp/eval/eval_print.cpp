// device_print (spec asc2 §11.2): numbers as C's %f and %d, tensors as a dump.
#include <cstdio>

#include "interp/eval/walker.h"

namespace ascemu::interp {
namespace {

// The elements of the largest on-chip memory (L1, 512 KiB of int8): no tensor of a device has more,
// and without a bound a dump could take minutes and gigabytes.
constexpr std::int64_t kMaxDumpedElems = 524288;

// What one block may print: more is a runaway loop, not a message.
constexpr std::size_t kMaxPrintedBytes = std::size_t{16} << 20;

std::string number_text(const Scalar& value) {
  if (refops::is_unsigned_integer(value.dtype)) return std::to_string(value.bits);
  if (refops::is_integer(value.dtype)) return std::to_string(value.as_int());
  char text[352];  // the longest double has 309 digits before the point
  const int length = std::snprintf(text, sizeof text, "%f", value.as_double());
  return std::string(text, static_cast<std::size_t>(length));
}

void append_elements(const refops::ConstView& view, int axis, const std::byte* data,
                     std::string& text) {
  if (axis == view.shape.rank()) {
    text += number_text(Scalar::load(view.dtype, data));
    return;
  }
  const bool is_innermost = axis + 1 == view.shape.rank();
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(view.dtype));
  text += "[";
  for (std::int64_t i = 0; i < view.shape[axis]; ++i) {
    if (i > 0)
      text += is_innermost ? ", " : ",\n" + std::string(static_cast<std::size_t>(axis + 1), ' ');
    append_elements(view, axis + 1, data + i * view.strides[axis] * size, text);
  }
  text += "]";
}

// A tensor without elements is one pair of brackets, however long its other dimensions are.
void append_dump(const LocalTensor& tensor, std::string& text) {
  const refops::ConstView view = tensor.view();
  const std::int64_t count = view.shape.count_elems();
  text += std::string(refops::dtype_name(tensor.declared)) + " " + view.shape.to_string() + "\n";
  if (count == 0) {
    text += "[]";
  } else if (count > kMaxDumpedElems) {
    text += "(" + std::to_string(count) + " elements; at most " + std::to_string(kMaxDumpedElems) +
            " are printed)";
  } else {
    append_elements(view, 0, view.data, text);
  }
  text += "\n";
}

}  // namespace

Completion Walker::eval_node(const Print& node) {
  for (const auto& part : node.parts) {
    if (const auto* const text = std::get_if<std::string>(&part)) {
      printed_ += *text;
    } else if (!print_value(std::get<Operand>(part))) {
      return Completion::end_launch;
    }
    if (printed_.size() > kMaxPrintedBytes) {
      report_fatal(make_fault(Code::memory_limit, "the block printed more than " +
                                                      std::to_string(kMaxPrintedBytes) + " bytes"));
      return Completion::end_launch;
    }
  }
  return Completion::normal;
}

bool Walker::print_value(const Operand& operand) {
  const RuntimeValue* const value =
      std::holds_alternative<Constant>(operand) ? nullptr : &slot_value(operand);
  if (value != nullptr) {
    if (const auto* const local = std::get_if<LocalTensor>(value)) {
      append_dump(*local, printed_);
      return true;
    }
    if (std::holds_alternative<Global>(*value)) return print_global(operand);
  }
  printed_ += number_text(scalar(operand));
  return true;
}

// The declared tensor, read as a copy_in of its whole would.
bool Walker::print_global(const Operand& operand) {
  const Global& source = global(operand);
  const GlobalArray& array = context_.arrays[source.array];
  Shape shape = source.dims;
  for (int axis = 0; axis < shape.rank(); ++axis)
    shape[axis] = std::max<std::int64_t>(shape[axis], 0);
  LocalTensor copy{{}, 0, array.dtype, array.dtype, Space::ub, shape, {}};
  if (!allocate(copy)) return false;
  copy.strides = refops::contiguous_strides(shape);
  const Offsets storage{};
  const std::span<const std::int64_t> start(storage.data(), static_cast<std::size_t>(shape.rank()));
  const TileAccess access = resolve_tile({source, start, shape, shape});
  if (!settle(array, access)) return false;
  const std::int64_t outside = load_tile(array, access, {}, copy.mutable_view());
  if (outside > 0) {
    AccessEvent event = describe(AccessKind::read, "device_print", operand, start, shape);
    describe_tile(access, event);
    event.outside_elems = outside;
    observe(event);
  }
  append_dump(copy, printed_);
  return true;
}

}  // namespace ascemu::interp
