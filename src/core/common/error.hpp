#pragma once
#include <stdexcept>
#include <string>

namespace prophet {

/// Base of every error that the program raises on purpose. The message says what went wrong and what the user
/// can do about it; only the application prints it, unchanged.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A GPU failed or has too little memory: the same work may succeed on the host.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// A calculation ended without convergence, does not bind its electrons, or ended with what cannot be: there
/// is no result, and other settings may give one. The exit status is that of results that did not converge.
class NotConvergedError : public Error {
 public:
  using Error::Error;
};

}  // namespace prophet
