#pragma once

namespace prophet {

/// Exit statuses of the program (README.md).
enum ExitStatus {
  kSuccess = 0,
  kFailure = 1,       ///< a calculation could not be done
  kBadInput = 2,      ///< the command line or an input file is wrong; nothing was computed
  kNotConverged = 3,  ///< a calculation ended without convergence
};

}  // namespace prophet
