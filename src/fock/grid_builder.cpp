#include "fock/grid_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "common/error.hpp"
#include "common/math_constants.hpp"
#include "fock/toeplitz_product.hpp"
#include "integrals/primitives.hpp"
#include "linalg/dense.hpp"

namespace prophet {
namespace {

/// ln Gamma(a), a > 0. std::lgamma writes the sign into a global variable, which is a race between threads.
double logGamma(double a) {
  int sign = 0;
  return ::lgamma_r(a, &sign);
}

/// Grid points in one tile: long enough for the matrix products, short enough that a tile of every density
/// block stays in a core's own cache.
constexpr int kTile = 24;

/// Matrix products take as long for one row as for so many, the numbers in a register of AVX-512.
constexpr int kPadding = 8;

std::vector<Symmetry> symmetriesOf(const BasisSet& basis) {
  std::vector<Symmetry> list;
  for (const SymmetryBasis& s : basis.symmetries) list.push_back(s.symmetry);
  return list;
}

}  // namespace

/// What belongs to one symmetry: basis functions and occupied orbitals on the grid (points x n and points x
/// m), scaled by r^(1/4) sqrt(h), and local potentials.
struct GridFockBuilder::SymmetryData {
  int size = 0;                              ///< number of basis functions
  GridFunctions functions;                   ///< with columns of zeros up to a multiple of kPadding
  Eigen::MatrixXd largeByRows, smallByRows;  ///< functions transposed: what products read fastest
  GridFunctions orbitalFunctions;            ///< those of setOrbitalBasis; empty: the functions
  Eigen::MatrixXd largeOrbitals, smallOrbitals;
  Eigen::MatrixXd weightedLarge, weightedSmall;  ///< orbitals times occupation
  Eigen::VectorXd density;                       ///< on the grid
  bool occupied = false;
};

/// What belongs to one open spinor.
struct GridFockBuilder::OpenData {
  int symmetry = 0, column = 0;
  Eigen::VectorXd density;    ///< on the grid, times occupation
  Eigen::VectorXd potential;  ///< local part of Q
};

/// Values between a tile of grid points i (columns) and grid points j (rows).
struct GridFockBuilder::Tile {
  Eigen::MatrixXd LL, LS, SS;  ///< LS: column i of the large, row j of the small component
  Eigen::MatrixXd SL;          ///< column i of the small, row j of the large component; Breit only
};

/// What one thread needs.
struct GridFockBuilder::Worker {
  std::vector<Tile> density;      ///< of each symmetry
  std::vector<Tile> openDensity;  ///< of each open spinor
  Tile sum;
  std::array<std::vector<ToeplitzTerm>, 3> terms;  ///< of one column: LL, SS, LS
  Eigen::MatrixXd work;
  std::vector<BlockMatrix> p, q;  ///< of each symmetry, of each open spinor; LL and SS halves: the whole is
                                  ///< half + half^T; LS transposed
  std::vector<GridFunctions> field;  ///< of the spinors of each symmetry
  Eigen::VectorXd potential;
};

RadialGrid fockGrid(const BasisSet& basis, double tolerance) {
  // The trapezoidal rule's relative error for r^n exp(-r^2) is 2 |Gamma((n+1)/2 + i pi/h)| / Gamma((n+1)/2),
  // with |Gamma(a + i y)| ~ sqrt(2 pi) y^(a - 1/2) exp(-pi y/2).
  const double a = 0.5 * (2 * basis.largestL() + 3);
  const auto error = [&](double h) {
    const double y = constants::kPi / h;
    return 2.0 *
           std::exp(0.91893853320467274 + (a - 0.5) * std::log(y) - 1.5707963267948966 * y - logGamma(a));
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

GridFunctions scaledFunctions(const SymmetryBasis& basis, const RadialGrid& grid) {
  return fieldFunctions(evaluateOnGrid(basis, grid), basis.symmetry, grid);
}

/// Zeros in the columns up to a multiple of kPadding.
void pad(Eigen::MatrixXd& functions) {
  const Eigen::Index n = functions.cols(), padded = (n + kPadding - 1) / kPadding * kPadding;
  functions.conservativeResize(Eigen::NoChange, padded);
  functions.rightCols(padded - n).setZero();
}

}  // namespace

GridFunctions fieldFunctions(GridFunctions f, Symmetry symmetry, const RadialGrid& grid) {
  const Eigen::VectorXd scale = grid.radii().array().pow(-0.25);
  f.large = scale.asDiagonal() * f.large;
  f.small = scale.asDiagonal() * f.small;
  f.large.row(0) *= foldTail(symmetry.l(), grid.h);
  f.small.row(0) *= foldTail(symmetry.lSmall(), grid.h);
  return f;
}

/// Normalisations go as zeta^((2l+3)/4), those of the small component as zeta^((2l+5)/4) with r^(l+2) and as
/// zeta^((2l+1)/4) with r^l.
GridFunctions fieldDerivatives(const GridFunctions& f, const SymmetryBasis& basis, const RadialGrid& grid) {
  const int l = basis.symmetry.l();
  const Eigen::ArrayXd r = grid.radii(), square = r.square();
  const double firstSmall = foldTail(basis.symmetry.lSmall(), grid.h) / foldTail(l, grid.h);
  GridFunctions d{Eigen::MatrixXd(f.large.rows(), f.large.cols()),
                  Eigen::MatrixXd(f.small.rows(), f.small.cols())};
  for (int p = 0; p < basis.size(); ++p) {
    const Primitive g = makePrimitive(basis.symmetry, basis.exponents[p]);
    d.large.col(p) = (0.25 * (2 * l + 3) - g.zeta * square) * f.large.col(p).array();
    d.small.col(p) = (0.25 * (2 * l + 5) - g.zeta * square) * f.small.col(p).array();
    if (g.small0 == 0.0) continue;
    Eigen::ArrayXd inner = g.small0 / g.norm * f.large.col(p).array() / r;
    inner(0) *= firstSmall;
    d.small.col(p).array() -= inner;
  }
  return d;
}

GridFunctions GridFockBuilder::functions(int symmetry) const {
  const SymmetryData& s = symmetries_[static_cast<std::size_t>(symmetry)];
  return {s.functions.large.leftCols(s.size), s.functions.small.leftCols(s.size)};
}

GridFockBuilder::GridFockBuilder(const BasisSet& basis, const RadialGrid& grid, ThreadPool& pool,
                                 std::shared_ptr<const CrossKernels> cross, bool coulomb)
    : grid_(grid), pool_(pool), kernels_(symmetriesOf(basis), grid.h, grid.points), cross_(std::move(cross)) {
  if (!coulomb) zeroKernel_ = Eigen::VectorXd::Zero(2 * grid.points - 1);
  if (cross_ &&
      (cross_->points < grid.points || cross_->symmetries < static_cast<int>(basis.symmetries.size())))
    throw Error("the Breit kernels are for a shorter grid or for fewer symmetries than the basis has");
  symmetries_.resize(basis.symmetries.size());
  for (std::size_t a = 0; a < symmetries_.size(); ++a) {
    SymmetryData& s = symmetries_[a];
    s.size = basis.symmetries[a].size();
    s.functions = scaledFunctions(basis.symmetries[a], grid_);
    for (Eigen::MatrixXd* part : {&s.functions.large, &s.functions.small}) pad(*part);
    s.largeByRows = s.functions.large.transpose();
    s.smallByRows = s.functions.small.transpose();
  }
  workers_.resize(pool.threads());
  for (Worker& worker : workers_) {
    worker.density.resize(symmetries_.size());
    worker.p.resize(symmetries_.size());
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
    if (!s.occupied) continue;
    const GridFunctions& f = s.orbitalFunctions.large.size() > 0 ? s.orbitalFunctions : s.functions;
    for (Eigen::MatrixXd* orbitals : {&s.largeOrbitals, &s.smallOrbitals})
      orbitals->resize(grid_.points, spinors[a].occupation.size());
    product(f.large.leftCols(spinors[a].large.rows()), spinors[a].large, s.largeOrbitals);
    product(f.small.leftCols(spinors[a].small.rows()), spinors[a].small, s.smallOrbitals);
    s.weightedLarge.noalias() = s.largeOrbitals * spinors[a].occupation.asDiagonal();
    s.weightedSmall.noalias() = s.smallOrbitals * spinors[a].occupation.asDiagonal();
    s.density =
        (s.largeOrbitals.cwiseProduct(s.weightedLarge) + s.smallOrbitals.cwiseProduct(s.weightedSmall))
            .rowwise()
            .sum();
  }
  const auto open = openSpinors(spinors);
  open_.resize(open.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    OpenData& o = open_[i];
    o.symmetry = open[i].symmetry;
    o.column = open[i].position;
    const SymmetryData& s = symmetries_[o.symmetry];
    o.density = s.largeOrbitals.col(o.column).cwiseProduct(s.weightedLarge.col(o.column)) +
                s.smallOrbitals.col(o.column).cwiseProduct(s.weightedSmall.col(o.column));
  }
}

void GridFockBuilder::coulombPotentials(const Eigen::MatrixXd& openReduction) {
  Worker& shared = workers_.front();
  Eigen::VectorXd& total = shared.potential;
  Eigen::VectorXd density = Eigen::VectorXd::Zero(grid_.points);
  for (const SymmetryData& s : symmetries_) {
    if (s.occupied) density += s.density;
  }
  total.resize(grid_.points);
  toeplitzVector(coulombKernel(), density.data(), grid_.points, total.data());
  for (std::size_t i = 0; i < open_.size(); ++i) {
    density.setZero();
    for (std::size_t j = 0; j < open_.size(); ++j) density += openReduction(i, j) * open_[j].density;
    open_[i].potential.resize(grid_.points);
    toeplitzVector(coulombKernel(), density.data(), grid_.points, open_[i].potential.data());
  }
}

/// Density blocks between the tile's points (columns) and points j (rows): j up to the end of the tile for LL
/// and SS.
void GridFockBuilder::densityTile(int first, int size, const SymmetryData& s, int firstColumn, int columns,
                                  Tile& d) const {
  d.LL.resize(grid_.points, kTile);
  d.LS.resize(grid_.points, kTile);
  d.SS.resize(grid_.points, kTile);
  const int upTo = first + size;
  const auto large = s.largeOrbitals.middleCols(firstColumn, columns);
  const auto small = s.smallOrbitals.middleCols(firstColumn, columns);
  const auto tileLarge = s.weightedLarge.block(first, firstColumn, size, columns);
  const auto tileSmall = s.weightedSmall.block(first, firstColumn, size, columns);
  productNT(large.topRows(upTo), tileLarge, d.LL.block(0, 0, upTo, size));
  productNT(small.topRows(upTo), tileSmall, d.SS.block(0, 0, upTo, size));
  productNT(small, tileLarge, d.LS.leftCols(size));
  if (!cross_) return;
  d.SL.resize(grid_.points, kTile);
  productNT(large, tileSmall, d.SL.leftCols(size));
}

/// sum += Phi^T W Phi for the tile. W's LL and SS are known for rows up to the end of the tile.
void GridFockBuilder::project(int a, int first, int size, const Worker& worker, Eigen::MatrixXd& work,
                              BlockMatrix& sum) const {
  const SymmetryData& s = symmetries_[a];
  const GridFunctions& f = s.functions;
  const int upTo = first + size;
  const auto tileLarge = f.large.middleRows(first, size), tileSmall = f.small.middleRows(first, size);
  auto columns = work.leftCols(size);
  product(s.largeByRows.leftCols(upTo), worker.sum.LL.block(0, 0, upTo, size), columns);
  addProduct(columns, tileLarge, sum.LL);
  product(s.smallByRows.leftCols(upTo), worker.sum.SS.block(0, 0, upTo, size), columns);
  addProduct(columns, tileSmall, sum.SS);
  product(s.smallByRows, worker.sum.LS.leftCols(size), columns);
  addProduct(columns, tileLarge, sum.LS);
}

/// The bracket for the tile: local potential minus sum of kernel times density over symmetries (`open` < 0: P
/// of symmetry a) or over open spinors (Q of the spinor number `open`, whose symmetry is a).
void GridFockBuilder::gather(int a, int open, int first, int size, const Eigen::MatrixXd& openReduction,
                             Worker& worker) const {
  const int points = grid_.points, upTo = first + size;
  const Eigen::VectorXd& potential = open < 0 ? workers_.front().potential : open_[open].potential;
  const int count = static_cast<int>(open < 0 ? symmetries_.size() : open_.size());
  auto &llTerms = worker.terms[0], &ssTerms = worker.terms[1], &lsTerms = worker.terms[2];
  for (auto& terms : worker.terms) terms.clear();
  for (int i = 0; i < count; ++i) {
    if (open < 0 && !symmetries_[i].occupied) continue;
    const int b = open < 0 ? i : open_[i].symmetry;
    const Tile& d = open < 0 ? worker.density[i] : worker.openDensity[i];
    const double factor = open < 0 ? -1.0 : -openReduction(open, i);
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
    sumToeplitzTerms(llTerms.data(), terms, column, points, upTo, ll);
    sumToeplitzTerms(ssTerms.data(), terms, column, points, upTo, ss);
    sumToeplitzTerms(lsTerms.data(), terms, column, points, points, ls);
    // The tile's own block is symmetric and is counted again when the half is added to its transpose.
    for (int j = first; j < upTo; ++j) {
      ll[j] *= 0.5;
      ss[j] *= 0.5;
    }
    ll[i] += 0.5 * potential(i);
    ss[i] += 0.5 * potential(i);
  }
}

/// Adds the bracket W (gather) times spinors of symmetry a, times a factor, to their fields.
void GridFockBuilder::act(int a, int firstColumn, int columns, double factor, int first, int size,
                          Worker& worker) const {
  const SymmetryData& s = symmetries_[a];
  const int points = grid_.points, upTo = first + size;
  const Eigen::MatrixXd large = factor * s.largeOrbitals.middleCols(firstColumn, columns);
  const Eigen::MatrixXd small = factor * s.smallOrbitals.middleCols(firstColumn, columns);
  auto onLarge = worker.field[a].large.middleCols(firstColumn, columns);
  auto onSmall = worker.field[a].small.middleCols(firstColumn, columns);
  Eigen::MatrixXd& turned = worker.work;
  const auto half = [&](const Eigen::MatrixXd& block, const Eigen::MatrixXd& in, auto& out) {
    const auto w = block.block(0, 0, upTo, size);
    addProduct(w, in.middleRows(first, size), out.topRows(upTo));
    turned.resize(size, columns);
    productTN(w, in.topRows(upTo), turned);
    out.middleRows(first, size) += turned;
  };
  half(worker.sum.LL, large, onLarge);
  half(worker.sum.SS, small, onSmall);
  const auto ls = worker.sum.LS.block(0, 0, points, size);
  productTN(ls, small, turned);
  onLarge.middleRows(first, size) += turned;
  addProduct(ls, large.middleRows(first, size), onSmall);
}

/// What `gather` needs for a tile.
void GridFockBuilder::densities(int first, int size, Worker& worker) const {
  const int count = static_cast<int>(symmetries_.size()), points = grid_.points;
  for (int b = 0; b < count; ++b) {
    const SymmetryData& s = symmetries_[b];
    if (s.occupied)
      densityTile(first, size, s, 0, static_cast<int>(s.largeOrbitals.cols()), worker.density[b]);
  }
  for (std::size_t i = 0; i < open_.size(); ++i)
    densityTile(first, size, symmetries_[open_[i].symmetry], open_[i].column, 1, worker.openDensity[i]);
  worker.sum.LL.resize(points, kTile);
  worker.sum.LS.resize(points, kTile);
  worker.sum.SS.resize(points, kTile);
}

void GridFockBuilder::fieldTile(int first, int size, const Eigen::MatrixXd& openReduction,
                                Worker& worker) const {
  densities(first, size, worker);
  for (int a = 0; a < static_cast<int>(symmetries_.size()); ++a) {
    if (!symmetries_[a].occupied) continue;
    gather(a, -1, first, size, openReduction, worker);
    act(a, 0, static_cast<int>(symmetries_[a].largeOrbitals.cols()), 1.0, first, size, worker);
  }
  for (std::size_t i = 0; i < open_.size(); ++i) {
    gather(open_[i].symmetry, static_cast<int>(i), first, size, openReduction, worker);
    act(open_[i].symmetry, open_[i].column, 1, -1.0, first, size, worker);
  }
}

void GridFockBuilder::tile(int first, int size, const Eigen::MatrixXd& openReduction, Worker& worker) const {
  densities(first, size, worker);
  for (int a = 0; a < static_cast<int>(symmetries_.size()); ++a) {
    const int n = static_cast<int>(symmetries_[a].functions.large.cols());
    worker.work.resize(n, kTile);
    gather(a, -1, first, size, openReduction, worker);
    project(a, first, size, worker, worker.work, worker.p[a]);
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].symmetry != a) continue;
      gather(a, static_cast<int>(i), first, size, openReduction, worker);
      project(a, first, size, worker, worker.work, worker.q[i]);
    }
  }
}

