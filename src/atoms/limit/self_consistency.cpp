#include "atoms/limit/self_consistency.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/limit/mean_field.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet::limit {
namespace {

constexpr double kRegularisation = 1e-13;  // of the scaled matrix: keeps nearly parallel residuals apart

}  // namespace

double innerProduct(const Residual& a, const Residual& b) {
  double sum = 0;
  for (size_t s = 0; s < a.residuals.size(); ++s) {
    const Eigen::MatrixXd left = a.residuals[s].transpose() * b.residuals[s];
    const Eigen::MatrixXd right = a.spinors[s].transpose() * b.spinors[s];
    sum += a.occupations[s].dot(left.cwiseProduct(right) * b.occupations[s]);
  }
  return sum;
}

// Minimises w^T B w with sum w = 1. Residuals differ by many powers of ten: B is scaled to a unit diagonal.
Eigen::VectorXd Mixer::weights() const {
  const int n = static_cast<int>(residuals_.size());
  Eigen::VectorXd scale(n);
  for (int i = 0; i < n; ++i) scale[i] = std::sqrt(products_.back().back() / products_[i].back());
  Eigen::MatrixXd matrix(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      matrix(i, j) = matrix(j, i) = products_[i][j] / std::sqrt(products_[i].back() * products_[j].back());
    }
    matrix(i, i) += kRegularisation;
  }
  const Eigen::VectorXd w = scale.cwiseProduct(solveSymmetric(matrix, scale));
  return w / w.sum();
}

std::vector<Eigen::MatrixXd> Mixer::mix(std::vector<Eigen::MatrixXd> fields, Residual residual) {
  fields_.push_back(std::move(fields));
  residuals_.push_back(std::move(residual));
  products_.emplace_back();
  for (const auto& earlier : residuals_) products_.back().push_back(innerProduct(earlier, residuals_.back()));
  if (static_cast<int>(fields_.size()) > depth_) {
    fields_.pop_front();
    residuals_.pop_front();
    products_.pop_front();
    for (auto& row : products_) row.pop_front();
  }
  if (!(products_.back().back() > 0)) return fields_.back();
  const Eigen::VectorXd w = weights();
  if (!w.allFinite()) return fields_.back();
  std::vector<Eigen::MatrixXd> mixed = fields_.back();
  for (size_t s = 0; s < mixed.size(); ++s) {
    mixed[s] *= w[w.size() - 1];
    for (int i = 0; i + 1 < w.size(); ++i) mixed[s] += w[i] * fields_[i][s];
  }
  return mixed;
}

namespace {

constexpr double kAlike = 0.25;  // occupations closer than this share of the larger count as equal
constexpr double kLeastScale = 0.3, kLargestScale = 20;  // of the Newton step between equal occupations
constexpr double kLargestRotation = 0.2;                 // of such spinors in one step

/// The place of spinor i among the open ones; -1 for a closed one.
std::vector<int> openPlaces(const SymmetryOccupation& occupation) {
  std::vector<int> places;
  int next = 0;
  for (const SpinorOccupation& s : occupation.spinors) places.push_back(s.open ? next++ : -1);
  return places;
}

/// Matrix elements of all operators over the spinors of one symmetry.
struct FockElements {
  const SymmetryOccupation& occupation;
  const Eigen::MatrixXd& inside;            ///< <i|F_C|j>
  const Eigen::MatrixXd& responses;         ///< over open spinors
  std::vector<int> place;                   ///< of a spinor among the open ones; -1 for a closed one
  std::vector<Eigen::MatrixXd> reductions;  ///< <j|Q_i|k> for each spinor i, zero for closed ones

