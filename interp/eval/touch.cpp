// What blocks could race on: accesses of watched arrays, recorded as they moved bytes.
#include "interp/checks/byte_rows.h"
#include "interp/eval/walker.h"

namespace ascemu::interp {

AccessSite Walker::site_of(AccessKind kind, std::string_view operation,
                           const Operand& tensor) const {
  const Slot slot = std::get<SlotRef>(tensor).slot;
  AccessSite site;
  site.stmt = current_;
  site.operation = operation;
  site.array = std::get<Global>(slots_[slot]).array;
  site.kind = kind;
  site.is_scalar = std::holds_alternative<StoreScalar>(current_->node);
  site.tensor_name = program_.slots[slot].name;
  return site;
}

void Walker::touch_tile(const AccessSite& site, const TileAccess& access) {
  const GlobalArray& array = context_.arrays[site.array];
  if (site.kind != AccessKind::read && !array.writable) return;
  for_each_rows(array, access, [&](const ByteRows& rows) { log_.add(site, rows, phase_, loops_); });
}

void Walker::touch_run(const AccessSite& site, std::int64_t position, std::int64_t count) {
  const GlobalArray& array = context_.arrays[site.array];
  const Run good = clip_run({0, position, count}, array.count_elems);
  if (good.count <= 0 || (site.kind != AccessKind::read && !array.writable)) return;
  log_.add(site, run_bytes(array, good), phase_, loops_);
}

}  // namespace ascemu::interp
