# The compile settings every ring shares, gathered in one interface target.
# Invariant: no setting here may change a value. Contraction is off, fast-math is never on, and the
# instruction set is the portable baseline, so that every build yields the same bits.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

# A convenience only: with ccache on the machine, work trees of the repository share a cache inside it.
find_program(ASCEMU_CCACHE ccache)
mark_as_advanced(ASCEMU_CCACHE)
if(ASCEMU_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_DIR=${PROJECT_SOURCE_DIR}/.cache/ccache" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros
      "${ASCEMU_CCACHE}")
endif()

add_library(ascemu_settings INTERFACE)
add_library(ascemu::settings ALIAS ascemu_settings)
target_include_directories(ascemu_settings INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_features(ascemu_settings INTERFACE cxx_std_20)
target_compile_options(ascemu_settings INTERFACE -Wall -Wextra -ffp-contract=off -fno-fast-math)
# `omp simd` permits vectorising; a loop Clang leaves scalar (as it does under sanitizers) is no fault.
target_compile_options(ascemu_settings INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in `"text" + std::to_string(n)` (GCC bug 105651, mended in 13).
  target_compile_options(ascemu_settings INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  # xtensor 0.24 has partial specialisations that are ambiguous under Clang 19's new default.
  target_compile_options(ascemu_settings INTERFACE
    -fno-relaxed-template-template-args -Wno-deprecated-no-relaxed-template-template-args)
endif()
if(ASCEMU_WERROR)
  target_compile_options(ascemu_settings INTERFACE -Werror)
endif()
if(ASCEMU_SANITIZE)
  target_compile_options(ascemu_settings INTERFACE "-fsanitize=${ASCEMU_SANITIZE}"
                                                   -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ascemu_settings INTERFACE "-fsanitize=${ASCEMU_SANITIZE}")
endif()
if(ASCEMU_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ASCEMU_FUZZ needs Clang; use the 'fuzz' preset")
  endif()
  target_compile_options(ascemu_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
