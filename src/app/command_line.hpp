#pragma once
#include <optional>
#include <string>

#include "app/backend_options.hpp"
#include "app/command_files.hpp"

namespace prophet {

/// The command line of `cudaprophet FILE.inp`.
struct CommandLine {
  std::string file;       ///< "-": standard input
  std::string inputText;  ///< of an input that is no file and can be read once only
  bool help = false, version = false, check = false, verifyGrid = false, quiet = false, verbose = false;
  bool noErrorEstimate = false;        ///< leave the basis set's error out
  bool resume = false;                 ///< bsopt, chain: go on with an interrupted run
  std::optional<std::string> explain;  ///< group; empty text: all groups
  std::string jsonFile;
  bool properties = false;   ///< in the text report too
  std::string orbitalsFile;  ///< radial functions as CSV
  std::string orbitalGrid;   ///< its radii; empty: the default ones
  std::string hdf5File;      ///< result file to write; empty: none
  std::string restartFile;   ///< result file to start from; empty: none
  CommandFiles files;        ///< all of these
  int threads = 0;
  BackendRequest backend = BackendRequest::Automatic;
  std::optional<int> device;  ///< number of the GPU, where one is named
  std::string helpText;
};

/// --backend and --device, for a service.
BackendOptions backendOf(const CommandLine& line);

/// Parses the arguments. Throws UsageError, naming the offending option.
CommandLine parseCommandLine(int argc, const char* const* argv);

}  // namespace prophet