void GridFockBuilder::collect(std::vector<BlockMatrix> Worker::*halves, std::size_t i, int symmetry,
                              BlockMatrix& result) const {
  const int n = symmetries_[symmetry].size;
  result.resize(n, n);
  result.setZero();
  for (const Worker& worker : workers_) {
    const BlockMatrix& half = (worker.*halves)[i];
    const auto ll = half.LL.topLeftCorner(n, n), ss = half.SS.topLeftCorner(n, n);
    result.LL += ll + ll.transpose();
    result.SS += ss + ss.transpose();
    result.LS += half.LS.topLeftCorner(n, n).transpose();
  }
}

/// Sizes a thread's sums and sets them to zero.
void GridFockBuilder::clear(Worker& worker) const {
  worker.openDensity.resize(open_.size());
  worker.q.resize(open_.size());
  const auto clearOne = [&](const SymmetryData& s, BlockMatrix& sum) {
    sum.resize(s.functions.large.cols(), s.functions.large.cols());
    sum.setZero();
  };
  for (std::size_t a = 0; a < symmetries_.size(); ++a) clearOne(symmetries_[a], worker.p[a]);
  for (std::size_t i = 0; i < open_.size(); ++i) clearOne(symmetries_[open_[i].symmetry], worker.q[i]);
}

