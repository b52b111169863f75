#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/fock/exchange_rows.hpp"

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

/// All rows but those at both ends where the squares of all columns of `large` and `small` are below 1e-15
/// (first rows) and 1e-20 (last ones), the squares of each column adding up to 1: what functions have there
/// changes no integral by more than the grid's own error. (Inside, an exchange integral's part goes as
/// r^(2l+3), whatever the other functions.)
GridSpan significantRows(const Eigen::MatrixXd& large, const Eigen::MatrixXd& small);

/// The matrix with rows of zeros outside the span, and up to `rows`.
Eigen::MatrixXd cutTo(GridSpan span, const Eigen::MatrixXd& matrix, Eigen::Index rows);

/// Where `within` or one of `spans` begins or ends inside `within`: between neighbours of this ascending list
/// every span has all rows or none.
std::vector<int> boundaries(const std::vector<GridSpan>& spans, GridSpan within);

}  // namespace prophet
