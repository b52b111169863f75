#pragma once
#include <string>
#include <vector>

#include "app/backend_options.hpp"
#include "ranks/join.hpp"

namespace prophet {

/// The command line of `cudaprophet batch`.
struct BatchLine {
  std::vector<std::string> words;  ///< input files
  std::string jobsFile;            ///< more of them; "-": standard input; empty: none
  std::string output, help;
  bool resume = false, retryFailed = false, quiet = false;
  int threads = 0;  ///< 0: not given
  JoinMode mpi = JoinMode::Automatic;
  BackendOptions backend;
};

/// Parses the arguments; only `help` is filled if they ask for it. Throws UsageError.
BatchLine parseBatchLine(const std::vector<std::string>& arguments);

/// The input files of the command line and of its jobs file, which is read here. Throws UsageError if
/// there are none, or one is named twice.
std::vector<std::string> inputFiles(const BatchLine& line);

}  // namespace prophet
