// Accesses of watched arrays, recorded as they moved bytes: what blocks could race on, what a block
// reads of its own writes.
#include "interp/checks/byte_rows.h"
#include "interp/checks/fresh_arrays.h"
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
  site.is_scalar = std::holds_alternative<StoreScalar>(current_->node) ||
                   std::holds_alternative<LoadScalar>(current_->node);
  site.tensor_name = program_.slots[slot].name;
  return site;
}

void Walker::touch_tile(const AccessSite& site, const TileAccess& access) {
  const GlobalArray& array = context_.arrays[site.array];
  if (site.kind != AccessKind::read && !array.writable) return;
  for_each_rows(array, access, [&](const ByteRows& rows) { touch_rows(site, rows); });
}

void Walker::touch_run(const AccessSite& site, std::int64_t position, std::int64_t count) {
  const GlobalArray& array = context_.arrays[site.array];
  const Run good = clip_run({0, position, count}, array.count_elems);
  if (good.count <= 0 || (site.kind != AccessKind::read && !array.writable)) return;
  touch_rows(site, run_bytes(array, good));
}

void Walker::touch_rows(const AccessSite& site, const ByteRows& rows) {
  if (races_on(site.array)) log_.add(site, rows, phase_, loops_);
  if (is_self_read(site.array)) order(site, rows);
  if (context_.fresh != nullptr && site.kind != AccessKind::read)
    context_.fresh->mark(rows, site.kind);
}

void Walker::order(const AccessSite& site, const ByteRows& rows) {
  if (site.kind != AccessKind::read) {
    order_.add_write(site, rows, loops_);
    if (order_.takes_overflow()) {
      report(Code::ordering_unchecked, [] {
        return make_fault(
            Code::ordering_unchecked,
            "the block made more scattered stores than the " +
                std::to_string(OrderingLog::kMostRecords) +
                " that are remembered; from here on reads of what it wrote are not looked for");
      });
    }
    return;
  }
  const std::optional<UnorderedRead> found = order_.meet(site, rows, loops_);
  if (!found) return;
  const Code code = found->loop == nullptr ? Code::unordered_copy : Code::unordered_iterations;
  report(code, [&] { return explain_unordered(*found, site, rows, context_.arrays, program_); },
         {{found->write.stmt->span, std::string(found->write.operation) + " here"}});
}

}  // namespace ascemu::interp
