#include "atoms/limit/mean_field.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "atoms/angular/angular.hpp"
#include "atoms/atom/configuration.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense_kernels.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet::limit {

std::vector<PointSpinors> atPoints(const RadialBasis& basis, const SpinorSet& spinors) {
  std::vector<PointSpinors> all;
  for (int a = 0; a < static_cast<int>(spinors.coefficients.size()); ++a) {
    const auto& c = spinors.coefficients[a];
    all.push_back(
        {basis.largeValues(Symmetry::fromIndex(a), c), basis.smallValues(c), spinors.occupations[a]});
  }
  return all;
}

Eigen::VectorXd densityAtPoints(const PointSpinors& s) {
  return s.large.cwiseAbs2() * s.occupation + s.small.cwiseAbs2() * s.occupation;
}

namespace {

std::vector<ExchangeChannel> hybridChannels(const Functional& functional, int symmetries,
                                            Components components) {
  if (functional.exactExchange() == 0) return {};
  return coulombChannels(symmetries, components);
}

}  // namespace

MeanField::MeanField(const RadialBasis& basis, const Configuration& configuration,
                     std::vector<ExchangeChannel> channels, int threads, bool direct)
    : MeanField(basis, configuration, std::move(channels), threads, direct, nullptr) {}

MeanField::MeanField(const RadialBasis& basis, const Configuration& configuration,
                     std::shared_ptr<const Functional> functional, int threads)
    : MeanField(
          basis, configuration,
          hybridChannels(*functional, static_cast<int>(configuration.symmetries.size()), basis.components),
          threads, true, functional) {}

MeanField::MeanField(const RadialBasis& basis, const Configuration& configuration,
                     std::vector<ExchangeChannel> channels, int threads, bool direct,
                     std::shared_ptr<const Functional> functional)
    : basis_(basis),
      configuration_(configuration),
      symmetries_(static_cast<int>(configuration.symmetries.size())),
      kernel_(basis, largestMultipole(channels)),
      exchange_(basis, kernel_, std::move(channels), symmetries_, threads),
      direct_(direct),
      functional_(std::move(functional)) {
  if (functional_ && functional_->isPolarised()) spinShares_ = openSpinShares(configuration_);
}

Fields MeanField::build(const SpinorSet& spinors) const {
  const std::vector<PointSpinors> all = atPoints(basis_, spinors);
  if (functional_) return buildKohnSham(spinors, all);
  Eigen::VectorXd density = Eigen::VectorXd::Zero(basis_.points);
  for (const auto& s : all) density += densityAtPoints(s);
  const Eigen::VectorXd direct =
      direct_ ? kernel_.potential(0, density) : Eigen::VectorXd::Zero(basis_.points);
  const auto exchange = exchange_.build(all, Eigen::MatrixXd::Ones(symmetries_, symmetries_));
  Fields fields;
  for (int a = 0; a < symmetries_; ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    fields.closed.push_back(basis_.localMatrix(s, direct) - basis_.restrictTo(s, exchange[a]));
  }
  fields.reductions.resize(symmetries_);
  fields.responses.resize(symmetries_);
  for (int a = 0; direct_ && a < symmetries_; ++a) fields.responses[a] = responsesOf(a, all[a]);
  if (configuration_.hasOpenShells()) addReductions(all, configuration_.openReduction(), direct_, fields);
  return fields;
}

/// Adds the density of spinors with the occupations of `s`, and what else the functional needs.
void MeanField::addDensity(int symmetry, const Eigen::MatrixXd& coefficients, const PointSpinors& s,
                           DensityParts& density) const {
  if (coefficients.cols() == 0) return;
  const Eigen::ArrayXd halfOfSquare = 0.5 * basis_.r.array().square().inverse();
  const auto add = [&](const Eigen::MatrixXd& values, const Eigen::MatrixXd& slopes, int l) {
    const Eigen::VectorXd own = values.cwiseAbs2() * s.occupation;
    density.value += own;
    if (!functional_->needsGradient()) return;
    density.slope += 2 * values.cwiseProduct(slopes) * s.occupation;
    if (!functional_->needsKinetic()) return;
    const Eigen::VectorXd radial = (slopes - 1.5 * values).cwiseAbs2() * s.occupation;
    density.kinetic += (halfOfSquare * (radial + l * (l + 1) * own).array()).matrix();
  };
  const bool slopes = functional_->needsGradient();
  const Symmetry kappa = Symmetry::fromIndex(symmetry);
  add(s.large, slopes ? basis_.largeSlopes(kappa, coefficients) : Eigen::MatrixXd(), kappa.l());
  if (basis_.hasSmall())
    add(s.small, slopes ? basis_.smallSlopes(coefficients) : Eigen::MatrixXd(), kappa.lSmall());
}