  double fock(int i, int j) const { return inside(j, j) - reductions[i](j, j); }  ///< <j|F_i|j>
  double electrons(int i) const { return occupation.spinors[i].electrons; }
  /// <i|n_i F_i - n_j F_j|j> less (n_i - n_j) <i|F_C|j>.
  double gradient(int i, int j) const {
    return electrons(j) * reductions[j](i, j) - electrons(i) * reductions[i](i, j);
  }
};

/// The wanted element (i, j) less that of F_C.
double couplingOf(const FockElements& e, int i, int j) {
  if (i == j) return -e.reductions[i](i, i);
  if (e.place[i] < 0 && e.place[j] < 0) return 0;
  const double ni = e.electrons(i), nj = e.electrons(j);
  const bool bothOpen = e.place[i] >= 0 && e.place[j] >= 0;
  const bool alike = bothOpen && std::abs(ni - nj) < kAlike * std::max(ni, nj);
  if (!alike) return e.gradient(i, j) / (ni - nj);
  // Rotation by -gradient/curvature, written as an element between spinors of their energies.
  const double gap = e.fock(j, j) - e.fock(i, i);
  const double curvature = ni * (e.fock(i, j) - e.fock(i, i)) + nj * (e.fock(j, i) - e.fock(j, j)) +
                           e.responses(e.place[i], e.place[j]);
  const double ratio = gap / curvature * std::max(ni, nj);
  const double scale = std::clamp(std::isfinite(ratio) ? std::abs(ratio) : 1.0, kLeastScale, kLargestScale);
  const double gradient = e.gradient(i, j) + (ni - nj) * e.inside(i, j);
  const double element = std::copysign(scale, ratio) * gradient / std::max(ni, nj);
  const double largest = kLargestRotation * std::abs(gap);
  return std::clamp(element, -largest, largest) - e.inside(i, j);
}

/// Makes one matrix whose eigenvectors are all spinors of a symmetry, closed, open and virtual.
///
/// Spinor i has the Fock operator F_i = F_C - Q_i (Q_i = 0 for closed spinors). In the current spinors:
/// diagonal elements <i|F_i|i>; elements with virtuals <v|F_i|i>; elements between two closed spinors from
/// F_C; between spinors of unlike operators, where orthogonality needs a Lagrange multiplier, the energy's
/// derivative <i|n_i F_i - n_j F_j|j>, divided by n_i - n_j, or for about equal occupations scaled to a
/// Newton step; the virtual block from F_C, or with empty places among the occupied spinors from the operator
/// of the highest open spinor, so that the n-th eigenvector is the state with the n-th number of nodes. The
/// difference from F_C has low rank and is added to its two-electron part.
///
/// \param occupation of the symmetry
/// \param reductions Q_i of the open spinors, in order
/// \param responses Fields::responses of the symmetry
/// \param overlap of the symmetry's functions
/// \param spinors columns, one for each entry of occupation.spinors
/// \param inside <i|F_C|j> over the spinors
/// \param fock the two-electron part of F_C, changed in place
void addOpenShells(const SymmetryOccupation& occupation, const std::vector<Eigen::MatrixXd>& reductions,
                   const Eigen::MatrixXd& responses, const Eigen::MatrixXd& overlap,
                   const Eigen::MatrixXd& spinors, const Eigen::MatrixXd& inside, Eigen::MatrixXd& fock) {
  const int count = static_cast<int>(spinors.cols());
  const std::vector<int> place = openPlaces(occupation);
  FockElements elements{occupation, inside, responses, place, {}};
  std::vector<Eigen::VectorXd> changes;  // (F_i - F_C)|i>
  for (int i = 0; i < count; ++i) {
    if (place[i] < 0) {
      elements.reductions.push_back(Eigen::MatrixXd::Zero(count, count));
      changes.push_back(Eigen::VectorXd::Zero(spinors.rows()));
      continue;
    }
    const Eigen::MatrixXd image = reductions[place[i]] * spinors;
    elements.reductions.push_back(spinors.transpose() * image);
    changes.push_back(-image.col(i));
  }
  Eigen::MatrixXd occupied(count, count);  // wanted, less that of the virtuals' operator
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) occupied(i, j) = occupied(j, i) = couplingOf(elements, i, j);
  }
  if (occupation.hasEmptyPlaces() && !reductions.empty()) {
    fock -= reductions.back();
    const Eigen::MatrixXd image = reductions.back() * spinors;
    occupied += spinors.transpose() * image;
    for (int i = 0; i < count; ++i) changes[i] += image.col(i);
  }
  const Eigen::MatrixXd dual = overlap * spinors;
  fock += dual * occupied * dual.transpose();
  for (int i = 0; i < count; ++i) {
    const Eigen::VectorXd outside = changes[i] - dual * (spinors.transpose() * changes[i]);
    fock += dual.col(i) * outside.transpose() + outside * dual.col(i).transpose();
  }
}

