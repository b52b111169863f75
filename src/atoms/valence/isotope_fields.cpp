#include "atoms/valence/isotope_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "atoms/angular/angular.hpp"
#include "atoms/scf/convergence.hpp"
#include "atoms/scf/fock_mixer.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// The change of the innermost spinor's energy by the perturbations that differences are made with, relative:
/// of the recoil, and of the nucleus' radius, which changes spinors inside the nucleus by far more.
constexpr double kRecoilStep = 1e-4, kNuclearStep = 1e-5;
/// Of energies of closed shells, relative to the largest one of all spinors, which bounds rounding errors.
constexpr double kFieldSettled = 1e-14;
constexpr int kMostPerturbedRounds = 60;
/// Changes of spinors are magnified to their size before products with them are interpolated, by no more than
/// what leaves rounding errors small.
constexpr double kMostMagnified = 1e5;

/// Below these radii, times the charge, spinors are powers of r; splines of the highest energies, which are
/// not complete, have components there that p^2 makes larger than anything else.
constexpr double kPowerBelow = 3e-6, kPowerBelowOfOthers = 1e-3;

/// P, Q and their derivatives of functions that are scaled by sqrt(r).
SlopedFunctions slopedOn(const RadialMesh& mesh, const SpinorFunctions& f) {
  const Eigen::VectorXd root = mesh.r.cwiseSqrt().cwiseInverse(), steep = root.cwiseQuotient(mesh.r);
  return {f.symmetry, root.asDiagonal() * f.large, root.asDiagonal() * f.small,
          steep.asDiagonal() * (derivativesOn(mesh, f.large) - 0.5 * f.large),
          steep.asDiagonal() * (derivativesOn(mesh, f.small) - 0.5 * f.small)};
}

SpinorFunctions allOf(const SymmetryOrbitals& o) { return {o.symmetry, o.large, o.small}; }

/// The exchange of a pair operator with the closed shells of a space, between functions of a symmetry.
Eigen::MatrixXd pairExchange(const OrbitalSpace& closed, const AddedInteraction& pair,
                             const SpinorFunctions& functions) {
  const SpinorFunctions own = pair.sampled(functions);
  const Symmetry sa = functions.symmetry;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(own.count(), own.count());
  for (const SymmetryOrbitals& o : closed.symmetries()) {
    const Symmetry sc = o.symmetry;
    const double factor = minusOneTo((sa.twoJ() - sc.twoJ()) / 2) / sa.degeneracy();
    for (int c = 0; c < o.closed; ++c) {
      const SpinorFunctions one = pair.sampled(functionsOf(closed, sc.index(), c, 1));
      for (int k = std::abs(sa.twoJ() - sc.twoJ()) / 2; k <= (sa.twoJ() + sc.twoJ()) / 2; ++k) {
        const Eigen::MatrixXd left = pair.sources(k, own, one);
        if (left.size() == 0) continue;
        const Eigen::MatrixXd right =
            pair.potentials(k, (sa.l() + sc.l()) % 2 != 0, pair.sources(k, one, own));
        sum += factor * multiply(left, true, right, false);
      }
    }
  }
  return 0.5 * (sum + sum.transpose());
}

/// J - K of the closed shells of one space between the spinors of a symmetry of another.
Eigen::MatrixXd closedField(const OrbitalSpace& closed, const Eigen::VectorXd& direct,
                            const SymmetryOrbitals& between) {
  const SpinorFunctions own = allOf(between);
  Eigen::MatrixXd field = localBetween(own, direct);
  for (const SymmetryOrbitals& o : closed.symmetries())
    for (int c = 0; c < o.closed; ++c)
      field -= exchangeBetween(closed, own, functionsOf(closed, o.symmetry.index(), c, 1));
  return 0.5 * (field + field.transpose());
}

/// With the mesh's weights.
Eigen::VectorXd closedDirect(const OrbitalSpace& closed) {
  Eigen::VectorXd density = Eigen::VectorXd::Zero(closed.points());
  for (const SymmetryOrbitals& o : closed.symmetries()) {
    density += o.symmetry.degeneracy() * o.large.leftCols(o.closed).rowwise().squaredNorm();
    if (o.small.rows() > 0)
      density += o.symmetry.degeneracy() * o.small.leftCols(o.closed).rowwise().squaredNorm();
  }
  return closed.potentials(0, density);
}

