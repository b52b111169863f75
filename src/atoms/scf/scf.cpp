#include "atoms/scf/scf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "atoms/basis/coverage.hpp"
#include "atoms/integrals/potential_matrix.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/fock_mixer.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "atoms/scf/guess.hpp"
#include "atoms/scf/judge_scf.hpp"
#include "atoms/scf/symmetry_space.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

bool isSpinFree(OneElectronOperator kind) {
  Hamiltonian h;
  h.oneElectron = kind;
  return h.isSpinFree();
}

std::string labelOf(int symmetry, int number) {
  return spinorLabel(Symmetry::fromIndex(symmetry), number + 1);
}

/// The problem, if its basis has functions for every occupied spinor.
const ScfProblem& checked(const ScfProblem& problem) {
  requireCovered(problem.basis, problem.configuration);
  return problem;
}

/// Methods to turn to, one after the other, where DIIS does not converge: from the best spinors so far,
/// damped for some iterations and then DIIS anew; spinors are followed by overlap, not by their place in the
/// spectrum.
struct Fallback {
  double damping, levelShift;  ///< the shift lowers occupied spinors, hartree
  int dampedIterations;
  const char* words;
};
constexpr Fallback kFallbacks[] = {{0.5, 0.0, 6, "damping"}, {0.7, 0.5, 10, "damping and a level shift"}};

/// All state of one calculation; every array is sized before the first iteration.
class ScfRun {
 public:
  ScfRun(const ScfProblem& problem, FockBuilder& builder, const ScfOptions& options, ThreadPool& pool)
      : basis_(checked(problem).basis),
        configuration_(problem.configuration),
        builder_(builder),
        options_(options),
        pool_(pool),
        c_(problem.speedOfLight),
        bothJAlike_(isSpinFree(problem.oneElectron) && treatsBothJAlike(problem.configuration)),
        mixer_(options.extrapolation, options.damping) {
    prepare(problem);
    addExtraTerms(problem.extra);
    if (!problem.start || !startFrom(*problem.start)) guess(problem.nucleus.charge);
  }

  ScfResult run(const ScfObserver& observer);

 private:
  void prepare(const ScfProblem& problem);
  void addExtraTerms(const std::vector<OneElectronTerm>& extra);
  bool startFrom(const StartSpinors& start);
  void guess(double nuclearCharge);
  void diagonalise(std::vector<Eigen::MatrixXd>& fock);
  bool hasOrbitalsOfNext(int a) const;
  void expand(int a);
  void buildFock();
  EnergyBreakdown energy() const;
  void densityChange(ScfIteration& step);
  void measure(ScfIteration& step, ScfResult& result);
  void nextSpinors();
  void chooseByNumber(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors);
  void chooseByOverlap(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors);
  bool fallBack(ScfResult& result);
  bool rightState(ScfResult& result);
  void finish(ScfResult& result) const;

  int symmetries() const { return static_cast<int>(basis_.symmetries.size()); }
  int occupied(int a) const { return configuration_.occupiedSpinors(a); }
  const SymmetryOccupation& occupation(int a) const { return configuration_.occupationOf(a); }

  const BasisSet& basis_;
  const Configuration& configuration_;
  FockBuilder& builder_;
  const ScfOptions& options_;
  ThreadPool& pool_;
  const double c_;
  const bool bothJAlike_;  ///< the spinors nl of both j are one orbital
  FockMixer mixer_;

  std::vector<SymmetrySpace> spaces_;
  std::vector<std::vector<Eigen::MatrixXd>> extra_;  ///< [term][symmetry], in the orthonormal basis
  std::vector<EnergyPartId> extraParts_;             ///< of the same terms
  std::vector<OccupiedSpinors> spinors_;
  std::vector<SpaceOrbitals> orbitals_;
  std::vector<BlockMatrix> p_, q_;
  std::vector<SymmetryFock> own_;                 ///< Fock matrices of the present spinors
  std::vector<Eigen::MatrixXd> fock_, gradient_;  ///< what the next spinors are made from
  std::vector<Eigen::MatrixXd> density_, newDensity_;
  std::vector<EigenSolver> solvers_;
  Eigen::MatrixXd openReduction_;
  ScfTimings timings_;

  ConvergenceWatch watch_;
  std::vector<Eigen::MatrixXd> best_;  ///< spinors of the smallest gradient
  std::size_t fallbacks_ = 0;          ///< of kFallbacks in use
  int dampedLeft_ = 0, corrections_ = 0;
  bool follow_ = false;  ///< spinors by overlap with the last ones
};

