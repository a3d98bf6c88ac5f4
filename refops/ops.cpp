#include "refops/ops.h"

#include <algorithm>

namespace ascemu::refops {

std::optional<OpId> op_from_name(std::string_view name) {
  const auto rows = op_table();
  const auto row = std::ranges::find(rows, name, &OpRow::name);
  if (row == rows.end()) return std::nullopt;
  return row->id;
}

}  // namespace ascemu::refops
