# HDF5 is optional: PROPHET_HDF5=AUTO has result files (--hdf5, --restart) where HDF5 is found, ON insists, OFF leaves them out.
# Sets PROPHET_HDF5_ENABLED and makes the target prophet_libhdf5. HDF5's shared library maps 35 others and makes every start
# of a program about 4 ms longer.
set(PROPHET_HDF5_ENABLED OFF)

# prophet_hdf5_links(RESULT LIBRARIES...): whether a program that writes a file links and runs with these libraries.
function(prophet_hdf5_links result)
  file(WRITE ${PROJECT_BINARY_DIR}/hdf5_check.cpp "#include <hdf5.h>\nint main() { return H5open() < 0; }\n")
  try_compile(${result} ${PROJECT_BINARY_DIR}/hdf5_check SOURCES ${PROJECT_BINARY_DIR}/hdf5_check.cpp
              CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROPHET_HDF5_INCLUDE}" LINK_LIBRARIES ${ARGN})
  set(${result} ${${result}} PARENT_SCOPE)
endfunction()

if(NOT PROPHET_HDF5 STREQUAL "OFF")
  find_path(PROPHET_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(PROPHET_HDF5_SHARED NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
  find_library(PROPHET_HDF5_STATIC NAMES libhdf5_serial.a libhdf5.a PATH_SUFFIXES hdf5/serial)
  find_library(PROPHET_SZ_STATIC NAMES libsz.a)
  find_library(PROPHET_AEC_STATIC NAMES libaec.a)
  find_library(PROPHET_ZLIB_STATIC NAMES libz.a)
  set(static ${PROPHET_HDF5_STATIC} ${PROPHET_SZ_STATIC} ${PROPHET_AEC_STATIC} ${PROPHET_ZLIB_STATIC} ${CMAKE_DL_LIBS} m)
  if(PROPHET_HDF5_INCLUDE AND PROPHET_HDF5_SHARED)
    if(PROPHET_HDF5_STATIC AND PROPHET_SZ_STATIC AND PROPHET_AEC_STATIC AND PROPHET_ZLIB_STATIC)
      prophet_hdf5_links(PROPHET_HDF5_STATIC_LINKS ${static})
    endif()
    set(PROPHET_HDF5_ENABLED ON)
    if(NOT PROPHET_HDF5_STATIC_LINKS)
      set(static)
    endif()
    prophet_static_for_program(prophet_libhdf5 HDF5 ${PROPHET_HDF5_INCLUDE} ${PROPHET_HDF5_SHARED} ${static})
    target_compile_definitions(prophet_libhdf5 INTERFACE PROPHET_WITH_HDF5)
  elseif(PROPHET_HDF5 STREQUAL "ON")
    message(FATAL_ERROR "PROPHET_HDF5=ON but no HDF5 was found (Debian: apt-get install libhdf5-dev)")
  endif()
endif()
if(NOT PROPHET_HDF5_ENABLED)
  message(STATUS "HDF5: none; the program is built without --hdf5 and --restart (Debian: apt-get install libhdf5-dev)")
endif()
