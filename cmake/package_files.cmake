# Run by CPack on the staged files of each Debian package: adds what Debian's policy asks for, compresses and moves.
string(TIMESTAMP year "%Y" UTC)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ ${CPACK_PROPHET_SOURCE}/LICENSE licence)
string(REGEX REPLACE "^MIT License\n\nCopyright[^\n]*\n\n" "" licence "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(STRIP "${licence}" licence)
string(REPLACE "\n" "\n " licence "${licence}")
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(documents ${root}/share/doc/${package})
  file(WRITE ${documents}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: cudaprophet

Files: *
Copyright: 2026 ${CPACK_PACKAGE_VENDOR}
License: Expat

License: Expat
 ${licence}
")
  file(WRITE ${documents}/changelog.Debian
"cudaprophet (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) bookworm; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}; changelog.gz of the package cudaprophet lists its changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(REMOVE ${documents}/LICENSE)
  if(EXISTS ${documents}/CHANGELOG.md)
    file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
  endif()
  # Where Debian's zsh looks.
  if(EXISTS ${root}/share/zsh/site-functions)
    file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
  endif()
  file(GLOB plain ${documents}/changelog ${documents}/changelog.Debian ${root}/share/man/man1/*.1)
  execute_process(COMMAND gzip -9n ${plain} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
