#pragma once
#include <cstdlib>

#include "core/common/error.hpp"
#include "matter/structure/structure.hpp"
#include "scratch_path.hpp"

/// Reads the data as a file of atoms with this ending; ends the program where a frame names a kind that it
/// lacks.
inline int readFrames(const std::uint8_t* data, std::size_t size, const char* ending) {
  try {
    const auto frames = prophet::openFrames(scratchPath(data, size, ending));
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
