#include "refops/dtype.h"

#include <array>

namespace ascemu::refops {
namespace {

enum class Kind : std::uint8_t { boolean, signed_integer, unsigned_integer, floating };

struct DtypeRow {
  std::string_view name;
  std::size_t size_bytes;
  int width_bits;
  Kind kind;
};

constexpr std::array<DtypeRow, kDtypeCount> kRows{{
    {"int1", 1, 1, Kind::boolean},
    {"int8", 1, 8, Kind::signed_integer},
    {"int16", 2, 16, Kind::signed_integer},
    {"int32", 4, 32, Kind::signed_integer},
    {"int64", 8, 64, Kind::signed_integer},
    {"uint8", 1, 8, Kind::unsigned_integer},
    {"uint16", 2, 16, Kind::unsigned_integer},
    {"uint32", 4, 32, Kind::unsigned_integer},
    {"uint64", 8, 64, Kind::unsigned_integer},
    {"float16", 2, 16, Kind::floating},
    {"bfloat16", 2, 16, Kind::floating},
    {"float32", 4, 32, Kind::floating},
    {"float64", 8, 64, Kind::floating},
}};

const DtypeRow& row(Dtype dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::string_view dtype_name(Dtype dtype) { return row(dtype).name; }

std::optional<Dtype> dtype_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

std::size_t dtype_size_bytes(Dtype dtype) { return row(dtype).size_bytes; }
int dtype_width_bits(Dtype dtype) { return row(dtype).width_bits; }
bool is_float(Dtype dtype) { return row(dtype).kind == Kind::floating; }
bool is_integer(Dtype dtype) { return row(dtype).kind != Kind::floating; }
bool is_signed_integer(Dtype dtype) { return row(dtype).kind == Kind::signed_integer; }
bool is_unsigned_integer(Dtype dtype) { return row(dtype).kind == Kind::unsigned_integer; }

}  // namespace ascemu::refops
