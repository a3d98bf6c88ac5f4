// The op table as C++: enum, names, families and dtype sets, all expanded from ops.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "refops/dtype.h"

namespace ascemu::refops {

using DtypeSet = std::uint32_t;  // bit (1 << Dtype)

constexpr DtypeSet dtype_bit(Dtype dtype) { return DtypeSet{1} << static_cast<unsigned>(dtype); }

enum class OpFamily : std::uint8_t {
  unary,
  binary,
  compare,
  select,
  cast,
  reduce,
  normalize,
  matmul,
  creation,
  layout,
  memory,
  control,
  program,
  scalar,
  debug,
};

// `and`, `or` and other C++ words never occur as op names; a trailing underscore keeps keywords out
// of the enum (static_assert_).
enum class OpId : std::uint16_t {
#define ASCEMU_OP(name, family, arity, dtypes, clause) name##_,
#include "refops/ops.def"
#undef ASCEMU_OP
};

struct OpRow {
  OpId id;
  std::string_view name;
  OpFamily family;
  int arity;
  DtypeSet dtypes;
  std::string_view clause;
};

struct UnsupportedRow {
  std::string_view name;
  std::string_view reason;
};

std::span<const OpRow> op_table();
std::span<const UnsupportedRow> unsupported_table();
const OpRow& op_row(OpId id);
std::optional<OpId> op_from_name(std::string_view name);
inline std::string_view op_name(OpId id) { return op_row(id).name; }
inline bool op_accepts(OpId id, Dtype dtype) { return (op_row(id).dtypes & dtype_bit(dtype)) != 0; }

}  // namespace ascemu::refops
