#pragma once
#include <string>
#include <vector>

#include "report/compared_result.hpp"

namespace prophet {

/// What the difference of two energies of one element is.
enum class DifferenceKind {
  Ionisation,  ///< E(fewer electrons) - E(more)
  Affinity,    ///< E(fewer electrons) - E(more), positive where the additional electrons are bound
  Excitation,  ///< E(second) - E(first), the same charge and another configuration
  Plain        ///< E(second) - E(first): other methods, or other elements
};

/// The difference of two results, hartree.
struct EnergyDifference {
  DifferenceKind kind = DifferenceKind::Plain;
  ComparedResult from, to;  ///< the value is energy(to) - energy(from)
  std::string name;         ///< "ionisation energy of Na (3s)"
  double total = 0;
  std::vector<std::pair<std::string, double>> parts;  ///< those that both have
  std::vector<std::string> notes;                     ///< why the two may not be comparable
};

/// `second` against `first`: one electron fewer is an ionisation of the first, one more its affinity, the
/// same charge an excitation. All states are averages of configurations.
EnergyDifference differenceOf(const ComparedResult& first, const ComparedResult& second);

/// The differences among results that only differ in charge and configuration, by element: for each charge
/// the excitations from its lowest state, then from charge to charge the ionisations from the lowest state to
/// every one with an electron less; of negative charges the affinities between the lowest states. States that
/// did not converge or are not bound are left out.
std::vector<EnergyDifference> differencesAmong(const std::vector<ComparedResult>& results);

/// Blocks of text with both states, hartree, eV and cm^-1 (CODATA 2022), part by part.
std::string differenceText(const EnergyDifference& difference);
/// One line for each difference, with a heading.
std::string differenceTable(const std::vector<EnergyDifference>& differences);
/// Comma-separated: name, kind, from, to, hartree, eV, cm^-1.
std::string differenceCsv(const std::vector<EnergyDifference>& differences);

}  // namespace prophet
