#include "interp/resolve/unread.h"

#include <algorithm>

#include "interp/ast/operands.h"

namespace ascemu::interp {
namespace {

class Eraser {
 public:
  Eraser(Program& program, const std::set<Slot>& candidates)
      : candidates_(candidates), reads_(program.slots.size()) {
    for_each_stmt(program.body, [this](const Stmt& stmt) { count(stmt.node, 1); });
    erase(program.body);
  }

 private:
  void count(const StmtNode& node, int step) {
    const auto see = [&](const Operand& operand) {
      if (const Slot* slot = slot_of(operand)) reads_[*slot] += step;
    };
    for_each_read(node, see);
    if (const auto* loop = std::get_if<While>(&node)) see(loop->condition);
  }

  bool is_unread(const StmtNode& node) const {
    bool unread = false;
    for_each_write(node,
                   [&](Slot slot) { unread = candidates_.contains(slot) && reads_[slot] == 0; });
    return unread;
  }

  // Last statement first: readers stand after what they read.
  void erase(Block& block) {
    std::vector<Stmt> kept;
    for (auto stmt = block.stmts.rbegin(); stmt != block.stmts.rend(); ++stmt) {
      if (auto* branch = std::get_if<If>(&stmt->node)) {
        erase(branch->else_block);
        erase(branch->then_block);
      } else if (auto* loop = std::get_if<For>(&stmt->node)) {
        erase(loop->body);
      } else if (auto* repeat = std::get_if<While>(&stmt->node)) {
        erase(repeat->body);
        erase(repeat->condition_block);
      }
      if (is_unread(stmt->node)) {
        count(stmt->node, -1);
      } else {
        kept.push_back(std::move(*stmt));
      }
    }
    std::ranges::reverse(kept);
    block.stmts = std::move(kept);
  }

  const std::set<Slot>& candidates_;
  std::vector<int> reads_;
};

}  // namespace

void erase_unread(Program& program, const std::set<Slot>& candidates) {
  if (!candidates.empty()) Eraser(program, candidates);
}

}  // namespace ascemu::interp
