// Random calls of the Builder over a pool of values made so far.
//
// What it is: every method of the Builder, driven by bytes. What it is not: a judge of the result.
// Invariant: blocks are closed at the end, so finish() never sees an open one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interp/fuzz/byte_source.h"

namespace ascemu::interp::fuzz {

class RandomCalls {
 public:
  explicit RandomCalls(ByteSource& bytes)
      : bytes_(bytes), builder_(BuilderOptions{"fuzz", bytes.policy()}) {
    builder_.add_source("fuzz.py", "first\nsecond\n\tthird\n", 1);
    const std::size_t arrays = 1 + bytes_.below(3);
    for (std::size_t i = 0; i < arrays; ++i) {
      keep(builder_.array_param("a" + std::to_string(i), bytes_.dtype()));
    }
    for (const Dtype dtype : {Dtype::int32, bytes_.dtype()}) {
      keep(builder_.scalar_param("s", dtype));
    }
    for (std::size_t i = 0; i < arrays; ++i) {
      declare(pool_[i], bytes_.one_in(2));
    }
  }

  Builder::Finished run() {
    constexpr int kMaxCalls = 160;
    for (int i = 0; i < kMaxCalls && !bytes_.is_empty(); ++i) {
      builder_.set_position(0, static_cast<std::int32_t>(bytes_.below(5)), i % 7, 2, 9);
      call();
    }
    while (!open_.empty()) close_one();
    return builder_.finish();
  }

 private:
  void keep(const Value& value) {
    pool_.push_back(value);
    if (pool_.size() > 200) pool_.erase(pool_.begin() + 8, pool_.begin() + 100);
  }
  void keep(const Result<Value>& result) {
    if (result.ok()) keep(*result);
  }

  void declare(const Value& base, bool is_flat) {
    const std::vector<Arg> flat{Literal{std::int64_t{256}}};
    const std::vector<Arg> square{Literal{std::int64_t{16}}, Literal{std::int64_t{16}}};
    keep(builder_.global_tensor(base, is_flat ? flat : square));
  }

  // Nine times of ten a value of the wanted kind, if there is one.
  template <class T>
  Value any() {
    const bool is_wild = bytes_.one_in(12);
    for (int tries = 0; tries < 8 && !is_wild; ++tries) {
      const Value value = recent();
      if (std::holds_alternative<T>(value.type)) return value;
    }
    for (auto value = pool_.rbegin(); value != pool_.rend() && !is_wild; ++value) {
      if (std::holds_alternative<T>(value->type)) return *value;
    }
    return recent();
  }

  Value recent() {
    const std::size_t back = bytes_.below(std::min<std::size_t>(pool_.size(), 24));
    return pool_[pool_.size() - 1 - back];
  }

  Value tensor() { return any<TensorType>(); }
  Value global() { return any<GlobalType>(); }
  Arg scalar() {
    if (bytes_.one_in(2)) return bytes_.literal();
    return any<ScalarType>();
  }
  Arg tensor_or_scalar() { return bytes_.one_in(4) ? scalar() : Arg{tensor()}; }

  std::vector<Arg> args(std::size_t count) {
    if (bytes_.one_in(24)) count = bytes_.below(10);
    std::vector<Arg> result;
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back(bytes_.one_in(6) ? scalar()
                                        : Arg{Literal{std::int64_t(bytes_.below(9)) - 1}});
    }
    return result;
  }

  std::vector<Arg> offsets(const Value& view) {
    const auto* type = std::get_if<GlobalType>(&view.type);
    return args(type == nullptr ? 1 : type->dims.size());
  }

  std::optional<std::vector<Arg>> real_shape(int rank) {
    if (!bytes_.one_in(4)) return std::nullopt;
    return args(static_cast<std::size_t>(rank));
  }

  std::optional<Arg> maybe_scalar() {
    if (!bytes_.one_in(3)) return std::nullopt;
    return scalar();
  }

  OpId op_of(refops::OpFamily family) {
    std::vector<OpId> ops;
    for (const auto& row : refops::op_table()) {
      if (row.family == family) ops.push_back(row.id);
    }
    return ops[bytes_.below(ops.size())];
  }

  Shape shape_like(const Value& value) {
    const auto* type = std::get_if<TensorType>(&value.type);
    if (type == nullptr || bytes_.one_in(3)) return bytes_.shape();
    return type->shape;
  }

