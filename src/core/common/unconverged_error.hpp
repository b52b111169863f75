#pragma once
#include "core/common/error.hpp"

namespace prophet {

/// A calculation ended without convergence, or without a state that means something, and what was asked for
/// cannot be computed from it.
class UnconvergedError : public Error {
 public:
  using Error::Error;
};

}  // namespace prophet
