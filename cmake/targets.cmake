# One static library for each room of src/ (prophet_<room>) and one test program for each room of tests/.
add_library(prophet_flags INTERFACE)
target_compile_options(prophet_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
  # gcc 12 warns of copies in std::string that cannot happen (its bug 105651); clang watches the same.
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>"
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${PROPHET_WERROR}>>:-Werror>)
target_include_directories(prophet_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(prophet_flags INTERFACE Eigen3::Eigen fmt::fmt)

# On a multi-architecture system CMAKE_INSTALL_LIBDIR may be lib/<architecture>; it is lib unless the user says so.
if(NOT DEFINED CMAKE_INSTALL_LIBDIR)
  set(CMAKE_INSTALL_LIBDIR lib)
endif()
include(GNUInstallDirs)
# What the program says about itself; the program and its CUDA and MPI libraries compare it.
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.hpp.in ${PROJECT_BINARY_DIR}/generated/core/common/version.hpp @ONLY)
# A build tree has the basis sets where an installed program and library look for them: beside themselves.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/cudaprophet)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/basis_sets ${PROJECT_BINARY_DIR}/share/cudaprophet/basis_sets SYMBOLIC)

# The headers that most sources include, compiled once; sources with options of their own skip them.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/nothing.cpp CONTENT "int main() {}\n")
function(prophet_library_headers target)
  if(NOT TARGET library_headers)
    add_library(library_headers STATIC EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/nothing.cpp)
    target_link_libraries(library_headers PRIVATE prophet_flags)
    target_precompile_headers(library_headers PRIVATE <Eigen/Dense> <algorithm> <filesystem> <fmt/format.h> <functional> <map>
      <memory> <nlohmann/json.hpp> <optional> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM library_headers)
endfunction()

# prophet_library(NAME LINKS prophet_x ... [EXCEPT c.cpp ...] [APART b.cpp ...])
# makes the static library prophet_NAME of the sources beside the CMakeLists.txt that calls it, but those of EXCEPT.
# APART: sources that cannot be compiled together with the others, because a name is theirs and another one's.
option(PROPHET_UNITY "Compile the sources of a library together, up to sixteen at a time: half the processor time" ON)
set(PROPHET_UNITY_SIZE 16 CACHE STRING "Sources compiled together with PROPHET_UNITY; fewer make a change of one source quicker to build")
function(prophet_library name)
  cmake_parse_arguments(ARG "" "" "EXCEPT;LINKS;APART" ${ARGN})
  file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
  list(REMOVE_ITEM sources ${ARG_EXCEPT})
  add_library(prophet_${name} STATIC ${sources})
  if(PROPHET_UNITY)
    set_target_properties(prophet_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${PROPHET_UNITY_SIZE})
    set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_link_libraries(prophet_${name} PUBLIC prophet_flags ${ARG_LINKS})
  prophet_library_headers(prophet_${name})
endfunction()

# Where the tests find files; a header and no definition on the command line, so that sources that do not need it
# compile alike in every checkout (ccache).
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/test_paths.hpp CONTENT [[#pragma once
#define PROPHET_SOURCE_DIR "@PROJECT_SOURCE_DIR@"
#define PROPHET_BINARY_DIR "@PROJECT_BINARY_DIR@"
]] @ONLY)

# The headers that every test includes, compiled once: a third of the processor time of the tests.
function(prophet_test_headers target)
  if(NOT TARGET test_headers)
    add_executable(test_headers EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/nothing.cpp)
    target_link_libraries(test_headers PRIVATE prophet_flags fmt::fmt nlohmann_json::nlohmann_json GTest::gtest_main)
    target_precompile_headers(test_headers PRIVATE <Eigen/Dense> <gtest/gtest.h> <functional> <memory> <optional> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM test_headers)
endfunction()

# Suites that take minutes under the address sanitizer (numerical limits, searches for basis sets, whole processes), label
# NAME.unsanitized (gtest_discover_tests takes no list of labels): their code is that of other suites, on larger atoms.
set(PROPHET_UNSANITIZED JConfigurations NonrelativisticLimit Limit/NonrelativisticLimits DefaultConfiguration PublishedSets ChainCommand
  ChainJob Methods/ChainJob Chain ThesisChain Collection ComputeLimit Validate ValidateCommand LimitBreit LimitStates LimitJob LimitReport
  LimitQed HydrogenlikeLimit Spectrum Bsopt DefaultBasis BasisError ReferenceEnergies LibraryBatch Mutations NearDependence
  Inputs/Example Backend Wavefunction LimitWavefunctions Limit/ReferenceEnergies Faults)
list(TRANSFORM PROPHET_UNSANITIZED APPEND ".*")
list(JOIN PROPHET_UNSANITIZED ":" PROPHET_UNSANITIZED)

# What the sanitizer presets build: every test program but slow ones and those for GPUs.
add_custom_target(sanitized_tests)

# prophet_test(NAME SOURCES a_test.cpp ... LINKS prophet_x ... [LABELS slow])
# makes the program <build>/tests/NAME_tests and registers every TEST in it with ctest; its label is NAME where no other is given.
function(prophet_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name}_tests ${ARG_SOURCES})
  set_target_properties(${name}_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(${name}_tests PRIVATE ${ARG_LINKS} GTest::gtest_main prophet_flags fmt::fmt)
  target_include_directories(${name}_tests PRIVATE ${PROJECT_BINARY_DIR}/tests ${PROJECT_SOURCE_DIR})
  prophet_test_headers(${name}_tests)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS ${name})
  endif()
  if(NOT ARG_LABELS MATCHES "slow|gpu")
    add_dependencies(sanitized_tests ${name}_tests)
  endif()
  gtest_discover_tests(${name}_tests TEST_FILTER "-${PROPHET_UNSANITIZED}"
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" DISCOVERY_TIMEOUT 60)
  gtest_discover_tests(${name}_tests TEST_FILTER "${PROPHET_UNSANITIZED}"
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}.unsanitized" DISCOVERY_TIMEOUT 60)
endfunction()
