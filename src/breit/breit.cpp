#include "breit/breit.hpp"

#include "common/error.hpp"

namespace prophet {
namespace {

std::vector<Symmetry> symmetriesOf(const BasisSet& basis) {
  std::vector<Symmetry> list;
  for (const SymmetryBasis& s : basis.symmetries) list.push_back(s.symmetry);
  return list;
}

std::vector<OccupiedSpinors> occupiedSpinors(const Configuration& configuration, const ScfResult& scf) {
  std::vector<OccupiedSpinors> spinors(scf.symmetries.size());
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    spinors[a].large = scf.symmetries[a].large;
    spinors[a].small = scf.symmetries[a].small;
    spinors[a].occupation = scf.symmetries[a].occupations;
    spinors[a].open = a < configuration.symmetries.size() && configuration.symmetries[a].open;
  }
  return spinors;
}

Eigen::MatrixXd exchangeDefects(const Configuration& configuration,
                                const std::vector<OccupiedSpinors>& spinors) {
  const int n = static_cast<int>(spinors.size());
  Eigen::MatrixXd defect = Eigen::MatrixXd::Zero(n, n);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      if (spinors[a].open && spinors[b].open) defect(a, b) = configuration.exchangeDefect(a, b);
    }
  }
  return defect;
}

/// <x|F|x> of spinor i.
double expectation(const BlockMatrix& f, const OccupiedSpinors& s, Eigen::Index i) {
  const auto large = s.large.col(i), small = s.small.col(i);
  return large.dot(f.LL * large) + small.dot(f.SS * small) + 2.0 * large.dot(f.LS * small);
}

/// 1/2 sum_ab w_ab (ab|ba) from the two-electron matrices P and Q of these spinors.
double twoElectronEnergy(const std::vector<OccupiedSpinors>& spinors, const std::vector<BlockMatrix>& p,
                         const std::vector<BlockMatrix>& q) {
  double energy = 0.0;
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    const OccupiedSpinors& s = spinors[a];
    for (Eigen::Index i = 0; i < s.occupation.size(); ++i)
      energy += 0.5 * s.occupation(i) * expectation(p[a], s, i);
    const Eigen::Index last = s.occupation.size() - 1;
    if (s.open) energy -= 0.5 * s.occupation(last) * expectation(q[a], s, last);
  }
  return energy;
}

}  // namespace

std::string nameOf(TwoElectronOperator operation) {
  switch (operation) {
    case TwoElectronOperator::Coulomb:
      return "Coulomb";
    case TwoElectronOperator::CoulombGaunt:
      return "Coulomb-Gaunt";
    case TwoElectronOperator::CoulombBreit:
      return "Coulomb-Breit";
  }
  return "unknown";
}

std::unique_ptr<GridFockBuilder> makeGridBuilder(const BasisSet& basis, const RadialGrid& grid,
                                                 TwoElectronOperator operation, ThreadPool& pool) {
  std::shared_ptr<const CrossKernels> cross;
  if (operation != TwoElectronOperator::Coulomb) {
    const BreitPart part =
        operation == TwoElectronOperator::CoulombGaunt ? BreitPart::Gaunt : BreitPart::Breit;
    cross = breitKernels(symmetriesOf(basis), grid.h, grid.points, part);
  }
  return std::make_unique<GridFockBuilder>(basis, grid, pool, std::move(cross));
}

BreitEnergy breitEnergy(const BasisSet& basis, const RadialGrid& grid, const Configuration& configuration,
                        const ScfResult& scf, TwoElectronOperator operation, ThreadPool& pool) {
  if (scf.symmetries.size() != basis.symmetries.size())
    throw Error("the Breit energy needs the spinors of the same basis set");
  BreitEnergy energy;
  if (operation == TwoElectronOperator::Coulomb) return energy;
  const std::vector<OccupiedSpinors> spinors = occupiedSpinors(configuration, scf);
  const Eigen::MatrixXd defect = exchangeDefects(configuration, spinors);
  const auto part = [&](BreitPart which) {
    GridFockBuilder builder(basis, grid, pool, breitKernels(symmetriesOf(basis), grid.h, grid.points, which),
                            false);
    std::vector<BlockMatrix> p, q;
    builder.build(spinors, defect, p, q);
    return twoElectronEnergy(spinors, p, q);
  };
  energy.gaunt = part(BreitPart::Gaunt);
  if (operation == TwoElectronOperator::CoulombBreit) energy.gauge = part(BreitPart::Gauge);
  return energy;
}

}  // namespace prophet