DensityOnGrid MeanField::densityOf(const SpinorSet& spinors, const std::vector<PointSpinors>& all) const {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(basis_.points);
  DensityParts sum{zero, zero, zero}, down = sum;
  const bool polarised = functional_->isPolarised();
  Eigen::Index open = 0;
  for (int a = 0; a < symmetries_; ++a) {
    addDensity(a, spinors.coefficients[a], all[a], sum);
    if (!polarised) continue;
    PointSpinors ofDown = all[a];
    ofDown.occupation *= 0.5;
    for (const int i : configuration_.symmetries[a].openPositions())
      ofDown.occupation[i] *= 1 - spinShares_[open++];
    addDensity(a, spinors.coefficients[a], ofDown, down);
  }
  DensityOnGrid density{basis_.r, basis_.weight, sum.value, sum.slope, sum.kinetic, {}};
  if (polarised) density.down = std::move(down);
  return density;
}

/// Each symmetry has its matrix, though only a meta-GGA's potential differs between them.
std::vector<Eigen::MatrixXd> MeanField::potentialMatrices(const RadialPotential& potential) const {
  std::vector<Eigen::MatrixXd> matrices;
  Eigen::MatrixXd all;
  for (int a = 0; a < symmetries_; ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    if (a == 0 || potential.kinetic.size() > 0)
      all = basis_.localMatrixOfAll(expandedFor(s.l(), potential), expandedFor(s.lSmall(), potential));
    matrices.push_back(basis_.restrictTo(s, all));
  }
  return matrices;
}

Fields MeanField::buildKohnSham(const SpinorSet& spinors, const std::vector<PointSpinors>& all) const {
  const DensityOnGrid density = densityOf(spinors, all);
  Fields fields;
  fields.exchangeCorrelation = radialExchangeCorrelation(*functional_, density);
  RadialPotential potential = *fields.exchangeCorrelation;
  potential.local += kernel_.potential(0, density.value);
  const double share = functional_->exactExchange();
  std::vector<Eigen::MatrixXd> exchange;
  if (share != 0) exchange = exchange_.build(all, Eigen::MatrixXd::Constant(symmetries_, symmetries_, share));
  fields.closed = potentialMatrices(potential);
  for (int a = 0; a < symmetries_ && share != 0; ++a)
    fields.closed[a] -= basis_.restrictTo(Symmetry::fromIndex(a), exchange[a]);
  fields.reductions.resize(symmetries_);
  fields.responses.resize(symmetries_);
  if (functional_->isPolarised() && configuration_.hasOpenShells()) addSpin(all, fields);
  return fields;
}

/// Reduction of an open spinor: minus its spin share of dE/dm.
void MeanField::addSpin(const std::vector<PointSpinors>& all, Fields& fields) const {
  const double share = functional_->exactExchange();
  if (share != 0) {
    addReductions(all, -share * spinShares_ * spinShares_.transpose(), false, fields);
  } else {
    for (int a = 0; a < symmetries_; ++a)
      fields.reductions[a].resize(configuration_.symmetries[a].openPositions().size());
  }
  const std::vector<Eigen::MatrixXd> potentials = potentialMatrices(fields.exchangeCorrelation->spin);
  Eigen::Index i = 0;
  for (int a = 0; a < symmetries_; ++a) {
    const auto open = static_cast<Eigen::Index>(fields.reductions[a].size());
    if (open == 0) continue;
    fields.responses[a] = Eigen::MatrixXd::Zero(open, open);
    for (Eigen::MatrixXd& reduction : fields.reductions[a]) {
      const Eigen::MatrixXd own = -spinShares_[i++] * potentials[a];
      reduction = reduction.size() == 0 ? own : reduction + own;
    }
  }
}

