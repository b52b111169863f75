#pragma once
#include "core/common/error.hpp"

namespace prophet {

/// A GPU failed or has too little memory: the same work may succeed on the host.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace prophet