/// work(first, size, worker) for every tile of grid points, dealt out in a fixed way, so that a result does
/// not depend on which thread was quicker.
template <class Work>
void GridFockBuilder::overTiles(const Work& work) {
  const int threads = pool_.threads(), tiles = (grid_.points + kTile - 1) / kTile;
  pool_.forEach(threads, [&](int worker, int) {
    for (int t = 0; t < tiles; ++t) {
      // Back and forth, because later tiles have longer LL and SS columns.
      const int turn = t % (2 * threads);
      if (std::min(turn, 2 * threads - 1 - turn) != worker) continue;
      work(t * kTile, std::min(kTile, grid_.points - t * kTile), workers_[worker]);
    }
  });
}

void GridFockBuilder::build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& openReduction,
                            std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) {
  evaluateOrbitals(spinors);
  coulombPotentials(openReduction);
  pool_.forEach(pool_.threads(), [&](int worker, int) { clear(workers_[worker]); });
  overTiles([&](int first, int size, Worker& worker) { tile(first, size, openReduction, worker); });
  p.resize(symmetries_.size());
  q.resize(open_.size());
  for (std::size_t a = 0; a < p.size(); ++a) collect(&Worker::p, a, static_cast<int>(a), p[a]);
  for (std::size_t i = 0; i < q.size(); ++i) collect(&Worker::q, i, open_[i].symmetry, q[i]);
}

void GridFockBuilder::applyField(const std::vector<OccupiedSpinors>& spinors,
                                 const Eigen::MatrixXd& openReduction, std::vector<GridFunctions>& field) {
  evaluateOrbitals(spinors);
  coulombPotentials(openReduction);
  for (Worker& worker : workers_) {
    worker.openDensity.resize(open_.size());
    worker.field.resize(symmetries_.size());
    for (std::size_t a = 0; a < symmetries_.size(); ++a) {
      const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(grid_.points, spinors[a].occupation.size());
      worker.field[a] = {none, none};
    }
  }
  overTiles([&](int first, int size, Worker& worker) { fieldTile(first, size, openReduction, worker); });
  field = workers_.front().field;
  for (std::size_t w = 1; w < workers_.size(); ++w) {
    for (std::size_t a = 0; a < field.size(); ++a) {
      field[a].large += workers_[w].field[a].large;
      field[a].small += workers_[w].field[a].small;
    }
  }
}

}  // namespace prophet
