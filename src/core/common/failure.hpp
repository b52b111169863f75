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

}  // namespace prophet