/// Repulsion of an electron by the others in a Thomas-Fermi atom, (N - 1)(1 - phi(r))/r at radii r, with
/// Latter's rational fit of phi (R. Latter, Phys. Rev. 99, 510 (1955)): where every calculation starts.
Eigen::VectorXd thomasFermiScreening(const Eigen::VectorXd& r, double charge, double electrons) {
  const double others = std::max(electrons - 1, 0.0);
  Eigen::VectorXd screening(r.size());
  for (int i = 0; i < r.size(); ++i) {
    const double x = r[i] * std::cbrt(128 * charge / (9 * M_PI * M_PI)), root = std::sqrt(x);
    const double excess =
        root *
        (0.02747 + root * (1.243 + root * (-0.1486 + root * (0.2302 + root * (0.007298 + root * 0.006944)))));
    screening[i] = others * excess / (1 + excess) / r[i];
  }
  return screening;
}

constexpr int kMixerDepth = 10;
constexpr double kResidualNoise = 1.2e-12;  // of c^2, for spinors whose energies are of that size
constexpr int kPatience = 12;               // iterations in which the residual does not halve: it is rounding
constexpr double kRoundingReach = 30;       // of the threshold, up to which rounding may keep it
constexpr double kSearchedGapCoupling = 0.95;  // Z/c from which the gap is searched for the lowest spinor

Eigen::VectorXd valuesAt(const Eigen::VectorXd& r, const std::function<double(double)>& function) {
  Eigen::VectorXd values(r.size());
  for (int i = 0; i < r.size(); ++i) values[i] = function(r[i]);
  return values;
}

double expectation(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& vector) {
  return vector.dot(matrix * vector);
}

std::vector<ExchangeChannel> channelsOf(TwoElectronOperator operation, int symmetries,
                                        Components components) {
  std::vector<ExchangeChannel> channels = coulombChannels(symmetries, components);
  if (operation == TwoElectronOperator::Coulomb) return channels;
  const bool gaunt = operation == TwoElectronOperator::CoulombGaunt;
  for (auto& channel : breitChannels(symmetries, gaunt ? BreitPart::Gaunt : BreitPart::Breit))
    channels.push_back(std::move(channel));
  return channels;
}

MeanField meanFieldOf(const RadialBasis& basis, const FieldProblem& problem, int threads) {
  if (problem.functional) return {basis, problem.configuration, problem.functional, threads};
  const int symmetries = static_cast<int>(problem.configuration.symmetries.size());
  return {basis, problem.configuration, channelsOf(problem.twoElectronOperator, symmetries, basis.components),
          threads};
}

/// Largest -r V over all radii and symmetries of what acts on the spinors: the charge that bounds the gap.
double strongestAttraction(const FieldProblem& problem, const Eigen::VectorXd& r,
                           const Eigen::VectorXd& nuclear, const std::vector<SampledOperator>& extra) {
  double charge = problem.nucleus.charge;
  for (int a = 0; a < static_cast<int>(problem.configuration.symmetries.size()); ++a) {
    Eigen::VectorXd potential = nuclear;
    if (problem.extraSelfConsistent) {
      for (const SampledOperator& sampled : extra) potential += sampled.local(Symmetry::fromIndex(a));
    }
    charge = std::max(charge, -potential.cwiseProduct(r).minCoeff());
  }
  return charge;
}

}  // namespace

