#pragma once
#include <cstdio>
#include <string>

namespace prophet {

/// Writes to standard output, shown at once: a long run can be followed and a killed one has lost nothing.
inline void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace prophet
