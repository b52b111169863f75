#pragma once
#include "core/common/error.hpp"

namespace prophet {

/// The work cannot be done here or now: a full disk, another run that holds the file, a library that is not
/// installed. Nothing is wrong with what was asked for; the exit status says so.
class FailureError : public Error {
 public:
  using Error::Error;
};

}  // namespace prophet
