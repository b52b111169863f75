#pragma once
#include <filesystem>
#include <map>

namespace prophet {

/// Energy of second order of the valence (valenceOf), or with the outer core (coreValenceOf), of a neutral
/// atom at the numerical limit, hartree.
struct SecondOrderLimit {
  double energy = 0, estimatedError = 0;
};

/// The limits shipped with the program by nuclear charge, second-order.csv beside the collections of basis
/// sets: ground configurations, Gaussian nuclei, Dirac-Coulomb (studies/second-order-table). Elements without
/// such an energy are not there. `basisSets`: folder of the collections; empty: where they are installed; a
/// folder without the table has none. Throws Error for a table that is not as expected.
std::map<int, SecondOrderLimit> readSecondOrderLimits(const std::filesystem::path& basisSets = {});
/// The same with the outer core, core-valence-limits.csv.
std::map<int, SecondOrderLimit> readCoreValenceLimits(const std::filesystem::path& basisSets = {});

}  // namespace prophet
