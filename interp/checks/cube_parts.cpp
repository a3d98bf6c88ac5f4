#include "interp/checks/cube_parts.h"

#include <utility>

namespace ascemu::interp {
namespace {

constexpr std::int64_t kBlockBytes = 32;
constexpr std::int64_t kFractalRows = 16;
constexpr std::int64_t kFractalColumns = 16;  // of L0C

std::string text(std::int64_t value) { return std::to_string(value); }

// Columns of a block: 32 bytes in L1, 16 elements in L0C.
std::int64_t block_columns(const TensorType& tile) {
  if (tile.space == Space::l0c) return kFractalColumns;
  return kBlockBytes / static_cast<std::int64_t>(refops::dtype_size_bytes(tile.dtype));
}

}  // namespace

bool is_scrambled(const CubePart& part) {
  const TensorType& tile = part.tile;
  const std::size_t rank = part.offsets.size();
  if (tile.space != Space::l1 && tile.space != Space::l0c) return false;
  if (rank < 2 || rank != static_cast<std::size_t>(tile.shape.rank())) return false;
  const std::int64_t row = part.offsets[rank - 2], column = part.offsets[rank - 1];
  if (row < 0 || column < 0) return false;
  return row % kFractalRows != 0 || column % block_columns(tile) != 0;
}

Fault scrambled_part(const CubePart& part, const std::string& name) {
  const TensorType& tile = part.tile;
  const std::size_t rank = part.offsets.size();
  const std::int64_t row = part.offsets[rank - 2], column = part.offsets[rank - 1];
  const std::int64_t width = block_columns(tile);
  const std::int64_t rows = tile.shape[static_cast<int>(rank) - 2];
  const std::int64_t whole_rows = (rows + kFractalRows - 1) / kFractalRows * kFractalRows;
  const std::int64_t address = row * width + column * whole_rows;
  const std::int64_t place = column / width * width * whole_rows + row * width + column % width;
  const std::string where(space_name(tile.space));
  const std::string position = "[" + text(row) + ", " + text(column) + "]";
  const std::string wrong = column % width != 0
                                ? "column " + text(column) + " is no multiple of " + text(width)
                                : "row " + text(row) + " is no multiple of " + text(kFractalRows);
  std::string reached = "address: row " + text(row) + " x " + text(width) + " + column " +
                        text(column) + " x " + text(whole_rows) + " = element " + text(address);
  reached += place == address ? ", inside a fractal"
                              : ", but " + position + " lies at element " + text(place);
  return make_fault(
      Code::scrambled_part,
      "copy takes a part of " + (name.empty() ? "a tile" : "'" + name + "'") + " in " + where +
          " that does not begin where a fractal does: " + wrong,
      {"tensor: " + (name.empty() ? "" : name + ", ") +
           std::string(refops::dtype_name(tile.dtype)) + " " + tile.shape.to_string() + " in " +
           where,
       "offsets: " + position, "extent: " + part.extent.to_string(),
       "layout: blocks of " + text(width) + " columns and " + text(whole_rows) +
           " rows, in fractals of " + text(kFractalRows) + " x " + text(width),
       std::move(reached)},
      "The device would take other elements without a word. Begin at a row that is a multiple of " +
          text(kFractalRows) + " and a column that is a multiple of " + text(width) +
          ", or copy the part from global memory.");
}

}  // namespace ascemu::interp
