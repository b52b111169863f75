#pragma once
#include <exception>

#include "core/common/error.hpp"

namespace prophet {

/// The work cannot be done here or now: a full disk, another run that holds the file, a library that is not
/// installed. Nothing is wrong with what was asked for; the exit status says so.
class FailureError : public Error {
 public:
  using Error::Error;
};

/// Whether an error names what is wrong with the request: an option, a name, a file.
inline bool blamesRequest(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const FailureError&) {
  } catch (const DeviceError&) {
  } catch (const NotConvergedError&) {
  } catch (const Error&) {
    return true;
  } catch (...) {
  }
  return false;
}

/// Exit statuses of the program (README.md).
enum ExitStatus {
  kSuccess = 0,
  kFailure = 1,       ///< anything else: a full disk, no memory, a missing library, parts that failed
  kBadInput = 2,      ///< something is wrong with the request: an option, a name, a file
  kNotConverged = 3,  ///< a calculation ended without convergence
};

/// That of a program that ends with this error.
inline int exitStatusOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const NotConvergedError&) {
    return kNotConverged;
  } catch (...) {
  }
  return blamesRequest(error) ? kBadInput : kFailure;
}

}  // namespace prophet
