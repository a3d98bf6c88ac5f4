// Builder: makes a Program, running every op's type rule at the call (spec asc2 §3-§8, newest
// generation).
//
// What it is: the one way to make a tree, for the Python front end, the C++ example and the fuzzer
// alike. Every method checks its arguments completely (dtypes, shapes, counts, legality), inserts
// the conversions the language inserts (scalar to tensor dtype, tensor unification, broadcasting)
// and emits statements at the current position. What it is not: name lookup, Python values.
// A Fault is what the device front end raises while tracing. What its compiler reports afterwards
// (missing tensor casts, illegal places, merges of unequal tensors, accumulators) does not stop the
// trace: finish() returns it. Invariant: after a Fault the program is unchanged, so the caller may
// go on or give up; a finished Program is valid. Methods are implemented in interp/builtins/, one
// file per op family.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "interp/ast/tree.h"
#include "interp/diag/result.h"

namespace ascemu::interp {

// A value of the program under construction: a slot or a scalar constant, with its type.
struct Value {
  Operand operand;
  ValueType type;
  std::uint32_t trace = 0;  // the builder that made it; 0 = any, as for constants

  bool is_scalar() const { return std::holds_alternative<ScalarType>(type); }
  bool is_tensor() const { return std::holds_alternative<TensorType>(type); }
  Dtype dtype() const;
};

// A host number without dtype of its own ("weak"): takes the dtype of what it meets; alone bool ->
// int1, int -> int32, float -> float32.
using Literal = std::variant<bool, std::int64_t, double>;
using Arg = std::variant<Value, Literal>;

struct BuilderOptions {
  std::string kernel_name;
  refops::Policy policy;  // what the program is made for: chip gaps, rewrites (contract N17)
  Generation generation = Generation::asctile;
};

class Builder {
 public:
  explicit Builder(BuilderOptions options);
  ~Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;

  // Sources and positions.
  std::uint32_t add_source(std::string path, std::string text, std::int32_t first_line);
  void set_position(std::uint32_t source, std::int32_t line, std::int32_t column,
                    std::int32_t end_line, std::int32_t end_column);
  SpanId position() const;
  void push_call();  // the current position becomes the call site of positions set until pop_call
  void pop_call();
  void name_value(const Value& value, std::string name);
  void use_first_generation();  // an operation only that generation has was called
  void set_allocation(AllocationOptions options);  // for the accounting of memory (spec §5.2)
  void warn(Fault fault);  // a finding at the current position with severity warning (kept in
                           // Program::findings)

  // Parameters (before any statement).
  Value array_param(std::string name, Dtype dtype);
  Value scalar_param(std::string name, Dtype dtype);

  // Scalars (spec §3). Constants fold.
  Result<Value> constant(const Literal& literal, Dtype dtype);
  Result<Value> materialise(const Arg& arg);  // literal -> its default dtype
  Result<Value> scalar_unary(ScalarOp op, const Value& a);
  Result<Value> scalar_binary(ScalarOp op, const Arg& a, const Arg& b);  // left Value's dtype wins
  Result<Value> scalar_cast(const Value& a, Dtype to);
  Result<Value> to_condition(const Arg& arg);  // int1; float -> NotImplementedError
  Value program_scalar(OpId which);

  // Variables: the merged and loop-carried names. variable() copies init into a new variable slot.
  Result<Value> variable(const Value& init);
  // Parallel assignment; types must equal those of the targets (dtype, shape), else merge_mismatch.
  Status assign(std::span<const Value> targets, std::span<const Value> values);

  // Control flow. begin_* / end_* nest properly; a violation is an internal fault.
  Status begin_if(const Value& condition);
  Status begin_else();
  Status end_if();
  Result<Value> begin_for(const Arg& start, const Arg& stop, const Arg& step, int unroll_factor,
                          bool gm_barrier);  // induction
  // The first generation's loops order global memory unless they are parallel (spec asc2 §4).
  Status end_for(bool orders_memory = false);
  Status begin_while();  // statements until while_condition compute the condition, each iteration
  Status while_condition(const Value& condition);  // statements after it are the body
  Status end_while();
  Status sync_all();
  Status print(std::vector<std::variant<std::string, Value>> parts);
  Status device_assert(const Value& condition, std::string message);
  Status push_mask(std::optional<std::int64_t> count,
                   std::optional<std::array<std::uint64_t, 2>> bits, std::optional<Arg> other);
  void pop_mask();

