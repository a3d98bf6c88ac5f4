// Gather, scatter and atomic updates (spec asc2 §5.8, §5.9, §11.1, §11.4).
#include <algorithm>

#include "interp/eval/walker.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

// What gather and scatter have in common: rows of one dimension of a tensor, named by an index
// tensor.
struct IndexedRows {
  // Position of row offsets[dim]; nothing when it does not fit 64 bits.
  std::optional<std::int64_t> start;
  std::int64_t row_stride = 0;
  std::int64_t last_elems = 1;  // of the last dimension
  std::int64_t in_range = 0;    // indices below this are in range
  std::int64_t count = 0;       // indices used
};

IndexedRows resolve_rows(const Global& tensor, std::span<const std::int64_t> offsets, int dim,
                         std::int64_t index_count, std::optional<std::int64_t> asked) {
  IndexedRows rows;
  rows.start = resolve_position(tensor, offsets);
  rows.row_stride = tensor.strides[dim];
  const int last = tensor.dims.rank() - 1;
  rows.last_elems = std::max<std::int64_t>(tensor.dims[last], 0);
  const auto at = static_cast<std::size_t>(dim);
  const std::int64_t offset = at < offsets.size() ? offsets[at] : 0;
  rows.in_range = add_saturating(tensor.dims[dim], offset == INT64_MIN ? INT64_MAX : -offset);
  rows.count = std::clamp<std::int64_t>(asked.value_or(index_count), 0, index_count);
  return rows;
}

// int64 indices are truncated to int32 (spec §11.4).
std::int64_t index_at(const refops::ConstView& index, std::int64_t i) {
  const auto step = static_cast<std::int64_t>(refops::dtype_size_bytes(index.dtype));
  const Scalar value = Scalar::load(index.dtype, index.data + i * index.strides[0] * step);
  return static_cast<std::int32_t>(value.as_int());
}

std::optional<std::int64_t> row_position(const IndexedRows& rows, std::int64_t index) {
  std::int64_t distance = 0;
  std::int64_t position = 0;
  if (!rows.start || __builtin_mul_overflow(index, rows.row_stride, &distance) ||
      __builtin_add_overflow(*rows.start, distance, &position)) {
    return std::nullopt;
  }
  return position;
}

// Adds a row that left the array to the event.
void widen(AccessEvent& event, std::int64_t position, std::int64_t count, std::int64_t outside) {
  const std::int64_t last = add_saturating(position, count - 1);
  event.first = event.outside_elems == 0 ? position : std::min(event.first, position);
  event.last = event.outside_elems == 0 ? last : std::max(event.last, last);
  event.outside_elems += outside;
}

}  // namespace

Completion Walker::eval_node(const Gather& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  const Global& source = global(node.src);
  const GlobalArray& array = context_.arrays[source.array];
  const refops::ConstView index = tensor(node.index).view();
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  std::optional<std::int64_t> asked;
  if (node.num_indices) asked = scalar(*node.num_indices).as_int();
  IndexedRows rows = resolve_rows(source, start, node.dim, index.shape[0], asked);
  rows.count = std::min(rows.count, out->shape[0]);
  if (!settle(array, 0, array.count_elems - 1)) return Completion::end_launch;

  poison(node.dst, *out);
  const Scalar pad = node.pad_value ? scalar(*node.pad_value) : Scalar{out->dtype, 0};
  AccessEvent event = describe(AccessKind::read, "gather", node.src, start, out->shape);
  event.is_unchecked_index = !node.check_bounds;
  const bool is_logged = is_watched(source);
  const AccessSite site = is_logged ? site_of(AccessKind::read, "gather", node.src) : AccessSite{};
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(out->dtype));
  const std::int64_t row_out = out->strides[0];
  const std::int64_t last_out = out->shape[out->shape.rank() - 1];
  const std::int64_t lines = last_out == 0 ? 0 : row_out / last_out;
  const std::int64_t moved = std::min(rows.last_elems, last_out);
  for (std::int64_t i = 0; i < rows.count; ++i) {
    std::byte* const row = out->data + i * row_out * size;
    const std::int64_t at = index_at(index, i);
    refops::eval_fill(pad, refops::contiguous_view(row, out->dtype, Shape{row_out}));
    if (node.check_bounds && (at < 0 || at >= rows.in_range)) continue;
    const std::optional<std::int64_t> position = row_position(rows, at);
    for (std::int64_t line = 0; line < lines; ++line) {
      std::byte* const target = row + line * last_out * size;
      const std::int64_t from =
          add_saturating(position.value_or(INT64_MAX), line * rows.last_elems);
      const std::int64_t outside = load_run(array, from, moved, out->dtype, target);
      if (outside > 0) widen(event, from, moved, outside);
      if (is_logged) touch_run(site, from, moved);
      if (is_fresh(source)) {
        leave_unwritten(node.src, {i * row_out + line * last_out, from, moved},
                        std::get<LocalTensor>(slots_[node.dst]));
      }
    }
  }
  observe(event);
  if (tracks_undefined_) leave_rows_undefined(node, rows.count);
  return Completion::normal;
}

