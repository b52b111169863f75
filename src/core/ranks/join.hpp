#pragma once
#include <memory>
#include <string>

#include "core/ranks/ranks.hpp"

namespace prophet {

/// --mpi: whether this process works together with others that a launcher started beside it.
enum class JoinMode {
  Automatic,  ///< if the environment says that a launcher started several processes
  On,
  Off
};

/// What a launcher set for this process (src/frontends/app reads it from the environment).
struct Launch {
  int processes = 1;     ///< started together
  std::string variable;  ///< of the environment that says so; empty if none does
};

/// Joins the other processes of `launch` through the MPI library (the file `library`, else
/// libcudaprophet_mpi.so beside the binary, in ../lib, or in the build tree's mpi/), which nothing else
/// loads. A single process is a rank by itself and, unless `mode` is On, loads no MPI. The ranks leave MPI
/// when the result is destroyed; destroy it only where all of them do. Throws Error if several processes
/// were started but cannot join: no MPI in this build, or an MPI that knows nothing of that launcher.
std::unique_ptr<Ranks> joinRanks(JoinMode mode, const Launch& launch = {}, const std::string& library = "");

}  // namespace prophet
