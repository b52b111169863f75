#pragma once
#include <boost/program_options.hpp>
#include <optional>
#include <string>

#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"

namespace prophet {

/// The command line of `cudaprophet FILE.inp`.
struct CommandLine {
  std::string file;       ///< "-": standard input; of a job without a file what it is called
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

/// Options of an energy or a limit, whether from a file or from the command line itself.
boost::program_options::options_description resultOptions();

/// Reads those and their files. Throws UsageError.
CommandLine readResultOptions(const boost::program_options::variables_map& values);

/// --backend and --device, for a service.
BackendOptions backendOf(const CommandLine& line);

/// Parses the arguments. Throws UsageError, naming the offending option.
CommandLine parseCommandLine(int argc, const char* const* argv);

}  // namespace prophet
