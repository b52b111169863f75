#include "fock/grid_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "common/error.hpp"
#include "fock/toeplitz_product.hpp"

namespace prophet {
namespace {

/// Grid points in one tile: long enough for the matrix products, short enough that a tile of every density
/// block stays in a core's own cache.
constexpr int kTile = 24;

std::vector<Symmetry> symmetriesOf(const BasisSet& basis) {
  std::vector<Symmetry> list;
  for (const SymmetryBasis& s : basis.symmetries) list.push_back(s.symmetry);
  return list;
}

}  // namespace

/// What belongs to one symmetry: basis functions and occupied orbitals on the grid (points x n and points x
/// m), scaled by r^(1/4) sqrt(h), and local potentials.
struct GridFockBuilder::SymmetryData {
  GridFunctions functions;
  GridFunctions orbitalFunctions;  ///< those of setOrbitalBasis; empty: the functions
  Eigen::MatrixXd largeOrbitals, smallOrbitals;
  Eigen::MatrixXd weightedLarge, weightedSmall;  ///< orbitals times occupation
  Eigen::VectorXd density, openDensity;          ///< on the grid
  Eigen::VectorXd openPotential;                 ///< local part of Q
  bool occupied = false, open = false;
};

/// What one thread needs; columns of tiles are grid points i of the tile, rows grid points j.
struct GridFockBuilder::Worker {
  struct Tile {
    Eigen::MatrixXd LL, LS, SS;  ///< LS: column i of the large, row j of the small component
    Eigen::MatrixXd SL;          ///< column i of the small, row j of the large component; Breit only
  };
  std::vector<Tile> density, openDensity;
  Tile sum;
  std::array<std::vector<KernelTerm>, 3> terms;  ///< of one column: LL, SS, LS
  Eigen::MatrixXd work;
  std::vector<BlockMatrix> p, q;  ///< LL and SS halves: the whole is half + half^T; LS transposed
  Eigen::VectorXd potential;
};

RadialGrid fockGrid(const BasisSet& basis, double tolerance) {
  // The trapezoidal rule's relative error for r^n exp(-r^2) is 2 |Gamma((n+1)/2 + i pi/h)| / Gamma((n+1)/2),
  // with |Gamma(a + i y)| ~ sqrt(2 pi) y^(a - 1/2) exp(-pi y/2).
  const double a = 0.5 * (2 * basis.largestL() + 3);
  const auto error = [&](double h) {
    const double y = 3.14159265358979323846 / h;
    return 2.0 *
           std::exp(0.91893853320467274 + (a - 0.5) * std::log(y) - 1.5707963267948966 * y - std::lgamma(a));
  };
  double h = 0.16;
  while (error(h) > tolerance && h > 0.04) h *= 0.98;
  // Left end: what lies below the first point is carried by its weight (foldTail) up to (3e-3)^5. Right end:
  // the product of two functions has fallen to exp(-44).
  return makeGrid(basis, h, 3e-3, 22.0);
}

namespace {

/// Below the first point a function goes as r^(l+1), and a pair density of equal l as a geometric series on
/// the grid: its sum, 1/(1 - exp(-(2l+3) h)), becomes the weight of the first point.
double foldTail(int l, double h) { return 1.0 / std::sqrt(1.0 - std::exp(-(2 * l + 3) * h)); }

/// Functions on the grid, scaled by r^(-1/4), with the tail below the first point.
GridFunctions scaledFunctions(const SymmetryBasis& basis, const RadialGrid& grid) {
  const Eigen::VectorXd scale = grid.radii().array().pow(-0.25);
  GridFunctions f = evaluateOnGrid(basis, grid);
  f.large = scale.asDiagonal() * f.large;
  f.small = scale.asDiagonal() * f.small;
  f.large.row(0) *= foldTail(basis.symmetry.l(), grid.h);
  f.small.row(0) *= foldTail(basis.symmetry.lSmall(), grid.h);
  return f;
}

}  // namespace

GridFockBuilder::GridFockBuilder(const BasisSet& basis, const RadialGrid& grid, ThreadPool& pool,
                                 std::shared_ptr<const CrossKernels> cross, bool coulomb)
    : grid_(grid), pool_(pool), kernels_(symmetriesOf(basis), grid.h, grid.points), cross_(std::move(cross)) {
  if (!coulomb) zeroKernel_ = Eigen::VectorXd::Zero(2 * grid.points - 1);
  if (cross_ &&
      (cross_->points < grid.points || cross_->symmetries < static_cast<int>(basis.symmetries.size())))
    throw Error("the Breit kernels are for a shorter grid or for fewer symmetries than the basis has");
  symmetries_.resize(basis.symmetries.size());
  for (std::size_t a = 0; a < symmetries_.size(); ++a) {
    symmetries_[a].functions = scaledFunctions(basis.symmetries[a], grid_);
  }
  workers_.resize(pool.threads());
  for (Worker& worker : workers_) {
    worker.density.resize(symmetries_.size());
    worker.openDensity.resize(symmetries_.size());
    worker.p.resize(symmetries_.size());
    worker.q.resize(symmetries_.size());
  }
}

GridFockBuilder::~GridFockBuilder() = default;

void GridFockBuilder::setOrbitalBasis(const BasisSet& orbitals) {
  if (orbitals.symmetries.size() < symmetries_.size())
    throw Error("the orbitals' basis must have as many symmetries as the builder's");
  for (std::size_t a = 0; a < symmetries_.size(); ++a)
    symmetries_[a].orbitalFunctions = scaledFunctions(orbitals.symmetries[a], grid_);
}

const double* GridFockBuilder::coulombKernel() const {
  return zeroKernel_.size() > 0 ? zeroKernel_.data() + grid_.points - 1 : kernels_.coulomb();
}

const double* GridFockBuilder::exchangeKernel(int a, int b) const {
  return zeroKernel_.size() > 0 ? zeroKernel_.data() + grid_.points - 1 : kernels_.centre(a, b);
}

void GridFockBuilder::evaluateOrbitals(const std::vector<OccupiedSpinors>& spinors) {
  for (std::size_t a = 0; a < symmetries_.size(); ++a) {
    SymmetryData& s = symmetries_[a];
    s.occupied = spinors[a].occupation.size() > 0;
    s.open = spinors[a].open;
    if (!s.occupied) continue;
    const GridFunctions& f = s.orbitalFunctions.large.size() > 0 ? s.orbitalFunctions : s.functions;
    s.largeOrbitals.noalias() = f.large * spinors[a].large;
    s.smallOrbitals.noalias() = f.small * spinors[a].small;
    s.weightedLarge.noalias() = s.largeOrbitals * spinors[a].occupation.asDiagonal();
    s.weightedSmall.noalias() = s.smallOrbitals * spinors[a].occupation.asDiagonal();
    s.density =
        (s.largeOrbitals.cwiseProduct(s.weightedLarge) + s.smallOrbitals.cwiseProduct(s.weightedSmall))
            .rowwise()
            .sum();
    if (!s.open) continue;
    const Eigen::Index last = spinors[a].occupation.size() - 1;
    s.openDensity = s.largeOrbitals.col(last).cwiseProduct(s.weightedLarge.col(last)) +
                    s.smallOrbitals.col(last).cwiseProduct(s.weightedSmall.col(last));
  }
}

void GridFockBuilder::coulombPotentials(const std::vector<OccupiedSpinors>& spinors,
                                        const Eigen::MatrixXd& exchangeDefect) {
  Worker& shared = workers_.front();
  Eigen::VectorXd& total = shared.potential;
  Eigen::VectorXd density = Eigen::VectorXd::Zero(grid_.points);
  for (const SymmetryData& s : symmetries_) {
    if (s.occupied) density += s.density;
  }
  total.resize(grid_.points);
  toeplitzVector(coulombKernel(), density.data(), grid_.points, total.data());
  for (std::size_t a = 0; a < symmetries_.size(); ++a) {
    if (!spinors[a].open) continue;
    density.setZero();
    for (std::size_t b = 0; b < symmetries_.size(); ++b) {
      if (spinors[b].open) density += exchangeDefect(a, b) * symmetries_[b].openDensity;
    }
    symmetries_[a].openPotential.resize(grid_.points);
    toeplitzVector(coulombKernel(), density.data(), grid_.points, symmetries_[a].openPotential.data());
  }
}

/// Density blocks between the tile's points (columns) and points j (rows): j up to the end of the tile for LL
/// and SS.
void GridFockBuilder::densityTile(int first, int size, bool openOnly, int b, Worker& worker) const {
  const SymmetryData& s = symmetries_[b];
  Worker::Tile& d = openOnly ? worker.openDensity[b] : worker.density[b];
  d.LL.resize(grid_.points, kTile);
  d.LS.resize(grid_.points, kTile);
  d.SS.resize(grid_.points, kTile);
  const Eigen::Index columns = openOnly ? 1 : s.largeOrbitals.cols();
  const int upTo = first + size;
  const auto large = s.largeOrbitals.rightCols(columns), small = s.smallOrbitals.rightCols(columns);
  const auto tileLarge = s.weightedLarge.middleRows(first, size).rightCols(columns).transpose();
  const auto tileSmall = s.weightedSmall.middleRows(first, size).rightCols(columns).transpose();
  d.LL.block(0, 0, upTo, size).noalias() = large.topRows(upTo) * tileLarge;
  d.SS.block(0, 0, upTo, size).noalias() = small.topRows(upTo) * tileSmall;
  d.LS.leftCols(size).noalias() = small * tileLarge;
  if (!cross_) return;
  d.SL.resize(grid_.points, kTile);
  d.SL.leftCols(size).noalias() = large * tileSmall;
}

/// sum += Phi^T W Phi for the tile. W's LL and SS are known for rows up to the end of the tile.
void GridFockBuilder::project(int a, int first, int size, const Worker& worker, Eigen::MatrixXd& work,
                              BlockMatrix& sum) const {
  const GridFunctions& f = symmetries_[a].functions;
  const int upTo = first + size;
  const auto tileLarge = f.large.middleRows(first, size), tileSmall = f.small.middleRows(first, size);
  auto columns = work.leftCols(size);
  columns.noalias() = f.large.topRows(upTo).transpose() * worker.sum.LL.block(0, 0, upTo, size);
  sum.LL.noalias() += columns * tileLarge;
  columns.noalias() = f.small.topRows(upTo).transpose() * worker.sum.SS.block(0, 0, upTo, size);
  sum.SS.noalias() += columns * tileSmall;
  columns.noalias() = f.small.transpose() * worker.sum.LS.leftCols(size);
  sum.LS.noalias() += columns * tileLarge;
}

/// The bracket of one symmetry for the tile: local potential minus sum over b of kernel times density.
void GridFockBuilder::gather(int a, bool open, int first, int size, const Eigen::MatrixXd& exchangeDefect,
                             Worker& worker) const {
  const int count = static_cast<int>(symmetries_.size()), points = grid_.points, upTo = first + size;
  const Eigen::VectorXd& potential = open ? symmetries_[a].openPotential : workers_.front().potential;
  auto &llTerms = worker.terms[0], &ssTerms = worker.terms[1], &lsTerms = worker.terms[2];
  for (auto& terms : worker.terms) terms.clear();
  for (int b = 0; b < count; ++b) {
    if (open ? !symmetries_[b].open : !symmetries_[b].occupied) continue;
    const Worker::Tile& d = open ? worker.openDensity[b] : worker.density[b];
    const double factor = open ? -exchangeDefect(a, b) : -1.0;
    const double* kernel = exchangeKernel(a, b) - first;
    llTerms.push_back({kernel, d.LL.data(), factor});
    ssTerms.push_back({kernel, d.SS.data(), factor});
    lsTerms.push_back({kernel, d.LS.data(), factor});
    if (!cross_) continue;
    llTerms.push_back({cross_->centre(cross_->largeFromSmall, a, b) - first, d.SS.data(), factor});
    ssTerms.push_back({cross_->centre(cross_->smallFromLarge, a, b) - first, d.LL.data(), factor});
    lsTerms.push_back({cross_->centre(cross_->mixed, a, b) - first, d.SL.data(), factor});
  }
  for (int column = 0; column < size; ++column) {
    const int i = first + column;
    double *ll = &worker.sum.LL(0, column), *ls = &worker.sum.LS(0, column), *ss = &worker.sum.SS(0, column);
    const int terms = static_cast<int>(llTerms.size());
    sumKernelTerms(llTerms.data(), terms, column, points, upTo, ll);
    sumKernelTerms(ssTerms.data(), terms, column, points, upTo, ss);
    sumKernelTerms(lsTerms.data(), terms, column, points, points, ls);
    // The tile's own block is symmetric and is counted again when the half is added to its transpose.
    for (int j = first; j < upTo; ++j) {
      ll[j] *= 0.5;
      ss[j] *= 0.5;
    }
    ll[i] += 0.5 * potential(i);
    ss[i] += 0.5 * potential(i);
  }
}

void GridFockBuilder::tile(int first, int size, const std::vector<OccupiedSpinors>& spinors,
                           const Eigen::MatrixXd& exchangeDefect, Worker& worker) const {
  const int count = static_cast<int>(symmetries_.size()), points = grid_.points;
  for (int b = 0; b < count; ++b) {
    if (symmetries_[b].occupied) densityTile(first, size, false, b, worker);
    if (symmetries_[b].open) densityTile(first, size, true, b, worker);
  }
  worker.sum.LL.resize(points, kTile);
  worker.sum.LS.resize(points, kTile);
  worker.sum.SS.resize(points, kTile);

  for (int a = 0; a < count; ++a) {
    const int n = static_cast<int>(symmetries_[a].functions.large.cols());
    worker.work.resize(n, kTile);
    gather(a, false, first, size, exchangeDefect, worker);
    project(a, first, size, worker, worker.work, worker.p[a]);
    if (!spinors[a].open) continue;
    gather(a, true, first, size, exchangeDefect, worker);
    project(a, first, size, worker, worker.work, worker.q[a]);
  }
}

void GridFockBuilder::collect(int a, bool open, BlockMatrix& result) const {
  const int n = static_cast<int>(symmetries_[a].functions.large.cols());
  result.resize(n, n);
  result.setZero();
  for (const Worker& worker : workers_) {
    const BlockMatrix& half = open ? worker.q[a] : worker.p[a];
    result.LL += half.LL + half.LL.transpose();
    result.SS += half.SS + half.SS.transpose();
    result.LS += half.LS.transpose();
  }
}

void GridFockBuilder::build(const std::vector<OccupiedSpinors>& spinors,
                            const Eigen::MatrixXd& exchangeDefect, std::vector<BlockMatrix>& p,
                            std::vector<BlockMatrix>& q) {
  evaluateOrbitals(spinors);
  coulombPotentials(spinors, exchangeDefect);
  const int count = static_cast<int>(symmetries_.size()), threads = pool_.threads();
  const int tiles = (grid_.points + kTile - 1) / kTile;
  // Tiles are dealt out in a fixed way, so that a result does not depend on which thread was quicker.
  pool_.forEach(threads, [&](int worker, int) {
    Worker& mine = workers_[worker];
    for (int a = 0; a < count; ++a) {
      const int n = static_cast<int>(symmetries_[a].functions.large.cols());
      mine.p[a].resize(n, n);
      mine.p[a].setZero();
      if (!spinors[a].open) continue;
      mine.q[a].resize(n, n);
      mine.q[a].setZero();
    }
    for (int t = 0; t < tiles; ++t) {
      // Back and forth, because later tiles have longer LL and SS columns.
      const int turn = t % (2 * threads);
      if (std::min(turn, 2 * threads - 1 - turn) != worker) continue;
      tile(t * kTile, std::min(kTile, grid_.points - t * kTile), spinors, exchangeDefect, mine);
    }
  });
  p.resize(count);
  q.resize(count);
  for (int a = 0; a < count; ++a) {
    collect(a, false, p[a]);
    if (spinors[a].open) collect(a, true, q[a]);
  }
}

}  // namespace prophet
