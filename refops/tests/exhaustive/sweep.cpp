#include "refops/tests/exhaustive/sweep.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

namespace ascemu::refops::exhaustive {
namespace {

namespace fs = std::filesystem;
inline constexpr std::uint64_t kChunk = std::uint64_t{1} << 22;

std::string format(const char* pattern, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

// Tells builds apart: a new build checks everything anew.
std::string build_identity() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "unknown";
  const auto written = fs::last_write_time(program, error).time_since_epoch().count();
  return format("%" PRIuMAX "-%" PRIdMAX,
                static_cast<std::uintmax_t>(fs::file_size(program, error)),
                static_cast<std::intmax_t>(written));
}

fs::path checkpoint_of(const Sweep& sweep, const SweepOptions& options) {
  return options.checkpoints / ("exhaustive_" + sweep.name + ".checkpoint");
}

// The chunks done so far and what they found.
class Journal {
 public:
  Journal(const Sweep& sweep, const SweepOptions& options) {
    if (options.checkpoints.empty()) return;
    fs::create_directories(options.checkpoints);
    path_ = checkpoint_of(sweep, options);
    heading_ = build_identity() + format(" %" PRIu64 " %" PRIu64, options.from, options.to);
    std::ifstream file(path_);
    std::string line;
    if (!std::getline(file, line) || line != heading_) return;
    Findings& f = findings_;
    file >> f.count >> f.mismatches >> f.first_mismatch >> f.boundary_cases >> f.witness;
    std::string error;
    file >> error;
    f.max_error_ulp = std::strtod(error.c_str(), nullptr);
    for (std::uint64_t chunk = 0; file >> chunk;) done_.insert(chunk);
  }

  const Findings& findings() const { return findings_; }
  bool is_done(std::uint64_t chunk) const { return done_.count(chunk) != 0; }
  std::size_t done_count() const { return done_.size(); }

  void add(std::uint64_t chunk, const Findings& found) {
    findings_.merge(found);
    done_.insert(chunk);
    if (path_.empty()) return;
    const fs::path draft = path_.string() + ".new";
    {
      std::ofstream file(draft);
      const Findings& f = findings_;
      file << heading_ << '\n'
           << f.count << ' ' << f.mismatches << ' ' << f.first_mismatch << ' ' << f.boundary_cases
           << ' ' << f.witness << ' ' << format("%a", f.max_error_ulp) << '\n';
      for (const std::uint64_t number : done_) file << number << ' ';
    }
    fs::rename(draft, path_);
  }

 private:
  fs::path path_;
  std::string heading_;
  Findings findings_;
  std::set<std::uint64_t> done_;
};

class Progress {
 public:
  Progress(std::string name, std::size_t total, std::size_t done)
      : name_(std::move(name)), total_(total), initial_(done) {}

  void show(std::size_t done, const Findings& findings) {
    const auto now = std::chrono::steady_clock::now();
    const bool last = done == total_;
    const bool terminal = isatty(fileno(stderr)) != 0;
    const std::chrono::milliseconds pause(terminal ? 200 : 20000);
    if (!last && now - shown_ < pause) return;
    shown_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double left = done > initial_ ? seconds * static_cast<double>(total_ - done) /
                                              static_cast<double>(done - initial_)
                                        : 0;
    const auto filled = static_cast<int>(done * 30 / std::max<std::size_t>(total_, 1));
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(30 - filled), '.');
    std::fprintf(stderr, "%s%-14s [%s] %3d%%  %" PRIu64 " mismatches  %.0f s, %.0f s left%s",
                 terminal ? "\r" : "", name_.c_str(), bar.c_str(),
                 static_cast<int>(done * 100 / std::max<std::size_t>(total_, 1)),
                 findings.mismatches, seconds, left, terminal && !last ? "" : "\n");
    std::fflush(stderr);
  }

 private:
  std::string name_;
  std::size_t total_;
  std::size_t initial_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_{};
};

std::string code_text(std::uint64_t code) {
  return code == kNoCode ? "null" : format("\"0x%08" PRIX64 "\"", code);
}

std::string report_of(const Sweep& sweep, const SweepOptions& options, const Findings& f) {
  std::ostringstream text;
  text << "{\n"
       << "  \"name\": \"" << sweep.name << "\",\n"
       << "  \"mode\": \"ieee\",\n"
       << "  \"check\": \"" << sweep.check << "\",\n"
       << "  \"from\": " << code_text(options.from) << ",\n"
       << "  \"to\": " << code_text(options.to - 1) << ",\n"
       << "  \"count\": " << f.count << ",\n"
       << "  \"mismatches\": " << f.mismatches << ",\n"
       << "  \"first_mismatch\": " << code_text(f.first_mismatch);
  if (sweep.has_errors) {
    text << ",\n  \"boundary_cases_decided_by_mpfr\": " << f.boundary_cases << ",\n"
         << "  \"max_error_ulp\": " << format("%.12f", f.max_error_ulp) << ",\n"
         << "  \"witness\": " << code_text(f.witness);
  }
  text << "\n}\n";
  return text.str();
}

}  // namespace

void Findings::add_mismatch(std::uint64_t code) {
  ++mismatches;
  first_mismatch = std::min(first_mismatch, code);
}

void Findings::add_error(double error_ulp, std::uint64_t code) {
  if (error_ulp > max_error_ulp || (error_ulp == max_error_ulp && code < witness)) {
    max_error_ulp = error_ulp;
    witness = code;
  }
}

void Findings::merge(const Findings& other) {
  count += other.count;
  mismatches += other.mismatches;
  first_mismatch = std::min(first_mismatch, other.first_mismatch);
  boundary_cases += other.boundary_cases;
  if (other.witness != kNoCode) add_error(other.max_error_ulp, other.witness);
}

void forget_checkpoint(const Sweep& sweep, const SweepOptions& options) {
  if (!options.checkpoints.empty()) fs::remove(checkpoint_of(sweep, options));
}

Findings run_sweep(const Sweep& sweep, const SweepOptions& options) {
  Journal journal(sweep, options);
  const std::uint64_t first = options.from / kChunk;
  const std::uint64_t end = (options.to + kChunk - 1) / kChunk;
  Progress progress(sweep.name, end - first, journal.done_count());
  std::mutex mutex;
  std::uint64_t next = first;
  const auto work = [&] {
    while (true) {
      std::uint64_t chunk = 0;
      {
        const std::lock_guard lock(mutex);
        while (next < end && journal.is_done(next)) ++next;
        if (next >= end) return;
        chunk = next++;
      }
      const Findings found = sweep.run_chunk(std::max(chunk * kChunk, options.from),
                                             std::min((chunk + 1) * kChunk, options.to));
      const std::lock_guard lock(mutex);
      journal.add(chunk, found);
      progress.show(journal.done_count(), journal.findings());
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < options.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();

  const Findings findings = journal.findings();
  if (!options.reports.empty()) {
    fs::create_directories(options.reports);
    std::ofstream(options.reports / ("exhaustive_" + sweep.name + ".json"))
        << report_of(sweep, options, findings);
  }
  std::printf("%s: %" PRIu64 " inputs, %" PRIu64 " mismatches", sweep.name.c_str(), findings.count,
              findings.mismatches);
  if (sweep.has_errors) {
    std::printf(", max error %.9f ulp at %s, %" PRIu64 " decided by MPFR", findings.max_error_ulp,
                code_text(findings.witness).c_str(), findings.boundary_cases);
  }
  if (findings.mismatches != 0) {
    std::printf(", first at %s", code_text(findings.first_mismatch).c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
  return findings;
}

}  // namespace ascemu::refops::exhaustive
