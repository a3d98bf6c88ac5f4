#include "interp/launch/schedule.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <random>
#include <system_error>
#include <utility>

namespace ascemu::interp {
namespace {

constexpr std::string_view kSeeded = "random:";

constexpr std::pair<std::string_view, Schedule::Kind> kNames[] = {
    {"parallel", Schedule::Kind::parallel},     {"sequential", Schedule::Kind::sequential},
    {"reverse", Schedule::Kind::reverse},       {"random", Schedule::Kind::random},
    {"interleave", Schedule::Kind::interleave},
};

}  // namespace

std::optional<Schedule> Schedule::parse(std::string_view text) {
  for (const auto& [name, kind] : kNames) {
    if (text == name) return Schedule{kind, 0};
  }
  if (!text.starts_with(kSeeded)) return std::nullopt;
  text.remove_prefix(kSeeded.size());
  Schedule schedule{Kind::random, 0};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, schedule.seed);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return schedule;
}

std::vector<std::int64_t> Schedule::order(std::int64_t count) const {
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(count));
  std::iota(blocks.begin(), blocks.end(), std::int64_t{0});
  if (kind == Kind::reverse) std::ranges::reverse(blocks);
  if (kind != Kind::random) return blocks;
  // The standard fixes the engine's numbers but not those of its distributions.
  std::mt19937_64 numbers(seed);
  for (std::size_t left = blocks.size(); left > 1; --left)
    std::swap(blocks[left - 1], blocks[static_cast<std::size_t>(numbers() % left)]);
  return blocks;
}

}  // namespace ascemu::interp
