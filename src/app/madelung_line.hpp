#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/backend_options.hpp"
#include "app/command_files.hpp"
#include "madelung/charged_structure.hpp"
#include "madelung/spme_parameters.hpp"

namespace prophet {

/// The command line of `cudaprophet madelung`.
struct MadelungLine {
  std::string help;  ///< to be printed instead of anything else
  std::string file, jsonFile;
  CommandFiles files;
  ChargeSource charges;
  std::optional<bool> mesh;  ///< by particle mesh or by Ewald's sum; empty: by the number of sites
  SpmeRequest request;
  NetCharge netCharge = NetCharge::Refused;
  BackendOptions backend{};
  int threads = 1;
};

/// Throws UsageError.
MadelungLine parseMadelungLine(const std::vector<std::string>& arguments);

}  // namespace prophet
