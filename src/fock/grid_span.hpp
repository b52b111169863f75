#pragma once
#include <Eigen/Core>
#include <vector>

#include "fock/exchange_rows.hpp"

namespace prophet {

/// Rows first <= i < end of matrices on a grid, both multiples of kRowGroup.
struct GridSpan {
  int first = 0, end = 0;
  int size() const { return end - first; }
  bool holds(int row) const { return first <= row && row < end; }
};

/// What both have.
GridSpan intersection(GridSpan a, GridSpan b);

/// Next multiple of kRowGroup.
int wholeGroups(int rows);

/// Rows where some column of `large` or `small` is above the square root of 1e-15, the squares of each column adding up
/// to 1: what functions have elsewhere changes no integral over them by more than rounding does.
GridSpan significantRows(const Eigen::MatrixXd& large, const Eigen::MatrixXd& small);

/// The matrix with rows of zeros outside the span, and up to `rows`.
Eigen::MatrixXd cutTo(GridSpan span, const Eigen::MatrixXd& matrix, Eigen::Index rows);

/// Where `within` or one of `spans` begins or ends inside `within`: between neighbours of this ascending list every span
/// has all rows or none.
std::vector<int> boundaries(const std::vector<GridSpan>& spans, GridSpan within);

}  // namespace prophet
