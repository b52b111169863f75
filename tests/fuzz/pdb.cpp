/// Atoms in PDB files.
#include <cstdlib>

#include "core/common/error.hpp"
#include "matter/structure/structure.hpp"
#include "scratch_path.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto frames = prophet::openFrames(scratchPath(data, size, ".pdb"));
    for (int count = 0; count < 100; ++count) {
      const auto frame = frames->next();
      if (!frame) break;
      for (const int kind : frame->kind)
        if (kind < 0 || kind >= static_cast<int>(frame->kinds.size())) std::abort();
    }
  } catch (const prophet::Error&) {
  }
  return 0;
}
