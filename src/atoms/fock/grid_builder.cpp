#include "atoms/fock/grid_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "atoms/fock/exchange_tile.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/dense_kernels.hpp"

namespace prophet {
namespace {

/// Matrix products take as long for one row as for so many, the numbers in a register.
int padding() { return supportsV4() ? 8 : 4; }

}  // namespace

/// What belongs to one symmetry: basis functions and occupied orbitals on the grid (points x n and points x
/// m), scaled by r^(1/4) sqrt(h), and local potentials. Functions and orbitals are zero outside their rows.
struct GridFockBuilder::SymmetryData {
  int size = 0;                              ///< number of basis functions
  GridSpan rows, orbitalRows;                ///< where functions and where orbitals have values
  GridFunctions functions;                   ///< with columns of zeros up to a multiple of padding()
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

/// What one thread needs.
struct GridFockBuilder::Worker {
  std::vector<TileBlocks> density, bracket;        ///< of each symmetry
  std::vector<TileBlocks> openDensity;             ///< of each open spinor
  TileBlocks openBracket;                          ///< of one open spinor
  std::array<std::vector<ToeplitzTerm>, 3> terms;  ///< of one column: LL, SS, LS
  Eigen::MatrixXd work;
  std::vector<BlockMatrix> p, q;  ///< of each symmetry, of each open spinor; LL and SS halves: the whole is
                                  ///< half + half^T; LS transposed
  std::vector<GridFunctions> field;  ///< of the spinors of each symmetry
  Eigen::VectorXd potential;
};

namespace {

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

/// Density blocks between the tile's points (columns) and points j (rows), where the orbitals have values: j
/// up to the end of the tile for LL and SS.
void GridFockBuilder::densityTile(GridSpan tile, const SymmetryData& s, int firstColumn, int columns,
                                  TileBlocks& d) const {
  d.prepare(points_, cross_ != nullptr);
  const GridSpan own = intersection(tile, s.orbitalRows);
  if (own.size() == 0) return;
  const GridSpan below{s.orbitalRows.first, own.end};
  const auto large = s.largeOrbitals.middleCols(firstColumn, columns);
  const auto small = s.smallOrbitals.middleCols(firstColumn, columns);
  const auto tileLarge = s.weightedLarge.block(own.first, firstColumn, own.size(), columns);
  const auto tileSmall = s.weightedSmall.block(own.first, firstColumn, own.size(), columns);
  const auto multiply = [&](const auto& rowsOf, const auto& columnsOf, GridSpan rows, TileBlocks::Map block) {
    productNT(rowsOf.middleRows(rows.first, rows.size()), columnsOf,
              block.block(rows.first, own.first - tile.first, rows.size(), own.size()));
  };
  multiply(large, tileLarge, below, d.ll());
  multiply(small, tileSmall, below, d.ss());
  multiply(small, tileLarge, s.orbitalRows, d.ls());
  if (cross_) multiply(large, tileSmall, s.orbitalRows, d.sl());
}

/// sum += Phi^T W Phi for the tile. W's LL and SS are known for rows up to the end of the tile.
void GridFockBuilder::project(int a, GridSpan tile, const TileBlocks& bracket, Eigen::MatrixXd& work,
                              BlockMatrix& sum) const {
  const SymmetryData& s = symmetries_[a];
  const GridSpan own = intersection(tile, s.rows), below{s.rows.first, own.end};
  if (own.size() == 0) return;
  const auto tileLarge = s.functions.large.middleRows(own.first, own.size());
  const auto tileSmall = s.functions.small.middleRows(own.first, own.size());
  auto columns = work.leftCols(own.size());
  const auto add = [&](const Eigen::MatrixXd& byRows, TileBlocks::Map block, GridSpan rows, const auto& right,
                       Eigen::MatrixXd& to) {
    product(byRows.middleCols(rows.first, rows.size()),
            block.block(rows.first, own.first - tile.first, rows.size(), own.size()), columns);
    addProduct(columns, right, to);
  };
  add(s.largeByRows, bracket.ll(), below, tileLarge, sum.LL);
  add(s.smallByRows, bracket.ss(), below, tileSmall, sum.SS);
  add(s.smallByRows, bracket.ls(), s.rows, tileLarge, sum.LS);
}

KernelCentres GridFockBuilder::centres(int a, int b) const {
  const double* direct = exchangeKernel(a, b);
  if (!cross_) return {direct, nullptr, nullptr, nullptr};
  return {direct, cross_->centre(cross_->largeFromSmall, a, b), cross_->centre(cross_->smallFromLarge, a, b),
          cross_->centre(cross_->mixed, a, b)};
}

/// The brackets of all symmetries for the tile: local potential minus sum of kernel times density over
/// symmetries.
void GridFockBuilder::gather(GridSpan tile, Worker& worker) const {
  const int count = static_cast<int>(symmetries_.size());
  TileExchange e{tile.first, tile.size(), {}, {}, &worker.bracket, &worker.density, {}};
  for (int a = 0; a < count; ++a) {
    const SymmetryData& s = symmetries_[a];
    worker.bracket[a].prepare(points_, cross_ != nullptr);
    e.targets.push_back(s.rows);
    e.sources.push_back(s.occupied ? s.orbitalRows : GridSpan{});
    for (int b = 0; b < count; ++b) e.kernels.push_back(centres(a, b));
  }
  gatherTile(e);
  for (int a = 0; a < count; ++a) addPotential(tile, workers_.front().potential, worker.bracket[a]);
}

/// The bracket of one open spinor: its local potential minus the sum over open spinors.
void GridFockBuilder::gatherOpen(int open, GridSpan tile, const Eigen::MatrixXd& openReduction,
                                 Worker& worker) const {
  auto &llTerms = worker.terms[0], &ssTerms = worker.terms[1], &lsTerms = worker.terms[2];
  for (auto& terms : worker.terms) terms.clear();
  for (int i = 0; i < static_cast<int>(open_.size()); ++i) {
    const KernelCentres k = centres(open_[open].symmetry, open_[i].symmetry);
    const PairBlocks& d = worker.openDensity[i].pointers();
    const double factor = -openReduction(open, i);
    llTerms.push_back({k.direct - tile.first, d.ll, factor});
    ssTerms.push_back({k.direct - tile.first, d.ss, factor});
    lsTerms.push_back({k.direct - tile.first, d.ls, factor});
    if (!cross_) continue;
    llTerms.push_back({k.largeFromSmall - tile.first, d.ss, factor});
    ssTerms.push_back({k.smallFromLarge - tile.first, d.ll, factor});
    lsTerms.push_back({k.mixed - tile.first, d.sl, factor});
  }
  TileBlocks& bracket = worker.openBracket;
  bracket.prepare(points_, cross_ != nullptr);
  const int terms = static_cast<int>(llTerms.size()), stride = bracket.stride();
  for (int column = 0; column < tile.size(); ++column) {
    double *ll = &bracket.ll()(0, column), *ls = &bracket.ls()(0, column), *ss = &bracket.ss()(0, column);
    sumToeplitzTerms(llTerms.data(), terms, column, stride, tile.end, ll);
    sumToeplitzTerms(ssTerms.data(), terms, column, stride, tile.end, ss);
    sumToeplitzTerms(lsTerms.data(), terms, column, stride, points_, ls);
    // As gatherTile has it.
    for (int j = tile.first; j < tile.end; ++j) {
      ll[j] *= 0.5;
      ss[j] *= 0.5;
    }
  }
  addPotential(tile, open_[open].potential, bracket);
}

void GridFockBuilder::addPotential(GridSpan tile, const Eigen::VectorXd& potential,
                                   TileBlocks& bracket) const {
  for (int i = tile.first; i < tile.end; ++i) {
    bracket.ll()(i, i - tile.first) += 0.5 * potential(i);
    bracket.ss()(i, i - tile.first) += 0.5 * potential(i);
  }
}

/// Adds the bracket W times spinors of symmetry a, times a factor, to their fields.
void GridFockBuilder::act(int a, int firstColumn, int columns, double factor, GridSpan tile,
                          const TileBlocks& bracket, Worker& worker) const {
  const SymmetryData& s = symmetries_[a];
  const GridSpan own = intersection(tile, s.rows), below{s.rows.first, own.end};
  if (own.size() == 0) return;
  const Eigen::MatrixXd large = factor * s.largeOrbitals.middleCols(firstColumn, columns);
  const Eigen::MatrixXd small = factor * s.smallOrbitals.middleCols(firstColumn, columns);
  auto onLarge = worker.field[a].large.middleCols(firstColumn, columns);
  auto onSmall = worker.field[a].small.middleCols(firstColumn, columns);
  Eigen::MatrixXd& turned = worker.work;
  turned.resize(own.size(), columns);
  const auto rowsOf = [](auto& matrix, GridSpan rows) { return matrix.middleRows(rows.first, rows.size()); };
  const auto part = [&](TileBlocks::Map block, GridSpan rows) {
    return block.block(rows.first, own.first - tile.first, rows.size(), own.size());
  };
  const auto half = [&](TileBlocks::Map block, const Eigen::MatrixXd& in, auto& out) {
    addProduct(part(block, below), rowsOf(in, own), rowsOf(out, below));
    productTN(part(block, below), rowsOf(in, below), turned);
    rowsOf(out, own) += turned;
  };
  half(bracket.ll(), large, onLarge);
  half(bracket.ss(), small, onSmall);
  productTN(part(bracket.ls(), s.rows), rowsOf(small, s.rows), turned);
  rowsOf(onLarge, own) += turned;
  addProduct(part(bracket.ls(), s.rows), rowsOf(large, own), rowsOf(onSmall, s.rows));
}

/// What `gather` and `gatherOpen` need for a tile.
void GridFockBuilder::densities(GridSpan tile, Worker& worker) const {
  for (std::size_t b = 0; b < symmetries_.size(); ++b) {
    const SymmetryData& s = symmetries_[b];
    if (s.occupied) densityTile(tile, s, 0, static_cast<int>(s.largeOrbitals.cols()), worker.density[b]);
  }
  for (std::size_t i = 0; i < open_.size(); ++i) {
    worker.openDensity[i].clear();  // gatherOpen reads all of it, whatever rows the symmetry has
    densityTile(tile, symmetries_[open_[i].symmetry], open_[i].column, 1, worker.openDensity[i]);
  }
}

void GridFockBuilder::fieldTile(GridSpan tile, const Eigen::MatrixXd& openReduction, Worker& worker) const {
  densities(tile, worker);
  gather(tile, worker);
  for (int a = 0; a < static_cast<int>(symmetries_.size()); ++a) {
    if (!symmetries_[a].occupied) continue;
    act(a, 0, static_cast<int>(symmetries_[a].largeOrbitals.cols()), 1.0, tile, worker.bracket[a], worker);
  }
  for (std::size_t i = 0; i < open_.size(); ++i) {
    gatherOpen(static_cast<int>(i), tile, openReduction, worker);
    act(open_[i].symmetry, open_[i].column, 1, -1.0, tile, worker.openBracket, worker);
  }
}

void GridFockBuilder::projectTile(GridSpan tile, const Eigen::MatrixXd& openReduction, Worker& worker) const {
  densities(tile, worker);
  gather(tile, worker);
  for (int a = 0; a < static_cast<int>(symmetries_.size()); ++a) {
    worker.work.resize(symmetries_[a].functions.large.cols(), kTile);
    project(a, tile, worker.bracket[a], worker.work, worker.p[a]);
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].symmetry != a) continue;
      gatherOpen(static_cast<int>(i), tile, openReduction, worker);
      project(a, tile, worker.openBracket, worker.work, worker.q[i]);
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