  void close_one() {
    const char kind = open_.back();
    open_.pop_back();
    if (kind == 'i') {
      static_cast<void>(builder_.end_if());
    } else if (kind == 'f') {
      static_cast<void>(builder_.end_for());
    } else {
      static_cast<void>(builder_.end_while());
    }
  }

  void control();
  void memory();
  void pure();
  void scalars();

  void call() {
    switch (bytes_.below(8)) {
      case 0:
        return control();
      case 1:
      case 2:
      case 3:
        return memory();
      case 4:
        return scalars();
      default:
        return pure();
    }
  }

  ByteSource& bytes_;
  Builder builder_;
  std::vector<Value> pool_;
  std::vector<char> open_;
};

inline void RandomCalls::scalars() {
  const auto op = static_cast<ScalarOp>(bytes_.below(24));
  switch (bytes_.below(6)) {
    case 0:
      return keep(builder_.constant(bytes_.literal(), bytes_.dtype()));
    case 1:
      return keep(builder_.scalar_unary(op, any<ScalarType>()));
    case 2:
      return keep(builder_.scalar_cast(any<ScalarType>(), bytes_.dtype()));
    case 3:
      return keep(builder_.to_condition(scalar()));
    case 4:
      return keep(builder_.program_scalar(op_of(refops::OpFamily::program)));
    default:
      return keep(builder_.scalar_binary(op, scalar(), scalar()));
  }
}

inline void RandomCalls::control() {
  switch (bytes_.below(12)) {
    case 0:
      return keep(builder_.variable(recent()));
    case 1:
    case 2: {
      const Value target = recent();
      const Value source = bytes_.one_in(2) ? recent() : target;
      static_cast<void>(builder_.assign(std::vector{target}, std::vector{source}));
      return;
    }
    case 3: {
      const auto condition = builder_.to_condition(scalar());
      if (condition.ok() && builder_.begin_if(*condition).ok()) open_.push_back('i');
      return;
    }
    case 4:
      static_cast<void>(builder_.begin_else());
      return;
    case 5: {
      const auto index =
          builder_.begin_for(Literal{std::int64_t{0}}, Literal{std::int64_t{3}},
                             bytes_.one_in(4) ? scalar() : Arg{Literal{std::int64_t{1}}},
                             1 + static_cast<int>(bytes_.below(2)), bytes_.one_in(2));
      if (index.ok()) open_.push_back('f');
      return keep(index);
    }
    case 6: {
      if (!builder_.begin_while().ok()) return;
      const auto more = builder_.scalar_binary(ScalarOp::less, scalar(), scalar());
      const auto condition = builder_.to_condition(more.ok() ? Arg{*more} : Arg{Literal{false}});
      if (condition.ok() && builder_.while_condition(*condition).ok()) open_.push_back('w');
      return keep(condition);
    }
    case 7:
      if (bytes_.one_in(4)) static_cast<void>(builder_.sync_all());
      return;
    case 8:
      static_cast<void>(builder_.print({std::string("v="), recent()}));
      return;
    case 9: {
      const std::uint64_t high = bytes_.word();
      static_cast<void>(builder_.push_mask(static_cast<std::int64_t>(bytes_.below(70)) - 1,
                                           std::nullopt, maybe_scalar()));
      static_cast<void>(builder_.push_mask(std::nullopt, std::array{high, ~high}, maybe_scalar()));
      return;
    }
    case 10:
      return builder_.pop_mask();
    default:
      if (!open_.empty()) close_one();
      return;
  }
}

