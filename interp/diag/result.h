// Result<T>: a value or a Fault, for type rules and memory accesses. Must be looked at.
#pragma once

#include <utility>
#include <variant>

#include "interp/diag/diagnostic.h"

namespace ascemu::interp {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Fault fault) : state_(std::in_place_index<1>, std::move(fault)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Fault& fault() { return std::get<1>(state_); }
  const Fault& fault() const { return std::get<1>(state_); }

 private:
  std::variant<T, Fault> state_;
};

struct Ok {};
using Status = Result<Ok>;

}  // namespace ascemu::interp
