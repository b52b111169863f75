#include "atoms/fock/grid_span.hpp"

#include <algorithm>

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

}  // namespace prophet