SelfConsistency::SelfConsistency(const RadialBasis& basis, const FieldProblem& problem,
                                 const IterationControl& control)
    : basis_(basis),
      problem_(problem),
      control_(control),
      meanField_(meanFieldOf(basis, problem, control.threads)) {
  const int symmetries = static_cast<int>(problem.configuration.symmetries.size());
  const Eigen::VectorXd nuclear = valuesAt(basis.r, [&](double r) { return problem.nucleus.potential(r); });
  std::vector<SampledOperator> extra;
  for (const RadialOperator& radial : problem.extra) extra.emplace_back(radial, basis.r);
  const double attraction = strongestAttraction(problem, basis.r, nuclear, extra);
  strongField_ = attraction > kSearchedGapCoupling * problem.speedOfLight;
  matrices_.resize(symmetries);
  spinors_.occupations.resize(symmetries);
  spinors_.coefficients.resize(symmetries);
  forEachShare(symmetries, control.threads, [&](int a, int) {
    SymmetryMatrices& m = matrices_[a];
    m.symmetry = Symmetry::fromIndex(a);
    m.shift = gapShift(attraction, problem.speedOfLight);
    m.overlap = basis.overlapMatrix(m.symmetry);
    m.factor = choleskyFactor(m.overlap);
    m.kinetic = basis.kineticMatrix(m.symmetry, problem.speedOfLight);
    m.nuclear = basis.localMatrix(m.symmetry, nuclear);
    m.oneElectron = m.kinetic + m.nuclear;
    for (const SampledOperator& sampled : extra) {
      m.extra.push_back(basis.localMatrix(m.symmetry, sampled.local(m.symmetry)));
      if (sampled.coupling().size() > 0)
        m.extra.back() += basis.couplingMatrix(m.symmetry, sampled.coupling());
      if (problem.extraSelfConsistent) m.oneElectron += m.extra.back();
    }
    const int occupied = problem.configuration.occupiedSpinors(a);
    spinors_.occupations[a].resize(occupied);
    for (int i = 0; i < occupied; ++i) {
      spinors_.occupations[a][i] = problem.configuration.occupation(a, i);
    }
  });
}

void SelfConsistency::diagonalise(const std::vector<Eigen::MatrixXd>& fields) {
  forEachShare(count(), control_.threads, [&](int a, int) {
    SymmetryMatrices& m = matrices_[a];
    const SymmetryOccupation& occupation = problem_.configuration.symmetries[a];
    if (hasOrbitalsOfNext(a)) return;
    if (occupation.occupied() == 0) {
      spinors_.coefficients[a].resize(basis_.size(m.symmetry), 0);
      m.filter.resize(0, 0);
      return;
    }
    const Eigen::MatrixXd fock = m.oneElectron + fields[a];
    const int states = basis_.largeCount(m.symmetry);
    if (strongField_ && countSolutionsAbove(fock, m.overlap, m.shift) != states)
      m.shift = findGapShift(fock, m.overlap, states, problem_.speedOfLight);
    Solutions s = lowestSolutions(fock, m.overlap, m.factor, m.shift, occupation.needed());
    spinors_.coefficients[a].resize(basis_.size(m.symmetry), occupation.occupied());
    for (int i = 0; i < occupation.occupied(); ++i)
      spinors_.coefficients[a].col(i) = s.vectors.col(occupation.spinors[i].number);
    m.filter = std::move(s.filter);
  });
  for (int a = 0; a < count(); ++a) {
    if (!hasOrbitalsOfNext(a)) continue;
    spinors_.coefficients[a] = spinors_.coefficients[a + 1];
    matrices_[a].filter = matrices_[a + 1].filter;
  }
}

// Without spin-orbit coupling the spinors nl of both j are one orbital. Solved for apart, weakly bound open
// shells might go to a state in which they differ.
bool SelfConsistency::hasOrbitalsOfNext(int a) const {
  return basis_.isSpinFree() && a % 2 == 1 && a + 1 < count();
}

// Every electron state, and no other, must lie above the point that the search starts from.
void SelfConsistency::checkGap(const std::vector<Eigen::MatrixXd>& fields) const {
  forEachShare(count(), control_.threads, [&](int a, int) {
    const SymmetryMatrices& m = matrices_[a];
    if (problem_.configuration.symmetries[a].occupied() == 0) return;
    if (countSolutionsAbove(m.oneElectron + fields[a], m.overlap, m.shift) == basis_.largeCount(m.symmetry))
      return;
    throw Error(
        "the numerical limit: " + m.symmetry.label() +
        " states cannot be distinguished from the negative-energy continuum; the potential is too strong");
  });
}

FieldSolution SelfConsistency::solve(const FieldStart& start) {
  const Eigen::VectorXd screening = thomasFermiScreening(basis_.r, problem_.nucleus.charge,
                                                         problem_.configuration.electrons() - start.removed);
  std::vector<Eigen::MatrixXd> fields;
  for (const auto& m : matrices_) fields.push_back(basis_.localMatrix(m.symmetry, screening));
  diagonalise(fields);
  return iterate(start);
}

