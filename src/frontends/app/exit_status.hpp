#pragma once

namespace prophet {

/// Exit statuses of the program (README.md).
enum ExitStatus {
  kSuccess = 0,
  kFailure = 1,       ///< anything else: a full disk, no memory, a missing library, parts that failed
  kBadInput = 2,      ///< something is wrong with the request: an option, a name, a file
  kNotConverged = 3,  ///< a calculation ended without convergence
};

}  // namespace prophet