void Walker::leave_rows_undefined(const Gather& node, std::int64_t count) {
  const LocalTensor& result = std::get<LocalTensor>(slots_[node.dst]);
  const std::int64_t row_elems = result.strides[0];
  if (count < result.shape[0]) {
    const CauseId cause = causes_.add(
        current_, Code::undefined_rows,
        "gathers " + std::to_string(count) + " of " + std::to_string(result.shape[0]) + " rows");
    auto* const causes = reinterpret_cast<CauseId*>(define_causes(result).data);
    std::fill(causes + count * row_elems, causes + result.shape[0] * row_elems, cause);
  }
  const LocalTensor* const index = undefined_in(node.index);
  // Without check_bounds an undefined index reads outside the array, which is told already.
  if (index == nullptr || !node.check_bounds) return;
  auto* const causes = reinterpret_cast<CauseId*>(define_causes(result).data);
  const auto* const of_index = reinterpret_cast<const CauseId*>(causes_of(*index).data);
  for (std::int64_t i = 0; i < count; ++i) {
    const CauseId cause = of_index[i * index->strides[0]];
    if (cause != 0) std::fill_n(causes + i * row_elems, row_elems, cause);
  }
  settle_causes(result);
}

Completion Walker::eval_node(const Scatter& node) {
  const LocalTensor& tile = tensor(node.src);
  LocalTensor copy;
  const std::optional<refops::ConstView> view = dense_view(tile, copy);
  if (!view) return Completion::end_launch;
  const Global& target = global(node.dst);
  const GlobalArray& array = context_.arrays[target.array];
  const refops::ConstView index = tensor(node.index).view();
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  std::optional<std::int64_t> asked;
  if (node.num_indices) asked = scalar(*node.num_indices).as_int();
  IndexedRows rows = resolve_rows(target, start, node.dim, index.shape[0], asked);
  rows.count = std::min(rows.count, view->shape[0]);
  if (!settle(array, 0, array.count_elems - 1)) return Completion::end_launch;

  AccessEvent event = describe(AccessKind::write, "scatter", node.dst, start, view->shape);
  event.is_unchecked_index = !node.check_bounds;
  const bool is_logged = is_watched(target);
  const AccessSite site =
      is_logged ? site_of(AccessKind::write, "scatter", node.dst) : AccessSite{};
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(view->dtype));
  const std::int64_t row_in = view->strides[0];
  const std::int64_t last_in = view->shape[view->shape.rank() - 1];
  const std::int64_t lines = last_in == 0 ? 0 : row_in / last_in;
  const std::int64_t moved = std::min(rows.last_elems, last_in);
  const LocalTensor& dense = copy.allocation ? copy : tile;
  const CauseId* const causes =
      has_causes(dense) ? reinterpret_cast<const CauseId*>(causes_of(dense).data) : nullptr;
  UndefinedUse stored(causes_);
  report_undefined(undefined_indices(node.index, rows.count), node.index,
                   "scatter writes to rows named by", "", {});
  for (std::int64_t i = 0; i < rows.count && array.writable; ++i) {
    const std::int64_t at = index_at(index, i);
    if (node.check_bounds && (at < 0 || at >= rows.in_range)) continue;
    const std::optional<std::int64_t> position = row_position(rows, at);
    for (std::int64_t line = 0; line < lines; ++line) {
      const std::byte* const source = view->data + (i * row_in + line * last_in) * size;
      const std::int64_t to = add_saturating(position.value_or(INT64_MAX), line * rows.last_elems);
      const std::int64_t outside = store_run(view->dtype, source, to, moved, array);
      if (is_logged) touch_run(site, to, moved);
      if (causes != nullptr && outside < moved) {
        const std::int64_t first = i * row_in + line * last_in;
        stored.see(causes + first, moved, first);
      }
      if (outside > 0) widen(event, to, moved, outside);
    }
  }
  if (stored.cause() != 0) report_stored(stored, node.src, event);
  observe(event);
  return Completion::normal;
}

