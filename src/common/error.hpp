#pragma once
#include <stdexcept>
#include <string>

namespace prophet {

/// Base of every error that the program raises on purpose. The message says what went wrong and what the user
/// can do about it; it is printed as it is by the application and by nothing else.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace prophet
