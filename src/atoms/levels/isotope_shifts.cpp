#include "atoms/levels/isotope_shifts.hpp"

#include <cmath>

#include "atoms/levels/open_interaction.hpp"
#include "atoms/radial/radial_mesh.hpp"
#include "core/common/index.hpp"

namespace prophet {

RecoilOperator::RecoilOperator(const SpinorTable& spinors)
    : spinors_(spinors), elements_(spinors.radii(), spinors.lengths(), spinors.field()) {
  const int count = spinors.count();
  for (int a = 0; a < count; ++a) {
    const RadialValues f = spinors.values(a);
    functions_.push_back({spinors.symmetry(a), f.large, f.small, f.largeSlope, f.smallSlope});
  }
  momenta_ = photons_ = Eigen::MatrixXd::Zero(count, count);
  for (int a = 0; a < count; ++a)
    for (int c = 0; c < count; ++c) {
      const Eigen::MatrixXd momentum = elements_.momentum(functions_[usize(a)], functions_[usize(c)]);
      if (momentum.size() == 0) continue;
      momenta_(a, c) = momentum(0);
      photons_(a, c) = elements_.photon(functions_[usize(a)], functions_[usize(c)])(0);
    }
}

double RecoilOperator::normal(int a, int b) const {
  constexpr int kCells = 4;
  return elements_.normal(functions_[usize(a)], functions_[usize(b)], kCells * kTablePoints,
                          spinors_.edge(kCells))(0);
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
