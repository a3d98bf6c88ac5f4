// Arrays that start unwritten: what is read of them before anything has written it (the check
// uninitialised). An observer, and silent but for what the elements reach.
#include <algorithm>

#include "interp/checks/access_checks.h"
#include "interp/checks/fresh_arrays.h"
#include "interp/eval/walker.h"

namespace ascemu::interp {

void Walker::leave_unwritten(const Operand& source, const Run& run, const LocalTensor& result) {
  const GlobalArray& array = context_.arrays[global(source).array];
  const Run good = clip_run(run, array.count_elems);
  if (good.count == 0 || count_unwritten(array, good, AccessKind::read) == 0) return;
  const CauseId cause =
      causes_.add(current_, Code::never_written,
                  "loads what nothing has written of " +
                      tensor_text(program_.slots[std::get<SlotRef>(source).slot].name, array));
  auto* const causes = reinterpret_cast<CauseId*>(define_causes(result).data) + good.tile_offset;
  for (std::int64_t i = 0; i < good.count; ++i) {
    if (count_unwritten(array, {0, good.position + i, 1}, AccessKind::read) > 0) causes[i] = cause;
  }
}

void Walker::leave_unwritten(const Operand& source, const TileAccess& access,
                             const LocalTensor& result) {
  if (!access.representable) return;
  for_each_run(access, [&](const Run& run) { leave_unwritten(source, run, result); });
}

std::int64_t Walker::count_unwritten(const GlobalArray& array, const Run& run,
                                     AccessKind kind) const {
  return context_.fresh->count_unwritten(array, run.position, run.count, kind);
}

void Walker::judge_unwritten(const AccessEvent& event, std::int64_t unwritten) {
  if (unwritten == 0) return;
  report(Code::never_written, [&] {
    return make_fault(Code::never_written,
                      std::string(event.operation) + " " + verb(event.kind) + " " +
                          std::to_string(unwritten) + (unwritten == 1 ? " element" : " elements") +
                          " of " + tensor_text(event) + " that nothing has written",
                      access_notes(event));
  });
}

void Walker::judge_unwritten(const AccessEvent& event, const TileAccess& access) {
  if (!access.representable) return;
  std::int64_t unwritten = 0;
  for_each_run(access, [&](const Run& run) {
    unwritten += count_unwritten(*event.array, clip_run(run, event.array->count_elems), event.kind);
  });
  judge_unwritten(event, unwritten);
}

}  // namespace ascemu::interp
