#include "interp/checks/access_text.h"

namespace ascemu::interp {

ElementSpan elements_of(const GlobalArray& array, const ByteSpan& bytes) {
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(array.dtype));
  const std::int64_t base = base_address(array);
  return {(bytes.first - base) / size, (bytes.end - 1 - base) / size};
}

std::string rows_text(const GlobalArray& array, const ByteRows& bytes) {
  const ElementSpan all = elements_of(array, {bytes.first, bytes.end()});
  std::string text = elements_text(array, all.first, all.last);
  if (bytes.count > 1) {
    const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(array.dtype));
    text += ", " + std::to_string(bytes.run / size) + " in every " +
            std::to_string(bytes.stride / size);
  }
  return text;
}

bool share_bytes(const GlobalArray& a, const GlobalArray& b) {
  return a.data != nullptr && b.data != nullptr &&
         base_address(a) < base_address(b) + b.size_bytes() &&
         base_address(b) < base_address(a) + a.size_bytes();
}

std::vector<std::uint8_t> kinds_of_arrays(const std::vector<GlobalArray>& arrays,
                                          const std::vector<std::uint8_t>& kinds) {
  std::vector<std::uint8_t> all = kinds;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    for (std::size_t j = 0; j < arrays.size(); ++j) {
      if (share_bytes(arrays[i], arrays[j])) all[i] |= kinds[j];
    }
  }
  return all;
}

}  // namespace ascemu::interp
