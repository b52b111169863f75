#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ranks/join.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/element_jobs.hpp"

namespace prophet {

/// The command line of `cudaprophet batch`.
struct BatchLine {
  std::vector<std::string> words;          ///< input files
  std::string jobsFile;                    ///< more of them; "-": standard input; empty: none
  std::optional<ElementRequest> elements;  ///< jobs without input files
  CommandFiles files;
  std::string output;         ///< JSON lines; empty: a file without a name
  bool keepsLines = true;     ///< false: they are only for resuming, as long as it runs
  bool printsLines = false;   ///< at the end, to standard output
  bool estimateError = true;  ///< of basis sets, where it is not known
  bool properties = false;    ///< lines with densities at the nucleus
  bool differences = false;   ///< print the energy differences among the jobs
  std::string csv;            ///< table at the end; empty: none
  std::string hdf5;           ///< result file; empty: none
  std::string help;
  bool resume = false, retryFailed = false, quiet = false;
  int threads = 0;  ///< 0: not given
  JoinMode mpi = JoinMode::Automatic;
  BackendOptions backend;
};

/// Parses the arguments; only `help` is filled if they ask for it. Throws UsageError.
BatchLine parseBatchLine(const std::vector<std::string>& arguments);

/// The input files of the command line and of its jobs file, which is read here. Throws UsageError if
/// there are neither files nor elements, one is named twice, or an output would replace one.
std::vector<std::string> inputFiles(BatchLine& line);

}  // namespace prophet
