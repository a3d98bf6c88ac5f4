#include "refops/target/settle.h"

namespace ascemu::refops {
namespace {

template <class T>
void settle_elements(const Behaviour& behaviour, std::byte* elements, std::int64_t count) {
  const Behaviour target = behaviour;
  auto* const values = reinterpret_cast<T*>(elements);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) values[i] = settled(target, values[i]);
}

}  // namespace

void settle(const Behaviour& behaviour, Dtype dtype, std::byte* elements, std::int64_t count) {
  switch (dtype) {
    case Dtype::float16:
      return settle_elements<Float16>(behaviour, elements, count);
    case Dtype::bfloat16:
      return settle_elements<Bfloat16>(behaviour, elements, count);
    case Dtype::float32:
      return settle_elements<float>(behaviour, elements, count);
    default:
      return;
  }
}

}  // namespace ascemu::refops
