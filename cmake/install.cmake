# cmake --install: the program, the library with its headers and CMake package, the CUDA and MPI libraries where they are
# built, basis sets and documents. Everything finds the rest relative to its own place, so that the folder can be moved.
# Three components, which are packages of their own (package.cmake): program, cuda and mpi.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)

set(PROPHET_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/cudaprophet)
install(TARGETS cudaprophet RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS prophet_shared EXPORT cudaprophet
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(PROPHET_CUDA_ENABLED)
  install(TARGETS prophet_cuda prophet_cuda_solver LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cuda)
endif()
if(PROPHET_MPI_ENABLED)
  install(TARGETS prophet_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi)
endif()

install(EXPORT cudaprophet NAMESPACE cudaprophet:: FILE cudaprophet-config.cmake DESTINATION ${PROPHET_PACKAGE_FOLDER})
# Before 1.0 a new minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cudaprophet-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cudaprophet-config-version.cmake DESTINATION ${PROPHET_PACKAGE_FOLDER})

install(DIRECTORY basis_sets DESTINATION ${CMAKE_INSTALL_DATADIR}/cudaprophet)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(PROPHET_SHELL_FILES)
  install(FILES ${PROPHET_SHELL_FILES}/cudaprophet.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROPHET_SHELL_FILES}/cudaprophet.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cudaprophet)
  install(FILES ${PROPHET_SHELL_FILES}/_cudaprophet DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/package.cmake)
endif()
