#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/nucleus.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// An energy of another program. Energies in hartree.
struct ReferenceEnergy {
  int z = 0;
  std::string configuration;
  Nucleus nucleus;
  double speedOfLight = 0, energy = 0, estimatedError = 0;
  std::string source;  ///< program and method
};

/// The energies shipped with the program, reference/numerical_energies.csv in basisSetFolder(basisSets), in
/// its order. Throws Error with file and line if the file is missing or damaged.
std::vector<ReferenceEnergy> shippedReferenceEnergies(const std::filesystem::path& basisSets = {});

/// The same from a file.
std::vector<ReferenceEnergy> readReferenceEnergies(const std::string& path);

/// What decides between pass and fail; everything is computed and shown either way.
enum class ValidateAgainst {
  Limit,     ///< the energy in the library's basis set against this program's numerical limit
  Reference  ///< this program's numerical limit against the shipped figures of other programs
};

/// Largest relative difference that passes by default: what the default collection promises
/// for its sets, and two digits less than the agreement of two numerical programs.
double defaultThreshold(ValidateAgainst against);

struct ValidationTask {
  std::vector<int> elements;  ///< nuclear charges
  ValidateAgainst against = ValidateAgainst::Limit;
  /// Limit: the model of all nuclei (absent: the one each set was made for). Reference: only figures with it.
  std::optional<NuclearModel> model;
  double threshold = 0;
  std::string collection;           ///< of basis sets; empty: the default one
  std::filesystem::path basisSets;  ///< folder of the collections; empty: where they are installed
  Hamiltonian hamiltonian;          ///< its parts beyond Coulomb are compared beside the energy, for Limit
  int threads = 1;
};

/// One part of the energy beyond Coulomb, hartree.
struct ValidationPart {
  EnergyPartId id = EnergyPartId::Gaunt;
  double basis = 0, limit = 0;
};

/// One comparison. Energies in hartree; differences are relative to the later energy, (E - E')/|E'|.
struct ValidationRow {
  int z = 0;
  std::string configuration;
  Nucleus nucleus;
  double speedOfLight = 0;  ///< of the Dirac Hamiltonian
  OneElectronOperator oneElectron = OneElectronOperator::Dirac;
  std::string basis;                         ///< collection of the set
  int functions = 0;                         ///< large-component functions that the configuration uses
  std::optional<double> basisEnergy, limit;  ///< absent if they failed (see `failure`)
  double limitError = 0;                     ///< estimated, of the limit
  std::optional<ReferenceEnergy> reference;
  std::optional<double> basisMinusLimit, limitMinusReference;
  std::vector<ValidationPart> parts;  ///< of both energies, if the task asks for them
  bool passed = false;
  std::string failure;  ///< why there is no verdict by the threshold: not converged, no set, ...
  std::string note;  ///< what went wrong beside the verdict: the basis set of a comparison with a reference
  double basisSeconds = 0, limitSeconds = 0;
};

/// The rows of a task without energies: one for each element against the limit, one for each shipped figure
/// against the reference (none for elements without). Throws Error if a collection or the figures cannot
/// be read.
std::vector<ValidationRow> planValidation(const ValidationTask& task);

/// Computes a row of the plan. A limit's own estimated error above the threshold fails too, as does a part
/// that differs by more than the threshold times the energy. Errors are reported in `failure`, not
/// thrown.
void validateRow(const ValidationTask& task, ValidationRow& row);

/// Plan and rows, `finished` called after each.
std::vector<ValidationRow> validate(const ValidationTask& task,
                                    const std::function<void(const ValidationRow&)>& finished = {});

/// The text table in pieces, as a run prints it: what is compared with which threshold, one line (two where
/// there is more to say) for each row, and the verdict with the sources of the figures.
std::string validationHead(const ValidationTask& task);
std::string validationLine(const ValidationRow& row);
std::string validationSummary(const ValidationTask& task, const std::vector<ValidationRow>& rows);

/// The table of them, with columns for these parts of the energy, which the rows have in this order.
Table validationColumns(const std::vector<ValidationRow>& rows, const std::vector<EnergyPartId>& parts);
/// All rows with every digit; columns and keys: docs/theory/validation.md.
Record validationRecord(const ValidationTask& task, const std::vector<ValidationRow>& rows);

}  // namespace prophet
