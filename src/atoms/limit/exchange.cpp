#include "atoms/limit/exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/limit/mean_field.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/dense_kernels.hpp"

namespace prophet::limit {
namespace {

constexpr int kCellsInTile = 6;

int index(Block block) { return static_cast<int>(block); }
int rowComponent(int block) { return block / 2; }
int columnComponent(int block) { return block % 2; }
// The same block of the transposed matrix.
int transposed(int block) { return 2 * columnComponent(block) + rowComponent(block); }

}  // namespace

std::vector<ExchangeChannel> coulombChannels(int symmetries, Components components) {
  std::vector<Block> blocks = {Block::LL};
  if (components == Components::LargeAndSmall) blocks = {Block::LL, Block::LS, Block::SS};
  std::vector<ExchangeChannel> channels;
  for (int a = 0; a < symmetries; ++a) {
    for (int b = 0; b < symmetries; ++b) {
      ExchangeChannel channel{a, b, {}, {}};
      for (const ExchangeTerm& term : exchangeTerms(Symmetry::fromIndex(a), Symmetry::fromIndex(b))) {
        channel.kernel.push_back({term.k, term.coefficient, term.coefficient});
      }
      for (const Block block : blocks) channel.blocks.push_back({block, block});
      channels.push_back(channel);
    }
  }
  return channels;
}

int largestMultipole(const std::vector<ExchangeChannel>& channels) {
  int largest = 0;
  for (const auto& channel : channels) {
    for (const auto& term : channel.kernel) largest = std::max(largest, term.k);
  }
  return largest;
}

struct ExchangeBuilder::Workspace {
  std::vector<Eigen::MatrixXd> sums;              ///< for each symmetry, over all splines
  std::vector<Eigen::MatrixXd> greater, smaller;  ///< kernels of the tile pair: r1 > r2, r1 < r2
  std::vector<std::array<Eigen::MatrixXd, 4>> density;
  std::array<Eigen::MatrixXd, 4> product;
  bool used[4];
};

ExchangeBuilder::ExchangeBuilder(const RadialBasis& basis, const SlaterKernel& kernel,
                                 std::vector<ExchangeChannel> channels, int symmetries, int threads)
    : basis_(basis),
      kernel_(kernel),
      channels_(std::move(channels)),
      symmetries_(symmetries),
      threads_(threads) {
  const SplineSpace* spaces[2] = {&basis.largeSpace, &basis.smallSpace};
  const Eigen::MatrixXd* values[2] = {&basis.large, &basis.small};
  for (int first = 0; first < basis.cells; first += kCellsInTile) {
    Tile tile;
    tile.cells = {first, std::min(kCellsInTile, basis.cells - first)};
    tile.firstPoint = first * basis.pointsPerCell();
    tile.pointCount = tile.cells.count * basis.pointsPerCell();
    for (int c = 0; c < 2; ++c) {
      if (c == 1 && !basis.hasSmall()) {
        tile.firstSpline[c] = tile.splineCount[c] = 0;
        continue;
      }
      const int last = first + tile.cells.count - 1;
      tile.firstSpline[c] = spaces[c]->firstSpline(first);
      tile.splineCount[c] = spaces[c]->firstSpline(last) + spaces[c]->order() - tile.firstSpline[c];
      tile.values[c] =
          values[c]->block(tile.firstPoint, tile.firstSpline[c], tile.pointCount, tile.splineCount[c]);
    }
    tiles_.push_back(std::move(tile));
  }
}

std::vector<Eigen::MatrixXd> ExchangeBuilder::build(const std::vector<PointSpinors>& spinors,
                                                    const Eigen::MatrixXd& weights) const {
  const int size = basis_.allSplines();
  std::vector<Workspace> work(threads_);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < static_cast<int>(tiles_.size()); ++i) {
    for (int j = 0; j <= i; ++j) pairs.emplace_back(i, j);
  }
  ThreadPool pool(threads_);
  // Each thread makes its own sums: they are large, and one thread would take long to clear those of all.
  pool.forEachShare(static_cast<int>(pairs.size()), threads_, [&](int p, int share) {
    Workspace& own = work[share];
    if (own.sums.empty()) {
      own.sums.assign(symmetries_, Eigen::MatrixXd::Zero(size, size));
      own.density.resize(symmetries_);
    }
    addTilePair(pairs[p].first, pairs[p].second, spinors, weights, own);
  });
  pool.forEach(symmetries_, [&](int a, int) {
    for (int t = 1; t < threads_; ++t)
      if (!work[t].sums.empty()) work[0].sums[a] += work[t].sums[a];
  });
  return std::move(work[0].sums);
}

