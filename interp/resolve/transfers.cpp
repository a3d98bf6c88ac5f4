#include "interp/resolve/transfers.h"

#include "interp/ast/type_text.h"

namespace ascemu::interp {
namespace {

bool is_direct(Space from, Space to) {
  switch (from) {
    case Space::l1:
      return to == Space::l0a || to == Space::l0b || to == Space::bt;
    case Space::l0c:
      return to == Space::l1 || to == Space::ub;
    case Space::ub:
      return to == Space::l1;
    default:
      return false;
  }
}

Fault no_way(const TensorType& type, Space from, Space to, const std::string& what) {
  return make_fault(Code::bad_location,
                    what + " is " + type_phrase(type) + " in " + std::string(space_name(from)) +
                        "; the device cannot move it to " + std::string(space_name(to)));
}

// What one hop asks of the tensor beside its places.
Status check_hop(const TensorType& type, Space from, Space to, Space goal,
                 const std::string& what) {
  const bool is_narrow = type.dtype == Dtype::float16 || type.dtype == Dtype::bfloat16;
  if (from == Space::l0c && to == Space::l1 && !is_narrow) {
    Fault fault = no_way(type, from, goal, what);
    fault.help = "Cast the matmul result to float16 or bfloat16 first.";
    return fault;
  }
  if (from == Space::ub && to == Space::l1 && type.shape.rank() != 2) {
    Fault fault = no_way(type, from, goal, what);
    fault.help =
        "Only tensors with two dimensions move from UB to L1; reshape it, or load it there.";
    return fault;
  }
  return Ok{};
}

}  // namespace

Result<std::vector<Space>> plan_transfer(const TensorType& type, Space from, Space to,
                                         const std::string& what) {
  std::vector<Space> hops;
  if (from == to) return hops;
  if (!is_direct(from, to)) {
    if (!is_direct(from, Space::l1) || !is_direct(Space::l1, to)) {
      return no_way(type, from, to, what);
    }
    hops.push_back(Space::l1);
  }
  hops.push_back(to);
  Space place = from;
  for (const Space next : hops) {
    const Status checked = check_hop(type, place, next, to, what);
    if (!checked) return checked.fault();
    place = next;
  }
  return hops;
}

}  // namespace ascemu::interp
