#!/usr/bin/env bash
# Sets up everything the project's own commands need: Debian packages, the virtual environment .venv
# with the Python packages of pyproject.toml, and the editable install built in build/.
# A second run only lets ninja look for changed sources. Outside the repository it changes nothing
# but Debian packages.
#
#   scripts/setup.sh [--clang] [--bench] [--no-build]
#     --clang     also the packages of the Clang, sanitizer and fuzz builds
#     --bench     also the packages of the benchmarks
#     --no-build  packages and environment only
# PYTHON=/path/to/python chooses the interpreter; else the first python3 >= 3.10 on PATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

with_clang=0 with_bench=0 with_build=1
for argument in "$@"; do
  case $argument in
    --clang) with_clang=1 ;;
    --bench) with_bench=1 ;;
    --no-build) with_build=0 ;;
    *) echo "setup: unknown argument '$argument'" >&2; exit 2 ;;
  esac
done

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif [ "${CI:-}" = true ]; then
    sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# install_packages NAME...: installs what is missing; asks first where sudo is needed.
install_packages() {
  local missing=() name answer
  command -v dpkg-query >/dev/null || {
    say "no dpkg here; taking these packages, or your system's equivalents, as installed: $*"
    return 0
  }
  for name in "$@"; do is_installed "$name" || missing+=("$name"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ] && [ "${CI:-}" != true ]; then
    [ -t 0 ] || fail "missing Debian packages; run: sudo apt-get install --no-install-recommends ${missing[*]}"
    read -r -p "setup: install ${missing[*]} with sudo apt-get? [y/N] " answer
    case $answer in [yY]*) ;; *) fail "these packages are needed: ${missing[*]}" ;; esac
  fi
  say "installing Debian packages: ${missing[*]}"
  local install=(apt-get install -y -qq --no-install-recommends "${missing[@]}")
  as_root "${install[@]}" >/dev/null 2>&1 ||
    { as_root apt-get update -qq && as_root "${install[@]}" >/dev/null; } ||
    fail "apt-get could not install: ${missing[*]}"
}

is_usable_python() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

# Prints the first python3 >= 3.10 on PATH that does not belong to a virtual environment of ours.
find_python() {
  local candidate
  while read -r candidate; do
    case $candidate in "$root"/.venv/*) continue ;; esac
    if is_usable_python "$candidate"; then echo "$candidate"; return; fi
  done < <(type -aP python3 python3.14 python3.13 python3.12 python3.11 python3.10)
  return 1
}

# What Debian splits off its own Python: the headers and the bootstrap of a virtual environment.
complete_debian_python() {
  local version
  version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  if [ "$("$1" -c 'import sys; print(sys.base_prefix)')" = /usr ]; then
    install_packages "python$version-venv" "python$version-dev"
  else
    "$1" -c 'import os, sysconfig as s, sys; sys.exit(not os.path.exists(s.get_path("include") + "/Python.h"))' ||
      fail "$1 comes without Python.h; install its development files or set PYTHON to another one"
  fi
}

mkdir -p .cache
exec 9>.cache/setup.lock
flock 9

packages=(g++ make libc6-dev libxtensor-dev libgtest-dev libgmock-dev libmpfr-dev)
[ $with_bench -eq 0 ] || packages+=(libbenchmark-dev)
install_packages "${packages[@]}"
if [ $with_clang -eq 1 ]; then
  clang_packages=(clang-19 libomp-19-dev libclang-rt-19-dev)
  if command -v clang++-19 >/dev/null || apt-cache show clang-19 >/dev/null 2>&1 ||
    { command -v apt-get >/dev/null && as_root apt-get update -qq && apt-cache show clang-19 >/dev/null 2>&1; }; then
    install_packages "${clang_packages[@]}"
  else
    say "this system offers no clang-19; the Clang and fuzz runs will be reported as skipped"
  fi
fi

# The environment. It is made anew when the repository moved or its interpreter is gone.
stamps=.venv/stamps
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1
is_environment_current() {
  [ "$(cat $stamps/root 2>/dev/null)" = "$root" ] &&
    { [ -z "${PYTHON:-}" ] || [ "$(cat $stamps/python)" = "$PYTHON" ]; } &&
    .venv/bin/python -c 'import pip' >/dev/null 2>&1
}
if ! is_environment_current; then
  if [ -n "${PYTHON:-}" ]; then
    is_usable_python "$PYTHON" || fail "PYTHON=$PYTHON is no Python >= 3.10"
    python=$PYTHON
  else
    python=$(find_python) || { install_packages python3; python=$(find_python); } ||
      fail "no Python >= 3.10 on PATH"
  fi
  complete_debian_python "$python"
  say "making .venv with $python"
  rm -rf .venv
  "$python" -m venv .venv
  mkdir -p $stamps
  echo "$root" >$stamps/root
  echo "$python" >$stamps/python
fi
venv=$root/.venv

digest() { sha256sum | cut -d ' ' -f 1; }
is_current() { [ "$(cat "$stamps/$1" 2>/dev/null)" = "$2" ]; }

requirements=$(.venv/bin/python scripts/requirements.py)
key=$(digest <<<"$requirements")
if ! is_current requirements "$key"; then
  say "installing the Python packages of pyproject.toml"
  readarray -t wanted <<<"$requirements"
  .venv/bin/python -m pip install -qq "${wanted[@]}"
  echo "$key" >$stamps/requirements
fi
[ $with_build -eq 1 ] || exit 0

# The build. CMake, ninja and Python are the environment's own.
export PATH="$venv/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
key=$(cat pyproject.toml bindings/python/ascemu/_version.py .venv/pyvenv.cfg | digest)
if is_current install "$key" && [ -f build/CMakeCache.txt ]; then
  log=.cache/build.log
  if ! cmake --build build >$log 2>&1; then
    cat $log >&2
    fail "the build failed"
  fi
  platlib=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  cmake --install build --prefix "$platlib" --strip >/dev/null
else
  say "building and installing ascemu in editable mode (build/)"
  if [ -f build/CMakeCache.txt ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" build/CMakeCache.txt; then
    rm -rf build
  fi
  .venv/bin/python -m pip install -q --no-build-isolation --no-deps --editable . \
    --config-settings=build-dir=build \
    --config-settings=cmake.define.ASCEMU_TESTS=ON \
    --config-settings=cmake.define.ASCEMU_WERROR=ON \
    --config-settings=cmake.define.Python_EXECUTABLE="$venv/bin/python"
  echo "$key" >$stamps/install
fi
