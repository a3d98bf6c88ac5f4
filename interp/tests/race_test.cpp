// The check `race` on logs made by hand: geometry, joining, the limit of records.
#include <gtest/gtest.h>

#include "interp/checks/race.h"
#include "interp/tests/hand_tree.h"

namespace ascemu::interp {
namespace {

using namespace test;

TEST(ByteRows, InterleavedRowsShareNothing) {
  EXPECT_FALSE(first_shared({0, 16, 32, 4}, {16, 16, 32, 4}).has_value());
  const std::optional<ByteSpan> shared = first_shared({0, 16, 32, 4}, {76, 8, 0, 1});
  ASSERT_TRUE(shared.has_value());
  EXPECT_EQ(shared->first, 76);
  EXPECT_EQ(shared->end, 80);
}

TEST(ByteRows, ExtendsToEqualDistances) {
  ByteRows rows{0, 16, 0, 1};
  EXPECT_TRUE(rows.extend({64, 16, 0, 1}));
  EXPECT_TRUE(rows.extend({128, 16, 0, 1}));
  EXPECT_FALSE(rows.extend({160, 16, 0, 1}));
  EXPECT_EQ(rows.count, 3);
  EXPECT_TRUE(rows.contains({64, 8, 0, 1}));
  EXPECT_FALSE(rows.contains({72, 16, 0, 1}));
}

TEST(RaceCheck, SaysWhereItStopsLooking) {
  HandTree tree;
  Stmt& stmt = tree.add(SyncAll{});
  const std::vector<GlobalArray> arrays(1);
  RaceCheck races(tree.program, arrays, CheckLevels{}, 2, 1);
  AccessLog log;
  log.begin_block(races.records_per_block());
  AccessSite site;
  site.stmt = &stmt;
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < 4000; ++i) {
    first += 10 + i;
    log.add(site, {first, 4, 0, 1}, 0, {});
  }
  races.keep(0, std::move(log));
  const std::vector<Diagnostic> findings = races.finish();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, Code::race_unchecked);
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

}  // namespace
}  // namespace ascemu::interp
