#include "atoms/limit/projection.hpp"

#include <cmath>

#include "atoms/limit/dense_solvers.hpp"

namespace prophet::limit {
namespace {

// Splines of a space (columns) at points x; zero outside its break points.
Eigen::MatrixXd valuesAt(const SplineSpace& space, const Eigen::VectorXd& x) {
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(x.size(), space.size());
  std::vector<double> local(space.order()), slopes(space.order());
  for (int i = 0; i < x.size(); ++i) {
    if (x[i] < space.breaks().front() || x[i] > space.breaks().back()) continue;
    const int cell = space.cellOf(x[i]);
    space.evaluate(cell, x[i], local.data(), slopes.data());
    for (int s = 0; s < space.order(); ++s) values(i, space.firstSpline(cell) + s) = local[s];
  }
  return values;
}

void orthonormalise(const Eigen::MatrixXd& metric, Eigen::MatrixXd& vectors) {
  for (int i = 0; i < vectors.cols(); ++i) {
    for (int j = 0; j < i; ++j) {
      vectors.col(i) -= vectors.col(j).dot(metric * vectors.col(i)) * vectors.col(j);
    }
    vectors.col(i) /= std::sqrt(vectors.col(i).dot(metric * vectors.col(i)));
  }
}

}  // namespace

SpinorSet carryOver(const SpinorSet& spinors, const RadialBasis& from, const RadialBasis& to) {
  const Eigen::MatrixXd large = valuesAt(from.largeSpace, to.x), small = valuesAt(from.smallSpace, to.x);
  SpinorSet carried;
  carried.occupations = spinors.occupations;
  for (int a = 0; a < static_cast<int>(spinors.coefficients.size()); ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    const auto& c = spinors.coefficients[a];
    const int count = from.largeCount(s);
    Eigen::MatrixXd overlaps(to.size(s), c.cols());
    overlaps.topRows(to.largeCount(s)) =
        to.large.middleCols(to.firstLarge(s), to.largeCount(s)).transpose() *
        (to.weight.asDiagonal() * (large.middleCols(from.firstLarge(s), count) * c.topRows(count)));
    if (to.hasSmall())
      overlaps.bottomRows(to.smallCount()) =
          to.small.transpose() * (to.weight.asDiagonal() * (small * c.bottomRows(from.smallCount())));
    const Eigen::MatrixXd metric = to.overlapMatrix(s);
    Eigen::MatrixXd image = solveLinear(metric, overlaps);
    orthonormalise(metric, image);
    carried.coefficients.push_back(std::move(image));
  }
  return carried;
}

}  // namespace prophet::limit
