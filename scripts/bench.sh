#!/usr/bin/env bash
# Builds and runs the Google Benchmark programs; arguments go to the program.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH"
compgen -G 'bench/bm_*.cpp' >/dev/null || { echo "bench: there is no bench/bm_*.cpp yet" >&2; exit 1; }
cmake --preset release >/dev/null
cmake --build --preset release --target ascemu_bench
build-release/bench/ascemu_bench "$@"