/// The Breit interaction in the exchange of the closed shells of a space, or of others that are next to
/// these, with all spinors of the space.
BreitPoints breitOfChange(const OrbitalSpace& space, const OrbitalSpace& changed, ThreadPool& pool) {
  std::vector<SpinorFunctions> closed, others;
  int mostClosed = 0, most = 0;
  for (std::size_t s = 0; s < space.symmetries().size(); ++s) {
    const SymmetryOrbitals &o = space.symmetries()[s], &c = changed.symmetries()[s];
    most = std::max(most, o.symmetry.twoJ());
    others.push_back({o.symmetry, o.large.rightCols(o.virtuals()), o.small.rightCols(o.virtuals())});
    if (o.closed == 0) continue;
    mostClosed = std::max(mostClosed, o.symmetry.twoJ());
    SpinorFunctions change{o.symmetry, c.large.leftCols(o.closed) - o.large.leftCols(o.closed),
                           c.small.leftCols(o.closed) - o.small.leftCols(o.closed)};
    const Eigen::VectorXd squares =
        (change.large.cwiseAbs2() + change.small.cwiseAbs2()).transpose() * space.weights();
    const Eigen::VectorXd scale = squares.cwiseSqrt().cwiseMax(1 / kMostMagnified).cwiseInverse();
    change.large = change.large * scale.asDiagonal();
    change.small = change.small * scale.asDiagonal();
    closed.push_back(functionsOf(space, o.symmetry.index(), 0, o.closed));
    closed.push_back(std::move(change));
  }
  return {space, closed, others, space.repulsion(), (mostClosed + most) / 2, pool};
}

[[noreturn]] void refuseField() {
  throw NotConvergedError("the field of the core does not converge with operators of the isotope shift");
}

/// Combinations of a symmetry's spinors that are eigenvectors of a matrix next to their diagonal one, each in
/// the place of the one that it is next to; `rotation` makes them.
SymmetryOrbitals rotated(const SymmetryOrbitals& o, const Eigen::MatrixXd& fock, Eigen::MatrixXd& rotation) {
  const SymmetricEigen solved(fock);
  std::vector<Eigen::Index> order(usize(o.count()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](Eigen::Index i) { return o.energies(i); });
  rotation.resize(fock.rows(), fock.cols());
  SymmetryOrbitals made = o;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Eigen::VectorXd column = solved.eigenvectors().col(static_cast<Eigen::Index>(i));
    rotation.col(order[i]) = (column(order[i]) < 0 ? -1 : 1) * column;
    made.energies(order[i]) = solved.eigenvalues()(static_cast<Eigen::Index>(i));
  }
  made.large = multiply(o.large, false, rotation, false);
  if (o.small.rows() > 0) made.small = multiply(o.small, false, rotation, false);
  made.ownEnergies = made.energies.head(o.occupied());
  // Nothing of the electrons above the core is made of these.
  made.coefficients.resize(0, o.count());
  made.coreHamiltonian.resize(0, 0);
  return made;
}

}  // namespace

RecoilInteraction::RecoilInteraction(const OrbitalSpace& space, const LevelField& field, double factor)
    : mesh_(space.mesh()),
      elements_(space.radii(), space.weights().cwiseProduct(space.radii()), field),
      charge_(field.nucleus.charge) {
  between_ << -factor, 0.5 * factor, 0.5 * factor, 0;
}

Eigen::MatrixXd RecoilInteraction::sources(int k, const SpinorFunctions& a, const SpinorFunctions& c) const {
  if (k != 1 || a.count() * c.count() == 0) return {};
  const SlopedFunctions bra = slopedOn(mesh_, a), ket = slopedOn(mesh_, c);
  const Eigen::MatrixXd momentum = elements_.momentum(bra, ket);
  if (momentum.size() == 0) return {};
  Eigen::MatrixXd made(2, momentum.size());
  made << momentum.reshaped().transpose(), elements_.photon(bra, ket).reshaped().transpose();
  return made;
}

Eigen::MatrixXd RecoilInteraction::potentials(int k, bool odd, const Eigen::MatrixXd& sources) const {
  if (k != 1 || !odd || sources.size() == 0) return {};
  return between_ * sources;
}

Eigen::MatrixXd RecoilInteraction::normal(const SpinorFunctions& functions) const {
  const SlopedFunctions f = slopedOn(mesh_, functions);
  const double reach = (std::abs(f.symmetry.kappa) == 1 ? kPowerBelow : kPowerBelowOfOthers) / charge_;
  int cell = 0;
  while (std::exp(mesh_.breaks[usize(cell)]) < reach) ++cell;
  return elements_.normal(f, f, cell * mesh_.pointsPerCell(), std::exp(mesh_.breaks[usize(cell)]));
}

