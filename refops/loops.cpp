#include "refops/loops.h"

namespace ascemu::refops::detail {

int merge_axes(const Shape& shape, int operands, const Strides* operand_strides, std::int64_t* dims,
               std::int64_t* strides) {
  int rank = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    bool merges = rank > 0;
    for (int i = 0; i < operands && merges; ++i) {
      merges = strides[i * kMaxRank + rank - 1] == operand_strides[i][axis] * shape[axis];
    }
    if (!merges) dims[rank++] = 1;
    dims[rank - 1] *= shape[axis];
    for (int i = 0; i < operands; ++i) {
      strides[i * kMaxRank + rank - 1] = operand_strides[i][axis];
    }
  }
  return rank;
}

}  // namespace ascemu::refops::detail
