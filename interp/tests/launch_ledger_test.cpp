#include "interp/launch/ledger.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ascemu::interp {
namespace {

Diagnostic finding(Code code, Severity severity, std::int64_t block, SpanId span,
                   const std::string& message) {
  Diagnostic made = locate(make_fault(code, message), span);
  made.severity = severity;
  made.block = block;
  return made;
}

Diagnostic error(std::int64_t block, const std::string& message) {
  return finding(Code::read_out_of_bounds, Severity::error, block, 0, message);
}

Diagnostic portability(std::int64_t block, SpanId span, const std::string& message) {
  return finding(Code::portability_clip_rows, Severity::warning, block, span, message);
}

std::vector<std::string> words(Ledger& ledger, LaunchResult& result) {
  ledger.finish(result);
  std::vector<std::string> found;
  for (const Diagnostic& kept : result.findings) found.push_back(kept.message);
  return found;
}

TEST(Ledger, OrdersByBlockThenByTime) {
  Ledger ledger(10);
  ledger.add(2, {error(2, "c"), portability(2, 7, "d")}, 0, "two");
  ledger.add(0, {portability(0, 8, "a"), error(0, "b")}, 0, "zero");
  ledger.add(1, {}, 0, "one");
  LaunchResult result;
  EXPECT_EQ(words(ledger, result), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(result.printed, "zeroonetwo");
  EXPECT_EQ(result.findings_dropped, 0U);
}

TEST(Ledger, PortabilityStandsOncePerPlaceForTheLowestBlock) {
  Ledger ledger(10);
  ledger.add(3, {portability(3, 7, "three"), portability(3, 8, "other")}, 0, "");
  ledger.add(1, {portability(1, 7, "one")}, 0, "");
  ledger.add(2, {portability(2, 7, "two")}, 0, "");
  LaunchResult result;
  EXPECT_EQ(words(ledger, result), (std::vector<std::string>{"one", "other"}));
}

TEST(Ledger, KeepsTheLowestBlocksWithinTheLimit) {
  for (const bool backwards : {false, true}) {
    Ledger ledger(2);
    for (int i = 0; i < 5; ++i) {
      const int block = backwards ? 4 - i : i;
      ledger.add(block, {error(block, std::to_string(block))}, 1, "");
    }
    LaunchResult result;
    EXPECT_EQ(words(ledger, result), (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(result.findings_dropped, 8U);
  }
}

TEST(Ledger, TheFirstErrorIsKept) {
  Ledger ledger(2);
  ledger.add(0, {portability(0, 1, "w1"), portability(0, 2, "w2"), portability(0, 3, "w3")}, 0, "");
  ledger.add(5, {error(5, "e")}, 0, "");
  LaunchResult result;
  EXPECT_EQ(words(ledger, result), (std::vector<std::string>{"w1", "e"}));
  EXPECT_EQ(result.findings_dropped, 2U);
}

TEST(Ledger, ALimitOfZeroStillKeepsAnError) {
  Ledger ledger(0);
  ledger.add(0, {portability(0, 1, "w")}, 0, "");
  ledger.add(1, {error(1, "e")}, 0, "");
  LaunchResult result;
  EXPECT_EQ(words(ledger, result), std::vector<std::string>{"e"});
  EXPECT_EQ(result.findings_dropped, 1U);
}

}  // namespace
}  // namespace ascemu::interp
