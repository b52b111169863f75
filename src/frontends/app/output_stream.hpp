#pragma once
#include <string>
#include <vector>

#include "core/common/failure.hpp"

namespace prophet {

/// To be called before any file is opened: a standard stream that the process was started without (`>&-`)
/// would otherwise give its number to the next file, and what is printed would go there. Reading and writing
/// such a stream fails from now on.
void holdStandardStreams();

/// To be called at the end: writes out what is left and returns `status`, or kFailure with a sentence on
/// standard error where some text could not be written and the status would not tell.
int closeStandardStreams(int status);

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

/// Says on standard error why the program ends with that status: "cudaprophet: error: TEXT". Errors of a
/// file, "PATH: error: ...", and of the command line bring their own beginning; what the system says of
/// threads that it does not start is explained.
void complain(int status, const std::string& text);

}  // namespace prophet
