#include "scf/scf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "common/stopwatch.hpp"
#include "integrals/potential_matrix.hpp"
#include "integrals/radial_grid.hpp"
#include "linalg/eigen_solver.hpp"
#include "scf/fock_mixer.hpp"
#include "scf/fock_operator.hpp"
#include "scf/guess.hpp"
#include "scf/symmetry_space.hpp"

namespace prophet {
namespace {

/// The basis, if it has functions for every occupied symmetry.
const BasisSet& requireCovered(const BasisSet& basis, const Configuration& configuration) {
  std::size_t count = 0;
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a) {
    if (configuration.occupiedSpinors(static_cast<int>(a)) > 0) count = a + 1;
  }
  if (count > basis.symmetries.size()) {
    throw Error(
        fmt::format("the configuration occupies {} but the basis ends at {}; add functions or lower the "
                    "occupation",
                    Symmetry::fromIndex(static_cast<int>(count) - 1).label(),
                    basis.symmetries.empty() ? "nothing" : basis.symmetries.back().symmetry.label()));
  }
  return basis;
}

/// All state of one calculation; every array is sized before the first iteration.
class ScfRun {
 public:
  ScfRun(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration, double c,
         FockBuilder& builder, const ScfOptions& options, ThreadPool& pool,
         const std::vector<OneElectronTerm>& extra, const StartSpinors* start)
      : basis_(requireCovered(basis, configuration)),
        configuration_(configuration),
        builder_(builder),
        options_(options),
        pool_(pool),
        c_(c),
        mixer_(options.extrapolation, options.damping) {
    prepare(nucleus);
    addExtraTerms(extra);
    if (!start || !startFrom(*start)) guess(nucleus.charge);
  }

  ScfResult run(const ScfObserver& observer);

 private:
  void prepare(const Nucleus& nucleus);
  void addExtraTerms(const std::vector<OneElectronTerm>& extra);
  bool startFrom(const StartSpinors& start);
  void guess(double nuclearCharge);
  void diagonalise(std::vector<Eigen::MatrixXd>& fock);
  void expand(int a);
  void buildFock();
  EnergyBreakdown energy() const;
  void densityChange(ScfIteration& step);
  bool small(const ScfIteration& step) const;
  void finish(ScfResult& result) const;

  int symmetries() const { return static_cast<int>(basis_.symmetries.size()); }
  int occupied(int a) const {
    return a < static_cast<int>(configuration_.symmetries.size()) ? configuration_.occupiedSpinors(a) : 0;
  }
  SymmetryOccupation occupation(int a) const {
    return a < static_cast<int>(configuration_.symmetries.size()) ? configuration_.symmetries[a]
                                                                  : SymmetryOccupation{};
  }

  const BasisSet basis_;
  const Configuration& configuration_;
  FockBuilder& builder_;
  const ScfOptions& options_;
  ThreadPool& pool_;
  const double c_;
  FockMixer mixer_;

