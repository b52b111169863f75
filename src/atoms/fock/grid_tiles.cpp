#include <array>

#include "atoms/fock/exchange_tile.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "core/linalg/dense.hpp"

// The work of GridFockBuilder for one tile of grid points.

namespace prophet {

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

}  // namespace prophet
