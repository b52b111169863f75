#include "atoms/levels/open_interaction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/common/index.hpp"

namespace prophet {
namespace {

double signOf(int power) { return power % 2 == 0 ? 1 : -1; }

}  // namespace

int largestRank(const LevelSpace& space) {
  int most = 0;
  for (const auto* list : {&space.closed, &space.open})
    for (const LevelSpinor& s : *list) most = std::max(most, s.symmetry.twoJ());
  return most;
}

OpenInteraction::OpenInteraction(const LevelSpace& space, const SpinorTable& spinors,
                                 const SpinorInteraction& interaction)
    : space_(space), spinors_(spinors), interaction_(interaction), largestK_(largestRank(space)) {
  for (const LevelSpinor& s : space.open) open_.push_back(s.index);
  const auto count = static_cast<Eigen::Index>(open_.size());
  oneBody_ = Eigen::MatrixXd::Zero(count, count);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b <= a; ++b)
      if (space.open[usize(a)].symmetry == space.open[usize(b)].symmetry)
        oneBody_(a, b) = oneBody_(b, a) = inField(open_[usize(a)], open_[usize(b)]);
}

double OpenInteraction::inField(int a, int b) const {
  double sum = spinors_.oneElectron(a, b);
  for (const LevelSpinor& c : space_.closed)
    sum += c.symmetry.degeneracy() * spinors_.slater(0, a, c.index, b, c.index) -
           interaction_.exchange(a, b, c.index);
  return sum;
}

double OpenInteraction::coreEnergy() const {
  double sum = 0;
  for (const LevelSpinor& c : space_.closed)
    sum +=
        0.5 * c.symmetry.degeneracy() * (spinors_.oneElectron(c.index, c.index) + inField(c.index, c.index));
  return sum;
}

double exchangeOf(const SpinorTable& spinors, const MultipoleOf& multipole, int a, int b, int full) {
  const Symmetry sa = spinors.symmetry(a), sc = spinors.symmetry(full);
  double sum = 0;
  for (int k = std::abs(sa.twoJ() - sc.twoJ()) / 2; k <= (sa.twoJ() + sc.twoJ()) / 2; ++k)
    sum += multipole(k, a, full, full, b);
  return signOf((sa.twoJ() - sc.twoJ()) / 2) / sa.degeneracy() * sum;
}

double SpinorInteraction::exchange(int a, int b, int full) const {
  return exchangeOf(
      spinors_, [this](int k, int i, int j, int m, int n) { return multipole(k, i, j, m, n); }, a, b, full);
}

double SpinorInteraction::multipole(int k, int a, int b, int c, int d) const {
  const Symmetry sa = spinors_.symmetry(a), sb = spinors_.symmetry(b), sc = spinors_.symmetry(c),
                 sd = spinors_.symmetry(d);
  double sum = 0;
  const double angular = reducedC(sa, k, sc) * reducedC(sb, k, sd);
  if (angular != 0) sum = angular * spinors_.slater(k, a, b, c, d);
  return sum + breit(k, a, b, c, d);
}

double SpinorInteraction::breit(int k, int a, int b, int c, int d) const {
  if (electrons_ == TwoElectronOperator::Coulomb) return 0;
  if (frequency_) return spinors_.retardedBreit(k, a, b, c, d);
  return spinors_.breit(k, a, b, c, d, electrons_ == TwoElectronOperator::CoulombBreit);
}

double OpenInteraction::multipole(int k, int a, int b, int c, int d) const {
  const auto [place, isNew] = multipoles_.try_emplace({k, a, b, c, d});
  const auto spinor = [&](int i) { return open_[usize(i)]; };
  if (isNew) place->second = interaction_.multipole(k, spinor(a), spinor(b), spinor(c), spinor(d));
  return place->second;
}

}  // namespace prophet
