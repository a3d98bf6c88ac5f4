#include "interp/diag/check_levels.h"

#include <gtest/gtest.h>

#include <set>

namespace ascemu::interp {
namespace {

TEST(CheckLevels, EveryCodeNamesACheckThatExists) {
  std::set<std::string_view> slugs;
  for (const CheckRow& row : check_table()) EXPECT_TRUE(slugs.insert(row.slug).second) << row.slug;
  for (const CodeRow& row : code_table()) {
    EXPECT_EQ(check_of(row.code).has_value(), !row.check.empty()) << row.slug;
    EXPECT_FALSE(is_inferred(row.code) && row.check.empty()) << row.slug;
  }
}

TEST(CheckLevels, DefaultsAndChoices) {
  CheckLevels levels;
  EXPECT_EQ(levels.of(Code::read_out_of_bounds), CheckLevel::error);
  EXPECT_EQ(levels.of(Code::portability), CheckLevel::warn);
  EXPECT_EQ(levels.of(CheckId::numeric), CheckLevel::off);
  EXPECT_EQ(levels.of(Code::division_by_zero), CheckLevel::error);
  levels.set(CheckId::bounds, CheckLevel::off);
  EXPECT_EQ(levels.of(Code::read_out_of_bounds), CheckLevel::off);
  EXPECT_FALSE(levels.is_on(CheckId::bounds));
  EXPECT_EQ(check_from_slug("bound"), std::nullopt);
}

TEST(CheckLevels, CodesOnRequestAreOffUntilTheirCheckIsChosen) {
  CheckLevels levels;
  EXPECT_EQ(levels.of(Code::portability_generation), CheckLevel::off);
  levels.set(CheckId::portability, CheckLevel::warn);
  EXPECT_EQ(levels.of(Code::portability_generation), CheckLevel::warn);
}

}  // namespace
}  // namespace ascemu::interp