// The exchange builder takes one spinor of each symmetry as source and one matrix of each as target: open
// spinors are taken in layers, the first ones of all symmetries, the second ones, ...
void MeanField::addReductions(const std::vector<PointSpinors>& all, const Eigen::MatrixXd& share,
                              bool withDirect, Fields& fields) const {
  const std::vector<OpenSpinor> open = configuration_.openSpinors();
  const int count = static_cast<int>(open.size());
  std::vector<int> layer(count);
  std::vector<Eigen::VectorXd> potential(count);
  std::vector<std::vector<PointSpinors>> sources;
  for (int i = 0; i < count; ++i) {
    const int a = open[i].symmetry, column = open[i].position;
    layer[i] = i - configuration_.firstOpen(a);
    if (layer[i] == static_cast<int>(sources.size())) sources.emplace_back(symmetries_);
    PointSpinors& source = sources[layer[i]][a];
    source = {all[a].large.col(column), all[a].small.col(column), all[a].occupation.segment(column, 1)};
    if (withDirect) potential[i] = kernel_.potential(0, densityAtPoints(source));
  }
  for (int i = 0; i < count; ++i) {
    Eigen::VectorXd direct = Eigen::VectorXd::Zero(basis_.points);
    for (int j = 0; j < count; ++j) {
      if (withDirect && share(i, j) != 0) direct += share(i, j) * potential[j];
    }
    fields.reductions[open[i].symmetry].push_back(
        basis_.localMatrix(Symmetry::fromIndex(open[i].symmetry), direct));
  }
  const int layers = static_cast<int>(sources.size());
  for (int target = 0; target < layers; ++target) {
    for (int source = 0; source < layers; ++source) {
      Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(symmetries_, symmetries_);
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
          if (layer[i] == target && layer[j] == source)
            weights(open[i].symmetry, open[j].symmetry) = share(i, j);
        }
      }
      if (weights.isZero(0)) continue;
      const auto exchange = exchange_.build(sources[source], weights);
      for (int i = 0; i < count; ++i) {
        const int a = open[i].symmetry;
        if (layer[i] == target)
          fields.reductions[a][target] -= basis_.restrictTo(Symmetry::fromIndex(a), exchange[a]);
      }
    }
  }
}

// 2 (w_ii - 2 w_ij + w_jj) [R^0(ij,ij) - 1/2 sum_k Lambda_k (R^k(ii,jj) + R^k(ij,ij))]: rotating i and j
// moves charge of the density ij from one to the other.
Eigen::MatrixXd MeanField::responsesOf(int symmetry, const PointSpinors& spinors) const {
  const SymmetryOccupation& occupation = configuration_.symmetries[symmetry];
  const int open = occupation.occupied() - occupation.closed();
  if (open < 2) return {};
  const Symmetry s = Symmetry::fromIndex(symmetry);
  const std::vector<int> columns = occupation.openPositions();
  const auto density = [&](int i, int j) -> Eigen::VectorXd {
    return spinors.large.col(columns[i]).cwiseProduct(spinors.large.col(columns[j])) +
           spinors.small.col(columns[i]).cwiseProduct(spinors.small.col(columns[j]));
  };
  const auto integral = [&](int k, const Eigen::VectorXd& one, const Eigen::VectorXd& other) {
    return kernel_.potential(k, one).dot(basis_.weight.cwiseProduct(other));
  };
  const int first = configuration_.firstOpen(symmetry);
  const Eigen::MatrixXd weights = configuration_.openPairWeights.block(first, first, open, open);
  Eigen::MatrixXd responses = Eigen::MatrixXd::Zero(open, open);
  for (int i = 0; i < open; ++i) {
    for (int j = 0; j < i; ++j) {
      const Eigen::VectorXd mixed = density(i, j);
      double sum = integral(0, mixed, mixed);
      for (const ExchangeTerm& term : exchangeTerms(s, s)) {
        sum -= 0.5 * term.coefficient *
               (integral(term.k, density(i, i), density(j, j)) + integral(term.k, mixed, mixed));
      }
      responses(i, j) = responses(j, i) = 2 * (weights(i, i) - 2 * weights(i, j) + weights(j, j)) * sum;
    }
  }
  return responses;
}

std::vector<Eigen::VectorXd> fieldValues(const Fields& fields, const SpinorSet& spinors,
                                         const Configuration& configuration) {
  std::vector<Eigen::VectorXd> values;
  for (std::size_t a = 0; a < spinors.coefficients.size(); ++a) {
    const Eigen::MatrixXd& c = spinors.coefficients[a];
    values.emplace_back(c.cols());
    for (int i = 0; i < c.cols(); ++i) values[a][i] = c.col(i).dot(fields.closed[a] * c.col(i));
  }
  const std::vector<OpenSpinor> open = configuration.openSpinors();
  for (int i = 0; i < static_cast<int>(open.size()); ++i) {
    const int a = open[i].symmetry, column = open[i].position;
    if (fields.reductions[a].empty()) continue;  // of a functional of the density alone
    const Eigen::VectorXd c = spinors.coefficients[a].col(column);
    const Eigen::MatrixXd& reduction = fields.reductions[a][i - configuration.firstOpen(a)];
    values[a][column] -= c.dot(reduction * c);
  }
  return values;
}

