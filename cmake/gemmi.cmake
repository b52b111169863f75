# gemmi is optional: PROPHET_GEMMI=AUTO reads PDB and CIF files and has fast Fourier transforms (pocketfft, which gemmi
# brings) where its headers are found, ON insists, OFF leaves them out; transforms are then Eigen's, which are slower.
# Sets PROPHET_GEMMI_ENABLED and makes the target prophet_gemmi.
set(PROPHET_GEMMI "AUTO" CACHE STRING "PDB and CIF files, fast Fourier transforms: AUTO (where gemmi is found), ON or OFF")
set(PROPHET_GEMMI_ENABLED OFF)
if(NOT PROPHET_GEMMI STREQUAL "OFF")
  find_path(PROPHET_GEMMI_INCLUDE gemmi/smcif.hpp)
  find_path(PROPHET_PEGTL_INCLUDE tao/pegtl.hpp)
  if(PROPHET_GEMMI_INCLUDE AND PROPHET_PEGTL_INCLUDE)
    set(PROPHET_GEMMI_ENABLED ON)
    add_library(prophet_gemmi INTERFACE)
    target_include_directories(prophet_gemmi SYSTEM INTERFACE ${PROPHET_GEMMI_INCLUDE} ${PROPHET_PEGTL_INCLUDE})
    target_compile_definitions(prophet_gemmi INTERFACE PROPHET_WITH_GEMMI USE_STD_SNPRINTF=1)  # else it needs stb
    message(STATUS "gemmi: ${PROPHET_GEMMI_INCLUDE}")
  elseif(PROPHET_GEMMI STREQUAL "ON")
    message(FATAL_ERROR "PROPHET_GEMMI=ON but gemmi was not found (Debian: apt-get install gemmi-dev tao-pegtl-dev)")
  endif()
endif()
if(NOT PROPHET_GEMMI_ENABLED)
  message(STATUS "gemmi: none; the program reads no PDB and CIF and has slow Fourier transforms (Debian: apt-get install gemmi-dev tao-pegtl-dev)")
endif()
