// One fuzz input from end to end: build, finish, render, launch, damage, validate, launch again, in
// the numeric mode and for the chip that its first bytes say.
//
// Returns what went wrong, or an empty text. A crash, a sanitizer report or an internal error is a
// bug of ascemu whatever the input.
#pragma once

#include <string>
#include <vector>

#include "interp/ast/dump.h"
#include "interp/diag/render.h"
#include "interp/fuzz/random_calls.h"
#include "interp/fuzz/random_edits.h"
#include "interp/launch/launch.h"
#include "interp/resolve/validate.h"

namespace ascemu::interp::fuzz {

inline std::string internal_error(const std::vector<Diagnostic>& found,
                                  const SourceTable& sources) {
  for (const Diagnostic& diagnostic : found) {
    const std::string text = render_text(diagnostic, sources);
    const std::string json = render_json(diagnostic, sources);
    if (text.empty() || json.find('\n') != std::string::npos)
      return "a rendering is broken: " + text;
    if (diagnostic.kind == DiagKind::internal) return text;
  }
  return "";
}

inline std::string launch_once(const Program& program, ByteSource& bytes) {
  constexpr std::int64_t kElements = 300;
  std::vector<std::vector<std::byte>> arrays;
  std::vector<Argument> arguments;
  for (const Param& param : program.params) {
    if (const auto* scalar = std::get_if<ScalarType>(&param.type)) {
      arguments.push_back(
          Scalar::from_int(scalar->dtype, static_cast<std::int64_t>(bytes.below(20))));
      continue;
    }
    const std::size_t size = refops::dtype_size_bytes(std::get<AddressType>(param.type).dtype);
    arrays.emplace_back(size * kElements,
                        std::byte{bytes.one_in(2) ? std::uint8_t{0} : std::uint8_t{0x3c}});
    arguments.push_back(ArrayArgument{arrays.back().data(), kElements, !bytes.one_in(10)});
  }
  LaunchOptions options;
  options.blocks = 1 + static_cast<std::int64_t>(bytes.below(2));
  options.threads = 1;
  options.max_steps = 600;
  options.local_bytes_limit = std::size_t{1} << 19;
  options.findings_limit = 20;
  const LaunchResult result = launch(program, arguments, options);
  return internal_error(result.findings, program.sources);
}

inline std::string run_input(std::span<const std::uint8_t> input) {
  ByteSource bytes(input);
  const bool damages = bytes.one_in(2);
  const Builder::Finished finished = RandomCalls(bytes).run();
  std::string problem = internal_error(finished.errors, finished.sources);
  if (!problem.empty() || finished.program == nullptr) return problem;
  if (dump(*finished.program).empty()) return "an empty dump";
  if (!damages) return launch_once(*finished.program, bytes);
  Program damaged = *finished.program;
  RandomEdits(bytes, damaged).run();
  if (dump(damaged).empty()) return "an empty dump";
  if (!validate(damaged).empty()) return "";
  return launch_once(damaged, bytes);
}

}  // namespace ascemu::interp::fuzz
