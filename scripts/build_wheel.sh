#!/usr/bin/env bash
# Builds a wheel out of build/ and repairs it so that it carries its shared libraries.
#   scripts/build_wheel.sh FOLDER     leaves the repaired wheel in FOLDER
set -euo pipefail
output=$(realpath -m "${1:?usage: build_wheel.sh FOLDER}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
mkdir -p .cache
exec 9>.cache/setup.lock
flock 9
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
python -m pip wheel -q . --no-build-isolation --no-deps --wheel-dir "$raw" \
  --config-settings=build-dir=build \
  --config-settings=cmake.define.ASCEMU_TESTS=ON \
  --config-settings=cmake.define.ASCEMU_WERROR=ON \
  --config-settings=cmake.define.Python_EXECUTABLE="$PWD/.venv/bin/python"
mkdir -p "$output"
auditwheel repair --plat auto --wheel-dir "$output" "$raw"/ascemu-*.whl
