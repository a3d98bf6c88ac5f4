#include "interp/checks/alignment.h"

#include <map>
#include <string>
#include <utility>

#include "interp/ast/operands.h"
#include "interp/ast/type_text.h"

namespace ascemu::interp {
namespace {

constexpr std::int64_t kBlockBytes = 32;
constexpr std::int64_t kFractal = 16;
constexpr std::size_t kMostLabels = 4;

std::int64_t size_bytes(Dtype dtype) {
  return static_cast<std::int64_t>(refops::dtype_size_bytes(dtype));
}

class AlignmentCheck {
 public:
  AlignmentCheck(Program& program, Generation generation)
      : program_(program),
        generation_(generation),
        loaded_(program.slots.size()),
        uses_(program.slots.size()) {}

  void run() {
    for_each_stmt(program_.body, [&](const Stmt& stmt) {
      if (const auto* load = std::get_if<CopyIn>(&stmt.node)) loaded_[load->dst] = true;
      for_each_read(stmt.node, [&](const Operand& operand) {
        if (const Slot* slot = slot_of(operand)) ++uses_[*slot];
      });
    });
    for_each_stmt(program_.body, [&](const Stmt& stmt) { judge(stmt); });
    for (Diagnostic& finding : findings_) program_.findings.push_back(std::move(finding));
  }

 private:
  const TensorType* tensor(Slot slot) const {
    return std::get_if<TensorType>(&program_.slots[slot].type);
  }
  const TensorType* tensor(const Operand& operand) const {
    const Slot* slot = slot_of(operand);
    return slot == nullptr ? nullptr : tensor(*slot);
  }

  std::string named(Slot slot) const {
    const std::string& name = program_.slots[slot].name;
    const std::string phrase = type_phrase(program_.slots[slot].type);
    return name.empty() ? phrase : "'" + name + "', " + phrase + ",";
  }

  void judge(const Stmt& stmt) {
    if (const auto* load = std::get_if<CopyIn>(&stmt.node)) {
      judge_rows(stmt, "copy_in", load->dst);
    } else if (const auto* store = std::get_if<CopyOut>(&stmt.node)) {
      if (const Slot* slot = slot_of(store->src)) judge_rows(stmt, "copy_out", *slot);
    } else if (const auto* turn = std::get_if<Transpose>(&stmt.node)) {
      judge_transpose(stmt, *turn);
    } else if (const auto* product = std::get_if<Matmul>(&stmt.node)) {
      judge_product(stmt, "matmul", product->a, product->b);
    } else if (const auto* step = std::get_if<MatmulAcc>(&stmt.node)) {
      judge_product(stmt, "matmul_acc", step->a, step->b);
    }
  }

  // The first generation asks it of every memory, the later ones of UB.
  bool has_loose_rows(const TensorType& type) const {
    const bool is_asked =
        type.space == Space::ub ||
        (generation_ == Generation::first && type.space != Space::l0c && type.space != Space::bt);
    const int rank = type.shape.rank();
    if (!is_asked || rank < 2 || type.dtype == Dtype::int1) return false;
    return type.shape[rank - 1] * size_bytes(type.dtype) % kBlockBytes != 0;
  }

  bool judge_rows(const Stmt& stmt, std::string_view op, Slot slot) {
    const TensorType* type = tensor(slot);
    if (type == nullptr || !has_loose_rows(*type)) return false;
    const std::int64_t size = size_bytes(type->dtype);
    const std::int64_t last = type->shape[type->shape.rank() - 1];
    const std::string got = std::to_string(last) + " x " + std::to_string(size) + " bytes";
    const auto [known, is_new] = causes_.emplace(std::pair{last, size}, findings_.size());
    if (!is_new) {
      Diagnostic& first = findings_[known->second];
      const std::string text = std::string(op) + " of such rows";
      if (first.span != stmt.span && first.labels.size() < kMostLabels)
        first.labels.push_back({stmt.span, text});
      return true;
    }
    const bool is_refused = generation_ != Generation::asctile;
    const std::int64_t block = kBlockBytes / size;
    const std::string whole = std::to_string((last + block - 1) / block * block);
    Fault fault = make_fault(
        is_refused ? Code::unaligned_last_dimension : Code::portability_last_dimension,
        std::string(op) + ": the last dimension of " + named(slot) +
            " must be a multiple of 32 bytes, got " + got,
        {"last dimension: " + got + " = " + std::to_string(last * size) + " bytes"},
        (is_refused
             ? "asc2 refuses such a tile in UB; make its rows "
             : "asc2 refuses such a tile in UB, asctile does not; for both, make its rows ") +
            whole +
            " elements long: what lies beyond the tensor or real_shape is neither read nor "
            "written.");
    add(std::move(fault), stmt.span);
    return true;
  }

  void judge_transpose(const Stmt& stmt, const Transpose& turn) {
    const TensorType* from = tensor(turn.x);
    const TensorType* to = tensor(turn.dst);
    if (from == nullptr || to == nullptr || to->space != Space::ub) return;
    const bool is_refused = generation_ != Generation::asctile;
    if (is_refused && judge_rows(stmt, "transpose", turn.dst)) return;
    const Slot source = *slot_of(turn.x);
    const bool is_fused = loaded_[source] && uses_[source] == 1;
    if (is_fused || from->shape.rank() != 2) return;
    const std::int64_t step = size_bytes(from->dtype) == 1 ? 2 * kFractal : kFractal;
    if (from->shape[0] % step == 0 && from->shape[1] % step == 0) return;
    const std::string multiple = std::to_string(step);
    add(make_fault(
            Code::unaligned_shape,
            "transpose: both dimensions of " + named(source) + " must be multiples of " + multiple,
            {},
            "A transpose that the compiler cannot fuse with the copy_in before it moves "
            "blocks of " +
                multiple + " x " + multiple +
                "; pad the tile, or transpose it right after its copy_in."),
        stmt.span);
  }

  // Blocks of 16 x 16; the later generations pad.
  void judge_product(const Stmt& stmt, std::string_view op, const Operand& a, const Operand& b) {
    const TensorType* left = tensor(a);
    const TensorType* right = tensor(b);
    if (generation_ != Generation::first || left == nullptr || right == nullptr) return;
    const std::int64_t m = left->shape[0], k = left->shape[1], n = right->shape[1];
    if (m % kFractal == 0 && k % kFractal == 0 && n % kFractal == 0) return;
    add(make_fault(Code::unaligned_shape,
                   std::string(op) +
                       ": M, K and N must be multiples of 16 in the first "
                       "generation, got " +
                       std::to_string(m) + ", " + std::to_string(k) + " and " + std::to_string(n),
                   {},
                   "Pad the tiles to multiples of 16, or write copy_in and copy_out for load "
                   "and store: later generations take any shape."),
        stmt.span);
  }

  void add(Fault fault, SpanId span) {
    Diagnostic finding = locate(std::move(fault), span);
    finding.severity = Severity::warning;
    findings_.push_back(std::move(finding));
  }

  Program& program_;
  const Generation generation_;
  std::vector<bool> loaded_;
  std::vector<int> uses_;
  std::vector<Diagnostic> findings_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> causes_;  // row -> its finding
};

}  // namespace

void check_alignment(Program& program, Generation generation) {
  AlignmentCheck(program, generation).run();
}

}  // namespace ascemu::interp
