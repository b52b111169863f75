# How the libraries of src/ and the test programs are made.
add_library(prophet_flags INTERFACE)
target_compile_options(prophet_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
  # gcc 12 warns of copies in std::string that cannot happen (its bug 105651); clang watches the same.
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>"
  # gcc collects its garbage from a gigabyte on, which a unit seldom needs: a seventh of its time.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:--param=ggc-min-heapsize=1000000>
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

# -O1 for what spends no time in loops: half the processor time of a build with -O3. gcc 12 follows there fewer conditions,
# and warns of optional values that are not read where they are empty.
# Under sanitizers -O0, which takes half the time of -O1 there.
set(light -O1)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(light -O0)
endif()
set(PROPHET_LIGHT_OPTIONS $<$<CONFIG:Release>:${light}> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

# prophet_library_headers(TARGET heavy|light): the headers that most sources include, compiled once for each level of
# optimisation; sources with options of their own skip them.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/nothing.cpp CONTENT "int main() {}\n")
function(prophet_library_headers target weight)
  if(NOT TARGET library_headers_${weight})
    add_library(library_headers_${weight} STATIC EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/nothing.cpp)
    target_link_libraries(library_headers_${weight} PRIVATE prophet_flags)
    if(weight STREQUAL "light")
      target_compile_options(library_headers_${weight} PRIVATE ${PROPHET_LIGHT_OPTIONS})
    endif()
    target_precompile_headers(library_headers_${weight} PRIVATE <Eigen/Dense> <algorithm> <filesystem> <fmt/format.h> <functional> <map>
      <memory> <nlohmann/json.hpp> <optional> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM library_headers_${weight})
endfunction()

# prophet_units(TARGET APART source ...): compiles the sources of a target together in units of about PROPHET_UNIT_SIZE bytes.
# APART lists those that cannot be. Sources of the list that the target does not have, because a room or an optional library is left
# out, keep their places: no build compiles sources together that the whole one does not, where their names would meet for the
# first time.
option(PROPHET_UNITY "Compile sources together: half the processor time" ON)
set(PROPHET_UNIT_SIZE 180000 CACHE STRING "Bytes of sources compiled together with PROPHET_UNITY; less makes a change of one source quicker to build")
function(prophet_units target apart)
  if(NOT PROPHET_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(unit 0)
  set(filled 0)
  foreach(source ${ARGN})
    if(source IN_LIST apart)
      continue()
    endif()
    file(SIZE ${CMAKE_CURRENT_SOURCE_DIR}/${source} size)
    math(EXPR filled "${filled} + ${size}")
    if(filled GREATER PROPHET_UNIT_SIZE AND NOT filled EQUAL size)
      math(EXPR unit "${unit} + 1")
      set(filled ${size})
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP unit${unit})
  endforeach()
endfunction()

# prophet_light(TARGET APART source ...): the same, with -O1.
function(prophet_light target apart)
  prophet_units(${target} "${apart}" ${ARGN})
  target_compile_options(${target} PRIVATE ${PROPHET_LIGHT_OPTIONS})
  prophet_library_headers(${target} light)
endfunction()

# prophet_library(NAME LINKS prophet_x ... [EXCEPT c.cpp ...] [APART b.cpp ...]): the static library prophet_NAME of the sources beside
# the CMakeLists.txt that calls it, but those of EXCEPT: a front end.
function(prophet_library name)
  cmake_parse_arguments(ARG "" "" "EXCEPT;LINKS;APART" ${ARGN})
  file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
  list(REMOVE_ITEM sources ${ARG_EXCEPT})
  add_library(prophet_${name} STATIC ${sources})
  target_link_libraries(prophet_${name} PUBLIC prophet_flags ${ARG_LINKS})
  prophet_light(prophet_${name} "${ARG_APART}" ${sources})
endfunction()

# Where the tests find files; a header and no definition on the command line, so that sources that do not need it
# compile alike in every checkout (ccache).
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/test_paths.hpp CONTENT [[#pragma once
#define PROPHET_SOURCE_DIR "@PROJECT_SOURCE_DIR@"
#define PROPHET_BINARY_DIR "@PROJECT_BINARY_DIR@"
#define PROPHET_PROGRAM PROPHET_BINARY_DIR "/cudaprophet"
]] @ONLY)

# The headers that every test includes, compiled once: a third of the processor time of the tests.
function(prophet_test_headers target)
  if(NOT TARGET test_headers)
    add_executable(test_headers EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/nothing.cpp)
    target_link_libraries(test_headers PRIVATE prophet_flags fmt::fmt nlohmann_json::nlohmann_json GTest::gtest_main)
    target_compile_options(test_headers PRIVATE ${PROPHET_LIGHT_OPTIONS})
    target_precompile_headers(test_headers PRIVATE <Eigen/Dense> <gtest/gtest.h> <functional> <memory> <optional> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM test_headers)
endfunction()

# Suites that take more than half a minute of one processor under the address sanitizer (numerical limits, searches for basis sets,
# whole ions, whole processes), label unsanitized: their code is that of other suites, on larger atoms.
set(PROPHET_UNSANITIZED JConfigurations NonrelativisticLimit Limit/NonrelativisticLimits DefaultConfiguration PublishedSets ChainCommand
  ChainJob Methods/ChainJob Chain ThesisChain Collection ComputeLimit Validate ValidateCommand LimitBreit LimitStates LimitJob LimitReport
  LimitQed HydrogenlikeLimit Spectrum Bsopt DefaultBasis BasisError ReferenceEnergies LibraryBatch Mutations NearDependence
  Inputs/Example Backend Wavefunction LimitWavefunctions Limit/ReferenceEnergies Faults CoreValenceLevels ValenceLevels
  IsotopeShifts Calibrate KohnShamLimit KohnSham PairHistogram RespondingFunctions SizedMaker FrontDoor Levels/LevelsOfGrasp Lines
  Virtuals Derivatives Subshells LevelFit AddedFunctions AtomWords Atoms/ClosedShells Calibration Formfactor FunctionalFields
  LennardJonesFluid Levels NuclearDensity Orbitals ParameterOperators Properties RelaxedLines SumRules Tables WithLibxc)
list(JOIN PROPHET_UNSANITIZED "|" PROPHET_UNSANITIZED)

# What the sanitizer presets build: every test program but slow ones and those for GPUs.
add_custom_target(sanitized_tests)

# prophet_test(NAME SOURCES a_test.cpp ... LINKS prophet_x ... [LABELS slow]): the program <build>/tests/NAME_tests. Each suite in
# it is a test of ctest, whose labels are the folder of its source and LABELS.
function(prophet_test name)
  cmake_parse_arguments(ARG "" "LABELS" "SOURCES;LINKS" ${ARGN})
  set(target ${name}_tests)
  add_executable(${target} ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # Of the copies of a template's code the linker takes the first: that of the objects of core's kernels, not that of the tests, which
  # is ten times slower with -O0.
  target_link_libraries(${target} PRIVATE prophet_core_heavy ${ARG_LINKS} GTest::gtest_main GTest::gmock prophet_flags fmt::fmt)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/tests ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${PROPHET_LIGHT_OPTIONS})
  prophet_test_headers(${target})
  math(EXPR PROPHET_UNIT_SIZE "${PROPHET_UNIT_SIZE} / 2")  # names of tests' helpers meet sooner
  prophet_units(${target} "" ${ARG_SOURCES})
  set(timeout 3600)  # of a whole suite, also under sanitizers
  if(ARG_LABELS STREQUAL "slow")
    set(timeout 7200)
  endif()
  if(NOT ARG_LABELS)
    add_dependencies(sanitized_tests ${target})
  endif()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}.cmake)
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${list} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${target}> -D LIST=${list} -D "LABELS=${ARG_LABELS}" -D TIMEOUT=${timeout}
            -D "UNSANITIZED=${PROPHET_UNSANITIZED}" -P ${PROJECT_SOURCE_DIR}/cmake/list_suites.cmake)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}_list.cmake @ONLY CONTENT
"if(EXISTS \"@list@\")
  include(\"@list@\")
else()
  add_test(@target@_NOT_BUILT @target@_NOT_BUILT)
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${target}_list.cmake)
endfunction()
