#pragma once
#include <optional>
#include <string>
#include <vector>

#include "madelung/charged_structure.hpp"
#include "madelung/spme_parameters.hpp"

namespace prophet {

/// What `cudaprophet madelung` has computed.
struct MadelungResult {
  std::string file;
  ChargedStructure structure;
  std::optional<SpmeParameters> parameters;  ///< of a particle mesh; empty: Ewald's sum
  Electrostatics sums;
  std::string device;              ///< "CPU, 2 threads"
  std::string note;                ///< why not a GPU; may be empty
  double nearest = 0;              ///< bohr
  std::optional<double> constant;  ///< Madelung's; none for a cell with a net charge
  std::vector<std::string> warnings;
};

std::string madelungText(const MadelungResult& result);
/// Keys: docs/madelung.md.
std::string madelungJson(const MadelungResult& result);

}  // namespace prophet