Completion Walker::eval_node(const Atomic& node) {
  const refops::ConstView view = tensor(node.src).view();
  const Global& target = global(node.dst);
  const GlobalArray& array = context_.arrays[target.array];
  Offsets storage;
  const std::span<const std::int64_t> start = offsets(node.offsets, storage);
  LocalTensor copy;
  const std::optional<refops::ConstView> dense = dense_view(tensor(node.src), copy);
  if (!dense) return Completion::end_launch;
  const TileAccess access = resolve_tile({target, start, view.shape, view.shape});
  std::int64_t outside = 0;
  if (array.writable && !update_tile(node.op, *dense, access, array, outside))
    return Completion::end_launch;
  touch(AccessKind::atomic, refops::op_name(node.op), node.dst, access);
  AccessEvent event =
      describe(AccessKind::atomic, refops::op_name(node.op), node.dst, start, view.shape);
  describe_tile(access, event);
  event.outside_elems = outside;
  const LocalTensor& tile = copy.allocation ? copy : tensor(node.src);
  if (has_causes(tile) && array.writable)
    report_stored(undefined_use(tile, access, array), node.src, event);
  if (is_fresh(target) && array.writable) judge_unwritten(event, access);
  observe(event);
  return Completion::normal;
}

bool Walker::update_tile(OpId op, const refops::ConstView& tile, const TileAccess& access,
                         const GlobalArray& array, std::int64_t& outside) {
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(tile.dtype));
  if (access.count_elems == 0) return true;
  if (!access.representable) {
    outside = access.count_elems;
    return true;
  }
  if (access.is_inside(array.count_elems)) {
    const refops::Strides tile_strides = refops::contiguous_strides(access.tile);
    std::int64_t offset = 0;
    for (int axis = 0; axis < access.rank; ++axis) offset += access.low[axis] * tile_strides[axis];
    return atomics_.update(op, policy_,
                           {tile.data + offset * size, tile.dtype, access.extent, tile_strides},
                           {array.at(access.first), array.dtype, access.extent, access.strides});
  }
  bool is_running = true;
  for_each_run(access, [&](const Run& run) {
    const Run good = clip_run(run, array.count_elems);
    outside += run.count - good.count;
    if (good.count == 0 || !is_running) return;
    const Shape shape{good.count};
    is_running = atomics_.update(
        op, policy_,
        refops::contiguous_view(tile.data + good.tile_offset * size, tile.dtype, shape),
        refops::contiguous_view(array.at(good.position), array.dtype, shape));
  });
  return is_running;
}

}  // namespace ascemu::interp
