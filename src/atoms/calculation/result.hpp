#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/atom/wavefunction.hpp"
#include "atoms/calculation/stored_settings.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/limit/limit.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

enum class Status {
  Converged,
  NotConverged,  ///< the iterations passed; the energy is the last one
  Unbound,       ///< the atom does not hold all electrons: an occupied spinor has no negative energy
  Failed         ///< no energy: `reason` says why
};

/// "converged", "not converged", "unbound", "failed".
template <>
const Names<Status>& namesOf();
/// Failed for any other text.
inline Status statusNamed(const std::string& name) {
  return valueNamed<Status>(name).value_or(Status::Failed);
}

/// Something that the user should know beside the numbers. `id` is stable: programs may rely on it
/// (docs/reference/json.md lists all).
struct Warning {
  std::string id;    ///< "near_dependent_functions", ...
  std::string text;  ///< one sentence
};

/// One occupied spinor. Hartree, bohr.
struct Spinor {
  Symmetry symmetry;
  int n = 0;  ///< principal quantum number
  double occupation = 0;
  double energy = 0;
  bool bound = true;  ///< its electrons do not gain energy by leaving
  /// <r>, <r^2>, <1/r>; absent where the method does not give them.
  std::optional<double> meanRadius{}, meanSquareRadius{}, meanInverseRadius{};
  /// Its Breit interaction with all others, of first order and so not in `energy`, of limits alone
  /// (breitShifts has it in a basis).
  std::optional<double> breit{};
  /// "2p1/2".
  std::string label() const { return spinorLabel(symmetry, n - symmetry.l()); }
};

/// How a result came about.
struct Provenance {
  std::string method;           ///< "grid", "stored", "stse", "mtse", "limit"
  std::string backend = "cpu";  ///< or "cuda"
  std::string device = "CPU";   ///< or the name of the GPU
  int threads = 1;
  std::string remark;               ///< such as why a GPU left it to the host; mostly empty
  std::optional<RadialGrid> grid;   ///< of the grid builder
  double storedBytes = 0;           ///< of integrals stored on the CPU
  std::optional<StoredReport> gpu;  ///< of integrals stored on a GPU
};

/// Wall time of one stage.
struct StageTime {
  std::string id;  ///< key in JSON
  double seconds = 0;
};

/// Error of a basis set, E(basis) - E(complete basis), hartree.
struct BasisError {
  double value = 0;
  bool known = false;   ///< from the basis set's file, which knows the limit; else estimated
  double prolapse = 0;  ///< what of it lies below the limit, 0 or more; 0 where known
  /// Each occupied symmetry's part of value and prolapse; empty where known.
  std::vector<double> symmetryErrors{}, symmetryProlapses{};
  double resolution = 0;  ///< estimates smaller than this cannot be told from rounding
};

/// What only the numerical limit has.
struct LimitDetails {
  double estimatedError = 0;  ///< hartree: difference of the two resolutions
  std::vector<LimitResolution> resolutions;
};

/// What became of one calculation, whatever the method and wherever it was computed.
struct Result {
  Status status = Status::Failed;
  std::string reason;  ///< why there is no energy, or none to be trusted; empty if converged
  EnergyBreakdown energy;
  double virialRatio = 0;       ///< -<V>/<c alpha.p>; NaN where there is no virial theorem
  std::vector<Spinor> spinors;  ///< by symmetry s+, p-, p+, ..., ascending in each
  int iterations = 0;
  std::vector<Warning> warnings;
  Provenance provenance;
  std::vector<StageTime> timings;
  /// Coefficients over the basis, where asked for and converged; a service may leave them out.
  std::shared_ptr<const StartSpinors> coefficients;
  /// Radial functions of `spinors`, of every limit, and beside `coefficients`.
  std::shared_ptr<const Wavefunction> wavefunction;
  std::optional<LimitDetails> limit;
  /// dE/d ln zeta of the self-consistent field, hartree: for each symmetry of the basis in the order of its
  /// exponents. Empty unless asked for, converged, on the grid and without QED potentials in the field.
  std::vector<Eigen::VectorXd> exponentGradient;
  std::optional<BasisError> basisError;  ///< of a converged calculation in a basis set, where asked for

  bool ok() const { return status == Status::Converged; }
  /// Seconds of a stage, 0 if it is not listed.
  double seconds(const std::string& stage) const;
};

/// A result without energy.
Result failedResult(const std::string& reason);

/// Status, energy, spinors and iterations of an SCF in this basis.
Result resultOf(const BasisSet& basis, const ScfResult& scf, const ScfOptions& options);

/// Gives a result the status of a field that did not converge, the reason, and a warning.
void markNotConverged(Result& result, const std::string& reason);

/// Warns of a point nucleus so strong that spinors start as r^gamma with gamma below 1/2.
void warnOfNucleus(const AtomProblem& problem, Result& result);

/// Warns, where spinors are kept, that those of an exact two-component Hamiltonian are in another picture
/// than the operators that they are used with.
void warnOfPicture(const AtomProblem& problem, Result& result);

/// Gives a converged result with occupied spinors that are not bound the status that says so, and a warning
/// that names them.
void judgeBinding(Result& result);

/// Breit and QED parts of an energy.
std::vector<EnergyPart> correctionsOf(const EnergyBreakdown& energy);

}  // namespace prophet