OrbitalSpace perturbedSpace(const OrbitalSpace& space, const ScalarPerturbation& perturbation,
                            ThreadPool& pool, const Checkpoint& checkpoint) {
  const std::vector<SymmetryOrbitals>& own = space.symmetries();
  const Eigen::VectorXd before = closedDirect(space);
  // What does not depend on the spinors of the closed shells.
  std::vector<Eigen::MatrixXd> fixed(own.size());
  pool.forEach(static_cast<int>(own.size()), [&](int s, int) {
    const SymmetryOrbitals& o = own[usize(s)];
    fixed[usize(s)] = -closedField(space, before, o);
    fixed[usize(s)].diagonal() += o.energies;
    if (!perturbation.single.empty()) fixed[usize(s)] += perturbation.single[usize(s)];
  });
  std::vector<int> all(own.size()), occupied;
  std::iota(all.begin(), all.end(), 0);
  std::ranges::copy_if(all, std::back_inserter(occupied), [&](int s) { return own[usize(s)].closed > 0; });
  double largest = 0;
  for (const SymmetryOrbitals& o : own) largest = std::max(largest, o.energies.cwiseAbs().maxCoeff());
  OrbitalSpace made = space;
  std::vector<Eigen::MatrixXd> rotations;
  for (const SymmetryOrbitals& o : own) rotations.push_back(Eigen::MatrixXd::Identity(o.count(), o.count()));
  /// The field of the spinors that are there, in the list's symmetries.
  const auto fields = [&](const std::vector<int>& list) {
    pass(checkpoint);
    const Eigen::VectorXd direct = closedDirect(made);
    std::vector<Eigen::MatrixXd> focks(list.size());
    pool.forEach(static_cast<int>(list.size()), [&](int i, int) {
      const auto s = usize(list[usize(i)]);
      Eigen::MatrixXd& fock = focks[usize(i)] = fixed[s] + closedField(made, direct, own[s]);
      if (perturbation.pair) fock -= pairExchange(made, *perturbation.pair, allOf(own[s]));
    });
    return focks;
  };
  const auto solve = [&](const std::vector<int>& list, const std::vector<Eigen::MatrixXd>& focks) {
    std::vector<SymmetryOrbitals> next = made.symmetries();
    pool.forEach(static_cast<int>(list.size()), [&](int i, int) {
      const auto s = usize(list[usize(i)]);
      next[s] = rotated(own[s], focks[usize(i)], rotations[s]);
    });
    made = space.withSpinors(std::move(next));
  };
  /// Makes the field self-consistent; whether it had been so at once. That of Hg2+, with 5d, would settle
  /// by a twelfth in each round without extrapolation.
  const auto settle = [&] {
    Diis extrapolation(kDiisDepth);
    for (int round = 0;; ++round) {
      const std::vector<SymmetryOrbitals> last = made.symmetries();
      std::vector<Eigen::MatrixXd> focks = fields(occupied), errors;
      for (std::size_t i = 0; i < occupied.size(); ++i) {
        const auto s = usize(occupied[i]);
        const auto closed = rotations[s].leftCols(own[s].closed);
        const Eigen::MatrixXd product = (focks[i] * closed) * closed.transpose();
        errors.push_back(product - product.transpose());
      }
      extrapolation.extrapolate(focks, errors);
      solve(occupied, focks);
      double change = 0;
      for (const int s : occupied) {
        const Eigen::Index closed = own[usize(s)].closed;
        change = std::max(change, (made.symmetries()[usize(s)].energies - last[usize(s)].energies)
                                      .head(closed)
                                      .cwiseAbs()
                                      .maxCoeff());
      }
      if (change < kFieldSettled * largest) return round == 0;
      if (round == kMostPerturbedRounds) refuseField();
    }
  };
  settle();
  if (space.repulsion() != TwoElectronOperator::Coulomb) {
    // The Breit interaction's part of the response is so small that a few steps of it are enough.
    const BreitPoints breit = breitOfChange(space, made, pool);
    const auto exchange = [&](const OrbitalSpace& closed) {
      std::vector<Eigen::MatrixXd> list(own.size());
      pool.forEach(static_cast<int>(own.size()),
                   [&](int s, int) { list[usize(s)] = pairExchange(closed, breit, allOf(own[usize(s)])); });
      return list;
    };
    std::vector<Eigen::MatrixXd> last = exchange(space);
    int round = 0;
    do {
      pass(checkpoint);
      if (round++ == kMostPerturbedRounds) refuseField();
      std::vector<Eigen::MatrixXd> next = exchange(made);
      for (std::size_t s = 0; s < own.size(); ++s) fixed[s] += last[s] - next[s];
      last = std::move(next);
    } while (!settle());
  }
  solve(all, fields(all));
  return made;
}

