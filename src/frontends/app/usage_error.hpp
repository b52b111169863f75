#pragma once
#include "core/common/error.hpp"

namespace prophet {

/// A wrong command line; the program ends with kBadInput.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace prophet
