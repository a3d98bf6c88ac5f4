// Lets one of several threads run at a time, in an order that does not depend on the machine.
//
// How: the threads sit in a ring; the one that has the turn runs until it passes the turn to the
// next seat or leaves. What it is not: what a thread waits for; a thread whose wait is not over
// passes its turn on and looks again when it comes round. Invariant: only the holder of the turn
// calls pass() and leave(), so that nothing here needs a lock.
#pragma once

#include <cstddef>
#include <semaphore>
#include <vector>

namespace ascemu::interp {

class Turns {
 public:
  explicit Turns(std::size_t seats);

  // The thread at `seat` waits for its first turn.
  void sit(std::size_t seat) { seats_[seat].turn.acquire(); }
  // From a thread outside the ring, once: the first of `seats` seats has the turn; the others of
  // the ring stay empty.
  void begin(std::size_t seats);
  // Runs the others and returns when the turn is back.
  void pass();
  // The holder's thread takes no part any more.
  void leave();

 private:
  struct Seat {
    std::binary_semaphore turn{0};
    bool has_left = false;
  };

  // The next seat that somebody sits on; the holder's own when it is alone.
  std::size_t next_seat() const;
  void hand_over(std::size_t seat);

  std::vector<Seat> seats_;
  std::size_t holder_ = 0;
};

}  // namespace ascemu::interp
