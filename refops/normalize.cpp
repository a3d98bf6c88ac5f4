#include <cmath>
#include <vector>

#include "refops/arithmetic.h"
#include "refops/dispatch.h"
#include "refops/eval.h"
#include "refops/transcendental.h"

namespace ascemu::refops {
namespace {

using detail::kBf16;
using detail::kF16;
using detail::kF32;
inline constexpr DtypeSet kRowDtypes = kF16 | kBf16 | kF32;

// The rows of a tensor of rank 1 or 2 (or more: leading axes are walked in row-major order), read
// as float32.
class Rows {
 public:
  Rows(const ConstView& view, const Shape& shape)
      : view_(view), strides_(broadcast_strides(view.shape, view.strides, shape)), shape_(shape) {}

  std::int64_t length() const { return shape_[shape_.rank() - 1]; }
  std::int64_t count() const { return length() == 0 ? 0 : shape_.count_elems() / length(); }

  void load(std::int64_t row, std::vector<float>& values) const {
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
        values[i] = widen(source[static_cast<std::int64_t>(i) * stride]);
      }
    });
  }

 private:
  ConstView view_;
  Strides strides_;
  Shape shape_;
};

// Rounds one row once to the dtype of the contiguous result.
void store_row(const View& out, std::int64_t row, const std::vector<float>& values) {
  dispatch_dtype<kRowDtypes>("a normalisation", out.dtype, [&]<class T>(std::type_identity<T>) {
    T* target = reinterpret_cast<T*>(out.data) + row * static_cast<std::int64_t>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) target[i] = narrow<T>(values[i]);
  });
}

// Ascending, starting from the first element.
float sum_ascending(const std::vector<float>& values) {
  float total = -0.0F;
  for (const float value : values) total += value;
  return total;
}

float mean_of(const std::vector<float>& values) {
  return sum_ascending(values) / static_cast<float>(values.size());
}

}  // namespace

void eval_softmax(const Policy& /*policy*/, const ConstView& x, const View& out) {
  const Rows rows(x, x.shape);
  std::vector<float> values;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    rows.load(row, values);
    float top = -std::numeric_limits<float>::infinity();
    for (const float value : values) top = Maximum{}(top, value);
    for (float& value : values) value = Exp{}(value - top);
    const float total = sum_ascending(values);
    for (float& value : values) value = value / total;
    store_row(out, row, values);
  }
}

void eval_rms_norm(const Policy& /*policy*/, const ConstView& x, const ConstView& gamma,
                   const Scalar& epsilon, const View& out) {
  const Rows rows(x, x.shape);
  const Rows gammas(gamma, x.shape);
  const auto small = static_cast<float>(epsilon.as_double());
  std::vector<float> values;
  std::vector<float> squares;
  std::vector<float> scale;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    rows.load(row, values);
    gammas.load(row, scale);
    squares.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) squares[i] = values[i] * values[i];
    const float factor = Rsqrt{}(mean_of(squares) + small);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * factor * scale[i];
    store_row(out, row, values);
  }
}

void eval_layer_norm(const Policy& /*policy*/, const ConstView& x, const ConstView& gamma,
                     const ConstView& beta, const Scalar& epsilon, bool output_rstd,
                     const View& out, const View& mean, const View& spread) {
  const Rows rows(x, x.shape);
  const Rows gammas(gamma, x.shape);
  const Rows betas(beta, x.shape);
  const auto small = static_cast<float>(epsilon.as_double());
  auto* means = reinterpret_cast<float*>(mean.data);
  auto* spreads = reinterpret_cast<float*>(spread.data);
  std::vector<float> values;
  std::vector<float> squares;
  std::vector<float> scale;
  std::vector<float> shift;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    rows.load(row, values);
    gammas.load(row, scale);
    betas.load(row, shift);
    const float center = mean_of(values);
    squares.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = values[i] - center;
      squares[i] = values[i] * values[i];
    }
    const float variance = mean_of(squares);
    const float factor = Rsqrt{}(variance + small);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = values[i] * factor * scale[i] + shift[i];
    }
    store_row(out, row, values);
    means[row] = canonical(center);
    spreads[row] = canonical(output_rstd ? factor : variance);
  }
}

}  // namespace ascemu::refops
