#include "atoms/fock/grid_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "atoms/fock/exchange_tile.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "atoms/integrals/primitives.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/dense_kernels.hpp"

namespace prophet {

std::vector<OpenSpinor> openSpinors(const std::vector<OccupiedSpinors>& spinors) {
  std::vector<OpenSpinor> list;
  for (std::size_t a = 0; a < spinors.size(); ++a)
    for (const int column : spinors[a].open) list.push_back({static_cast<int>(a), column});
  return list;
}

namespace {

/// ln Gamma(a), a > 0. std::lgamma writes the sign into a global variable, which is a race between threads.
double logGamma(double a) {
  int sign = 0;
  return ::lgamma_r(a, &sign);
}

/// Below the first point a function goes as r^(l+1), and a pair density of equal l as a geometric series on
/// the grid: its sum, 1/(1 - exp(-(2l+3) h)), becomes the weight of the first point.
double foldTail(int l, double h) { return 1.0 / std::sqrt(1.0 - std::exp(-(2 * l + 3) * h)); }

}  // namespace

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

namespace {

/// Matrix products take as long for one row as for so many, the numbers in a register.
int padding() { return supportsV4() ? 8 : 4; }

/// On `points` rows, zero outside `rows`, which are found here.
GridFunctions cutFunctions(const SymmetryBasis& basis, const RadialGrid& grid, int points, GridSpan& rows) {
  GridFunctions f = evaluateOnGrid(basis, grid);
  rows = significantRows(f.large, f.small);
  f = fieldFunctions(std::move(f), basis.symmetry, grid);
  return {cutTo(rows, f.large, points), cutTo(rows, f.small, points)};
}

/// Zeros in the columns up to a multiple of padding().
void pad(Eigen::MatrixXd& functions) {
  const Eigen::Index n = functions.cols(), padded = (n + padding() - 1) / padding() * padding();
  functions.conservativeResize(Eigen::NoChange, padded);
  functions.rightCols(padded - n).setZero();
}

}  // namespace

GridFunctions GridFockBuilder::functions(int symmetry) const {
  const SymmetryData& s = symmetries_[static_cast<std::size_t>(symmetry)];
  return {s.functions.large.topLeftCorner(grid_.points, s.size),
          s.functions.small.topLeftCorner(grid_.points, s.size)};
}

GridFockBuilder::GridFockBuilder(const BasisSet& basis, const RadialGrid& grid, ThreadPool& pool,
                                 std::shared_ptr<const CrossKernels> cross, bool coulomb)
    : grid_(grid),
      points_(wholeGroups(grid.points)),
      pool_(pool),
      kernels_(symmetriesOf(basis), grid.h, points_),
      cross_(std::move(cross)) {
  if (!coulomb) zeroKernel_ = Eigen::VectorXd::Zero(2 * points_ - 1);
  if (cross_ &&
      (cross_->points < grid.points || cross_->symmetries < static_cast<int>(basis.symmetries.size())))
    throw Error("the Breit kernels are for a shorter grid or for fewer symmetries than the basis has");
  if (cross_ && cross_->points < points_) cross_ = extended(*cross_, points_);
  symmetries_.resize(basis.symmetries.size());
  pool_.forEach(static_cast<int>(symmetries_.size()), [&](int a, int) {
    SymmetryData& s = symmetries_[a];
    s.size = basis.symmetries[a].size();
    s.functions = cutFunctions(basis.symmetries[a], grid_, points_, s.rows);
    s.orbitalRows = s.rows;
    for (Eigen::MatrixXd* part : {&s.functions.large, &s.functions.small}) pad(*part);
    s.largeByRows = s.functions.large.transpose();
    s.smallByRows = s.functions.small.transpose();
  });
  workers_.resize(pool.threads());
  for (Worker& worker : workers_) {
    worker.density.resize(symmetries_.size());
    worker.bracket.resize(symmetries_.size());
    worker.p.resize(symmetries_.size());
  }
}

GridFockBuilder::~GridFockBuilder() = default;

void GridFockBuilder::setOrbitalBasis(const BasisSet& orbitals) {
  if (orbitals.symmetries.size() < symmetries_.size())
    throw Error("the orbitals' basis must have as many symmetries as the builder's");
  pool_.forEach(static_cast<int>(symmetries_.size()), [&](int a, int) {
    SymmetryData& s = symmetries_[a];
    s.orbitalFunctions = cutFunctions(orbitals.symmetries[a], grid_, points_, s.orbitalRows);
    for (Eigen::MatrixXd* m : {&s.largeOrbitals, &s.smallOrbitals, &s.weightedLarge, &s.weightedSmall})
      m->resize(0, 0);
  });
}

const double* GridFockBuilder::coulombKernel() const {
  return zeroKernel_.size() > 0 ? zeroKernel_.data() + points_ - 1 : kernels_.coulomb();
}

const double* GridFockBuilder::exchangeKernel(int a, int b) const {
  return zeroKernel_.size() > 0 ? zeroKernel_.data() + points_ - 1 : kernels_.centre(a, b);
}

void GridFockBuilder::evaluateOrbitals(const std::vector<OccupiedSpinors>& spinors) {
  for (std::size_t a = 0; a < symmetries_.size(); ++a) {
    SymmetryData& s = symmetries_[a];
    s.occupied = spinors[a].occupation.size() > 0;
    if (!s.occupied) continue;
    const GridFunctions& f = s.orbitalFunctions.large.size() > 0 ? s.orbitalFunctions : s.functions;
    const Eigen::Index first = s.orbitalRows.first, count = s.orbitalRows.size();
    const auto evaluate = [&](const Eigen::MatrixXd& functions, const Eigen::MatrixXd& coefficients,
                              Eigen::MatrixXd& orbitals, Eigen::MatrixXd& weighted) {
      for (Eigen::MatrixXd* m : {&orbitals, &weighted})
        if (m->rows() != points_ || m->cols() != coefficients.cols())
          m->setZero(points_, coefficients.cols());
      product(functions.block(first, 0, count, coefficients.rows()), coefficients,
              orbitals.middleRows(first, count));
      weighted.middleRows(first, count).noalias() =
          orbitals.middleRows(first, count) * spinors[a].occupation.asDiagonal();
    };
    evaluate(f.large, spinors[a].large, s.largeOrbitals, s.weightedLarge);
    evaluate(f.small, spinors[a].small, s.smallOrbitals, s.weightedSmall);
    s.density.setZero(points_);
    for (Eigen::Index i = 0; i < s.largeOrbitals.cols(); ++i) {
      addProducts(&s.largeOrbitals(first, i), &s.weightedLarge(first, i), static_cast<int>(count),
                  &s.density(first));
      addProducts(&s.smallOrbitals(first, i), &s.weightedSmall(first, i), static_cast<int>(count),
                  &s.density(first));
    }
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
  Eigen::VectorXd density = Eigen::VectorXd::Zero(points_);
  for (const SymmetryData& s : symmetries_) {
    if (s.occupied) density += s.density;
  }
  total.resize(points_);
  toeplitzVector(coulombKernel(), density.data(), points_, total.data());
  for (std::size_t i = 0; i < open_.size(); ++i) {
    density.setZero();
    for (std::size_t j = 0; j < open_.size(); ++j) density += openReduction(i, j) * open_[j].density;
    open_[i].potential.resize(points_);
    toeplitzVector(coulombKernel(), density.data(), points_, open_[i].potential.data());
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

/// The tiles of each thread: the dearest one left goes to who has least.
std::vector<std::vector<GridSpan>> GridFockBuilder::dealTiles() const {
  struct Cost {
    double cost;
    GridSpan tile;
  };
  std::vector<Cost> tiles;
  for (int first = 0; first < points_; first += kTile) {
    Cost c{0.0, {first, std::min(first + kTile, points_)}};
    for (const SymmetryData& s : symmetries_) {
      const GridSpan own = intersection(c.tile, s.rows);
      // Columns times rows of LL, SS and LS, times functions.
      c.cost += static_cast<double>(own.size()) * s.size * (2 * (own.end - s.rows.first) + s.rows.size());
    }
    tiles.push_back(c);
  }
  std::stable_sort(tiles.begin(), tiles.end(), [](const Cost& a, const Cost& b) { return a.cost > b.cost; });
  std::vector<std::vector<GridSpan>> dealt(workers_.size());
  std::vector<double> load(workers_.size(), 0.0);
  for (const Cost& c : tiles) {
    const auto least = std::min_element(load.begin(), load.end()) - load.begin();
    load[least] += c.cost;
    dealt[least].push_back(c.tile);
  }
  return dealt;
}

/// work(tile, worker) for every tile of grid points, after begin(worker); dealt out in a fixed way, so that a
/// result does not depend on which thread was quicker.
template <class Begin, class Work>
void GridFockBuilder::overTiles(const Begin& begin, const Work& work) {
  const std::vector<std::vector<GridSpan>> dealt = dealTiles();
  pool_.forEach(pool_.threads(), [&](int worker, int) {
    begin(workers_[worker]);
    for (const GridSpan& tile : dealt[worker]) work(tile, workers_[worker]);
  });
}

void GridFockBuilder::build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& openReduction,
                            std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) {
  evaluateOrbitals(spinors);
  coulombPotentials(openReduction);
  overTiles([&](Worker& worker) { clear(worker); },
            [&](GridSpan tile, Worker& worker) { projectTile(tile, openReduction, worker); });
  p.resize(symmetries_.size());
  q.resize(open_.size());
  for (std::size_t a = 0; a < p.size(); ++a) collect(&Worker::p, a, static_cast<int>(a), p[a]);
  for (std::size_t i = 0; i < q.size(); ++i) collect(&Worker::q, i, open_[i].symmetry, q[i]);
}

void GridFockBuilder::applyField(const std::vector<OccupiedSpinors>& spinors,
                                 const Eigen::MatrixXd& openReduction, std::vector<GridFunctions>& field) {
  evaluateOrbitals(spinors);
  coulombPotentials(openReduction);
  const auto begin = [&](Worker& worker) {
    worker.openDensity.resize(open_.size());
    worker.field.resize(symmetries_.size());
    for (std::size_t a = 0; a < symmetries_.size(); ++a) {
      const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(points_, spinors[a].occupation.size());
      worker.field[a] = {none, none};
    }
  };
  overTiles(begin, [&](GridSpan tile, Worker& worker) { fieldTile(tile, openReduction, worker); });
  field = workers_.front().field;
  for (std::size_t w = 1; w < workers_.size(); ++w) {
    for (std::size_t a = 0; a < field.size(); ++a) {
      field[a].large += workers_[w].field[a].large;
      field[a].small += workers_[w].field[a].small;
    }
  }
  for (GridFunctions& f : field) {
    f.large.conservativeResize(grid_.points, Eigen::NoChange);
    f.small.conservativeResize(grid_.points, Eigen::NoChange);
  }
}

}  // namespace prophet
