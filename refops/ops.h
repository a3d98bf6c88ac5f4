// The op table as C++: enum, names, families and dtype sets, all expanded from ops.def.
//
// What it is: lookup of the static facts of every public op.
// What it is not: the meaning of an op (eval.h) or its type rule (interp/builtins).
//
// Invariant: the rows stand in the order of OpId, and every name occurs once.
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

namespace detail {

// The vocabulary of the dtype column of ops.def.
inline constexpr DtypeSet kI1 = dtype_bit(Dtype::int1);
inline constexpr DtypeSet kI8 = dtype_bit(Dtype::int8);
inline constexpr DtypeSet kI16 = dtype_bit(Dtype::int16);
inline constexpr DtypeSet kI32 = dtype_bit(Dtype::int32);
inline constexpr DtypeSet kI64 = dtype_bit(Dtype::int64);
inline constexpr DtypeSet kU8 = dtype_bit(Dtype::uint8);
inline constexpr DtypeSet kU16 = dtype_bit(Dtype::uint16);
inline constexpr DtypeSet kU32 = dtype_bit(Dtype::uint32);
inline constexpr DtypeSet kU64 = dtype_bit(Dtype::uint64);
inline constexpr DtypeSet kF16 = dtype_bit(Dtype::float16);
inline constexpr DtypeSet kBf16 = dtype_bit(Dtype::bfloat16);
inline constexpr DtypeSet kF32 = dtype_bit(Dtype::float32);
inline constexpr DtypeSet kF64 = dtype_bit(Dtype::float64);
inline constexpr DtypeSet kAny = (DtypeSet{1} << kDtypeCount) - 1;

inline constexpr OpRow kOpTable[] = {
#define ASCEMU_OP(name, family, arity, dtypes, clause) \
  {OpId::name##_, #name, OpFamily::family, arity, dtypes, clause},
#include "refops/ops.def"
#undef ASCEMU_OP
};

inline constexpr UnsupportedRow kUnsupportedTable[] = {
#define ASCEMU_UNSUPPORTED(name, reason) {#name, reason},
#include "refops/unsupported.def"
#undef ASCEMU_UNSUPPORTED
};

}  // namespace detail

constexpr std::span<const OpRow> op_table() { return detail::kOpTable; }
constexpr std::span<const UnsupportedRow> unsupported_table() { return detail::kUnsupportedTable; }
constexpr const OpRow& op_row(OpId id) { return detail::kOpTable[static_cast<std::size_t>(id)]; }
std::optional<OpId> op_from_name(std::string_view name);
constexpr std::string_view op_name(OpId id) { return op_row(id).name; }
constexpr bool op_accepts(OpId id, Dtype dtype) {
  return (op_row(id).dtypes & dtype_bit(dtype)) != 0;
}

}  // namespace ascemu::refops
