#pragma once
#include <numeric>
#include <random>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "atoms/fock/fock_builder.hpp"

namespace prophet::test {

/// Seeded random coefficients: `occupied` columns for each symmetry, the last `open` of them open.
inline std::vector<OccupiedSpinors> randomSpinors(const BasisSet& basis, const std::vector<int>& occupied,
                                                  const std::vector<int>& open, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<OccupiedSpinors> spinors(basis.symmetries.size());
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    const auto fill = [&](double) { return uniform(random); };
    const int n = basis.symmetries[a].size();
    spinors[a].large = Eigen::MatrixXd::Zero(n, occupied[a]).unaryExpr(fill);
    spinors[a].small = Eigen::MatrixXd::Zero(n, occupied[a]).unaryExpr(fill);
    spinors[a].occupation = Eigen::VectorXd::Constant(occupied[a], basis.symmetries[a].symmetry.degeneracy());
    for (int i = occupied[a] - open[a]; i < occupied[a]; ++i) {
      spinors[a].open.push_back(i);
      spinors[a].occupation(i) = 0.7 + 0.1 * i;
    }
  }
  return spinors;
}

/// A symmetric matrix of weights between all open spinors.
inline Eigen::MatrixXd randomReduction(const std::vector<int>& open, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const int n = std::accumulate(open.begin(), open.end(), 0);
  Eigen::MatrixXd reduction(n, n);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b <= a; ++b) reduction(a, b) = reduction(b, a) = uniform(random);
  }
  return reduction;
}

/// Largest difference of all blocks, relative to the largest element.
inline double relativeDifference(const BlockMatrix& a, const BlockMatrix& b) {
  const double scale =
      std::max({a.LL.cwiseAbs().maxCoeff(), a.LS.cwiseAbs().maxCoeff(), a.SS.cwiseAbs().maxCoeff()});
  return std::max({(a.LL - b.LL).cwiseAbs().maxCoeff(), (a.LS - b.LS).cwiseAbs().maxCoeff(),
                   (a.SS - b.SS).cwiseAbs().maxCoeff()}) /
         scale;
}

}  // namespace prophet::test
