// InterruptScope: Ctrl-C stops a running launch.
//
// What it is: for its lifetime SIGINT sets a flag and then runs the handler that was installed
// before (Python's, which leaves KeyboardInterrupt pending). What it is not: a handler of its own;
// where SIGINT is ignored or has its default action, and outside the main thread, nothing is
// installed. Invariant: at most one scope is active; the previous handler is restored when it ends.
#pragma once

#include <atomic>
#include <csignal>

namespace ascemu::bindings {

class InterruptScope {
 public:
  explicit InterruptScope(std::atomic<bool>& stop);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  bool installed_ = false;
};

}  // namespace ascemu::bindings
