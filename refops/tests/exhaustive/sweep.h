// A resumable run over a range of 32-bit operand codes in parallel chunks.
//
// What it is: findings and their merging, threads, the checkpoint file, progress on standard error
// and the JSON report.
// What it is not: a check; a Sweep's `run_chunk` brings that.
//
// Invariant: a report does not depend on threads, on interruptions or on time. A checkpoint written
// by another build of the executable is ignored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

namespace ascemu::refops::exhaustive {

inline constexpr std::uint64_t kNoCode = std::numeric_limits<std::uint64_t>::max();

struct Findings {
  std::uint64_t count = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t first_mismatch = kNoCode;
  std::uint64_t boundary_cases = 0;  // decided by MPFR
  double max_error_ulp = 0;
  std::uint64_t witness = kNoCode;  // the least code with that error

  void add_mismatch(std::uint64_t code);
  void add_error(double error_ulp, std::uint64_t code);
  void merge(const Findings& other);
};

struct Sweep {
  std::string name;
  std::string check;  // one line for the report: what was compared with what
  bool has_errors;    // max_error_ulp means something
  // Checks the codes [from, to).
  std::function<Findings(std::uint64_t from, std::uint64_t to)> run_chunk;
};

struct SweepOptions {
  std::uint64_t from = 0;
  std::uint64_t to = std::uint64_t{1} << 32;  // exclusive
  int threads = 2;
  std::filesystem::path reports;      // empty: no report
  std::filesystem::path checkpoints;  // empty: not resumable
};

// Runs or resumes the sweep, prints a line, writes exhaustive_<name>.json into `reports`. The
// checkpoint stays, so that a run of several sweeps resumes behind those it completed.
Findings run_sweep(const Sweep& sweep, const SweepOptions& options);
void forget_checkpoint(const Sweep& sweep, const SweepOptions& options);

}  // namespace ascemu::refops::exhaustive