double twoElectronEnergy(const Fields& fields, const SpinorSet& spinors, const Configuration& configuration) {
  double energy = 0;
  const std::vector<Eigen::VectorXd> values = fieldValues(fields, spinors, configuration);
  for (std::size_t a = 0; a < values.size(); ++a) energy += 0.5 * spinors.occupations[a].dot(values[a]);
  if (fields.exchangeCorrelation) energy -= 0.5 * fields.exchangeCorrelation->potential;
  return energy;
}

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error("the numerical limit: " + what + "; try another resolution (LimitOptions::density)");
}

}  // namespace

Eigen::MatrixXd solveLinear(Eigen::MatrixXd matrix, Eigen::MatrixXd right) {
  const LuFactors factors(std::move(matrix));
  if (factors.singular()) fail("a matrix is singular");
  return factors.solve(std::move(right));
}

Eigen::MatrixXd choleskyFactor(Eigen::MatrixXd matrix) {
  if (!choleskyInPlace(matrix)) fail("a matrix is not positive definite");
  return matrix;
}

int countPositiveEigenvalues(Eigen::MatrixXd matrix) {
  const Eigen::Index n = matrix.rows();
  Eigen::VectorXd diagonal(n), below(n - 1), factors(n - 1);
  denseKernels().tridiagonalise(static_cast<int>(n), matrix.data(), diagonal.data(), below.data(),
                                factors.data());
  const Eigen::VectorXd values = tridiagonalEigenvalues(diagonal, below);
  if (values.size() < n) fail("no eigenvalues were found");
  return static_cast<int>((values.array() > 0).count());
}

Eigenpairs largestEigenpairs(Eigen::MatrixXd matrix, int count) {
  Eigenpairs pairs;
  EigenSolver().solve(matrix, static_cast<int>(matrix.rows()) - count, count, pairs.values, pairs.vectors);
  return {pairs.values.reverse(), pairs.vectors.rowwise().reverse()};
}

namespace {

constexpr int kGapHalvings =
    14;  // nearest to the continuum that a bound state may come: c^2 / 2^14, 1 hartree

// Rows and columns to unit size: elements grow like 1/r towards the nucleus.
Eigen::VectorXd unitScale(const Eigen::MatrixXd& matrix) {
  return matrix.rowwise().lpNorm<Eigen::Infinity>().cwiseSqrt().cwiseInverse();
}

}  // namespace

namespace {

/// A^-1 C with A = F - sigma S, and C^T A^-1 C, whose eigenvalues are 1/(epsilon - sigma).
struct ShiftedInverse {
  Eigen::MatrixXd filter, inverse;
};

ShiftedInverse shiftedInverse(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                              const Eigen::MatrixXd& factor, double shift) {
  Eigen::MatrixXd shifted = fock - shift * overlap;
  const Eigen::VectorXd scale = unitScale(shifted);
  shifted = scale.asDiagonal() * shifted * scale.asDiagonal();
  ShiftedInverse s;
  s.filter = scale.asDiagonal() * solveLinear(std::move(shifted), scale.asDiagonal() * factor);
  s.inverse = multiply(factor, true, s.filter, false);
  s.inverse = (0.5 * (s.inverse + s.inverse.transpose())).eval();
  return s;
}

Solutions solutionsOf(ShiftedInverse shifted, const Eigen::MatrixXd& vectors, const Eigen::MatrixXd& fock,
                      const Eigen::MatrixXd& overlap) {
  Solutions s;
  s.filter = std::move(shifted.filter);
  // One step of inverse iteration in passing (x = A^-1 C y): it takes rounding noise out of the eigenvectors.
  s.vectors = multiply(s.filter, false, vectors, false);
  s.energies.resize(vectors.cols());
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    auto vector = s.vectors.col(i);
    vector /= std::sqrt(vector.dot(overlap * vector));
    s.energies[i] = vector.dot(fock * vector);
  }
  return s;
}

}  // namespace

Solutions lowestSolutions(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                          const Eigen::MatrixXd& factor, double shift, int count) {
  ShiftedInverse shifted = shiftedInverse(fock, overlap, factor, shift);
  const Eigenpairs pairs = largestEigenpairs(std::move(shifted.inverse), count);
  if (pairs.values[count - 1] <= 0) {
    throw Error("the numerical limit: too few bound states above the negative-energy continuum");
  }
  return solutionsOf(std::move(shifted), pairs.vectors, fock, overlap);
}

