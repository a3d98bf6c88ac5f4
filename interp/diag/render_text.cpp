#include <algorithm>
#include <vector>

#include "interp/diag/render.h"
#include "interp/diag/source_text.h"

namespace ascemu::interp {
namespace {

constexpr std::size_t kMaxCallSites = 16;

enum class Style { plain, error, warning, frame, help, strong };

class TextRenderer {
 public:
  TextRenderer(const Diagnostic& diagnostic, const SourceTable& sources, bool colour)
      : diagnostic_(diagnostic), sources_(sources), colour_(colour) {}

  std::string render() {
    gutter_ = gutter_width();
    render_title();
    render_excerpt(diagnostic_.span, "-->", '^', "");
    for (const Label& label : diagnostic_.labels)
      render_excerpt(label.span, ":::", '-', label.text);
    render_calls();
    render_notes();
    while (!out_.empty() && out_.back() == '\n') out_.pop_back();
    return std::move(out_);
  }

 private:
  Style severity_style() const {
    return diagnostic_.severity == Severity::error ? Style::error : Style::warning;
  }

  void put(Style style, std::string_view text) {
    static constexpr std::string_view kCodes[] = {"",           "\x1b[1;31m", "\x1b[1;33m",
                                                  "\x1b[1;34m", "\x1b[1;36m", "\x1b[1m"};
    if (!colour_ || style == Style::plain) {
      out_ += text;
      return;
    }
    out_ += kCodes[static_cast<std::size_t>(style)];
    out_ += text;
    out_ += "\x1b[0m";
  }

  std::vector<SpanId> call_sites() const {
    std::vector<SpanId> sites;
    const Span* span = find_span(sources_, diagnostic_.span);
    while (span != nullptr && sites.size() <= kMaxCallSites) {
      const SpanId site = span->call_site;
      span = find_span(sources_, site);
      if (span != nullptr) sites.push_back(site);
    }
    return sites;
  }

  std::size_t gutter_width() const {
    std::int64_t last_line = 1;
    const auto see = [&](SpanId id) {
      const Span* span = find_span(sources_, id);
      if (span != nullptr) last_line = std::max<std::int64_t>(last_line, span->line);
    };
    see(diagnostic_.span);
    for (const Label& label : diagnostic_.labels) see(label.span);
    for (const SpanId site : call_sites()) see(site);
    return std::to_string(last_line).size();
  }

  void render_title() {
    std::string title(severity_name(diagnostic_.severity));
    title += '[';
    title += code_row(diagnostic_.code).slug;
    title += ']';
    put(severity_style(), title);
    put(Style::strong, ": " + indent_lines(diagnostic_.message));
    out_ += '\n';
  }

  // Message and notes may hold line ends; every line is made printable on its own.
  static std::string indent_lines(std::string_view text) {
    std::string out;
    while (true) {
      const std::size_t end = text.find('\n');
      out += printable(text.substr(0, end));
      if (end == std::string_view::npos) return out;
      out += "\n    ";
      text.remove_prefix(end + 1);
    }
  }

  void render_margin(std::string_view number) {
    const std::size_t pad = gutter_ > number.size() ? gutter_ - number.size() : 0;
    put(Style::frame, std::string(pad, ' ') + std::string(number) + " |");
  }

  // Place line, source line and the marked run. A label without position keeps its text.
  void render_excerpt(SpanId id, std::string_view arrow, char mark, std::string_view text) {
    const auto place = find_place(sources_, id);
    if (!place) {
      if (!text.empty()) render_note("note", Style::strong, text);
      return;
    }
    out_ += std::string(gutter_, ' ');
    put(Style::frame, arrow);
    out_ += ' ' + printable(place->path) + ':' + std::to_string(place->line) + ':' +
            std::to_string(place->column) + '\n';
    const Span& span = *find_span(sources_, id);
    const auto line = line_text(*find_file(sources_, span), span.line);
    if (!line) {
      if (!text.empty()) render_note("note", Style::strong, text);
      return;
    }
    render_margin("");
    out_ += '\n';
    render_margin(std::to_string(span.line));
    out_ += ' ' + printable(*line) + '\n';
    render_margin("");
    const bool one_line = span.end_line <= span.line;
    const auto end = one_line ? static_cast<std::int64_t>(span.end_column)
                              : static_cast<std::int64_t>(line->size());
    const auto width = std::max<std::int64_t>(1, display_width(*line, span.column, end));
    out_ += ' ' + blank_prefix(*line, span.column);
    const Style style = mark == '^' ? severity_style() : Style::frame;
    put(style, std::string(static_cast<std::size_t>(width), mark));
    if (!text.empty()) {
      out_ += ' ';
      put(style, indent_lines(text));
    }
    out_ += '\n';
  }

  void render_calls() {
    const auto sites = call_sites();
    for (std::size_t i = 0; i < std::min(sites.size(), kMaxCallSites); ++i) {
      render_excerpt(sites[i], ":::", '-', "called from here");
    }
    if (sites.size() > kMaxCallSites) render_note("note", Style::strong, "more calls not shown");
  }

  void render_note(std::string_view label, Style style, std::string_view text) {
    out_ += std::string(gutter_, ' ');
    put(Style::frame, " = ");
    put(style, label);
    out_ += ": " + indent_lines(text) + '\n';
  }

  void render_notes() {
    for (const std::string& note : diagnostic_.notes) render_note("note", Style::strong, note);
    if (diagnostic_.block >= 0) {
      std::string text = std::to_string(diagnostic_.block);
      if (diagnostic_.block_count > 0) text += " of " + std::to_string(diagnostic_.block_count);
      render_note("block", Style::strong, text);
    }
    for (const std::string& loop : diagnostic_.loops) render_note("loop", Style::strong, loop);
    if (!diagnostic_.help.empty()) render_note("help", Style::help, diagnostic_.help);
  }

  const Diagnostic& diagnostic_;
  const SourceTable& sources_;
  bool colour_;
  std::size_t gutter_ = 1;
  std::string out_;
};

}  // namespace

std::optional<Place> find_place(const SourceTable& sources, SpanId id) {
  const Span* span = find_span(sources, id);
  const SourceFile* file = span == nullptr ? nullptr : find_file(sources, *span);
  if (file == nullptr) return std::nullopt;
  const auto line = line_text(*file, span->line);
  const std::int64_t column =
      line ? count_characters(*line, span->column) : std::max<std::int64_t>(0, span->column);
  return Place{file->path, span->line, column + 1};
}

std::string render_text(const Diagnostic& diagnostic, const SourceTable& sources,
                        const RenderOptions& options) {
  return TextRenderer(diagnostic, sources, options.colour).render();
}

}  // namespace ascemu::interp
