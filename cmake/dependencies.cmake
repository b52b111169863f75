# Everything that the program needs beyond the compiler; all of it is in Debian 12 (see tools/packages).
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(NLopt REQUIRED)
# Debian's two packages of NLopt share the name; the one with the C++ algorithms holds all of the other.
if(NOT TARGET NLopt::nlopt)
  add_library(NLopt::nlopt ALIAS NLopt::nlopt_cxx)
endif()
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
# Eigenvalues of sparse matrices, on Eigen; headers only.
find_path(PROPHET_SPECTRA_INCLUDE Spectra/DavidsonSymEigsSolver.h)
if(NOT PROPHET_SPECTRA_INCLUDE)
  message(FATAL_ERROR "Spectra 1.0 was not found (PROPHET_SPECTRA_INCLUDE); Debian: apt-get install libspectra-dev")
endif()
add_library(prophet_spectra INTERFACE)
target_include_directories(prophet_spectra SYSTEM INTERFACE ${PROPHET_SPECTRA_INCLUDE})

find_program(PROPHET_CCACHE ccache)
if(PROPHET_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PROPHET_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${PROPHET_CCACHE})
endif()

# LAPACK's eigensolver for tridiagonal matrices (LAPACKE_dstemr_work), the reference implementation, linked statically:
# no library of 30 MB to map at start-up. It calls nothing of the BLAS but copies, swaps and scalings of vectors, which
# every BLAS may do in several threads at once: no BLAS can spoil an energy. Matrix products are Eigen's (src/core/linalg).
find_path(PROPHET_LAPACKE_INCLUDE lapacke.h PATH_SUFFIXES lapacke)
find_library(PROPHET_LAPACKE NAMES liblapacke.a lapacke)
find_library(PROPHET_LAPACK NAMES liblapack.a lapack PATH_SUFFIXES lapack)
find_library(PROPHET_BLAS NAMES libblas.a blas PATH_SUFFIXES blas)
foreach(part LAPACKE_INCLUDE LAPACKE LAPACK BLAS)
  if(NOT PROPHET_${part})
    message(FATAL_ERROR "LAPACK with its C interface was not found (PROPHET_${part}); Debian: apt-get install liblapacke-dev")
  endif()
endforeach()
add_library(prophet_lapack INTERFACE)
target_include_directories(prophet_lapack SYSTEM INTERFACE ${PROPHET_LAPACKE_INCLUDE})
target_link_libraries(prophet_lapack INTERFACE ${PROPHET_LAPACKE} ${PROPHET_LAPACK} ${PROPHET_BLAS})
# A static LAPACK needs the runtime of its Fortran compiler.
if(PROPHET_LAPACK MATCHES "\\.a$")
  foreach(runtime gfortran quadmath)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${runtime}.a
                    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(IS_ABSOLUTE "${path}")
      target_link_libraries(prophet_lapack INTERFACE ${path})
    else()
      find_library(PROPHET_${runtime} NAMES lib${runtime}.a ${runtime}
                   PATHS /usr/lib/gcc/x86_64-linux-gnu/12 /usr/lib/gcc/x86_64-linux-gnu/13 /usr/lib/gcc/x86_64-linux-gnu/14)
      if(PROPHET_${runtime})
        target_link_libraries(prophet_lapack INTERFACE ${PROPHET_${runtime}})
      endif()
    endif()
  endforeach()
endif()

# ALL is for wheels, which are meant for other systems.
set(PROPHET_STATIC "PROGRAMS" CACHE STRING "Link static libraries of HDF5, libpng and libxc into PROGRAMS, or into ALL (libraries too)")
set_property(CACHE PROPERTY PROPHET_STATIC PROPERTY STRINGS PROGRAMS ALL)

# prophet_static_for_program(TARGET NAME INCLUDE SHARED [STATIC...]): an interface library of an optional dependency. The
# program gets its static libraries where there are some, as nothing is to be mapped at start-up; tests and benchmarks get
# the shared one (libxc alone would make each of them 14 MB larger), and so does what is shared itself (Debian's static ones
# need not be position independent) unless PROPHET_STATIC is ALL.
function(prophet_static_for_program target name include shared)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${include})
  set(isProgram $<STREQUAL:$<TARGET_PROPERTY:NAME>,cudaprophet>)
  if(ARGN AND PROPHET_STATIC STREQUAL "ALL")
    target_link_libraries(${target} INTERFACE ${ARGN})
    # Debian's are made for programs. Their own symbols hidden, and C's streams taken by way of copies, they fit into libraries.
    set(archives ${ARGN})
    list(FILTER archives INCLUDE REGEX "\\.a$")
    list(TRANSFORM archives REPLACE ".*/" "")
    list(JOIN archives ":" archives)
    target_link_options(${target} INTERFACE "-Wl,--exclude-libs,${archives}" -Wl,--wrap=stdout -Wl,--wrap=stderr)
    if(NOT TARGET prophet_streams)
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/streams.cpp CONTENT [[
#include <cstdio>
extern "C" {
extern FILE* __real_stdout;
extern FILE* __real_stderr;
FILE* __wrap_stdout;
FILE* __wrap_stderr;
__attribute__((constructor)) static void copyStreams() {
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
}
]])
      add_library(prophet_streams STATIC ${PROJECT_BINARY_DIR}/generated/streams.cpp)
    endif()
    target_link_libraries(${target} INTERFACE prophet_streams)
    message(STATUS "${name}: ${ARGV4}, in libraries too")
  elseif(ARGN)
    target_link_libraries(${target} INTERFACE "$<${isProgram}:${ARGN}>" "$<$<NOT:${isProgram}>:${shared}>")
    message(STATUS "${name}: ${ARGV4}")
  else()
    target_link_libraries(${target} INTERFACE ${shared})
    message(STATUS "${name}: ${shared} (no usable static library: the program starts some milliseconds later)")
  endif()
endfunction()
