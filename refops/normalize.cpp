#include <cmath>
#include <vector>

#include "refops/arithmetic.h"
#include "refops/composed/steps.h"
#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/sums/row_sum.h"
#include "refops/target/settle.h"

namespace ascemu::refops {
namespace {

using namespace detail;
inline constexpr DtypeSet kRowDtypes = kF16 | kBf16 | kF32 | kF64;

// The rows of a tensor of rank 1 or 2 (or more: leading axes are walked in row-major order), read
// as C.
template <class C>
class Rows {
 public:
  Rows(const ConstView& view, const Shape& shape)
      : view_(view), strides_(broadcast_strides(view.shape, view.strides, shape)), shape_(shape) {}

  std::int64_t length() const { return shape_[shape_.rank() - 1]; }
  std::int64_t count() const { return length() == 0 ? 0 : shape_.count_elems() / length(); }

  void load(std::int64_t row, std::vector<C>& values) const {
    std::int64_t offset = 0;
    for (int axis = shape_.rank() - 2; axis >= 0; --axis) {
      offset += row % shape_[axis] * strides_[axis];
      row /= shape_[axis];
    }
    const std::int64_t stride = strides_[shape_.rank() - 1];
    values.resize(static_cast<std::size_t>(length()));
    dispatch_dtype<kRowDtypes>("a normalisation", view_.dtype, [&]<class T>(std::type_identity<T>) {
      const T* source = reinterpret_cast<const T*>(view_.data) + offset;
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<C>(widen(source[static_cast<std::int64_t>(i) * stride]));
      }
    });
  }

 private:
  ConstView view_;
  Strides strides_;
  Shape shape_;
};

// The steps of the normalisations in C: float32, or float64 in the mode fp64. Each is one operation
// on every element, with the flush of N5 where the target has it; float64 is never flushed.
template <class C>
class Steps {
 public:
  explicit Steps(const Behaviour& behaviour) : behaviour_(behaviour) {}

  C sum(const std::vector<C>& values) const { return sums::sum_row(behaviour_.row_sum, values); }
  // The sum of values / count: devices multiply by the rounded 1 / count instead, here after the
  // sum.
  C mean(const std::vector<C>& values) const {
    const C total = sum(values);
    return behaviour_.composes_norms ? total * reciprocal(values) : total / count_of(values);
  }
  // The same, the multiplication before the sum; `values` is used up.
  C mean_of_scaled(std::vector<C>& values) const {
    if (!behaviour_.composes_norms) return mean(values);
    const C factor = reciprocal(values);
    for (C& value : values) value = value * factor;
    return sum(values);
  }

  void exp(std::vector<C>& values) const {
    composed::exp_step(behaviour_, values.data(), values.data(),
                       static_cast<std::int64_t>(values.size()));
  }
  C exp(C value) const {
    composed::exp_step(behaviour_, &value, &value, 1);
    return value;
  }
  C log(C value) const {
    composed::log_step(behaviour_, &value, &value, 1);
    return value;
  }
  C sqrt(C value) const {
    composed::sqrt_step(behaviour_, &value, &value, 1);
    return value;
  }
  C divide(C dividend, C divisor) const {
    composed::div_step(behaviour_, &dividend, &divisor, &dividend, 1);
    return dividend;
  }
  C reciprocal_root(C value) const { return divide(C{1}, sqrt(value)); }

  // Rounds one row once to the dtype of the contiguous result.
  void store(const View& out, std::int64_t row, const std::vector<C>& values) const {
    dispatch_dtype<kRowDtypes>("a normalisation", out.dtype, [&]<class T>(std::type_identity<T>) {
      T* target = reinterpret_cast<T*>(out.data) + row * static_cast<std::int64_t>(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        target[i] = settled(behaviour_, narrow<T>(static_cast<Compute<T>>(values[i])));
      }
    });
  }
  void store_element(const View& out, std::int64_t at, C value) const {
    reinterpret_cast<C*>(out.data)[at] = settled(behaviour_, canonical(value));
  }

