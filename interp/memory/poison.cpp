#include "interp/memory/poison.h"

#include "interp/memory/storage_conversion.h"
#include "refops/eval.h"

namespace ascemu::interp {

using refops::Dtype;

refops::Scalar poison_scalar(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16:
      return {dtype, kPoisonFloat16};
    case Dtype::bfloat16:
      return {dtype, kPoisonBfloat16};
    case Dtype::float32:
      return {dtype, kPoisonFloat32};
    case Dtype::float64:
      return {dtype, kPoisonFloat64};
    case Dtype::int1:
      return {dtype, kPoisonInt1};
    default: {
      constexpr std::uint64_t kBytes = 0x0101010101010101ULL * kPoisonByte;
      return refops::Scalar::load(dtype, &kBytes);
    }
  }
}

refops::Scalar poison_scalar(Dtype declared, Dtype stored) {
  return moved_scalar(poison_scalar(declared), stored);
}

void fill_poison(Dtype declared, const refops::View& out) {
  refops::eval_fill(poison_scalar(declared, out.dtype), out);
}

}  // namespace ascemu::interp
