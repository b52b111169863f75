#pragma once
#include <optional>
#include <string>

#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"

namespace prophet {

/// The command line of an input file whose job is none of the catalogue's operations (jobtype='chain').
struct CommandLine {
  std::string file;
  bool quiet = false;
  bool resume = false;  ///< go on with an interrupted run
  std::string jsonFile;
  CommandFiles files;
  int threads = 0;
  BackendOptions backend;
};

}  // namespace prophet