  std::vector<SymmetrySpace> spaces_;
  std::vector<std::vector<Eigen::MatrixXd>> extra_;  ///< [term][symmetry], in the orthonormal basis
  std::vector<EnergyPartId> extraParts_;             ///< of the same terms
  std::vector<OccupiedSpinors> spinors_;
  std::vector<SpaceOrbitals> orbitals_;
  std::vector<BlockMatrix> p_, q_;
  std::vector<Eigen::MatrixXd> fock_, gradient_, density_, newDensity_;
  std::vector<FockScratch> scratch_;
  std::vector<EigenSolver> solvers_;
  Eigen::MatrixXd defect_;
  ScfTimings timings_;
};

void ScfRun::prepare(const Nucleus& nucleus) {
  const Stopwatch watch;
  const std::vector<OneElectronMatrices> matrices = oneElectronMatrices(basis_, nucleus);
  const int n = symmetries();
  spaces_.resize(n);
  pool_.forEach(
      n, [&](int a, int) { spaces_[a] = makeSymmetrySpace(matrices[a], c_, options_.dependencyThreshold); });
  spinors_.resize(n);
  orbitals_.resize(n);
  p_.resize(n);
  q_.resize(n);
  fock_.resize(n);
  gradient_.resize(n);
  density_.resize(n);
  newDensity_.resize(n);
  scratch_.resize(n);
  solvers_.resize(n);
  defect_ = Eigen::MatrixXd::Zero(n, n);
  for (int a = 0; a < n; ++a) {
    const int m = occupied(a);
    if (m > spaces_[a].largeSize()) {
      throw Error(fmt::format("{} has {} occupied spinors but only {} independent functions; add functions",
                              basis_.symmetries[a].symmetry.label(), m, spaces_[a].largeSize()));
    }
    spinors_[a].open = occupation(a).open;
    spinors_[a].occupation.resize(m);
    for (int i = 0; i < m; ++i) spinors_[a].occupation(i) = configuration_.occupation(a, i);
    for (int b = 0; b < n; ++b) {
      if (occupation(a).open && occupation(b).open) defect_(a, b) = configuration_.exchangeDefect(a, b);
    }
  }
  timings_.setup = watch.seconds();
}

void ScfRun::addExtraTerms(const std::vector<OneElectronTerm>& extra) {
  for (const OneElectronTerm& term : extra) {
    if (term.blocks.size() != spaces_.size())
      throw Error(fmt::format("the one-electron term '{}' needs one block for each symmetry of the basis",
                              labelOf(term.part)));
    extraParts_.push_back(term.part);
    std::vector<Eigen::MatrixXd>& matrices = extra_.emplace_back(spaces_.size());
    for (std::size_t a = 0; a < spaces_.size(); ++a) {
      transformToSpace(spaces_[a], term.blocks[a], scratch_[a].work, matrices[a]);
      spaces_[a].core += matrices[a];
    }
  }
}

/// False where the spinors do not fit.
bool ScfRun::startFrom(const StartSpinors& start) {
  const Stopwatch watch;
  const std::size_t n = spaces_.size();
  if (std::min({start.basis.symmetries.size(), start.large.size(), start.small.size()}) < n) return false;
  std::vector<Eigen::MatrixXd> projected(n);
  for (std::size_t a = 0; a < n; ++a) {
    if (start.large[a].cols() != occupied(static_cast<int>(a))) return false;
    projected[a] = projectSpinors(start, static_cast<int>(a), basis_.symmetries[a], spaces_[a]);
    if (projected[a].rows() != spaces_[a].size()) return false;
  }
  for (std::size_t a = 0; a < n; ++a) {
    orbitals_[a].energies = Eigen::VectorXd::Zero(projected[a].cols());
    orbitals_[a].coefficients = std::move(projected[a]);
    expand(static_cast<int>(a));
  }
  timings_.guess = watch.seconds();
  return true;
}

void ScfRun::guess(double nuclearCharge) {
  const Stopwatch watch;
  const auto screening = guessScreening(basis_, nuclearCharge, configuration_.electrons());
  for (int a = 0; a < symmetries(); ++a) {
    transformToSpace(spaces_[a], screening[a], scratch_[a].work, fock_[a]);
    fock_[a] += spaces_[a].core;
  }
  diagonalise(fock_);
  timings_.guess = watch.seconds();
}

/// Occupied eigenvectors of every symmetry: those after the negative-energy solutions, one for each small
/// function.
void ScfRun::diagonalise(std::vector<Eigen::MatrixXd>& fock) {
  pool_.forEach(symmetries(), [&](int a, int) {
    solvers_[a].solve(fock[a], spaces_[a].smallSize(), occupied(a), orbitals_[a].energies,
                      orbitals_[a].coefficients);
    expand(a);
  });
}

/// Orbital coefficients over primitives, and the density in the orthonormal basis.
void ScfRun::expand(int a) {
  const Eigen::MatrixXd& c = orbitals_[a].coefficients;
  spinors_[a].large.noalias() = spaces_[a].large.x * c.topRows(spaces_[a].largeSize());
  spinors_[a].small.noalias() = spaces_[a].small.x * c.bottomRows(spaces_[a].smallSize());
  scratch_[a].work = c * spinors_[a].occupation.asDiagonal();
  newDensity_[a].noalias() = scratch_[a].work * c.transpose();
}

void ScfRun::buildFock() {
  builder_.build(spinors_, defect_, p_, q_);
  pool_.forEach(symmetries(), [&](int a, int) {
    effectiveFock(spaces_[a], occupation(a), basis_.symmetries[a].symmetry.degeneracy(), p_[a], q_[a],
                  orbitals_[a], scratch_[a], fock_[a], gradient_[a]);
  });
}

EnergyBreakdown ScfRun::energy() const {
  double kinetic = 0, nuclear = 0, repulsion = 0;
  std::vector<double> extra(extra_.size(), 0.0);
  for (int a = 0; a < symmetries(); ++a) {
    const Eigen::MatrixXd& d = newDensity_[a];
    const double core = d.cwiseProduct(spaces_[a].core).sum();
    const double attraction = d.cwiseProduct(spaces_[a].nuclear).sum();
    nuclear += attraction;
    kinetic += core - attraction;
    for (std::size_t t = 0; t < extra_.size(); ++t) {
      const double value = d.cwiseProduct(extra_[t][a]).sum();
      extra[t] += value;
      kinetic -= value;
    }
    repulsion += 0.5 * d.cwiseProduct(scratch_[a].closedFock - spaces_[a].core).sum();
    if (!occupation(a).open) continue;
    const auto o = orbitals_[a].coefficients.rightCols(1);
    repulsion -= 0.5 * occupation(a).openElectrons * (o.transpose() * scratch_[a].open * o)(0, 0);
  }
  EnergyBreakdown e = coulombBreakdown(kinetic, nuclear, repulsion);
  for (std::size_t t = 0; t < extra.size(); ++t) {
    e.add(extraParts_[t], extra[t]);
    e.total += extra[t];
  }
  return e;
}

void ScfRun::densityChange(ScfIteration& step) {
  for (int a = 0; a < symmetries(); ++a) {
    const int n = spaces_[a].largeSize(), m = spaces_[a].smallSize();
    if (density_[a].size() == 0) density_[a] = Eigen::MatrixXd::Zero(n + m, n + m);
    density_[a] -= newDensity_[a];
    if (n > 0 && m > 0) {
      step.densityChangeLL =
          std::max(step.densityChangeLL, density_[a].topLeftCorner(n, n).cwiseAbs().maxCoeff());
      step.densityChangeSL =
          std::max(step.densityChangeSL, density_[a].bottomLeftCorner(m, n).cwiseAbs().maxCoeff());
      step.densityChangeSS =
          std::max(step.densityChangeSS, density_[a].bottomRightCorner(m, m).cwiseAbs().maxCoeff());
    }
    density_[a] = newDensity_[a];
  }
}

bool ScfRun::small(const ScfIteration& step) const {
  return step.densityChangeLL < options_.thresholdLL && step.densityChangeSL < options_.thresholdSL &&
         step.densityChangeSS < options_.thresholdSS &&
         std::abs(step.energyChange) < options_.energyThreshold * std::abs(step.energy);
}

ScfResult ScfRun::run(const ScfObserver& observer) {
  ScfResult result;
  const Stopwatch whole;
  double previous = 0.0;
  while (static_cast<int>(result.iterations.size()) < options_.maxIterations) {
    ScfIteration step;
    step.number = static_cast<int>(result.iterations.size()) + 1;
    const Stopwatch fockWatch;
    buildFock();
    timings_.fock += fockWatch.seconds();
    result.energy = energy();
    step.energy = result.energy.total;
    step.energyChange = step.number == 1 ? step.energy : step.energy - previous;
    previous = step.energy;
    densityChange(step);
    for (const Eigen::MatrixXd& g : gradient_) {
      if (g.size() > 0) step.diisError = std::max(step.diisError, g.cwiseAbs().maxCoeff());
    }
    result.iterations.push_back(step);
    if (observer) observer(step);
    result.converged = small(step);
    if (result.converged || !std::isfinite(step.energy)) break;
    mixer_.mix(fock_, gradient_);
    const Stopwatch eigenWatch;
    diagonalise(fock_);
    timings_.eigen += eigenWatch.seconds();
  }
  finish(result);
  result.timings = timings_;
  result.timings.rest = whole.seconds() - timings_.fock - timings_.eigen;
  return result;
}

void ScfRun::finish(ScfResult& result) const {
  const std::vector<BlockMatrix> radius = radialMomentMatrices(basis_, 1);
  double momentum = 0.0;  // <c alpha.p>
  result.symmetries.resize(symmetries());
  for (int a = 0; a < symmetries(); ++a) {
    SymmetrySpinors& s = result.symmetries[a];
    // Expectation values of the last Fock matrix: free of the extrapolation that the eigenvalues came from.
    const Eigen::MatrixXd& c = orbitals_[a].coefficients;
    s.energies = result.converged ? c.cwiseProduct(fock_[a] * c).colwise().sum().transpose().eval()
                                  : orbitals_[a].energies;
    s.occupations = spinors_[a].occupation;
    s.large = spinors_[a].large;
    s.small = spinors_[a].small;
    s.droppedLarge = spaces_[a].large.dropped;
    s.droppedSmall = spaces_[a].small.dropped;
    s.meanRadii =
        (s.large.cwiseProduct(radius[a].LL * s.large) + s.small.cwiseProduct(radius[a].SS * s.small))
            .colwise()
            .sum();
    const int n = spaces_[a].largeSize(), m = spaces_[a].smallSize();
    momentum += 2.0 * newDensity_[a].bottomLeftCorner(m, n).cwiseProduct(spaces_[a].kinetic).sum();
  }
  result.virialRatio = -(result.energy.value(EnergyPartId::NuclearAttraction) +
                         result.energy.value(EnergyPartId::ElectronRepulsion)) /
                       momentum;
}

}  // namespace

ScfResult runScf(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration, double c,
                 FockBuilder& builder, const ScfOptions& options, ThreadPool& pool,
                 const ScfObserver& observer, const std::vector<OneElectronTerm>& extra,
                 const StartSpinors* start) {
  return ScfRun(basis, nucleus, configuration, c, builder, options, pool, extra, start).run(observer);
}

}  // namespace prophet
