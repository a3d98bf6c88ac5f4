#include <gtest/gtest.h>

#include <set>

#include "interp/diag/render.h"
#include "interp/diag/source_text.h"

namespace ascemu::interp {
namespace {

SourceTable two_line_source() {
  SourceTable sources;
  sources.files.push_back({"kernel.py", "x = load(a)\ny = x + größe\n\tz = y\n", 10});
  sources.spans.push_back({0, 11, 4, 11, 15, kNoSpan});  // x + größe
  sources.spans.push_back({0, 10, 4, 10, 11, kNoSpan});  // load(a)
  sources.spans.push_back({0, 12, 1, 12, 6, 0});         // z = y, called from the first
  return sources;
}

Diagnostic sample() {
  Diagnostic diagnostic = locate(
      make_fault(Code::read_out_of_bounds, "copy_in reads 3 elements past the end", {"tensor: a"}),
      0);
  diagnostic.labels.push_back({1, "loaded here"});
  diagnostic.block = 2;
  diagnostic.block_count = 8;
  diagnostic.loops.push_back("i = 3 of range(0, 8, 1) at line 12");
  return diagnostic;
}

TEST(Codes, RowsAreInOrderWithUniqueSlugs) {
  std::set<std::string_view> slugs;
  for (const CodeRow& row : code_table()) {
    EXPECT_EQ(&code_row(row.code), &row);
    EXPECT_TRUE(slugs.insert(row.slug).second) << row.slug;
    EXPECT_EQ(code_from_slug(row.slug), row.code);
    EXPECT_FALSE(row.help.empty());
  }
  EXPECT_EQ(code_from_slug("no-such-code"), std::nullopt);
}

TEST(Codes, FaultTakesExceptionAndHelpFromItsRow) {
  const Fault fault = make_fault(Code::bad_offsets, "m");
  EXPECT_EQ(fault.exception, ExceptionKind::offsets_error);
  const Diagnostic plain = locate(fault, 7);
  EXPECT_EQ(plain.help, code_row(Code::bad_offsets).help);
  EXPECT_EQ(plain.span, 7U);
  EXPECT_EQ(plain.kind, DiagKind::invalid);
  const Diagnostic helped = locate(make_fault(Code::bad_offsets, "m", {}, "do this"), 7);
  EXPECT_EQ(helped.help, "do this");
  EXPECT_EQ(make_fault(Code::bad_shape, ExceptionKind::index_error, "m").exception,
            ExceptionKind::index_error);
}

TEST(RenderText, ShowsSourceCaretLabelsAndNotes) {
  EXPECT_EQ(render_text(sample(), two_line_source()),
            "error[read-out-of-bounds]: copy_in reads 3 elements past the end\n"
            "  --> kernel.py:11:5\n"
            "   |\n"
            "11 | y = x + größe\n"
            "   |     ^^^^^^^^^\n"
            "  ::: kernel.py:10:5\n"
            "   |\n"
            "10 | x = load(a)\n"
            "   |     ------- loaded here\n"
            "   = note: tensor: a\n"
            "   = block: 2 of 8\n"
            "   = loop: i = 3 of range(0, 8, 1) at line 12\n"
            "   = help: The kernel reads outside the array; the device would return whatever lies "
            "there. Correct the offsets or the declared shape.");
}

TEST(RenderText, ShowsTheCallChainAndKeepsTabs) {
  Diagnostic diagnostic = locate(make_fault(Code::bad_shape, "wrong", {}, "fix it"), 2);
  diagnostic.severity = Severity::warning;
  EXPECT_EQ(render_text(diagnostic, two_line_source()),
            "warning[bad-shape]: wrong\n"
            "  --> kernel.py:12:2\n"
            "   |\n"
            "12 | \tz = y\n"
            "   | \t^^^^^\n"
            "  ::: kernel.py:11:5\n"
            "   |\n"
            "11 | y = x + größe\n"
            "   |     --------- called from here\n"
            "   = help: fix it");
}

TEST(RenderText, WorksWithoutSourcesAndSpans) {
  const SourceTable none;
  EXPECT_EQ(render_text(locate(make_fault(Code::bad_shape, "wrong", {}, "fix"), kNoSpan), none),
            "error[bad-shape]: wrong\n  = help: fix");
  SourceTable far = two_line_source();
  far.spans[0].line = 900;
  EXPECT_EQ(render_text(locate(make_fault(Code::bad_shape, "wrong", {}, "fix"), 0), far),
            "error[bad-shape]: wrong\n   --> kernel.py:900:5\n    = help: fix");
  far.spans[0].source = 77;
  EXPECT_EQ(render_text(locate(make_fault(Code::bad_shape, "wrong", {}, "fix"), 0), far),
            "error[bad-shape]: wrong\n    = help: fix");
}

TEST(RenderText, MarksTheFirstLineOfALongSpan) {
  SourceTable sources = two_line_source();
  sources.spans[1].end_line = 12;
  const std::string text =
      render_text(locate(make_fault(Code::bad_shape, "m", {}, "h"), 1), sources);
  EXPECT_NE(text.find("10 | x = load(a)\n   |     ^^^^^^^\n"), std::string::npos) << text;
}

TEST(RenderText, ColoursOnlyWhenAsked) {
  EXPECT_EQ(render_text(sample(), two_line_source()).find('\x1b'), std::string::npos);
  const std::string text = render_text(sample(), two_line_source(), {true});
  EXPECT_EQ(text.find("\x1b[1;31merror[read-out-of-bounds]\x1b[0m"), 0U);
}

TEST(RenderText, EndlessCallChainStops) {
  SourceTable sources = two_line_source();
  sources.spans[0].call_site = 0;
  const std::string text =
      render_text(locate(make_fault(Code::bad_shape, "m", {}, "h"), 0), sources);
  EXPECT_NE(text.find("= note: more calls not shown\n"), std::string::npos) << text;
}

TEST(RenderText, BytesThatAreNoTextAreReplaced) {
  SourceTable sources;
  sources.files.push_back({"a\x1b.py", "x\xff y\n", 1});
  sources.spans.push_back({0, 1, 3, 1, 4, kNoSpan});
  EXPECT_EQ(render_text(locate(make_fault(Code::bad_shape, "a\xc3", {}, "h"), 0), sources),
            "error[bad-shape]: a\uFFFD\n"
            " --> a\uFFFD.py:1:4\n"
            "  |\n"
            "1 | x\uFFFD y\n"
            "  |    ^\n"
            "  = help: h");
}

TEST(RenderJson, IsOneLineWithEveryKey) {
  EXPECT_EQ(
      render_json(sample(), two_line_source()),
      R"({"kind":"trap","code":"read-out-of-bounds","check":"bounds","severity":"error",)"
      R"("message":"copy_in reads 3 elements past the end","file":"kernel.py","line":11,"column":5,)"
      R"("block":2,"notes":["tensor: a"],"help":"The kernel reads outside the array; the device )"
      R"(would return whatever lies there. Correct the offsets or the declared shape.",)"
      R"("exception":"KernelError","labels":[{"file":"kernel.py","line":10,"column":5,)"
      R"("text":"loaded here"}],"loops":["i = 3 of range(0, 8, 1) at line 12"]})");
}

