# How a ring becomes targets. A ring whose folder holds no sources yet is skipped with a message, so
# that the tree configures at every stage; adding a .cpp file to a globbed folder is enough.

# ascemu_add_ring(NAME PATTERNS... [LINKS targets...] [PRECOMPILED headers...]): static library ascemu_NAME and alias
# ascemu::NAME. The headers that most of its files read are parsed once.
function(ascemu_add_ring name)
  cmake_parse_arguments(RING "" "" "PATTERNS;LINKS;PRECOMPILED" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${RING_PATTERNS})
  list(FILTER sources EXCLUDE REGEX "/(tests|fuzz)/[^/]+$")
  if(NOT sources)
    message(STATUS "ascemu_${name}: no sources yet, skipped")
    return()
  endif()
  add_library(ascemu_${name} STATIC ${sources})
  add_library(ascemu::${name} ALIAS ascemu_${name})
  target_link_libraries(ascemu_${name} PUBLIC ascemu::settings ${RING_LINKS})
  if(RING_PRECOMPILED)
    target_precompile_headers(ascemu_${name} PRIVATE ${RING_PRECOMPILED})
  endif()
endfunction()

# ascemu_add_tests(RING [precompiled headers...]): executable RING_tests over RING/tests/*_test.cpp, one ctest entry per test.
# Every other .cpp file in RING/tests is compiled in as test support.
function(ascemu_add_tests ring)
  if(NOT ASCEMU_TESTS)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/*.cpp")
  if(NOT sources OR NOT TARGET ascemu_${ring})
    message(STATUS "${ring}_tests: no sources yet, skipped")
    return()
  endif()
  add_executable(${ring}_tests ${sources})
  target_link_libraries(${ring}_tests PRIVATE ascemu::${ring} GTest::gtest GTest::gmock GTest::gtest_main)
  # Tests are compiled for quick builds; what they test keeps the optimisation of its ring.
  target_compile_options(${ring}_tests PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
  target_precompile_headers(${ring}_tests PRIVATE <gtest/gtest.h> <string> <vector> ${ARGN})
  gtest_discover_tests(${ring}_tests TEST_PREFIX "${ring}." DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()

# ascemu_add_fuzzers(RING): one libFuzzer executable per RING/fuzz/*_fuzz.cpp.
function(ascemu_add_fuzzers ring)
  if(NOT ASCEMU_FUZZ OR NOT TARGET ascemu_${ring})
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*_fuzz.cpp")
  foreach(source IN LISTS sources)
    get_filename_component(stem "${source}" NAME_WE)
    add_executable(${stem} "${source}")
    target_link_libraries(${stem} PRIVATE ascemu::${ring})
    target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
  endforeach()
endfunction()
