#pragma once
#include <map>
#include <optional>
#include <tuple>

#include "atoms/configurations/excitations.hpp"
#include "atoms/levels/levels.hpp"
#include "operations/catalogue/job_operation.hpp"

namespace prophet {

/// The field of an average of configurations, converged for what is of first order in the errors of its
/// spinors, and what levels in them are made of.
struct LevelSpinors {
  ResolvedJob job;
  LevelSpace space;
  Result result;
  LevelHamiltonian hamiltonian;
  /// With virtual shells: what `space` is made of, and which of its levels are wanted.
  std::optional<ExcitedConfigurations> excited{};
  WantedLevels wanted{};
  /// The same field in a nearly complete basis; empty for the limit, contracted sets, and where that did not
  /// converge.
  std::optional<Result> finer{};

  /// Whether the program chose the basis set, so that properties are those of `finer`.
  bool hasChosenBasis() const { return !job.calculation.isLimit() && job.calculation.inBasis().chosen; }
  /// How many of the configurations were named: the others are excitations.
  std::size_t references() const {
    return excited ? static_cast<std::size_t>(excited->references) : space.configurations.size();
  }
};
/// The configurations that were named, "[He] 2s2 2p2 | [He] 2p4".
std::string referencesText(const LevelSpinors& spinors);

/// Electrons by n, l and 2j (0: of both j) of the shells that have some.
std::map<std::tuple<int, int, int>, int> electronsOf(const std::vector<Shell>& shells);
/// The place of the configuration that a text names: with the same electrons in all shells, else in all open
/// ones, as "4f 5d" has no core; -1: there is none.
int placeOf(const LevelSpace& space, const std::string& text);
/// The ground configuration that NIST has of the atom or ion; empty where it has none.
std::string groundOfExperiment(const LevelSpinors& spinors);

/// The same request of another configuration alone.
AtomRequest withConfiguration(AtomRequest request, std::string text);

/// The job and its space. Throws RequestErrors for Hamiltonians, configurations and excitations that have no
/// levels.
LevelSpinors levelJob(const AtomRequest& request, const Execution& execution);
/// How many levels there are. Throws SettingError where they need more memory than the process may have.
LevelCount requireMemory(const LevelSpinors& spinors);
/// Says their number, the memory and the time where they may take more than ten seconds or a gigabyte.
void announceSize(const LevelCount& count, const Execution& execution);
/// Shows how many of the levels are there, for LevelOptions.
std::function<void(std::size_t done, std::size_t total)> showingLevels(const Execution& execution);
/// Computes the field and virtual spinors, with `finer` if that is wanted (without virtual shells). Throws
/// Error where it does not converge.
void computeField(LevelSpinors& spinors, const Execution& execution, bool finer);

/// Puts what was computed into a record: atom, nucleus, configuration, Hamiltonian, basis set and warnings.
void addField(const LevelSpinors& spinors, Record& record);

/// Throws NotConvergedError where excitations into virtual shells gain what cannot be, however the virtual
/// spinors were made: more than a hartree for each pair of electrons, or a lowest level that is not of the
/// named configurations but has two electrons in virtual shells.
void requireCredible(const LevelSpinors& spinors, const LevelResult& levels);
/// Warnings that the lowest level is not of the named configurations, and that it is not of the ground
/// configuration of experiment, although that is among the configurations. `relaxed`: how configurations get
/// spinors of their own from here, empty where they have them.
std::vector<Warning> warningsOfLowest(const LevelSpinors& spinors, const Level& lowest,
                                      const std::string& relaxed);

/// Warnings of the field; that thresholds next to rounding were met by damping at last is nothing to warn of.
std::vector<Warning> warningsToShow(const LevelSpinors& spinors);

}  // namespace prophet