  // Memory (spec §5, §11.4).
  Result<Value> address_add(const Value& base, const Arg& offset_elems);
  Result<Value> global_tensor(const Value& base, std::span<const Arg> dims);
  Result<Value> copy_in(const Value& src, std::span<const Arg> offsets, const Shape& shape,
                        Space space, const std::optional<std::vector<Arg>>& real_shape,
                        const std::optional<Arg>& pad_value);
  Result<Value> load_scalar(const Value& src, std::span<const Arg> offsets);
  Status copy_out(const Value& src, const Value& dst, std::span<const Arg> offsets,
                  const std::optional<std::vector<Arg>>& real_shape);
  Status store_scalar(const Arg& value, const Value& dst, std::span<const Arg> offsets);
  Result<Value> copy(const Value& src, const std::optional<std::vector<Arg>>& offsets,
                     const std::optional<Shape>& shape, Space space);
  Result<Value> gather(const Value& src, std::span<const Arg> offsets, std::int64_t dim,
                       const Value& index, bool check_bounds, const std::optional<Arg>& num_indices,
                       const std::optional<Arg>& pad_value);
  Status scatter(const Value& src, std::int64_t dim, const Value& index, const Value& dst,
                 std::span<const Arg> offsets, bool check_bounds,
                 const std::optional<Arg>& num_indices);
  Status atomic(OpId op, const Value& src, const Value& dst, std::span<const Arg> offsets);

  // Pure ops (spec §6).
  Result<Value> unary(OpId op,
                      const Arg& x);  // exp, sqrt, erf also take scalars (result scalar float32)
  Result<Value> binary(OpId op, const Arg& a,
                       const Arg& b);  // binary and compare families; at least one tensor
  Result<Value> where(const Value& mask, const Arg& a, const Arg& b);
  Result<Value> cast(const Arg& x, Dtype to, RoundMode mode);
  Result<Value> reduce(OpId op, const Value& x, std::span<const std::int64_t> dims,
                       bool keep_dims);  // no dims: scalar
  Result<Value> softmax(const Value& x);
  Result<Value> rms_norm(const Value& x, const Value& gamma, const Arg& epsilon);
  Result<std::array<Value, 3>> layer_norm(const Value& x, const Value& gamma, const Value& beta,
                                          const Arg& epsilon, bool output_rstd);
  Result<Value> full(const Shape& shape, const Arg& value, std::optional<Dtype> dtype);
  Result<Value> reshape(const Value& x, const Shape& shape);
  Result<Value> transpose(
      const Value& x, const std::vector<std::int64_t>& permutation);  // empty: swap the last two
  Result<Value> broadcast_to(const Value& x, const Shape& shape);
  Result<Value> concat(std::span<const Value> inputs);
  Result<Value> zeros_acc(const Shape& shape, Dtype dtype, const std::optional<Value>& bias);
  Status matmul_acc(const Value& acc, const Value& a, const Value& b, bool hf32);
  Result<Value> matmul(const Value& a, const Value& b, const std::optional<Value>& bias, bool hf32);

  // Resolves Auto locations, applies the rewrites of the policy (contract N17), validates the whole
  // tree. On a fault: the diagnostic with its position.
  struct Finished {
    std::shared_ptr<const Program> program;  // null on failure
    std::vector<Diagnostic> errors;
    SourceTable sources;  // for rendering errors
  };
  Finished finish();

  const SourceTable& sources() const;

 private:
  struct State;
  friend struct BuilderAccess;  // the op families in interp/builtins
  std::unique_ptr<State> state_;
};

}  // namespace ascemu::interp
