#pragma once
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/fock/fock_builder.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/convergence.hpp"
#include "atoms/scf/guess.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// How the next Fock matrix is made from the earlier ones; the values are the input language's `ixtrp`.
enum class Extrapolation { None = 0, Fock = 1, Diis = 2 };

struct ScfOptions {
  int maxIterations = 50;
  Extrapolation extrapolation = Extrapolation::Diis;
  double damping = 0.3;       ///< share of the old Fock matrix, for None and Fock
  double thresholdLL = 1e-5;  ///< largest change of a density-matrix element, by block (orthonormal basis)
  double thresholdSL = 1e-7;
  double thresholdSS = 1e-9;
  double energyThreshold = 1e-11;  ///< relative change of the energy
  double dependencyThreshold =
      1e-11;  ///< overlap eigenvalue (unit diagonal) below which a direction is dropped
};

/// One line of the iteration table.
struct ScfIteration {
  int number = 0;
  double energy = 0, energyChange = 0, densityChangeLL = 0, densityChangeSL = 0, densityChangeSS = 0,
         diisError = 0;
};

/// An additional one-electron operator, self-consistent: matrices over the primitives of each symmetry of
/// the basis (LS may be empty), hartree.
struct OneElectronTerm {
  EnergyPartId part = EnergyPartId::External;  ///< which part of the energy its expectation value is
  std::vector<BlockMatrix> blocks;
};

/// Whether an iteration ends a calculation: small changes of density and energy, and a small orbital gradient
/// (`diisError`), because a step may be small only because it was damped: isSmallGradient.
bool isConverged(const ScfIteration& step, const ScfOptions& options);
/// Whether energy and gradient are as good as numbers allow: where the gradient then halves no more, nothing
/// but rounding changes the density, by more than asked for where functions are nearly dependent.
bool isAtRounding(const ScfIteration& step);

/// The occupied spinors of one symmetry after the SCF, ascending in number; columns over primitives.
struct SymmetrySpinors {
  Eigen::VectorXd energies;  ///< of each spinor in its own field, hartree
  Eigen::VectorXd occupations;
  Eigen::VectorXd meanRadii;               ///< <r>, bohr
  Eigen::MatrixXd large, small;            ///< coefficients
  std::vector<SpinorOccupation> places;    ///< number by nodes (from 0), electrons, open or closed
  int droppedLarge = 0, droppedSmall = 0;  ///< near-dependent directions removed

  /// Whether the spinor in this column is bound: its electron does not gain energy by leaving.
  bool bound(int column) const { return energies(column) < 0.0; }
};

/// Something about a calculation that its user should know.
struct ScfRemark {
  std::string id;    ///< "scf_fallback", ...
  std::string text;  ///< a sentence
};

struct ScfTimings {
  double setup = 0, guess = 0, fock = 0, eigen = 0, rest = 0;  ///< seconds
};

struct ScfResult {
  bool converged = false;
  EnergyBreakdown energy;  ///< of a Breit field its repulsion holds the Breit interaction too
  double virialRatio = 0;  ///< -<V>/<c alpha.p>; 1 for a converged point-nucleus atom
  std::vector<ScfIteration> iterations;
  std::vector<SymmetrySpinors> symmetries;
  std::vector<ScfRemark> remarks;
  ScfTimings timings;
};

/// Called after every iteration (may be empty); a core function never prints.
using ScfObserver = std::function<void(const ScfIteration&)>;

/// The atom, basis and Hamiltonian of a self-consistent field.
struct ScfProblem {
  /// At least as many symmetries as the configuration occupies; functions of the others are ignored.
  BasisSet basis;
  Nucleus nucleus;
  Configuration configuration;
  double speedOfLight = 0;  ///< atomic units
  /// Operators added to the Dirac Hamiltonian (QED potentials), one block for each symmetry of `basis`.
  std::vector<OneElectronTerm> extra = {};
  /// Spinors of a similar calculation of the same configuration, which save iterations; nullptr, or spinors
  /// that do not fit the configuration or the basis: the screened-nucleus guess. Thresholds are the same.
  const StartSpinors* start = nullptr;
  /// All but Dirac have spinors without small components (coefficients zero) and no `extra`.
  OneElectronOperator oneElectron = OneElectronOperator::Dirac;
};

/// Self-consistent field of an average of configurations. The spinors found are those that the configuration
/// names by number: within its symmetry each is the eigenvector of that number (above the negative-energy
/// solutions) of the effective Fock matrix (fock_operator.hpp).
///
/// Throws Error if a symmetry has fewer functions than the highest spinor needs, if the energy lies in
/// the negative-energy continuum, or if the requested state was lost. A calculation that does not
/// converge within maxIterations returns with `converged` false.
ScfResult runScf(const ScfProblem& problem, FockBuilder& builder, const ScfOptions& options, ThreadPool& pool,
                 const ScfObserver& observer = {});

/// Whether a one-particle energy (hartree) lies in the negative-energy continuum, below -2c^2: there is no
/// bound state to find.
inline bool isDived(double energy, double c) { return !(energy > -2.0 * c * c); }

/// Throws Error where an occupied spinor is dived; says which, and what the user can do.
void requirePositiveEnergy(const ScfResult& result, double c);

/// Adds a remark where sums of stored integrals round the energy by more than is worth saying.
void remarkOnRounding(ScfResult& result);

/// The spinors of a result as a FockBuilder takes them.
std::vector<OccupiedSpinors> occupiedSpinors(const ScfResult& result);

}  // namespace prophet
