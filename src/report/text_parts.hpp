#pragma once
#include <string>

#include "calculation/calculation.hpp"

namespace prophet {

/// A section's title line, with an empty line before it.
std::string textRule(const std::string& title);
/// One line of a section.
std::string keyValue(const std::string& key, const std::string& value);
/// A total energy's parts, hartree, without their corrections beyond Coulomb.
struct CoulombParts {
  double total, kinetic, nuclear, twoElectron;
};
/// Lines of the parts (the two-electron energy without its Breit part) and of the corrections; what is of
/// first order stands by itself, with the sum of everything.
std::string energyPartLines(const CoulombParts& parts, const std::vector<EnergyCorrection>& corrections);
/// "Rn, Z = 86, 86 electrons".
std::string atomName(const Calculation& calculation);
/// Closed and open spinors of each symmetry that has electrons.
std::string occupationTable(const Configuration& configuration);

}  // namespace prophet