 private:
  static C count_of(const std::vector<C>& values) { return static_cast<C>(values.size()); }
  static C reciprocal(const std::vector<C>& values) { return C{1} / count_of(values); }

  const Behaviour& behaviour_;
};

// N13.1.
template <class C>
void softmax(const Behaviour& behaviour, const ConstView& x, const View& out) {
  const Rows<C> rows(x, x.shape);
  const Steps<C> steps(behaviour);
  std::vector<C> values;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    rows.load(row, values);
    C top = -std::numeric_limits<C>::infinity();
    for (const C value : values) top = Maximum{}(top, value);
    for (C& value : values) value = value - top;
    steps.exp(values);
    const C total = steps.sum(values);
    for (C& value : values) value = steps.divide(value, total);
    steps.store(out, row, values);
  }
}

// N13.2.
template <class C>
void rms_norm(const Behaviour& behaviour, const ConstView& x, const ConstView& gamma, C epsilon,
              const View& out) {
  const Rows<C> rows(x, x.shape);
  const Rows<C> gammas(gamma, x.shape);
  const Steps<C> steps(behaviour);
  std::vector<C> values;
  std::vector<C> squares;
  std::vector<C> scale;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    rows.load(row, values);
    gammas.load(row, scale);
    squares.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) squares[i] = values[i] * values[i];
    const C spread = steps.mean(squares) + epsilon;
    const C factor = behaviour.composes_norms ? steps.exp(steps.log(spread) * C{-0.5})
                                              : steps.reciprocal_root(spread);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * factor * scale[i];
    steps.store(out, row, values);
  }
}

// N13.3.
template <class C>
void layer_norm(const Behaviour& behaviour, const ConstView& x, const ConstView& gamma,
                const ConstView& beta, C epsilon, bool output_rstd, const View& out,
                const View& mean, const View& spread) {
  const Rows<C> rows(x, x.shape);
  const Rows<C> gammas(gamma, x.shape);
  const Rows<C> betas(beta, x.shape);
  const Steps<C> steps(behaviour);
  std::vector<C> values;
  std::vector<C> terms;
  std::vector<C> scale;
  std::vector<C> shift;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    rows.load(row, values);
    gammas.load(row, scale);
    betas.load(row, shift);
    terms = values;
    const C center = steps.mean_of_scaled(terms);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = values[i] - center;
      terms[i] = values[i] * values[i];
    }
    const C variance = steps.mean_of_scaled(terms);
    const C factor = steps.reciprocal_root(variance + epsilon);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = values[i] * factor * scale[i] + shift[i];
    }
    steps.store(out, row, values);
    steps.store_element(mean, row, center);
    steps.store_element(spread, row, output_rstd ? factor : variance);
  }
}

}  // namespace

void eval_softmax(const Policy& policy, const ConstView& x, const View& out) {
  const Behaviour& behaviour = behaviour_of(policy);
  out.dtype == Dtype::float64 ? softmax<double>(behaviour, x, out)
                              : softmax<float>(behaviour, x, out);
}

void eval_rms_norm(const Policy& policy, const ConstView& x, const ConstView& gamma,
                   const Scalar& epsilon, const View& out) {
  const Behaviour& behaviour = behaviour_of(policy);
  const double small = epsilon.as_double();
  out.dtype == Dtype::float64
      ? rms_norm<double>(behaviour, x, gamma, small, out)
      : rms_norm<float>(behaviour, x, gamma, static_cast<float>(small), out);
}

void eval_layer_norm(const Policy& policy, const ConstView& x, const ConstView& gamma,
                     const ConstView& beta, const Scalar& epsilon, bool output_rstd,
                     const View& out, const View& mean, const View& spread) {
  const Behaviour& behaviour = behaviour_of(policy);
  const double small = epsilon.as_double();
  out.dtype == Dtype::float64
      ? layer_norm<double>(behaviour, x, gamma, beta, small, output_rstd, out, mean, spread)
      : layer_norm<float>(behaviour, x, gamma, beta, static_cast<float>(small), output_rstd, out,
                          mean, spread);
}

}  // namespace ascemu::refops
