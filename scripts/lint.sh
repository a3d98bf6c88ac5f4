#!/usr/bin/env bash
# Checks the formatting of C++ and Python, ruff's rules and the layout rules; --fix formats instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=.venv/bin
fix=0
[ "${1:-}" != --fix ] || fix=1

readarray -d '' sources < <(find refops interp bindings conformance bench examples -type f \
  \( -name '*.h' -o -name '*.cpp' \) -print0 2>/dev/null)
if [ $fix -eq 1 ]; then
  [ ${#sources[@]} -eq 0 ] || $bin/clang-format -i "${sources[@]}"
  $bin/ruff check --fix .
  $bin/ruff format .
  exit 0
fi
status=0
[ ${#sources[@]} -eq 0 ] || $bin/clang-format --dry-run --Werror "${sources[@]}" || status=1
$bin/ruff check . || status=1
$bin/ruff format --check . || status=1
$bin/python scripts/check_layout.py || status=1
exit $status
