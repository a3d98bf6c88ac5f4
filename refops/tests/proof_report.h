// One entry of the proof report: what was compared, over how many vectors, with how many
// mismatches.
//
// What it is: the C++ half of bindings/tests/numerics/ledger.py; scripts/gather_proofs.py reads
// what it writes. What it is not: an assertion. Invariant: nothing is written unless the
// environment names the folder (ASCEMU_PROOF_REPORTS).
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

namespace ascemu::refops {

struct ProofEntry {
  std::string op;
  std::string dtype;
  std::string mode;
  std::string clause;
  std::int64_t vectors = 0;
  std::int64_t mismatches = 0;
};

inline void write_proof(const ProofEntry& entry) {
  const char* const folder = std::getenv("ASCEMU_PROOF_REPORTS");
  if (folder == nullptr) return;
  std::string name = "refops-" + entry.op + "-" + entry.dtype + "-" + entry.mode;
  for (char& letter : name) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  std::ofstream file(std::string(folder) + "/" + name + ".json");
  file << R"({"path": "refops", "set": "vectors", "op": ")" << entry.op << R"(", "dtype": ")"
       << entry.dtype << R"(", "result": ")" << entry.dtype << R"(", "mode": ")" << entry.mode
       << R"(", "target": "ieee", "clause": ")" << entry.clause
       << R"(", "oracle": "MPFR, both neighbours of the exact value", "vectors": )" << entry.vectors
       << R"(, "mismatches": )" << entry.mismatches << "}\n";
}

}  // namespace ascemu::refops
