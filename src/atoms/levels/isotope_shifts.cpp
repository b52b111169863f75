#include "atoms/levels/isotope_shifts.hpp"

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/levels/open_interaction.hpp"
#include "atoms/radial/radial_mesh.hpp"
#include "core/common/index.hpp"

namespace prophet {

RecoilOperator::RecoilOperator(const SpinorTable& spinors)
    : spinors_(spinors),
      strength_(spinors.field().nucleus.charge / spinors.field().speedOfLight),
      inverse_(spinors.radii().cwiseInverse()),
      lengths_(spinors.lengths()) {
  const int count = spinors.count();
  for (int a = 0; a < count; ++a) functions_.push_back(spinors.values(a));
  momenta_ = photons_ = Eigen::MatrixXd::Zero(count, count);
  const Eigen::VectorXd inverse = inverse_.matrix();
  for (int a = 0; a < count; ++a)
    for (int c = 0; c < count; ++c) {
      const Symmetry sa = spinors.symmetry(a), sc = spinors.symmetry(c);
      const double angular = (sa.l() + sc.l()) % 2 == 0 ? 0 : reducedC(sa, 1, sc);
      if (angular == 0) continue;
      momenta_(a, c) = angular * momentumOf(a, c);
      photons_(a, c) = strength_ * angular *
                       (2 * spinors.antisymmetric(a, c, inverse) +
                        (sc.kappa - sa.kappa) * spinors.coupling(a, c, inverse));
    }
}

double RecoilOperator::momentumOf(int a, int c) const {
  // From a function f(r)/r with l, the gradient leads to l + 1 with f' - (l + 1) f/r, to l - 1 with f' + l
  // f/r.
  const auto shift = [](int to, int from) { return to > from ? -(from + 1.0) : static_cast<double>(from); };
  const Symmetry sa = spinors_.symmetry(a), sc = spinors_.symmetry(c);
  const int la = Symmetry{-sa.kappa}.l(), lc = Symmetry{-sc.kappa}.l();
  const RadialValues &fa = functions_[usize(a)], &fc = functions_[usize(c)];
  return (lengths_ * (fa.large * (fc.largeSlope + shift(sa.l(), sc.l()) * inverse_ * fc.large) +
                      fa.small * (fc.smallSlope + shift(la, lc) * inverse_ * fc.small)))
      .sum();
}

double RecoilOperator::normal(int a, int b) const {
  const Symmetry s = spinors_.symmetry(a);
  const int large = s.l(), small = Symmetry{-s.kappa}.l();
  const RadialValues &fa = functions_[usize(a)], &fb = functions_[usize(b)];
  const Eigen::ArrayXd square = inverse_.square();
  const Eigen::ArrayXd kinetic =
      fa.largeSlope * fb.largeSlope + large * (large + 1.0) * square * fa.large * fb.large +
      fa.smallSlope * fb.smallSlope + small * (small + 1.0) * square * fa.small * fb.small;
  const Eigen::ArrayXd photon =
      inverse_ * (fa.small * (2 * fb.largeSlope + (s.kappa - 1.0) * inverse_ * fb.large) -
                  fa.large * (2 * fb.smallSlope - (s.kappa + 1.0) * inverse_ * fb.small));
  const Eigen::ArrayXd whole = 0.5 * (kinetic - strength_ * photon);
  // Next to the nucleus it is a power of r, which at a point nucleus falls so slowly that what lies below the
  // mesh counts; in its first cells derivatives are not as good as elsewhere.
  constexpr int kCells = 4, kFirst = kCells * kTablePoints;
  const double edge = spinors_.edge(kCells), kappa = std::abs(s.kappa);
  const double power =
      2 *
      (spinors_.field().nucleus.isPoint() ? std::sqrt(kappa * kappa - strength_ * strength_) - 1 : kappa - 1);
  const double inside = whole(kFirst) * std::pow(edge / spinors_.radii()(kFirst), power) * edge / (power + 1);
  const Eigen::Index outside = whole.size() - kFirst;
  return (lengths_ * whole).tail(outside).sum() + inside;
}

double RecoilOperator::specific(int k, int a, int b, int c, int d) const {
  if (k != 1) return 0;
  return 0.5 * (photons_(a, c) * momenta_(b, d) + momenta_(a, c) * photons_(b, d)) -
         momenta_(a, c) * momenta_(b, d);
}

IsotopeShiftOperators::IsotopeShiftOperators(const LevelSpace& space, const SpinorTable& spinors,
                                             const SpinorIntegrals& integrals,
                                             const std::vector<Place>& places, const Nucleus& nucleus)
    : hasField_(!nucleus.isPoint()) {
  const RecoilOperator recoil(spinors);
  const MultipoleOf specific = [&](int k, int a, int b, int c, int d) {
    return recoil.specific(k, a, b, c, d);
  };
  const SpinorIntegrals::Weight slope = integrals.weight([&](double r) { return nucleus.potentialSlope(r); });
  // Closed shells have no direct interaction of rank 1.
  const auto withClosed = [&](int a, int b) {
    double sum = 0;
    for (const LevelSpinor& c : space.closed) sum -= exchangeOf(spinors, specific, a, b, c.index);
    return sum;
  };
  for (const LevelSpinor& c : space.closed) {
    const double electrons = c.symmetry.degeneracy();
    closedNormal_ += electrons * recoil.normal(c.index, c.index);
    closedSpecific_ += 0.5 * electrons * withClosed(c.index, c.index);
    if (hasField_) closedField_ += electrons * integrals.density(c.index, slope);
  }
  const auto scalar = [&](const auto& element) {
    return oneBodyOf(places, [&](const Place& to, const Place& from) {
      if (!(to.symmetry == from.symmetry) || to.twoM != from.twoM) return 0.0;
      return element(space.open[usize(to.spinor)].index, space.open[usize(from.spinor)].index);
    });
  };
  normal_ = scalar([&](int a, int b) { return recoil.normal(a, b); });
  if (hasField_)
    field_ = scalar(
        [&](int a, int b) { return spinors.sign(a) * spinors.sign(b) * integrals.between(a, b, slope); });
  const auto spinor = [&](int i) { return space.open[usize(i)].index; };
  specific_ = {places.size(), scalar(withClosed), twoBodyOf(places, [&](int k, int a, int b, int c, int d) {
                 return recoil.specific(k, spinor(a), spinor(b), spinor(c), spinor(d));
               })};
}

SparseMatrix IsotopeShiftOperators::specificOf(const LevelBlock& block) const {
  SparseMatrix closed(block.states.rows(), block.states.rows());
  closed.setIdentity();
  return betweenDeterminants(block, specific_) + closedSpecific_ * closed;
}

void IsotopeShiftOperators::add(const LevelBlock& block, const Eigen::MatrixXd& vectors,
                                std::vector<Level>& levels) const {
  const Eigen::VectorXd normal = expectations(normal_, block, vectors),
                        specific = expectations(specificOf(block), block, vectors);
  Eigen::VectorXd field = Eigen::VectorXd::Zero(vectors.cols());
  if (hasField_) field = expectations(field_, block, vectors);
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    IsotopeShift& shift = levels[usize(i)].isotope.emplace();
    shift.normal = closedNormal_ + normal(i);
    shift.specific = specific(i);
    if (hasField_) shift.field = closedField_ + field(i);
  }
}

}  // namespace prophet
