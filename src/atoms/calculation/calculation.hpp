#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/default_configuration.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/stored_settings.hpp"
#include "atoms/limit/limit.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

/// A self-consistent field in a Gaussian basis set.
struct BasisMethod {
  BasisSet basis;
  ScfOptions scf;
  FockKind fock = FockKind::Grid;
  MappingKind mapping = MappingKind::OnTheFly;  ///< of stored integrals on a GPU
  /// Spinors of a similar calculation of the same configuration: fewer iterations to the same energy (1e-12
  /// relative). They may be ignored; if they do not lead to convergence, the default guess is taken.
  std::shared_ptr<const StartSpinors> start{};
  bool keepSpinors = false;    ///< whether the result should hold the spinors' coefficients
  bool estimateError = false;  ///< whether the result should state the basis set's error
  /// Whether the result should state dE/d ln zeta (on the host, by the grid; a service may leave it out).
  bool exponentGradient = false;
  /// E(basis) - E(complete basis) where it is known already, hartree: then it is not estimated.
  std::optional<double> knownError{};
  bool chosen = false;  ///< whether the program chose the basis, so that the result is to be the atom's, not
                        ///< the basis's
  std::shared_ptr<const LibraryEntry> named{};  ///< the library's set, where the user named it: for warnings
};

/// The numerical (complete-basis) limit.
struct LimitMethod {
  int maxIterations = 100;            ///< at each resolution
  double residualThreshold = 1e-9;    ///< largest residual of the Fock equations, hartree
  double density = 1;                 ///< of the mesh, as in LimitOptions
  double largestRadius = 0;           ///< bohr, as in LimitOptions
  std::optional<LimitStart> start{};  ///< as in LimitOptions; the state has no error then
};

/// One calculation with nothing left to choose: what, and how.
struct Calculation {
  AtomProblem problem;
  std::variant<BasisMethod, LimitMethod> method = BasisMethod{};
  ConfigurationSource configurationSource = ConfigurationSource::Given;

  bool isLimit() const { return std::holds_alternative<LimitMethod>(method); }
  /// The method of a calculation in a basis set. Throws std::bad_variant_access for a limit.
  const BasisMethod& inBasis() const { return std::get<BasisMethod>(method); }
  BasisMethod& inBasis() { return std::get<BasisMethod>(method); }
  const LimitMethod& limit() const { return std::get<LimitMethod>(method); }
};

/// A problem in a basis set, everything else by default.
Calculation calculationIn(BasisSet basis, AtomProblem problem, ScfOptions scf = {});

/// What is wrong with a calculation that no later stage checks (an exponent that is not positive, say).
/// Throws Error.
void requireSound(const Calculation& calculation);

/// An SCF with stored integrals on another device than the host: what a GPU offers for one calculation.
class StoredSolver {
 public:
  virtual ~StoredSolver() = default;
  /// runScf with stored integrals; same result to rounding. `report` may be null. Throws Error with what the
  /// user can do, DeviceError where the device is to blame.
  virtual ScfResult runStoredScf(const AtomProblem& problem, const BasisMethod& method,
                                 const StoredSettings& settings, const ScfObserver& observer,
                                 StoredReport* report) = 0;
};

}  // namespace prophet
