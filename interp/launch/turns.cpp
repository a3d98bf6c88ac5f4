#include "interp/launch/turns.h"

namespace ascemu::interp {

Turns::Turns(std::size_t seats) : seats_(seats) {}

void Turns::begin(std::size_t seats) {
  for (std::size_t empty = seats; empty < seats_.size(); ++empty) seats_[empty].has_left = true;
  if (seats > 0) hand_over(0);
}

void Turns::pass() {
  const std::size_t own = holder_;
  const std::size_t next = next_seat();
  if (next == own) return;
  hand_over(next);
  seats_[own].turn.acquire();
}

void Turns::leave() {
  const std::size_t own = holder_;
  seats_[own].has_left = true;
  const std::size_t next = next_seat();
  if (next != own) hand_over(next);
}

std::size_t Turns::next_seat() const {
  for (std::size_t step = 1; step < seats_.size(); ++step) {
    const std::size_t seat = (holder_ + step) % seats_.size();
    if (!seats_[seat].has_left) return seat;
  }
  return holder_;
}

void Turns::hand_over(std::size_t seat) {
  holder_ = seat;
  seats_[seat].turn.release();
}

}  // namespace ascemu::interp