TEST(RenderJson, EscapesAndRepairs) {
  const SourceTable none;
  Diagnostic diagnostic =
      locate(make_fault(Code::bad_shape, "a\"b\\c\n\t\x01\xff\xf0\x9f\x98\x80", {}, "h"), kNoSpan);
  EXPECT_EQ(render_json(diagnostic, none),
            R"({"kind":"invalid","code":"bad-shape","check":null,"severity":"error",)"
            "\"message\":\"a\\\"b\\\\c\\n\\t\\u0001\uFFFD\U0001F600\","
            R"("file":null,"line":null,"column":null,"block":null,"notes":[],"help":"h",)"
            R"("exception":"RuntimeError","labels":[],"loops":[]})");
}

TEST(SourceText, CountsCharactersAndWidths) {
  EXPECT_EQ(count_characters("größe", 4), 3);
  EXPECT_EQ(count_characters("abc", 100), 3);
  EXPECT_EQ(count_characters("abc", -1), 0);
  EXPECT_EQ(display_width("ab", 1, 0), 0);
  EXPECT_EQ(display_width("\u6F22x", 0, 4), 3);
  EXPECT_EQ(blank_prefix("\t\u6F22x", 4), "\t  ");
  EXPECT_EQ(printable("\xe2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xc0\xaf"), "\uFFFD\uFFFD");
}

TEST(SourceText, FindsLines) {
  const SourceFile file{"f", "one\r\ntwo", 5};
  EXPECT_EQ(line_text(file, 5), "one");
  EXPECT_EQ(line_text(file, 6), "two");
  EXPECT_EQ(line_text(file, 7), std::nullopt);
  EXPECT_EQ(line_text(file, 4), std::nullopt);
}

}  // namespace
}  // namespace ascemu::interp