void ScfRun::prepare(const ScfProblem& problem) {
  const Stopwatch watch;
  const int n = symmetries();
  spaces_ = hamiltonianSpaces(basis_, problem.nucleus, problem.oneElectron, c_, options_.dependencyThreshold,
                              pool_);
  spinors_.resize(n);
  orbitals_.resize(n);
  p_.resize(n);
  q_.resize(n);
  fock_.resize(n);
  gradient_.resize(n);
  density_.resize(n);
  newDensity_.resize(n);
  own_.resize(n);
  solvers_.resize(n);
  openReduction_ = configuration_.openReduction();
  for (int a = 0; a < n; ++a) {
    const SymmetryOccupation& wanted = occupation(a);
    if (wanted.needed() > spaces_[a].largeSize()) {
      throw Error(fmt::format("{} is occupied, but {} has only {} independent functions; add functions",
                              labelOf(a, wanted.needed() - 1), basis_.symmetries[a].symmetry.label(),
                              spaces_[a].largeSize()));
    }
    spinors_[a].occupation.resize(wanted.occupied());
    for (int i = 0; i < wanted.occupied(); ++i) spinors_[a].occupation(i) = wanted.spinors[i].electrons;
    spinors_[a].open = wanted.openPositions();
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
      transformToSpace(spaces_[a], term.blocks[a], own_[a].work, matrices[a]);
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
  const RadialGrid grid = guessGrid(basis_);
  pool_.forEach(symmetries(), [&](int a, int) {
    const BlockMatrix screening =
        guessScreening(basis_.symmetries[a], grid, nuclearCharge, configuration_.electrons());
    transformToSpace(spaces_[a], screening, own_[a].work, fock_[a]);
    fock_[a] += spaces_[a].core;
  });
  diagonalise(fock_);
  timings_.guess = watch.seconds();
}

/// Occupied eigenvectors of every symmetry, among those after the negative-energy solutions, of which there
/// is one for each small function.
void ScfRun::diagonalise(std::vector<Eigen::MatrixXd>& fock) {
  constexpr int kMoreToChooseFrom = 4;
  pool_.forEach(symmetries(), [&](int a, int) {
    if (hasOrbitalsOfNext(a)) return;
    const int needed = occupation(a).needed();
    SpaceOrbitals& o = orbitals_[a];
    if (follow_ && needed > 0) {
      Eigen::VectorXd energies;
      Eigen::MatrixXd vectors;
      const int count = std::min(needed + kMoreToChooseFrom, spaces_[a].largeSize());
      solvers_[a].solve(fock[a], spaces_[a].smallSize(), count, energies, vectors);
      chooseByOverlap(a, energies, vectors);
    } else if (occupation(a).isAufbau()) {
      solvers_[a].solve(fock[a], spaces_[a].smallSize(), needed, o.energies, o.coefficients);
    } else {
      Eigen::VectorXd energies;
      Eigen::MatrixXd vectors;
      solvers_[a].solve(fock[a], spaces_[a].smallSize(), needed, energies, vectors);
      chooseByNumber(a, energies, vectors);
    }
    expand(a);
  });
  for (int a = 0; a < symmetries(); ++a) {
    if (!hasOrbitalsOfNext(a)) continue;
    orbitals_[a] = orbitals_[a + 1];
    expand(a);
  }
}

/// Whether l - 1/2 takes over the orbitals of l + 1/2. Solved for apart, weakly bound open shells (6d of Cm)
/// may go to a state in which they differ.
bool ScfRun::hasOrbitalsOfNext(int a) const {
  if (!bothJAlike_ || a % 2 == 0 || a + 1 >= symmetries()) return false;
  const SymmetryBasis &low = basis_.symmetries[a], &high = basis_.symmetries[a + 1];
  return low.exponents == high.exponents && low.contraction == high.contraction &&
         occupied(a) == occupied(a + 1);
}

void ScfRun::chooseByNumber(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors) {
  const auto& places = occupation(a).spinors;
  SpaceOrbitals& o = orbitals_[a];
  o.energies.resize(occupied(a));
  o.coefficients.resize(vectors.rows(), occupied(a));
  for (int i = 0; i < occupied(a); ++i) {
    o.energies(i) = energies(places[i].number);
    o.coefficients.col(i) = vectors.col(places[i].number);
  }
}

/// Each spinor becomes the eigenvector most like it, the clearest cases first.
void ScfRun::chooseByOverlap(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors) {
  SpaceOrbitals& o = orbitals_[a];
  Eigen::MatrixXd overlap = (o.coefficients.transpose() * vectors).cwiseAbs();
  o.energies.resize(occupied(a));
  for (int left = occupied(a); left > 0; --left) {
    Eigen::Index i = 0, k = 0;
    overlap.maxCoeff(&i, &k);
    o.energies(i) = energies(k);
    o.coefficients.col(i) = vectors.col(k);
    overlap.row(i).setConstant(-1.0);
    overlap.col(k).setConstant(-1.0);
  }
}

/// Orbital coefficients over primitives, and the density in the orthonormal basis.
void ScfRun::expand(int a) {
  const Eigen::MatrixXd& c = orbitals_[a].coefficients;
  spinors_[a].large.resize(spaces_[a].large.x.rows(), c.cols());
  spinors_[a].small.resize(spaces_[a].small.x.rows(), c.cols());
  product(spaces_[a].large.x, c.topRows(spaces_[a].largeSize()), spinors_[a].large);
  if (spaces_[a].smallSize() > 0) {
    product(spaces_[a].small.x, c.bottomRows(spaces_[a].smallSize()), spinors_[a].small);
  } else {
    spinors_[a].small.setZero();
  }
  own_[a].work = c * spinors_[a].occupation.asDiagonal();
  newDensity_[a].resize(c.rows(), c.rows());
  productNT(own_[a].work, c, newDensity_[a]);
}

void ScfRun::buildFock() {
  builder_.build(spinors_, openReduction_, p_, q_);
  pool_.forEach(symmetries(), [&](int a, int) {
    const int open = configuration_.firstOpen(a);
    effectiveFock(spaces_[a], occupation(a), p_[a], open < 0 ? nullptr : &q_[open], orbitals_[a].coefficients,
                  own_[a]);
    fock_[a] = own_[a].effective;
    gradient_[a] = own_[a].gradient;
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
    repulsion += 0.5 * d.cwiseProduct(own_[a].closed - spaces_[a].core).sum();
    for (std::size_t i = 0; i < own_[a].open.size(); ++i) {
      const int column = spinors_[a].open[i];
      const auto o = orbitals_[a].coefficients.col(column);
      repulsion -= 0.5 * spinors_[a].occupation(column) * (o.transpose() * own_[a].open[i] * o)(0, 0);
    }
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
    if (n > 0)
      step.densityChangeLL =
          std::max(step.densityChangeLL, density_[a].topLeftCorner(n, n).cwiseAbs().maxCoeff());
    if (n > 0 && m > 0) {
      step.densityChangeSL =
          std::max(step.densityChangeSL, density_[a].bottomLeftCorner(m, n).cwiseAbs().maxCoeff());
      step.densityChangeSS =
          std::max(step.densityChangeSS, density_[a].bottomRightCorner(m, m).cwiseAbs().maxCoeff());
    }
    density_[a] = newDensity_[a];
  }
}

void ScfRun::measure(ScfIteration& step, ScfResult& result) {
  const double previous = result.energy.total;
  step.number = static_cast<int>(result.iterations.size()) + 1;
  result.energy = energy();
  step.energy = result.energy.total;
  step.energyChange = step.number == 1 ? step.energy : step.energy - previous;
  densityChange(step);
  for (const Eigen::MatrixXd& g : gradient_) {
    if (g.size() > 0) step.diisError = std::max(step.diisError, g.cwiseAbs().maxCoeff());
  }
  watch_.see(std::isfinite(step.energy) ? step.diisError : std::numeric_limits<double>::infinity());
}

void ScfRun::nextSpinors() {
  if (fallbacks_ > 0) {
    const double shift = kFallbacks[fallbacks_ - 1].levelShift;
    for (int a = 0; a < symmetries(); ++a) {
      const Eigen::MatrixXd& c = orbitals_[a].coefficients;
      if (shift > 0.0 && c.size() > 0) fock_[a] -= shift * c * c.transpose();
    }
    if (dampedLeft_ > 0 && --dampedLeft_ == 0) mixer_ = FockMixer(Extrapolation::Diis, 0.0);
  }
  mixer_.mix(fock_, gradient_);
  diagonalise(fock_);
}

/// Goes back to the best spinors and on with the next method; false where there is none.
bool ScfRun::fallBack(ScfResult& result) {
  if (options_.extrapolation != Extrapolation::Diis || best_.empty() || fallbacks_ == std::size(kFallbacks))
    return false;
  const Fallback& next = kFallbacks[fallbacks_++];
  for (int a = 0; a < symmetries(); ++a) {
    orbitals_[a].coefficients = best_[a];
    expand(a);
  }
  follow_ = true;
  dampedLeft_ = next.dampedIterations;
  mixer_ = FockMixer(Extrapolation::None, next.damping);
  watch_.beginAgain();
  result.remarks.push_back(
      {"scf_fallback", fmt::format("DIIS made no progress in iteration {}: went on with {}",
                                   result.iterations.size(), next.words)});
  return true;
}

/// Whether the spinors have the places in the spectra of their own Fock matrices that the configuration gives
/// them. Where not, those that have are taken instead, to iterate again.
bool ScfRun::rightState(ScfResult& result) {
  constexpr double kSameSpinor = 0.5;
  constexpr int kMostCorrections = 2;
  if (!follow_ && configuration_.isAufbau()) return true;  // chosen by number in every iteration
  std::string wrong;
  const std::vector<SpaceOrbitals> found = orbitals_;
  for (int a = 0; a < symmetries(); ++a) {
    if (occupied(a) == 0) continue;
    Eigen::MatrixXd matrix = own_[a].effective, vectors;
    Eigen::VectorXd energies;
    solvers_[a].solve(matrix, spaces_[a].smallSize(), occupation(a).needed(), energies, vectors);
    chooseByNumber(a, energies, vectors);
    for (int i = 0; i < occupied(a); ++i) {
      const double overlap = orbitals_[a].coefficients.col(i).dot(found[a].coefficients.col(i));
      if (overlap * overlap < kSameSpinor) wrong = labelOf(a, occupation(a).spinors[i].number);
    }
  }
  if (wrong.empty()) {
    orbitals_ = found;
    return true;
  }
  if (++corrections_ > kMostCorrections)
    throw Error(fmt::format(
        "the iterations collapse into another state: {} does not keep its place among the spinors "
        "of its symmetry; the configuration may have no state of its own in this basis",
        wrong));
  for (int a = 0; a < symmetries(); ++a) expand(a);
  mixer_ = FockMixer(options_.extrapolation, options_.damping);
  watch_.beginAgain();
  follow_ = false;
  result.remarks.push_back(
      {"scf_other_state", fmt::format("iteration {} reached another state: {} was taken back to its place",
                                      result.iterations.size(), wrong)});
  return false;
}

ScfResult ScfRun::run(const ScfObserver& observer) {
  ScfResult result;
  const Stopwatch whole;
  while (static_cast<int>(result.iterations.size()) < options_.maxIterations) {
    const Stopwatch fockWatch;
    buildFock();
    timings_.fock += fockWatch.seconds();
    ScfIteration step;
    measure(step, result);
    result.iterations.push_back(step);
    if (observer) observer(step);
    const Stopwatch eigenWatch;
    if (isConverged(step, options_)) {
      result.converged = rightState(result);
      if (result.converged) break;
      continue;
    }
    if (watch_.improved()) {
      best_.resize(symmetries());
      for (int a = 0; a < symmetries(); ++a) best_[a] = orbitals_[a].coefficients;
    }
    const bool finite = std::isfinite(step.energy);
    if (!finite || watch_.stalled()) {
      if (fallBack(result)) continue;
      if (!finite) break;
    }
    nextSpinors();
    timings_.eigen += eigenWatch.seconds();
  }
  finish(result);
  if (result.converged) requirePositiveEnergy(result, c_);
  if (builder_.sumsOverPrimitives()) remarkOnRounding(result);
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
    s.energies = result.converged ? c.cwiseProduct(own_[a].effective * c).colwise().sum().transpose().eval()
                                  : orbitals_[a].energies;
    s.occupations = spinors_[a].occupation;
    s.places = occupation(a).spinors;
    s.large = spinors_[a].large;
    s.small = spinors_[a].small;
    s.droppedLarge = spaces_[a].large.dropped;
    s.droppedSmall = spaces_[a].small.dropped;
    s.meanRadii =
        (s.large.cwiseProduct(radius[a].LL * s.large) + s.small.cwiseProduct(radius[a].SS * s.small))
            .colwise()
            .sum();
    if (spaces_[a].size() > 0) momentum += momentumOf(spaces_[a], newDensity_[a]);
  }
  result.virialRatio = -(result.energy.value(EnergyPartId::NuclearAttraction) +
                         result.energy.value(EnergyPartId::ElectronRepulsion)) /
                       momentum;
}

}  // namespace

bool isConverged(const ScfIteration& step, const ScfOptions& options) {
  return step.densityChangeLL < options.thresholdLL && step.densityChangeSL < options.thresholdSL &&
         step.densityChangeSS < options.thresholdSS &&
         std::abs(step.energyChange) < options.energyThreshold * std::abs(step.energy) &&
         isSmallGradient(step.diisError, step.energy);
}

ScfResult runScf(const ScfProblem& problem, FockBuilder& builder, const ScfOptions& options, ThreadPool& pool,
                 const ScfObserver& observer) {
  return ScfRun(problem, builder, options, pool).run(observer);
}

std::vector<OccupiedSpinors> occupiedSpinors(const ScfResult& result) {
  std::vector<OccupiedSpinors> list;
  for (const SymmetrySpinors& s : result.symmetries) {
    OccupiedSpinors& spinors = list.emplace_back();
    spinors.large = s.large;
    spinors.small = s.small;
    spinors.occupation = s.occupations;
    for (int i = 0; i < static_cast<int>(s.places.size()); ++i)
      if (s.places[i].open) spinors.open.push_back(i);
  }
  return list;
}

}  // namespace prophet
