// The lowered program: a tree of statements over numbered slots.
//
// What it is: what is left of a kernel after specialisation: runtime scalars, tensors, runtime
// control flow and ops whose static arguments are bound constants. What it is not: Python values,
// names or types to be inferred; builder.h makes trees and checks them. Invariants: every statement
// kind is an alternative of one closed variant (a total visit is required everywhere); a slot that
// is not a variable is assigned by exactly one statement, which dominates its uses; variables are
// assigned by Move only; operands already have the dtype that the op computes in; shapes are
// static.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "interp/ast/types.h"
#include "interp/diag/diagnostic.h"
#include "interp/diag/span.h"
#include "refops/eval.h"
#include "refops/ops.h"
#include "refops/scalar.h"
#include "refops/scalar_ops.h"
#include "refops/target/policy.h"

namespace ascemu::interp {

using refops::OpId;
using refops::RoundMode;
using refops::Scalar;
using refops::ScalarOp;

using Slot = std::uint32_t;
struct SlotRef {
  Slot slot;
  friend bool operator==(const SlotRef&, const SlotRef&) = default;
};
// A scalar known while tracing. `exact` is the number a float was written as, before it was rounded
// to its dtype: what a computation in double goes on with (N19). It is 0 for the other dtypes.
struct Constant : Scalar {
  double exact = 0;

  Constant() = default;
  Constant(const Scalar& value)
      : Scalar(value), exact(refops::is_float(value.dtype) ? value.as_double() : 0) {}
  Constant(const Scalar& rounded, double written) : Scalar(rounded), exact(written) {}

