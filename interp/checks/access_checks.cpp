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

std::string elements_text(const AccessEvent& event) {
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(event.array->dtype));
  std::string text = event.first == event.last ? "element " + std::to_string(event.first)
                                               : "elements " + std::to_string(event.first) +
                                                     " to " + std::to_string(event.last);
  const std::int64_t limit = INT64_MAX / 16;
  if (event.first > -limit && event.last < limit) {
    text += " (bytes " + std::to_string(event.first * size) + " to " +
            std::to_string(event.last * size + size - 1) + ")";
  }
  return text;
}

}  // namespace

std::span<const AccessCheck> access_checks() { return kChecks; }

std::string tensor_text(const AccessEvent& event) {
  const std::string parameter(event.array->name);
  if (event.tensor_name.empty()) return "parameter '" + parameter + "'";
  return "'" + std::string(event.tensor_name) + "' (parameter '" + parameter + "')";
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
  notes.push_back("accessed: " + elements_text(event));
  notes.push_back("array: " + std::string(event.array->name) + ", " + dtype + ", " +
                  count_text(event.array->count_elems, "element") + " (" +
                  count_text(event.array->size_bytes(), "byte") + ")");
  return notes;
}

}  // namespace ascemu::interp