FieldSolution SelfConsistency::solveFrom(SpinorSet spinors, const FieldStart& start) {
  spinors_ = std::move(spinors);
  diagonalise(effectiveFields(meanField_.build(densityOrbitals())));
  return iterate(start);
}

// Two-electron parts of the Fock matrices that have the closed and the open spinors as eigenvectors.
std::vector<Eigen::MatrixXd> SelfConsistency::effectiveFields(const Fields& fields) const {
  std::vector<Eigen::MatrixXd> effective = fields.closed;
  for (int a = 0; a < count(); ++a) {
    const SymmetryOccupation& occupation = problem_.configuration.symmetries[a];
    if (!occupation.open() || fields.reductions[a].empty()) continue;
    const SymmetryMatrices& m = matrices_[a];
    const Eigen::MatrixXd& c = spinors_.coefficients[a];
    const Eigen::MatrixXd inside = c.transpose() * (m.oneElectron * c + fields.closed[a] * c);
    addOpenShells(occupation, fields.reductions[a], fields.responses[a], m.overlap, c, inside, effective[a]);
  }
  return effective;
}

SpinorSet SelfConsistency::densityOrbitals() const {
  SpinorSet dense = spinors_;
  for (int a = 0; a < count(); ++a)
    dense.coefficients[a] = basis_.densityOrbitals(matrices_[a].symmetry, spinors_.coefficients[a]);
  return dense;
}

// Where the density is not that of the whole spinors, the energy is the sum of theirs less what the density
// has from the potentials, and the kinetic part is what is left of it.
EnergyBreakdown SelfConsistency::energyOf(const Fields& fields, const SpinorSet& dense) const {
  double kinetic = 0, nuclear = 0;
  std::vector<double> extra(problem_.extra.size(), 0.0);
  for (int a = 0; a < count(); ++a) {
    const auto &c = spinors_.coefficients[a], &d = dense.coefficients[a];
    const auto& n = spinors_.occupations[a];
    for (int i = 0; i < n.size(); ++i) {
      kinetic += n[i] * expectation(matrices_[a].kinetic, c.col(i));
      if (problem_.scalar) {
        const Eigen::MatrixXd potential = matrices_[a].oneElectron - matrices_[a].kinetic + fields.closed[a];
        kinetic += n[i] * (expectation(potential, c.col(i)) - expectation(potential, d.col(i)));
      }
      nuclear += n[i] * expectation(matrices_[a].nuclear, d.col(i));
      for (std::size_t t = 0; t < extra.size(); ++t)
        extra[t] += n[i] * expectation(matrices_[a].extra[t], d.col(i));
    }
  }
  EnergyBreakdown e =
      coulombBreakdown(kinetic, nuclear, twoElectronEnergy(fields, dense, problem_.configuration));
  if (fields.exchangeCorrelation) {
    e.add(EnergyPartId::ExchangeCorrelation, fields.exchangeCorrelation->energy);
    e.total += fields.exchangeCorrelation->energy;
  }
  for (std::size_t t = 0; t < extra.size(); ++t) {
    const bool inField = problem_.extraSelfConsistent;
    e.add(problem_.extra[t].part, extra[t], inField ? Treatment::SelfConsistent : Treatment::FirstOrder);
    if (inField) e.total += extra[t];
  }
  return e;
}

// Columns F x_i - S x_i epsilon_i, without the rotations among closed spinors, taken through the filter
// |sigma| C^T (F - sigma S)^-1: hartree for low states, damped for those of huge energy, whose elements carry
// rounding noise.
Residual SelfConsistency::residualOf(const std::vector<Eigen::MatrixXd>& fields) const {
  Residual residual;
  for (int a = 0; a < count(); ++a) {
    const SymmetryMatrices& m = matrices_[a];
    const auto& c = spinors_.coefficients[a];
    residual.occupations.push_back(spinors_.occupations[a]);
    residual.spinors.push_back(m.factor.transpose() * c);
    if (c.cols() == 0) {
      residual.residuals.push_back(residual.spinors.back());
      continue;
    }
    const Eigen::MatrixXd product = m.oneElectron * c + fields[a] * c;
    Eigen::MatrixXd inside = c.transpose() * product;
    const auto& occupied = problem_.configuration.symmetries[a].spinors;
    for (int i = 0; i < c.cols(); ++i) {
      for (int j = 0; j < c.cols(); ++j) {  // rotations between unlike spinors do count
        if (i != j && (occupied[i].open || occupied[j].open)) inside(i, j) = 0;
      }
    }
    const Eigen::MatrixXd rest = product - m.overlap * (c * inside);
    residual.residuals.push_back(-m.shift * (m.filter.transpose() * rest));
    residual.largest = std::max(residual.largest, residual.residuals.back().colwise().norm().maxCoeff());
  }
  return residual;
}

