# Debian packages by CPack (tools/package deb): cudaprophet, and of what was built cudaprophet-cuda and cudaprophet-mpi.
# DEBFULLNAME and DEBEMAIL name the maintainer; without them it is the holder of the licence, who has no address.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The CUDAProphet authors")
set(contact "$ENV{DEBFULLNAME}" "${CPACK_PACKAGE_VENDOR}")
list(FILTER contact EXCLUDE REGEX "^$")
list(GET contact 0 contact)
set(address "$ENV{DEBEMAIL}" "cudaprophet@authors.invalid")
list(FILTER address EXCLUDE REGEX "^$")
list(GET address 0 address)
set(CPACK_PACKAGE_CONTACT "${contact} <${address}>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_files.cmake)
set(CPACK_PROPHET_SOURCE ${PROJECT_SOURCE_DIR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SOURCE cudaprophet)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)

# prophet_debian(COMPONENT PACKAGE DESCRIPTION): its first line is the summary.
set(CPACK_COMPONENTS_ALL "")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
macro(prophet_debian component package description)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}")
endmacro()
set(together "cudaprophet (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
prophet_debian(program cudaprophet
"relativistic electronic structure of atoms
Dirac-Hartree-Fock energies and spinors of atoms and ions, hydrogen to
oganesson, in Gaussian basis sets and at the numerical limit; properties,
X-ray form factors, powder patterns, and tools that make basis sets.
.
The package has the program, the C++ library with its headers, the
library of basis sets, the documents, a man page and completions of shells.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "cudaprophet-cuda, jq, hdf5-tools")
if(PROPHET_CUDA_ENABLED)
  string(REGEX MATCH "^[0-9]+" major "${CMAKE_CUDA_COMPILER_VERSION}")
  prophet_debian(cuda cudaprophet-cuda
"relativistic electronic structure of atoms, on NVIDIA GPUs
The libraries that the program cudaprophet opens when a calculation asks
for a GPU: batches of many atoms, stored integrals, distances, charges and
form factors on meshes. They need NVIDIA's driver for CUDA ${major}; all but
batches and distances also need cuBLAS, cuSOLVER and cuFFT of CUDA ${major}.")
  set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS ${together})
  set(CPACK_DEBIAN_CUDA_PACKAGE_SUGGESTS "nvidia-driver | libcuda1, cuda-libraries-${major}-0")
endif()
if(PROPHET_MPI_ENABLED)
  prophet_debian(mpi cudaprophet-mpi
"relativistic electronic structure of atoms, on several machines
The library that the program cudaprophet opens when mpirun starts it:
batches of atoms and patterns of nanoparticles over several machines.")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS ${together})
  set(CPACK_DEBIAN_MPI_PACKAGE_SUGGESTS openmpi-bin)
endif()
include(CPack)
