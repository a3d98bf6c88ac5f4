#include "refops/ops.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace ascemu::refops {
namespace {

TEST(OpTable, EveryNameIsUniqueAndFindsItself) {
  std::set<std::string_view> names;
  for (const OpRow& row : op_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(op_from_name(row.name), row.id) << row.name;
    EXPECT_EQ(op_name(row.id), row.name);
    EXPECT_FALSE(row.clause.empty()) << row.name;
  }
  EXPECT_EQ(names.size(), op_table().size());
}

TEST(OpTable, NoNameIsBothSupportedAndUnsupported) {
  for (const UnsupportedRow& row : unsupported_table()) {
    EXPECT_EQ(op_from_name(row.name), std::nullopt) << row.name;
    EXPECT_FALSE(row.reason.empty()) << row.name;
  }
  EXPECT_EQ(unsupported_table().size(), 2U);
}

TEST(OpTable, UnknownNamesAreNotFound) {
  EXPECT_EQ(op_from_name("addd"), std::nullopt);
  EXPECT_EQ(op_from_name(""), std::nullopt);
}

TEST(OpTable, DtypeSetsFollowTheLanguage) {
  EXPECT_TRUE(op_accepts(OpId::add_, Dtype::bfloat16));
  EXPECT_FALSE(op_accepts(OpId::add_, Dtype::int8));
  EXPECT_FALSE(op_accepts(OpId::div_, Dtype::bfloat16));
  EXPECT_FALSE(op_accepts(OpId::pow_, Dtype::int64));
  EXPECT_TRUE(op_accepts(OpId::equal_, Dtype::int8));
  EXPECT_FALSE(op_accepts(OpId::exp_, Dtype::bfloat16));
  EXPECT_TRUE(op_accepts(OpId::copy_in_, Dtype::int1));
}

TEST(OpTable, FamiliesAndAritiesAgree) {
  for (const OpRow& row : op_table()) {
    const bool one = row.family == OpFamily::unary || row.family == OpFamily::reduce;
    const bool two = row.family == OpFamily::binary || row.family == OpFamily::compare;
    EXPECT_TRUE(!one || row.arity == 1) << row.name;
    EXPECT_TRUE(!two || row.arity == 2) << row.name;
  }
}

}  // namespace
}  // namespace ascemu::refops
