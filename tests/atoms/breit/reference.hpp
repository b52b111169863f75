#pragma once
#include <string>
#include <vector>

#include "atoms/basis/basis_set.hpp"

namespace prophet::test {

/// One row of breit_energies.csv (its comment lines describe it): energies of the program x2camf, hartree.
struct BreitReference {
  std::string symbol;
  double coulomb = 0, gaunt = 0, breit = 0;
  BasisSet basis;
};
std::vector<BreitReference> readBreitReferences();

/// Even-tempered exponents first * ratio^k of `count` functions for each of the first `symmetries`
/// symmetries.
BasisSet evenTempered(int symmetries, double first, double ratio, int count);

}  // namespace prophet::test