// Residuals carry rounding noise in proportion to the energies that they are made of.
double SelfConsistency::residualThreshold() const {
  const double floor = strongField_ ? kResidualNoise * problem_.speedOfLight * problem_.speedOfLight : 0.0;
  return std::max(control_.residualThreshold, floor);
}

void SelfConsistency::lowerOccupied(double shift, std::vector<Eigen::MatrixXd>& fields) const {
  for (int a = 0; a < count(); ++a) {
    const Eigen::MatrixXd dual = matrices_[a].overlap * spinors_.coefficients[a];
    fields[a] -= shift * dual * dual.transpose();
  }
}

FieldSolution SelfConsistency::iterate(const FieldStart& start) {
  FieldSolution solution;
  Mixer mixer(kMixerDepth);
  std::vector<Eigen::MatrixXd> damped;
  double before = 0, mark = std::numeric_limits<double>::infinity();
  int idle = 0;
  for (int i = 1; i <= control_.maxIterations; ++i) {
    pass(control_.checkpoint);
    const SpinorSet dense = densityOrbitals();
    const Fields fields = meanField_.build(dense);
    solution.energy = energyOf(fields, dense);
    if (fields.exchangeCorrelation) solution.exchangeCorrelationVirial = fields.exchangeCorrelation->virial;
    const double energy = solution.energy.total;
    std::vector<Eigen::MatrixXd> effective = effectiveFields(fields);
    Residual residual = residualOf(effective);
    solution.iterations = i;
    solution.residual = residual.largest;
    solution.energyChange = std::abs(energy - before);
    before = energy;
    if (control_.observer) control_.observer(i, residual.largest, residualThreshold());
    if (!std::isfinite(energy)) break;
    idle = residual.largest < 0.5 * mark ? 0 : idle + 1;
    if (idle == 0) mark = residual.largest;
    const double reach = idle < kPatience ? 1.0 : kRoundingReach;
    solution.converged = residual.largest < reach * residualThreshold() &&
                         solution.energyChange <= control_.energyThreshold * std::abs(energy);
    if (solution.converged || i == control_.maxIterations) {
      if (solution.converged) checkGap(effective);
      solution.energies = canonical(effective);
      break;
    }
    if (i > start.dampedIterations) {
      diagonalise(mixer.mix(std::move(effective), std::move(residual)));
      continue;
    }
    lowerOccupied(start.levelShift, effective);
    for (std::size_t a = 0; a < damped.size(); ++a)
      effective[a] += start.damping * (damped[a] - effective[a]);
    diagonalise(effective);
    damped = std::move(effective);
  }
  solution.spinors = densityOrbitals();
  return solution;
}

// Rotates the closed spinors of each symmetry to those that diagonalise its Fock matrix; returns the spinor
// energies.
std::vector<Eigen::VectorXd> SelfConsistency::canonical(const std::vector<Eigen::MatrixXd>& fields) {
  std::vector<Eigen::VectorXd> energies;
  for (int a = 0; a < count(); ++a) {
    Eigen::MatrixXd& c = spinors_.coefficients[a];
    const Eigen::MatrixXd inside = c.transpose() * (matrices_[a].oneElectron * c + fields[a] * c);
    Eigen::VectorXd values = inside.diagonal();
    std::vector<int> closed;
    for (int i = 0; i < c.cols(); ++i) {
      if (!problem_.configuration.symmetries[a].spinors[i].open) closed.push_back(i);
    }
    if (!closed.empty()) {
      const SymmetricEigen solver(inside(closed, closed));
      c(Eigen::all, closed) = (c(Eigen::all, closed) * solver.eigenvectors()).eval();
      values(closed) = solver.eigenvalues();
    }
    energies.push_back(values);
  }
  return energies;
}

}  // namespace prophet::limit
