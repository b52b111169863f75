#pragma once
#include <string>
#include <vector>

#include "operations/energies/compared_result.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// What the difference of two energies of one element is.
enum class DifferenceKind {
  Ionisation,  ///< E(fewer electrons) - E(more)
  Affinity,    ///< E(fewer electrons) - E(more), positive where the additional electrons are bound
  Excitation,  ///< E(second) - E(first), the same charge and another configuration
  Plain        ///< E(second) - E(first): of different settings, or the same state
};

/// Where there are none.
inline constexpr const char* kNoDifferences =
    "no energy differences: no two converged results are states of one element with neighbouring charges";

/// The difference of two results of one element, hartree.
struct EnergyDifference {
  DifferenceKind kind = DifferenceKind::Plain;
  ComparedResult from, to;  ///< the value is energy(to) - energy(from)
  std::string name;         ///< "ionisation energy of Na (3s)"
  double total = 0;
  /// That of `total`: both energies lie above their limits by their own errors, so that the difference is off
  /// by the larger one at most. Absent where one is not known.
  std::optional<double> error;
  /// density(to) - density(from) at the nucleus, electrons/bohr^3, and the same of dE/d<r^2>,
  /// hartree/bohr^2: the field shift of the transition for a change of <r^2>. Where both results have them.
  std::optional<WithError> density, energySlope;
  std::vector<std::pair<std::string, double>> parts;  ///< those that both have
  /// For an ionisation between ground configurations: NIST's energy between the lowest levels, eV, with its
  /// uncertainty where the database has one, and "measured", "semi-empirical" or "theoretical".
  std::optional<WithError> experiment;
  std::string experimentKind;
  std::vector<std::string> notes;  ///< why the two may not be comparable
};

/// `second` against `first`: one electron fewer is an ionisation of the first, one more its affinity, the
/// same charge an excitation; with any setting that differs it is none of these. All states
/// are averages of configurations. Throws Error for results of different elements.
EnergyDifference differenceOf(const ComparedResult& first, const ComparedResult& second);

/// The differences among results that only differ in charge and configuration, by element: for each charge
/// the excitations from its lowest state, then from charge to charge the ionisations from the lowest state to
/// every one with an electron less; of negative charges the affinities between the lowest states. States that
/// did not converge or are not bound are left out.
std::vector<EnergyDifference> differencesAmong(const std::vector<ComparedResult>& results);

/// What all these differences are, as a line to stand below a table of them.
std::string whatDifferencesAre(const std::vector<EnergyDifference>& differences);

/// Blocks of text with both states, hartree, eV and cm^-1 (CODATA 2022), part by part; digits as the errors
/// let stand.
std::string differenceText(const EnergyDifference& difference);
/// "7.8 eV +- 0.2; NIST 7.9024 eV": of the lines that a report begins with.
std::string shortText(const EnergyDifference& difference);
/// One line for each difference, with a heading and the line that says what they are.
std::string differenceTable(const std::vector<EnergyDifference>& differences);
/// Name, kind, from, to, hartree, eV, cm^-1, the error in hartree, the density at the nucleus and the field
/// shift (MHz/fm^2), each with its error; not a number where something is not known.
Table differenceColumns(const std::vector<EnergyDifference>& differences);

/// Spin-orbit splittings of open shells that need no note, hartree (0.1 eV).
inline constexpr double kSmallSplitting = 0.1 / 27.211386;

/// The configuration of lowest energy of those whose shells `split` ("6p") have their electrons in single
/// spinors, j = l - 1/2 filled first: "[Xe] 4f14 5d10 6s2 6p1/2:2 6p3/2:3". The configuration itself where no
/// such shell is open. Throws ConfigurationError.
std::string lowestJjConfiguration(const std::string& configuration, const std::vector<std::string>& split);

/// A note on each difference of which a state has an open shell, averaged over both j, with a spin-orbit
/// splitting above kSmallSplitting: what the lowest jj configurations give instead, one line each. Computes
/// the energies of these atoms (Dirac-Coulomb, in sets of its own: tens of milliseconds each).
std::string couplingNotes(const std::vector<EnergyDifference>& differences);

}  // namespace prophet