void ExchangeBuilder::fillKernels(const Tile& rows, const Tile& columns, Workspace& work) const {
  const bool diagonal = rows.firstPoint == columns.firstPoint;
  work.greater.resize(kernel_.largestK() + 1);
  work.smaller.resize(kernel_.largestK() + 1);
  for (int k = 0; k <= kernel_.largestK(); ++k) {
    kernel_.ordered(k, rows.cells, columns.cells, work.greater[k]);
    if (diagonal) work.smaller[k] = work.greater[k].transpose();
  }
}

void ExchangeBuilder::fillDensities(const Tile& rows, const Tile& columns, const PointSpinors& spinors,
                                    Eigen::MatrixXd* density) const {
  const Eigen::MatrixXd* values[2] = {&spinors.large, &spinors.small};
  const int blocks = basis_.hasSmall() ? 4 : 1;  // the first is of the large components alone
  for (int block = 0; block < blocks; ++block) {
    const Eigen::MatrixXd left = values[rowComponent(block)]->middleRows(rows.firstPoint, rows.pointCount) *
                                 spinors.occupation.asDiagonal();
    const Eigen::MatrixXd right =
        values[columnComponent(block)]->middleRows(columns.firstPoint, columns.pointCount);
    density[block] = multiply(left, false, right, true);
  }
}

void ExchangeBuilder::addTilePair(int i, int j, const std::vector<PointSpinors>& spinors,
                                  const Eigen::MatrixXd& weights, Workspace& work) const {
  const Tile &rows = tiles_[i], &columns = tiles_[j];
  fillKernels(rows, columns, work);
  for (int b = 0; b < symmetries_; ++b) {
    if (weights.col(b).isZero(0) || spinors[b].occupation.size() == 0) continue;
    fillDensities(rows, columns, spinors[b], work.density[b].data());
  }
  for (int a = 0; a < symmetries_; ++a) {
    std::fill_n(work.used, 4, false);
    for (const auto& channel : channels_) {
      const double weight = weights(channel.target, channel.source);
      if (channel.target != a || weight == 0 || spinors[channel.source].occupation.size() == 0) continue;
      addChannel(channel, weight, i == j, work);
    }
    contract(rows, columns, i == j, a, work);
  }
}

void ExchangeBuilder::addChannel(const ExchangeChannel& channel, double weight, bool diagonal,
                                 Workspace& work) const {
  if (channel.kernel.empty()) return;
  const auto& shape = work.greater[0];
  // The kernel as sums of matrices with weights, and as the other electron sees it.
  struct Kernel {
    std::vector<double> weights;
    std::vector<const double*> matrices;
    std::vector<const double*> sources;
    std::vector<double*> targets;
  };
  Kernel kernel, reversed;
  bool symmetric = true;
  for (const auto& term : channel.kernel) {
    const double* const greater = work.greater[term.k].data();
    kernel.weights.push_back(weight * term.whereGreater);
    kernel.matrices.push_back(greater);
    reversed.weights.push_back(weight * term.whereSmaller);
    reversed.matrices.push_back(greater);
    if (diagonal) {
      kernel.weights.push_back(weight * term.whereSmaller);
      kernel.matrices.push_back(work.smaller[term.k].data());
    }
    symmetric = symmetric && term.whereGreater == term.whereSmaller;
  }
  const auto add = [&](int target, int source, Kernel& by) {
    auto& product = work.product[target];
    if (!work.used[target]) product.setZero(shape.rows(), shape.cols());
    work.used[target] = true;
    by.targets.push_back(product.data());
    by.sources.push_back(work.density[channel.source][source].data());
  };
  for (const auto& pair : channel.blocks) {
    add(index(pair.target), index(pair.source), kernel);
    if (pair.target == Block::LS && !diagonal)
      add(index(Block::SL), transposed(index(pair.source)), symmetric ? kernel : reversed);
  }
  for (const Kernel* by : {&kernel, &reversed}) {
    if (by->targets.empty()) continue;
    denseKernels().addElementProducts(
        static_cast<int>(shape.size()), static_cast<int>(by->weights.size()), by->weights.data(),
        by->matrices.data(), static_cast<int>(by->targets.size()), by->sources.data(), by->targets.data());
  }
}

void ExchangeBuilder::contract(const Tile& rows, const Tile& columns, bool diagonal, int symmetry,
                               Workspace& work) const {
  Eigen::MatrixXd& sum = work.sums[symmetry];
  for (int block = 0; block < 4; ++block) {
    if (!work.used[block]) continue;
    const int left = rowComponent(block), right = columnComponent(block);
    const Eigen::MatrixXd half = multiply(work.product[block], false, columns.values[right], false);
    const Eigen::MatrixXd part = multiply(rows.values[left], true, half, false);
    const int row = rows.firstSpline[left] + left * basis_.largeSpace.size();
    const int column = columns.firstSpline[right] + right * basis_.largeSpace.size();
    sum.block(row, column, part.rows(), part.cols()) += part;
    if (!diagonal || left != right) {
      sum.block(column, row, part.cols(), part.rows()) += part.transpose();
    }
  }
}

}  // namespace prophet::limit
