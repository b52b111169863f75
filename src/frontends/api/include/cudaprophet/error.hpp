#pragma once
#include <stdexcept>
#include <string>

#include "cudaprophet/version.hpp"

namespace cudaprophet {

/// What every function throws if it cannot do what was asked; the text says what can be done.
class CUDAPROPHET_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text);
  Error(const Error&) = default;
  ~Error() override;
};

}  // namespace cudaprophet
