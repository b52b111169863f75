#include "atoms/scf/scf_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "atoms/basis/basis_set.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

std::string labelOf(int symmetry, int number) {
  return spinorLabel(Symmetry::fromIndex(symmetry), number + 1);
}

/// The problem, if its basis has functions for every occupied spinor.
const ScfProblem& checked(const ScfProblem& problem) {
  requireCovered(problem.basis, problem.configuration);
  return problem;
}

}  // namespace

ScfField::ScfField(const ScfProblem& problem, FockBuilder& builder, double threshold, ThreadPool& pool)
    : basis_(checked(problem).basis),
      configuration_(problem.configuration),
      builder_(builder),
      pool_(pool),
      c_(problem.speedOfLight),
      bothJAlike_(kindOf(problem.oneElectron).spinFree && treatsBothJAlike(problem.configuration)) {
  const Stopwatch watch;
  prepare(problem, threshold);
  setupSeconds_ = watch.seconds();
  addExtraTerms(problem.extra);
}

void ScfField::prepare(const ScfProblem& problem, double threshold) {
  const int n = symmetries();
  spaces_ = hamiltonianSpaces(basis_, problem.nucleus, problem.oneElectron, c_, threshold, pool_);
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
}

void ScfField::addExtraTerms(const std::vector<OneElectronTerm>& extra) {
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

bool ScfField::startFrom(const StartSpinors& start) {
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
  return true;
}

void ScfField::guess(double nuclearCharge) {
  const RadialGrid grid = guessGrid(basis_);
  pool_.forEach(symmetries(), [&](int a, int) {
    const BlockMatrix screening =
        guessScreening(basis_.symmetries[a], grid, nuclearCharge, configuration_.electrons());
    transformToSpace(spaces_[a], screening, own_[a].work, fock_[a]);
    fock_[a] += spaces_[a].core;
  });
  diagonalise(false);
}

/// Occupied eigenvectors of every symmetry, among those after the negative-energy solutions, of which there
/// is one for each small function.
void ScfField::diagonalise(bool follow) {
  constexpr int kMoreToChooseFrom = 4;
  pool_.forEach(symmetries(), [&](int a, int) {
    if (hasOrbitalsOfNext(a)) return;
    const int needed = occupation(a).needed();
    SpaceOrbitals& o = orbitals_[a];
    if (follow && needed > 0) {
      Eigen::VectorXd energies;
      Eigen::MatrixXd vectors;
      const int count = std::min(needed + kMoreToChooseFrom, spaces_[a].largeSize());
      solvers_[a].solve(fock_[a], spaces_[a].smallSize(), count, energies, vectors);
      chooseByOverlap(a, energies, vectors);
    } else if (occupation(a).isAufbau()) {
      solvers_[a].solve(fock_[a], spaces_[a].smallSize(), needed, o.energies, o.coefficients);
    } else {
      Eigen::VectorXd energies;
      Eigen::MatrixXd vectors;
      solvers_[a].solve(fock_[a], spaces_[a].smallSize(), needed, energies, vectors);
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
bool ScfField::hasOrbitalsOfNext(int a) const {
  if (!bothJAlike_ || a % 2 == 0 || a + 1 >= symmetries()) return false;
  const SymmetryBasis &low = basis_.symmetries[a], &high = basis_.symmetries[a + 1];
  return low.exponents == high.exponents && low.contraction == high.contraction &&
         occupied(a) == occupied(a + 1);
}

void ScfField::chooseByNumber(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors) {
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
void ScfField::chooseByOverlap(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors) {
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
void ScfField::expand(int a) {
  const Eigen::MatrixXd& c = orbitals_[a].coefficients;
  spinors_[a].large.resize(spaces_[a].large.x.rows(), c.cols());
  spinors_[a].small.resize(spaces_[a].small.x.rows(), c.cols());
  product(spaces_[a].large.x, c.topRows(spaces_[a].largeSize()), spinors_[a].large);
  if (spaces_[a].smallSize() > 0) {
    product(spaces_[a].small.x, c.bottomRows(spaces_[a].smallSize()), spinors_[a].small);
  } else {
    spinors_[a].small.setZero();
  }
  const Eigen::MatrixXd occupied = c * spinors_[a].occupation.asDiagonal();
  newDensity_[a].resize(c.rows(), c.rows());
  productNT(occupied, c, newDensity_[a]);
}

void ScfField::buildFock() {
  builder_.build(spinors_, openReduction_, p_, q_);
  pool_.forEach(symmetries(), [&](int a, int) {
    const int open = configuration_.firstOpen(a);
    effectiveFock(spaces_[a], occupation(a), p_[a], open < 0 ? nullptr : &q_[open], orbitals_[a].coefficients,
                  own_[a]);
    fock_[a] = own_[a].effective;
    gradient_[a] = own_[a].gradient;
  });
}

EnergyBreakdown ScfField::energy() const {
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
  const RadialExchangeCorrelation* functional = builder_.exchangeCorrelation();
  if (functional) repulsion -= 0.5 * functional->potential;
  EnergyBreakdown e = coulombBreakdown(kinetic, nuclear, repulsion);
  if (functional) {
    e.add(EnergyPartId::ExchangeCorrelation, functional->energy);
    e.total += functional->energy;
  }
  for (std::size_t t = 0; t < extra.size(); ++t) {
    e.add(extraParts_[t], extra[t]);
    e.total += extra[t];
  }
  return e;
}

void ScfField::densityChange(ScfIteration& step) {
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

std::vector<Eigen::MatrixXd> ScfField::coefficients() const {
  std::vector<Eigen::MatrixXd> all;
  for (const SpaceOrbitals& o : orbitals_) all.push_back(o.coefficients);
  return all;
}

void ScfField::setCoefficients(const std::vector<Eigen::MatrixXd>& coefficients) {
  for (int a = 0; a < symmetries(); ++a) {
    orbitals_[a].coefficients = coefficients[a];
    expand(a);
  }
}

void ScfField::lowerOccupied(double shift) {
  for (int a = 0; a < symmetries(); ++a) {
    const Eigen::MatrixXd& c = orbitals_[a].coefficients;
    if (shift > 0.0 && c.size() > 0) fock_[a] -= shift * c * c.transpose();
  }
}

std::string ScfField::takePlaces() {
  constexpr double kSameSpinor = 0.5;
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
  } else {
    for (int a = 0; a < symmetries(); ++a) expand(a);
  }
  return wrong;
}

void ScfField::finish(ScfResult& result) const {
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
  const RadialExchangeCorrelation* functional = builder_.exchangeCorrelation();
  result.virialRatio =
      -(result.energy.value(EnergyPartId::NuclearAttraction) +
        result.energy.value(EnergyPartId::ElectronRepulsion) + (functional ? functional->virial : 0.0)) /
      momentum;
}

}  // namespace prophet
