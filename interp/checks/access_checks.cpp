#include "interp/checks/access_checks.h"

#include <string>

namespace ascemu::interp {
namespace {

constexpr AccessCheck kChecks[] = {
    {judge_bounds, explain_bounds},
    {judge_portability, explain_portability},
};

std::string offsets_text(std::span<const std::int64_t> offsets) {
  std::string text = "[";
  for (std::size_t i = 0; i < offsets.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(offsets[i]);
  return text + "]";
}

std::string count_text(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

std::span<const AccessCheck> access_checks() { return kChecks; }

std::string tensor_text(std::string_view tensor_name, const GlobalArray& array) {
  const std::string parameter(array.name);
  if (tensor_name.empty()) return "parameter '" + parameter + "'";
  return "'" + std::string(tensor_name) + "' (parameter '" + parameter + "')";
}

std::string tensor_text(const AccessEvent& event) {
  return tensor_text(event.tensor_name, *event.array);
}

std::string verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return "reads";
    case AccessKind::write:
      return "writes";
    default:
      return "updates";
  }
}

std::string short_text(const ElementSpan& elements) {
  if (elements.first == elements.last) return "element " + std::to_string(elements.first);
  return "elements " + std::to_string(elements.first) + " to " + std::to_string(elements.last);
}

std::string elements_text(const GlobalArray& array, std::int64_t first, std::int64_t last) {
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(array.dtype));
  std::string text = short_text({first, last});
  const std::int64_t limit = INT64_MAX / 16;
  if (first > -limit && last < limit) {
    text += " (bytes " + std::to_string(first * size) + " to " +
            std::to_string(last * size + size - 1) + ")";
  }
  return text;
}

std::string array_note(const GlobalArray& array) {
  return "array: " + std::string(array.name) + ", " + std::string(refops::dtype_name(array.dtype)) +
         ", " + count_text(array.count_elems, "element") + " (" +
         count_text(array.size_bytes(), "byte") + ")";
}

std::vector<std::string> access_notes(const AccessEvent& event) {
  const std::string dtype(refops::dtype_name(event.array->dtype));
  std::vector<std::string> notes;
  const std::string name = event.tensor_name.empty() ? "" : std::string(event.tensor_name) + ", ";
  notes.push_back("tensor: " + name + dtype + " " + event.tensor->dims.to_string() +
                  (event.tensor->offset_elems == 0
                       ? ""
                       : " at element " + std::to_string(event.tensor->offset_elems)));
  notes.push_back("offsets: " + offsets_text(event.offsets));
  if (event.extent.rank() > 0) notes.push_back("extent: " + event.extent.to_string());
  notes.push_back("accessed: " + elements_text(*event.array, event.first, event.last));
  notes.push_back(array_note(*event.array));
  return notes;
}

}  // namespace ascemu::interp
