#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/scf/scf.hpp"
#include "bases/optimise/minimiser.hpp"
#include "bases/optimise/variables.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// The frozen fields that searches of one atom weigh the prolapse and the valence in, with tables for their
/// trials: made when first asked for, and kept for all searches that are given them. Not thread-safe.
class SearchFields;
std::shared_ptr<SearchFields> searchFieldsOf(const AtomProblem& problem);

struct ExponentSearchOptions {
  MinimiserMethod method = MinimiserMethod::Lbfgs;  ///< or Slsqp
  double tolerance = 1e-6;    ///< largest derivative (BasisVariables::natural) that counts as zero, hartree
  int maxEvaluations = 5000;  ///< energies with gradient
  /// Most prolapse, as a share of the error against the complete basis; nothing: unbounded. Small sets of
  /// heavy atoms cannot keep a small one (docs/how-to/basis-optimisation.md).
  std::optional<double> prolapse{};
  /// Not 0: instead of a bound, this many times the prolapse is added to the energy; with 1 what is minimised
  /// is what the set lacks.
  double prolapseWeight = 0;
  /// What is added to the energy besides: this many times what the orbital energies of the electrons in these
  /// shells lack, in the frozen field of the complete basis. 0: nothing. Also instead of a bound.
  double valenceWeight = 0;
  std::vector<Shell> valence{};
  /// Whose field that is, filled from the bottom; nothing: the atom's.
  std::optional<Configuration> valenceField{};
  /// Energies in the frozen field of the complete basis (FrozenField) instead of SCFs: good to second order
  /// in what the set lacks, and several times cheaper. Not for holes and excited states.
  bool frozenField = false;
  /// Those of this atom, made for this valenceField where there is one; nullptr: the search makes its own.
  std::shared_ptr<SearchFields> fields{};
  int maxIterations = 50;   ///< of an SCF
  Checkpoint checkpoint{};  ///< called before each energy
};

/// One energy with gradient.
struct ExponentSearchStep {
  int evaluation = 0;
  double energy = 0;    ///< hartree; meaningless unless ok
  double gradient = 0;  ///< largest derivative of what is minimised
  bool ok = false;
  bool curvature = false;  ///< one of the small steps that measure second derivatives
  std::string reason;      ///< why there is no energy
};
using ExponentSearchObserver = std::function<void(const ExponentSearchStep&)>;

struct ExponentSearchResult {
  Eigen::VectorXd variables;
  BasisSet basis;
  double startEnergy = 0, energy = 0;
  double gradient = 0;     ///< largest derivative of what is minimised, hartree
  bool converged = false;  ///< gradient within the tolerance and prolapse within its bound
  int evaluations = 0, failures = 0, rounds = 0;
  int scfIterations = 0;
  /// Against the reference of the frozen field, hartree; absent for holes and excited states.
  std::optional<double> error{}, prolapse{};
  double multiplier = 0;  ///< of the bound: 0 where it does not act
  double seconds = 0;
};

/// Minimises the SCF energy (Coulomb) over the variables of a basis by its gradient, in one thread:
///
/// - The scales of the variables differ by many orders of magnitude, so each round measures the second
///   derivatives by differences of gradients and searches in the coordinates in which they are one: NLopt's
///   first step is then Newton's.
/// - With weights the minimum in the frozen field is found first, and second derivatives are those there.
/// - The prolapse (FrozenField::prolapse, with its gradient) is kept below its share of the error by an
///   augmented Lagrangian; where the bound does not act the result is a minimum of the energy alone.
///
/// Deterministic. Each SCF starts from the spinors of the one before. Configurations that are not filled from
/// the bottom have no frozen field: for them the prolapse must be unbounded. Throws Error if the first energy
/// fails, a method without gradients is asked for, or the Hamiltonian is not Dirac's.
ExponentSearchResult searchExponents(const AtomProblem& problem, const BasisVariables& variables,
                                     const ExponentSearchOptions& options,
                                     const ExponentSearchObserver& observer = {});

}  // namespace prophet
