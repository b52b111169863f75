#pragma once
#include <stdexcept>
#include <string>

#include "cudaprophet/version.hpp"

namespace cudaprophet {

/// The exception that every function throws on failure; the text states what can be done.
class CUDAPROPHET_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text);
  Error(const Error&) = default;
  ~Error() override;
};

}  // namespace cudaprophet