Solutions solutionsBetween(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                           const Eigen::MatrixXd& factor, double shift, double highest) {
  ShiftedInverse shifted = shiftedInverse(fock, overlap, factor, shift);
  const int all = static_cast<int>(shifted.inverse.rows());
  const Eigenpairs pairs = largestEigenpairs(std::move(shifted.inverse), all);
  Eigen::Index count = 0;
  while (count < all && pairs.values[count] > 1 / (highest - shift)) ++count;
  return solutionsOf(std::move(shifted), pairs.vectors.leftCols(count), fock, overlap);
}

double gapShift(double charge, double c) {
  if (std::isinf(c)) return -0.75 * charge * charge - 0.5;
  const double coupling = std::min(charge / c, 1.0);
  const double lowest = c * c * (std::sqrt(1 - coupling * coupling) - 1);
  return std::max(1.5 * lowest - 0.5, -1.5 * c * c);
}

int countSolutionsAbove(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, double shift) {
  Eigen::MatrixXd shifted = fock - shift * overlap;
  const Eigen::VectorXd scale = unitScale(shifted);
  return countPositiveEigenvalues(scale.asDiagonal() * shifted * scale.asDiagonal());
}

double findGapShift(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, int electronStates,
                    double c) {
  double width = 0.5 * c * c;  // of the part of the gap that is known to be empty, if all states are above it
  for (int i = 0; i < kGapHalvings; ++i, width *= 0.5) {
    // Half of it is kept as a margin for the iterations to come.
    if (countSolutionsAbove(fock, overlap, width - 2 * c * c) == electronStates)
      return 0.5 * width - 2 * c * c;
  }
  throw Error(
      "the numerical limit: the lowest spinor has entered the negative-energy continuum (its energy is "
      "below "
      "-2 c^2), so there is no such bound state; choose a smaller charge, a larger nucleus or more "
      "electrons");
}

namespace {

/// Sums the weights of each multipole.
class KernelSum {
 public:
  void add(const BreitTerm& t, double angular) {
    const double weight = t.coefficient * angular;
    if (weight == 0) return;
    if (t.rank1 == t.rank2) {
      addTo(t.rank1, weight, weight);
    } else if (t.rank1 < t.rank2) {  // theta(r1 < r2) (g_(J-1) - g_(J+1))
      addTo(t.rankJ - 1, 0, weight);
      addTo(t.rankJ + 1, 0, -weight);
    } else {
      addTo(t.rankJ - 1, weight, 0);
      addTo(t.rankJ + 1, -weight, 0);
    }
  }
  std::vector<KernelTerm> terms() const {
    std::vector<KernelTerm> list;
    for (const auto& [k, term] : sums_) list.push_back(term);
    return list;
  }

 private:
  void addTo(int k, double whereGreater, double whereSmaller) {
    KernelTerm& term = sums_[k];
    term.k = k;
    term.whereGreater += whereGreater;
    term.whereSmaller += whereSmaller;
  }
  std::map<int, KernelTerm> sums_;
};

}  // namespace

std::vector<ExchangeChannel> breitChannels(int symmetries, BreitPart part) {
  std::vector<ExchangeChannel> channels;
  for (int a = 0; a < symmetries; ++a) {
    for (int b = 0; b < symmetries; ++b) {
      KernelSum large, small, mixed;
      for (const BreitTerm& t : breitTerms(Symmetry::fromIndex(a), Symmetry::fromIndex(b), part)) {
        large.add(t, t.largeFromSmall);
        small.add(t, t.smallFromLarge);
        mixed.add(t, t.mixed);
      }
      channels.push_back({a, b, large.terms(), {{Block::LL, Block::SS}}});
      channels.push_back({a, b, small.terms(), {{Block::SS, Block::LL}}});
      channels.push_back({a, b, mixed.terms(), {{Block::LS, Block::SL}}});
    }
  }
  return channels;
}

double breitEnergy(const RadialBasis& basis, const Configuration& configuration, const SpinorSet& spinors,
                   BreitPart part, int threads, std::vector<Eigen::VectorXd>* values) {
  const int symmetries = static_cast<int>(configuration.symmetries.size());
  const bool direct = false;
  const MeanField field(basis, configuration, breitChannels(symmetries, part), threads, direct);
  const Fields fields = field.build(spinors);
  if (values) *values = fieldValues(fields, spinors, configuration);
  return twoElectronEnergy(fields, spinors, configuration);
}

}  // namespace prophet::limit