inline void RandomCalls::memory() {
  const Value view = global();
  switch (bytes_.below(14)) {
    case 0:
      return keep(builder_.address_add(any<AddressType>(), scalar()));
    case 1:
      return keep(builder_.global_tensor(any<AddressType>(), args(1 + bytes_.below(4))));
    case 2:
      return keep(builder_.load_scalar(view, offsets(view)));
    case 3:
      static_cast<void>(builder_.store_scalar(tensor_or_scalar(), view, offsets(view)));
      return;
    case 4:
    case 5:
      static_cast<void>(builder_.copy_out(tensor(), view, offsets(view), real_shape(1)));
      return;
    case 6: {
      const Value source = tensor();
      const auto* type = std::get_if<TensorType>(&source.type);
      std::optional<std::vector<Arg>> at;
      if (type != nullptr && bytes_.one_in(2))
        at = args(static_cast<std::size_t>(type->shape.rank()));
      std::optional<Shape> shape;
      if (bytes_.one_in(2)) shape = bytes_.shape();
      return keep(builder_.copy(source, at, shape, bytes_.space()));
    }
    case 7:
      return keep(
          builder_.gather(view, args(1 + bytes_.below(2)),
                          static_cast<std::int64_t>(bytes_.below(3)) - (bytes_.one_in(20) ? 9 : 0),
                          tensor(), bytes_.one_in(2), maybe_scalar(), maybe_scalar()));
    case 8:
      static_cast<void>(builder_.scatter(tensor(), static_cast<std::int64_t>(bytes_.below(2)),
                                         tensor(), view, args(1 + bytes_.below(2)),
                                         bytes_.one_in(2), maybe_scalar()));
      return;
    case 9:
      static_cast<void>(
          builder_.atomic(op_of(refops::OpFamily::memory), tensor(), view, offsets(view)));
      return;
    default: {
      const Shape shape = bytes_.shape();
      return keep(builder_.copy_in(view, offsets(view), shape, bytes_.space(),
                                   real_shape(shape.rank()), maybe_scalar()));
    }
  }
}

inline void RandomCalls::pure() {
  const Value x = tensor();
  switch (bytes_.below(20)) {
    case 0:
    case 1:
      return keep(builder_.unary(op_of(refops::OpFamily::unary), tensor_or_scalar()));
    case 2:
    case 3:
    case 4:
      return keep(
          builder_.binary(op_of(refops::OpFamily::binary), tensor_or_scalar(), tensor_or_scalar()));
    case 5:
      return keep(builder_.binary(op_of(refops::OpFamily::compare), x, tensor_or_scalar()));
    case 6:
      return keep(builder_.where(x, tensor_or_scalar(), tensor_or_scalar()));
    case 7:
    case 8: {
      const auto mode =
          bytes_.one_in(2) ? RoundMode::default_mode : static_cast<RoundMode>(bytes_.below(9));
      return keep(builder_.cast(tensor_or_scalar(), bytes_.dtype(), mode));
    }
    case 9: {
      std::vector<std::int64_t> dims;
      for (std::size_t i = bytes_.below(3); i > 0; --i) {
        dims.push_back(static_cast<std::int64_t>(bytes_.below(4)) - (bytes_.one_in(30) ? 3 : 0));
      }
      return keep(builder_.reduce(op_of(refops::OpFamily::reduce), x, dims, bytes_.one_in(2)));
    }
    case 10:
      return keep(builder_.softmax(x));
    case 11:
      return keep(builder_.rms_norm(x, tensor(), scalar()));
    case 12: {
      const auto parts = builder_.layer_norm(x, tensor(), tensor(), scalar(), bytes_.one_in(2));
      if (parts.ok())
        for (const Value& part : *parts) keep(part);
      return;
    }
    case 13: {
      std::optional<Dtype> dtype;
      if (bytes_.one_in(2)) dtype = bytes_.dtype();
      return keep(builder_.full(bytes_.shape(), scalar(), dtype));
    }
    case 14:
      return keep(builder_.reshape(x, bytes_.one_in(2) ? Shape{16, 16} : shape_like(tensor())));
    case 15: {
      std::vector<std::int64_t> axes;
      for (std::size_t i = bytes_.below(4); i > 0; --i)
        axes.push_back(static_cast<std::int64_t>(i) - 1);
      return keep(builder_.transpose(x, axes));
    }
    case 16:
      return keep(builder_.broadcast_to(x, shape_like(tensor())));
    case 17: {
      std::vector<Value> inputs;
      for (std::size_t i = bytes_.below(4); i > 0; --i)
        inputs.push_back(bytes_.one_in(2) ? x : tensor());
      return keep(builder_.concat(inputs));
    }
    case 18: {
      std::optional<Value> bias;
      if (bytes_.one_in(3)) bias = tensor();
      const auto acc = builder_.zeros_acc(Shape{16, 16}, Dtype::float32, bias);
      keep(acc);
      if (!acc.ok()) return;
      static_cast<void>(
          builder_.matmul_acc(bytes_.one_in(8) ? tensor() : *acc, x, tensor(), bytes_.one_in(4)));
      return;
    }
    default: {
      std::optional<Value> bias;
      if (bytes_.one_in(3)) bias = tensor();
      return keep(builder_.matmul(x, bytes_.one_in(2) ? x : tensor(), bias, bytes_.one_in(4)));
    }
  }
}

}  // namespace ascemu::interp::fuzz