  Scalar in_double() const { return Scalar::from_double(Dtype::float64, exact); }
};
// Constant or slot. Tensors, addresses and globals are always slots.
using Operand = std::variant<Constant, SlotRef>;

struct Stmt;
struct Block {
  std::vector<Stmt> stmts;
};

struct MaskSpec {
  refops::LaneMask lanes;
  std::optional<Operand> other;  // already in the result dtype; absent: inactive lanes are poison
};

// Scalars.
struct ScalarUnary {
  Slot dst;
  ScalarOp op;
  Operand a;
};
struct ScalarBinary {
  Slot dst;
  ScalarOp op;
  Operand a, b;
};
struct ScalarCast {
  Slot dst;
  Dtype to;
  Operand a;
};
struct ProgramScalar {
  Slot dst;
  OpId op;
};  // block_idx, block_num, sub_block_idx, sub_block_num

// Element-wise and other pure tensor ops. A scalar operand stands for a tensor filled with it.
struct Unary {
  Slot dst;
  OpId op;
  Operand x;
  std::optional<MaskSpec> mask;
};
struct Binary {
  Slot dst;
  OpId op;
  Operand a, b;
  std::optional<MaskSpec> mask;
};  // binary and compare families
struct Where {
  Slot dst;
  Operand mask, a, b;
};
struct Cast {
  Slot dst;
  RoundMode mode;
  Operand x;
};
struct Reduce {
  Slot dst;
  OpId op;
  std::uint32_t axes_mask;
  Operand x;
};  // axes_mask 0: all elements, dst is a scalar
struct Softmax {
  Slot dst;
  Operand x;
};
struct RmsNorm {
  Slot dst;
  Operand x, gamma, epsilon;
};
struct LayerNorm {
  Slot dst, mean, spread;
  bool output_rstd;
  Operand x, gamma, beta, epsilon;
};
struct Fill {
  Slot dst;
  Operand value;
};
struct Reshape {
  Slot dst;
  Operand x;
};  // shares the bytes
struct Transpose {
  Slot dst;
  std::vector<int> permutation;
  Operand x;
};
struct BroadcastTo {
  Slot dst;
  Operand x;
};
struct Concat {
  Slot dst;
  std::vector<Operand> inputs;
};

// Cube.
struct ZerosAcc {
  Slot dst;
  std::optional<Operand> bias;
};  // undefined until the first MatmulAcc initialises it
struct MatmulAcc {
  Operand acc, a, b;
  bool hf32;
};  // in place
struct Matmul {
  Slot dst;
  Operand a, b;
  std::optional<Operand> bias;
  bool hf32;
};

// Memory.
struct AddressAdd {
  Slot dst;
  Operand base, offset_elems;
};
struct MakeGlobal {
  Slot dst;
  Operand base;
  std::vector<Operand> dims;
};
struct CopyIn {
  Slot dst;
  Operand src;
  std::vector<Operand> offsets;                    // one per dimension of src
  std::optional<std::vector<Operand>> real_shape;  // one per dimension of dst
  std::optional<Operand> pad_value;                // in the element dtype
};
struct CopyOut {
  Operand src, dst;
  std::vector<Operand> offsets;
  std::optional<std::vector<Operand>> real_shape;
};
struct LoadScalar {
  Slot dst;
  Operand src;
  std::vector<Operand> offsets;
};
struct StoreScalar {
  Operand value, dst;
  std::vector<Operand> offsets;
};  // value: scalar or size-1 tensor, dtype of dst
struct CopyLocal {
  Slot dst;
  Operand src;
  std::vector<Operand> offsets;
};
struct Gather {
  Slot dst;
  Operand src;
  std::vector<Operand> offsets;  // dim + 1 values
  int dim;
  Operand index;
  bool check_bounds;
  std::optional<Operand> num_indices, pad_value;
};
struct Scatter {
  Operand src;
  int dim;
  Operand index, dst;
  std::vector<Operand> offsets;
  bool check_bounds;
  std::optional<Operand> num_indices;
};
struct Atomic {
  OpId op;
  Operand src, dst;
  std::vector<Operand> offsets;
};

// Control flow and the rest.
struct Move {
  std::vector<Slot> dst;
  std::vector<Operand> src;
};  // parallel: all reads before all writes
struct If {
  Operand condition;
  Block then_block, else_block;
};
struct For {
  Slot induction;
  Operand start, stop, step;
  int unroll_factor;
  bool gm_barrier;
  Block body;
};
struct While {
  Block condition_block;
  Operand condition;
  Block body;
};
struct Print {
  std::vector<std::variant<std::string, Operand>> parts;
};  // text verbatim, scalars and tensors dumped
struct DeviceAssert {
  Operand condition;
  std::string message;
};
struct SyncAll {};

using StmtNode =
    std::variant<ScalarUnary, ScalarBinary, ScalarCast, ProgramScalar, Unary, Binary, Where, Cast,
                 Reduce, Softmax, RmsNorm, LayerNorm, Fill, Reshape, Transpose, BroadcastTo, Concat,
                 ZerosAcc, MatmulAcc, Matmul, AddressAdd, MakeGlobal, CopyIn, CopyOut, LoadScalar,
                 StoreScalar, CopyLocal, Gather, Scatter, Atomic, Move, If, For, While, Print,
                 DeviceAssert, SyncAll>;

struct Stmt {
  SpanId span = kNoSpan;
  StmtNode node;
};

struct SlotInfo {
  ValueType type;
  std::string name;  // the kernel's variable, when one was bound
  SpanId defined_at = kNoSpan;
  bool is_variable = false;
  std::int32_t param = -1;  // parameter an address or global was made from
  // The dtype its numbers are stored and computed in; absent: that of the type. Set by
  // resolve/double_precision.h only.
  std::optional<Dtype> storage{};

  Dtype stored(Dtype declared) const { return storage.value_or(declared); }
};

struct Param {
  std::string name;
  ValueType type;  // AddressType (array) or ScalarType
  Slot slot;
};

// A move of a whole tensor that the device compiler inserts; a chain is one entry a hop.
struct ImplicitCopy {
  Slot slot;  // the tensor that is moved
  Space from, to;
  SpanId span = kNoSpan;  // the statement that needs it
};

// Which generation of the language a kernel is written in (spec asc2 §0): the first (load, store),
// asc2, asctile.
enum class Generation : std::uint8_t { first, asc2, asctile };

// The options of jit that steer the allocation of local tensors (spec asc2 §1.7).
struct AllocationOptions {
  std::optional<bool> static_alloc{};  // nothing: as the platform does
  int reuse_alloc = 0;                 // above 0: disjoint live ranges share storage
  bool vf_fusion = false;              // element-wise chains need no intermediates
};

struct Program {
  std::string name;
  refops::Policy policy;  // what it was made for, and is launched with
  SourceTable sources;
  std::vector<Param> params;
  std::vector<SlotInfo> slots;
  Block body;
  AllocationOptions allocation;
  bool has_barrier = false;
  bool has_cube = false;                      // matmul or an L0 tensor occurs
  std::vector<ImplicitCopy> implicit_copies;  // in tree order
  std::vector<Diagnostic> findings;           // warnings found while building
};

}  // namespace ascemu::interp
