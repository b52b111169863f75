#pragma once
#include <string>

#include "core/common/error.hpp"

namespace prophet {

/// Standard output does not take what is printed: a full disk, say.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// Writes to standard output, shown at once: a long run can be followed and a killed one has lost nothing.
/// Throws OutputError.
void print(const std::string& text);

}  // namespace prophet
