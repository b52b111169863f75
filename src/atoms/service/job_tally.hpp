#pragma once
#include <cstddef>

#include "atoms/calculation/result.hpp"

namespace prophet {

/// How jobs ended.
struct JobTally {
  std::size_t converged = 0, notConverged = 0, unbound = 0, failed = 0;

  void count(Status status) {
    ++(status == Status::Converged      ? converged
       : status == Status::NotConverged ? notConverged
       : status == Status::Unbound      ? unbound
                                        : failed);
  }
};

}  // namespace prophet
