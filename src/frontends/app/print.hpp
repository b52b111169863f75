#pragma once
#include <string>
#include <vector>

#include "core/common/failure.hpp"

namespace prophet {

/// Standard output does not take what is printed: a full disk, say.
class OutputError : public FailureError {
 public:
  using FailureError::FailureError;
};

/// Writes to standard output, shown at once: a long run can be followed and a killed one has lost nothing.
/// Throws OutputError.
void print(const std::string& text);

/// Prints warnings to standard error, a line each.
void printWarnings(const std::vector<std::string>& warnings);

}  // namespace prophet
