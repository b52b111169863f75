#pragma once
#include <string>

namespace prophet {

/// The bytes of a result file: 512 bytes of text, with layout, length and CRC-32 of what follows, and an HDF5
/// file. HDF5 readers skip those 512 bytes (a "user block").
std::string wrapped(const std::string& hdf5);

/// The HDF5 file in the bytes of a result file. `path` names it in errors. Throws Error for another file,
/// another layout, and bytes that are not those that were written.
std::string unwrapped(const std::string& bytes, const std::string& path);

}  // namespace prophet
