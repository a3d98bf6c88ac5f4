#include "bindings/interrupt.h"

#include <unistd.h>

namespace ascemu::bindings {

namespace {

static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

// What the signal handler sees. Written by the main thread only, before installing it.
std::atomic<std::atomic<bool>*> active_stop{nullptr};
struct sigaction previous_action;

void on_interrupt(int signal, siginfo_t* info, void* context) {
  if (std::atomic<bool>* stop = active_stop.load()) {
    stop->store(true);
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else {
    previous_action.sa_handler(signal);
  }
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

InterruptScope::InterruptScope(std::atomic<bool>& stop) {
  if (gettid() != getpid() || active_stop.load() != nullptr) {
    return;
  }
  struct sigaction current;
  if (sigaction(SIGINT, nullptr, &current) != 0 || !has_handler(current)) {
    return;
  }
  previous_action = current;
  active_stop.store(&stop);
  struct sigaction chained = current;
  chained.sa_flags = current.sa_flags | SA_SIGINFO;
  chained.sa_sigaction = on_interrupt;
  installed_ = sigaction(SIGINT, &chained, nullptr) == 0;
  if (!installed_) {
    active_stop.store(nullptr);
  }
}

InterruptScope::~InterruptScope() {
  if (installed_) {
    sigaction(SIGINT, &previous_action, nullptr);
    active_stop.store(nullptr);
  }
}

}  // namespace ascemu::bindings