double closedEnergy(const OrbitalSpace& space, const ScalarPerturbation& perturbation) {
  double sum = 0;
  for (std::size_t s = 0; s < space.symmetries().size(); ++s) {
    const SymmetryOrbitals& o = space.symmetries()[s];
    if (o.closed == 0) continue;
    double own = 0;
    if (!perturbation.single.empty()) own += perturbation.single[s].diagonal().head(o.closed).sum();
    if (perturbation.pair)
      own -=
          0.5 * pairExchange(space, *perturbation.pair, functionsOf(space, o.symmetry.index(), 0, o.closed))
                    .trace();
    sum += o.symmetry.degeneracy() * own;
  }
  return sum;
}

void addIsotopeShifts(const OrbitalSpace& orbitals, const Configuration& core, const ValenceRequest& request,
                      CorrelationEngine& engine, ThreadPool& pool, const Checkpoint& checkpoint,
                      ValenceLevels& levels) {
  using Key = std::tuple<int, bool, int>;
  const auto keyOf = [](const Level& l) { return Key{l.twoJ, l.odd, l.index}; };
  ValenceRequest energies = request;
  energies.corePolarisation = energies.structuralRadiation = false;
  energies.multipoles.clear();
  energies.factors = levels.factors;
  for (SigmaFactor& f : energies.factors) f.fitted.reset();
  const RecoilInteraction unit(orbitals, request.field, 1);
  /// The derivative of each level's energy by a factor of the operator, with that of the closed shells.
  const auto slopesOf = [&](const std::vector<Eigen::MatrixXd>& single, double step) {
    const bool isPair = single.empty();
    const double closed = closedEnergy(orbitals, {single, isPair ? &unit : nullptr});
    std::map<Key, std::array<double, 2>> found;
    std::map<Key, int> counts;
    for (const int side : {0, 1}) {
      const double factor = side == 0 ? step : -step;
      ScalarPerturbation perturbation{single};
      for (Eigen::MatrixXd& m : perturbation.single) m *= factor;
      const RecoilInteraction scaled(orbitals, request.field, factor);
      if (isPair) perturbation.pair = &scaled;
      const OrbitalSpace space = perturbedSpace(orbitals, perturbation, pool, checkpoint);
      energies.recoil = isPair ? factor : 0;
      for (const Level& l : valenceLevels(space, core, 0, energies, engine, pool, checkpoint).levels) {
        found[keyOf(l)][usize(side)] = l.energy;
        ++counts[keyOf(l)];
      }
    }
    std::map<Key, double> slopes;
    for (const auto& [key, two] : found)
      if (counts[key] == 2) slopes[key] = closed + (two[0] - two[1]) / (2 * step);
    return slopes;
  };
  const auto betweenSpinors = [&](const auto& elements) {
    std::vector<Eigen::MatrixXd> list;
    for (const SymmetryOrbitals& o : orbitals.symmetries()) list.push_back(elements(allOf(o)));
    return list;
  };
  const Nucleus& nucleus = request.field.nucleus;
  std::array<std::map<Key, double>, 3> slopes;
  slopes[0] = slopesOf(betweenSpinors([&](const SpinorFunctions& f) { return unit.normal(f); }), kRecoilStep);
  slopes[1] = slopesOf({}, kRecoilStep);
  if (!nucleus.isPoint()) {
    const Eigen::VectorXd slope = orbitals.weights().cwiseProduct(
        orbitals.radii().unaryExpr([&](double r) { return nucleus.potentialSlope(r); }));
    const std::vector<Eigen::MatrixXd> single =
        betweenSpinors([&](const SpinorFunctions& f) { return localBetween(f, slope); });
    const double innermost = orbitals.symmetries().front().energies(0);
    slopes[2] = slopesOf(single, kNuclearStep * std::abs(innermost / single.front()(0, 0)));
  }
  for (Level& level : levels.levels) {
    const Key key = keyOf(level);
    if (!slopes[0].contains(key) || !slopes[1].contains(key)) continue;
    IsotopeShift& shift = level.isotope.emplace();
    shift.normal = slopes[0].at(key);
    shift.specific = slopes[1].at(key);
    if (const auto own = slopes[2].find(key); own != slopes[2].end()) shift.field = own->second;
  }
}

}  // namespace prophet
