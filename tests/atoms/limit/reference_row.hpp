#pragma once
#include <string>
#include <vector>

#include "atoms/atom/nucleus.hpp"

namespace prophet::test {

/// A row of basis_sets/reference/numerical_energies.csv.
struct ReferenceRow {
  int z = 0;
  std::string symbol, configuration, nucleusName;
  Nucleus nucleus;
  double speedOfLight = 0, energy = 0, error = 0;
};

std::vector<ReferenceRow> readReferenceRows();

/// A row of basis_sets/reference/orbital_energies.csv.
struct ReferenceSpinor {
  std::string symbol, label, nucleusName;  ///< "2s" where the file says so, "2p1/2"
  Nucleus nucleus;
  double speedOfLight = 0, energy = 0;
};

std::vector<ReferenceSpinor> readReferenceSpinors();

}  // namespace prophet::test
