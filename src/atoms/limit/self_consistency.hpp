#pragma once
#include <Eigen/Core>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet::limit {

/// Residual of the Fock equations, for each symmetry as the sum of outer products
/// sum_i n_i residual_i spinor_i^T in an orthonormal basis, which does not depend on signs or on rotations
/// among equally occupied spinors.
struct Residual {
  std::vector<Eigen::MatrixXd> residuals, spinors;  ///< functions x spinors
  std::vector<Eigen::VectorXd> occupations;
  double largest = 0;  ///< norm of the largest residual_i, hartree
};

double innerProduct(const Residual& a, const Residual& b);

/// Pulay's direct inversion in the iterative subspace (Chem. Phys. Lett. 73, 393 (1980)) on the two-electron
/// parts of effective Fock matrices, one for each symmetry.
/// Not the Diis of src/atoms/scf: residuals here are sums of outer products, never formed as matrices (their
/// product would cost n^2 numbers for each symmetry), and nearly parallel ones are told apart by adding to
/// the diagonal instead of cutting off eigenvalues.
class Mixer {
 public:
  explicit Mixer(int depth) : depth_(depth) {}
  /// Adds a pair and returns the combination of all kept that minimises the combined residual.
  std::vector<Eigen::MatrixXd> mix(std::vector<Eigen::MatrixXd> fields, Residual residual);

 private:
  Eigen::VectorXd weights() const;

  int depth_;
  std::deque<std::vector<Eigen::MatrixXd>> fields_;
  std::deque<Residual> residuals_;
  std::deque<std::deque<double>> products_;  ///< products_[i][j], j <= i
};

/// The physical problem, the same at every resolution.
struct FieldProblem {
  Nucleus nucleus;
  Configuration configuration;
  double speedOfLight = 0;            ///< infinite: non-relativistic
  std::vector<RadialOperator> extra;  ///< added to the Dirac operator
  /// Whether they act on the spinors; else they only have expectation values, which the energy does not hold.
  bool extraSelfConsistent = true;
  TwoElectronOperator twoElectronOperator = TwoElectronOperator::Coulomb;  ///< of the self-consistent field
  ChargedShell shell;                              ///< around the atom; one of `extra` is its potential
  std::shared_ptr<const Functional> functional{};  ///< in place of exchange; nullptr: Hartree-Fock
  bool scalar = false;  ///< the equation of Koelling and Harmon in the place of Dirac's

  Components components() const {
    if (scalar) return Components::LargeAndSmallOfBothJ;
    return std::isinf(speedOfLight) ? Components::LargeOnly : Components::LargeAndSmall;
  }
};

struct IterationControl {
  int maxIterations = 100, threads = 1;
  double residualThreshold = 1e-9;  ///< hartree
  double energyThreshold = 1e-14;   ///< relative change between iterations
  Checkpoint checkpoint{};          ///< called before each
  /// Called after each iteration with its number, residual and the residual's threshold; may be empty.
  std::function<void(int, double, double)> observer{};
};

/// How an iteration begins.
struct FieldStart {
  double removed = 0;        ///< electrons that the screening of the Thomas-Fermi potential leaves out
  int dampedIterations = 0;  ///< before DIIS
  double damping = 0;        ///< share of the field before in these
  double levelShift = 0;     ///< by which occupied spinors are lowered in these, hartree
};

/// Outcome at one resolution.
struct FieldSolution {
  bool converged = false;
  int iterations = 0;
  double residual = 0, energyChange = 0;
  EnergyBreakdown energy;
  double exchangeCorrelationVirial = 0;   ///< RadialExchangeCorrelation::virial
  SpinorSet spinors;                      ///< whose squares make the density (RadialBasis::densityOrbitals)
  std::vector<Eigen::VectorXd> energies;  ///< of the occupied spinors: <i|F_i|i>
};

/// Self-consistent field of one atom in one radial basis.
class SelfConsistency {
 public:
  SelfConsistency(const RadialBasis& basis, const FieldProblem& problem, const IterationControl& control);

  /// From the Thomas-Fermi potential.
  FieldSolution solve(const FieldStart& start = {});
  /// From spinors given in this basis (orthonormal).
  FieldSolution solveFrom(SpinorSet spinors, const FieldStart& start = {});

 private:
  struct SymmetryMatrices {
    Symmetry symmetry;
    Eigen::MatrixXd overlap, factor, kinetic, nuclear, oneElectron;
    std::vector<Eigen::MatrixXd> extra;
    Eigen::MatrixXd filter;
    double shift = 0;  ///< in the gap between the continua, below the lowest spinor
  };
  int count() const { return static_cast<int>(matrices_.size()); }
  FieldSolution iterate(const FieldStart& start);
  void lowerOccupied(double shift, std::vector<Eigen::MatrixXd>& fields) const;
  double residualThreshold() const;
  std::vector<Eigen::MatrixXd> effectiveFields(const Fields& fields) const;
  void diagonalise(const std::vector<Eigen::MatrixXd>& fields);
  bool hasOrbitalsOfNext(int symmetry) const;
  void checkGap(const std::vector<Eigen::MatrixXd>& fields) const;
  SpinorSet densityOrbitals() const;
  EnergyBreakdown energyOf(const Fields& fields, const SpinorSet& dense) const;
  Residual residualOf(const std::vector<Eigen::MatrixXd>& fields) const;
  std::vector<Eigen::VectorXd> canonical(const std::vector<Eigen::MatrixXd>& fields);

  const RadialBasis& basis_;
  FieldProblem problem_;
  IterationControl control_;
  MeanField meanField_;
  bool strongField_;  ///< a spinor may come close to the negative-energy continuum
  std::vector<SymmetryMatrices> matrices_;
  SpinorSet spinors_;
};

}  // namespace prophet::limit
