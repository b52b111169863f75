# Everything that the program needs beyond the compiler; all of it is in Debian 12 (see tools/packages).
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 3.3 REQUIRED NO_MODULE)

find_program(PROPHET_CCACHE ccache)
if(PROPHET_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PROPHET_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${PROPHET_CCACHE})
endif()

# The serial OpenBLAS, linked statically: no thread pool of its own, no 30 MB library to map at start-up.
# Parallelism is ours, one level up, over symmetries and calculations.
find_library(PROPHET_OPENBLAS NAMES libopenblas.a openblas
             PATH_SUFFIXES openblas-serial
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial /usr/lib/openblas-serial
             NO_DEFAULT_PATH)
if(NOT PROPHET_OPENBLAS)
  find_library(PROPHET_OPENBLAS NAMES openblas REQUIRED)
endif()
find_library(PROPHET_GFORTRAN NAMES libgfortran.a gfortran
             PATHS /usr/lib/gcc/x86_64-linux-gnu/12 /usr/lib/gcc/x86_64-linux-gnu/13 /usr/lib/gcc/x86_64-linux-gnu/14)
add_library(prophet_lapack INTERFACE)
# The Fortran part of LAPACK needs its compiler's runtime.
find_library(PROPHET_QUADMATH NAMES libquadmath.a quadmath
             PATHS /usr/lib/gcc/x86_64-linux-gnu/12 /usr/lib/gcc/x86_64-linux-gnu/13 /usr/lib/gcc/x86_64-linux-gnu/14)
set(PROPHET_FORTRAN_RUNTIME)
foreach(runtime ${PROPHET_GFORTRAN} ${PROPHET_QUADMATH})
  if(runtime)
    list(APPEND PROPHET_FORTRAN_RUNTIME ${runtime})
  endif()
endforeach()
# Its work buffers are not safe between threads by themselves (src/linalg/blas_buffers.cpp), and it does not know newer
# processors (src/linalg/blas_kernels.cpp). Each of the two libraries needs the other, which CMake must know to name them in an order that links.
if(PROPHET_OPENBLAS MATCHES "\\.a$")
  add_library(prophet_openblas STATIC IMPORTED)
  add_library(prophet_blas_support STATIC ${PROJECT_SOURCE_DIR}/src/linalg/blas_buffers.cpp
              ${PROJECT_SOURCE_DIR}/src/linalg/blas_kernels.cpp)
  set_target_properties(prophet_openblas PROPERTIES IMPORTED_LOCATION ${PROPHET_OPENBLAS}
                        INTERFACE_LINK_LIBRARIES "prophet_blas_support;${PROPHET_FORTRAN_RUNTIME}")
  target_link_libraries(prophet_blas_support PUBLIC prophet_openblas Threads::Threads)
  target_link_libraries(prophet_lapack INTERFACE prophet_openblas)
  target_link_options(prophet_lapack INTERFACE -Wl,--wrap=blas_memory_alloc,--wrap=blas_memory_free,--undefined=prophet_blas_kernels)
else()
  target_link_libraries(prophet_lapack INTERFACE ${PROPHET_OPENBLAS} ${PROPHET_FORTRAN_RUNTIME})
endif()
