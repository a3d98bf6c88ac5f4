#include "refops/elementary/array_kernels.h"

namespace ascemu::refops::elementary {

template <>
const Kernels<Float16>& kernels_at<Float16>(VectorLevel level) {
  return vector_kernels_at<Float16>(level);
}

}  // namespace ascemu::refops::elementary
