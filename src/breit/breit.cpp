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

/// Density blocks of one symmetry on pairs of grid points; the functions are those of the grid builder.
struct GridDensity {
  Eigen::MatrixXd LL, LS, SL, SS;
};

GridDensity gridDensity(const GridFunctions& f, const OccupiedSpinors& s, bool openOnly) {
  const Eigen::Index columns = openOnly ? 1 : s.occupation.size();
  const Eigen::MatrixXd large = f.large * s.large.rightCols(columns);
  const Eigen::MatrixXd small = f.small * s.small.rightCols(columns);
  const Eigen::MatrixXd weightedLarge = large * s.occupation.tail(columns).asDiagonal();
  const Eigen::MatrixXd weightedSmall = small * s.occupation.tail(columns).asDiagonal();
  return {weightedLarge * large.transpose(), weightedLarge * small.transpose(),
          weightedSmall * large.transpose(), weightedSmall * small.transpose()};
}

/// Entry m + points - 1: sum over j - i = m of x(i, j) y(i, j), all that a kernel of j - i needs to know.
Eigen::VectorXd diagonalSums(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
  const Eigen::Index points = x.rows();
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(2 * points - 1);
  for (Eigen::Index j = 0; j < points; ++j)
    sums.segment(points - 1 - j, points) += x.col(j).cwiseProduct(y.col(j));
  return sums.reverse();
}

/// -1/2 tr(D_a K[D_b]) of each part.
BreitEnergy exchangeEnergy(const GridDensity& a, const GridDensity& b, std::size_t pair,
                           const std::vector<std::shared_ptr<const CrossKernels>>& kernels) {
  const Eigen::VectorXd ll = diagonalSums(a.LL, b.SS), ss = diagonalSums(a.SS, b.LL),
                        ls = diagonalSums(a.LS, b.SL);
  const auto energy = [&](const CrossKernels& k) {
    return -0.5 *
           (ll.dot(k.largeFromSmall[pair]) + ss.dot(k.smallFromLarge[pair]) + 2.0 * ls.dot(k.mixed[pair]));
  };
  return {energy(*kernels[0]), kernels.size() > 1 ? energy(*kernels[1]) : 0.0};
}

std::vector<GridFunctions> scaledFunctions(const BasisSet& basis, const RadialGrid& grid) {
  const Eigen::VectorXd scale = grid.radii().array().pow(-0.25);
  std::vector<GridFunctions> functions;
  for (const SymmetryBasis& s : basis.symmetries) {
    functions.push_back(evaluateOnGrid(s, grid));
    functions.back().large = scale.asDiagonal() * functions.back().large;
    functions.back().small = scale.asDiagonal() * functions.back().small;
  }
  return functions;
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
  const std::vector<Symmetry> symmetries = symmetriesOf(basis);
  std::vector<std::shared_ptr<const CrossKernels>> kernels;
  kernels.push_back(breitKernels(symmetries, grid.h, grid.points, BreitPart::Gaunt));
  if (operation == TwoElectronOperator::CoulombBreit)
    kernels.push_back(breitKernels(symmetries, grid.h, grid.points, BreitPart::Gauge));

  const int n = static_cast<int>(symmetries.size());
  const std::vector<GridFunctions> functions = scaledFunctions(basis, grid);
  std::vector<GridDensity> density(n), open(n);
  pool.forEach(n, [&](int a, int) {
    if (spinors[a].occupation.size() > 0) density[a] = gridDensity(functions[a], spinors[a], false);
    if (spinors[a].open) open[a] = gridDensity(functions[a], spinors[a], true);
  });
  std::vector<BreitEnergy> rows(n);
  pool.forEach(n, [&](int a, int) {
    for (int b = 0; b <= a; ++b) {
      if (density[a].LL.size() == 0 || density[b].LL.size() == 0) continue;
      const std::size_t pair = static_cast<std::size_t>(a) * n + b;
      const double count = a == b ? 1.0 : 2.0;  // (a, b) and (b, a) have the same energy
      const BreitEnergy all = exchangeEnergy(density[a], density[b], pair, kernels);
      rows[a].gaunt += count * all.gaunt;
      rows[a].gauge += count * all.gauge;
      if (defect(a, b) == 0.0) continue;
      const BreitEnergy defective = exchangeEnergy(open[a], open[b], pair, kernels);
      rows[a].gaunt -= count * defect(a, b) * defective.gaunt;
      rows[a].gauge -= count * defect(a, b) * defective.gauge;
    }
  });
  for (const BreitEnergy& row : rows) {
    energy.gaunt += row.gaunt;
    energy.gauge += row.gauge;
  }
  return energy;
}

}  // namespace prophet
