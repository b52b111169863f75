#include "atoms/fock/exchange_tile.hpp"

#include <algorithm>
#include <cstdint>

namespace prophet {
namespace {

/// Inside, functions fall with a power of r and kernels with it; outside, with an exponential.
constexpr double kLeastInside = 1e-15, kLeastOutside = 1e-20;

}  // namespace

GridSpan intersection(GridSpan a, GridSpan b) {
  const int first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

int wholeGroups(int rows) { return (rows + kRowGroup - 1) / kRowGroup * kRowGroup; }

GridSpan significantRows(const Eigen::MatrixXd& large, const Eigen::MatrixXd& small) {
  const auto matters = [&](int row, double least) {
    for (const Eigen::MatrixXd* part : {&large, &small})
      if (part->cols() > 0 && part->row(row).cwiseAbs2().maxCoeff() > least) return true;
    return false;
  };
  int first = 0, end = static_cast<int>(large.rows());
  while (first < end && !matters(first, kLeastInside)) ++first;
  while (end > first && !matters(end - 1, kLeastOutside)) --end;
  if (first == end) return {};
  return {first / kRowGroup * kRowGroup, wholeGroups(end)};
}

Eigen::MatrixXd cutTo(GridSpan span, const Eigen::MatrixXd& matrix, Eigen::Index rows) {
  Eigen::MatrixXd cut = Eigen::MatrixXd::Zero(rows, matrix.cols());
  const Eigen::Index kept = std::min<Eigen::Index>(span.end, matrix.rows()) - span.first;
  if (kept > 0) cut.middleRows(span.first, kept) = matrix.middleRows(span.first, kept);
  return cut;
}

std::vector<int> boundaries(const std::vector<GridSpan>& spans, GridSpan within) {
  std::vector<int> list = {within.first, within.end};
  const auto add = [&](int row) {
    if (row > within.first && row < within.end) list.push_back(row);
  };
  for (const GridSpan& span : spans) {
    add(span.first);
    add(span.end);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

namespace {

constexpr int kAlignment = 8;  // doubles

/// The symmetries that have values in some rows and columns.
struct Active {
  std::vector<PairBlocks> brackets, densities;
  std::vector<KernelCentres> kernels;
};

bool has(GridSpan span, int row, int column) { return span.holds(row) && span.holds(column); }

void choose(const TileExchange& e, int row, int column, Active& active) {
  const std::size_t sources = e.sources.size();
  active.brackets.clear();
  active.densities.clear();
  active.kernels.clear();
  for (std::size_t b = 0; b < sources; ++b)
    if (has(e.sources[b], row, column)) active.densities.push_back((*e.densities)[b].pointers());
  for (std::size_t a = 0; a < e.targets.size(); ++a) {
    if (!has(e.targets[a], row, column)) continue;
    active.brackets.push_back((*e.brackets)[a].pointers());
    for (std::size_t b = 0; b < sources; ++b)
      if (has(e.sources[b], row, column)) active.kernels.push_back(e.kernels[a * sources + b]);
  }
}

}  // namespace

void TileBlocks::prepare(int rows, bool cross) {
  if (rows == rows_ && cross == (blocks_.sl != nullptr)) return;
  rows_ = rows;
  // Columns a multiple of 2 kB apart would share few sets of the first-level cache.
  stride_ = rows % 256 == 0 ? rows + kAlignment : rows;
  const std::size_t size = static_cast<std::size_t>(stride_) * kTile;
  storage_.assign((cross ? 4 : 3) * size + kAlignment, 0.0);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
  const std::size_t skipped = (64 - address % 64) % 64 / sizeof(double);
  double* begin = storage_.data() + skipped;
  blocks_ = {begin, begin + size, begin + 2 * size, cross ? begin + 3 * size : nullptr};
}

void gatherTile(const TileExchange& e) {
  const ExchangeRows rows = exchangeRows();
  const GridSpan tile{e.first, e.first + e.size};
  std::vector<GridSpan> spans = e.targets;
  spans.insert(spans.end(), e.sources.begin(), e.sources.end());
  spans.push_back(tile);
  GridSpan all = tile;
  for (const GridSpan& span : e.targets) {
    if (span.size() == 0) continue;
    all = {std::min(all.first, span.first), std::max(all.end, span.end)};
  }
  const std::vector<int> columns = boundaries(spans, tile), cuts = boundaries(spans, all);
  Active active;
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
      choose(e, cuts[r], columns[c], active);
      if (active.brackets.empty()) continue;
      const ExchangePairs pairs{static_cast<int>(active.brackets.size()),
                                static_cast<int>(active.densities.size()),
                                active.brackets.data(),
                                active.densities.data(),
                                active.kernels.data(),
                                e.brackets->front().stride()};
      for (int i = columns[c]; i < columns[c + 1]; ++i)
        rows(pairs, {cuts[r], cuts[r + 1], i - e.first, e.first, cuts[r] >= tile.end,
                     cuts[r] >= e.first ? -0.5 : -1.0});
    }
  }
}

}  // namespace prophet
