#pragma once
#include <string>
#include <vector>

#include "app/backend_options.hpp"
#include "ranks/join.hpp"

namespace prophet {

/// What `cudaprophet batch` was told on its command line.
struct BatchLine {
  std::vector<std::string> words;  ///< input files
  std::string jobsFile;            ///< more of them; "-": standard input; empty: none
  std::string output, help;
  bool resume = false, retryFailed = false, quiet = false;
  int threads = 0;  ///< 0: not said
  JoinMode mpi = JoinMode::Automatic;
  BackendOptions backend;
};

/// Parses the arguments; `help` is all that is filled where they ask for it. Throws UsageError.
BatchLine parseBatchLine(const std::vector<std::string>& arguments);

/// The input files of the command line and of its jobs file, which is read here. Throws UsageError where
/// there are none, or one comes twice.
std::vector<std::string> inputFiles(const BatchLine& line);

}  // namespace prophet
