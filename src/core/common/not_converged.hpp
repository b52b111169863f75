#pragma once
#include "core/common/error.hpp"

namespace prophet {

/// A calculation ended without convergence, does not bind its electrons, or ended with what cannot be: there
/// is no result, and other settings may give one. The exit status is that of results that did not converge.
class NotConvergedError : public Error {
 public:
  using Error::Error;
};

}  // namespace prophet
