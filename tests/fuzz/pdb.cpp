/// Atoms in PDB files.
#include "frames.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return readFrames(data, size, ".pdb");
}
