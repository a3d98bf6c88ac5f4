#include "refops/elementary/array_kernels.h"

namespace ascemu::refops::elementary {

template <>
const Kernels<float>& kernels_at<float>(VectorLevel level) {
  return vector_kernels_at<float>(level);
}

}  // namespace ascemu::refops::elementary
