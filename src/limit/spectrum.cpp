#include "limit/spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "limit/lapack.hpp"

namespace prophet::limit {

Solutions lowestSolutions(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                          const Eigen::MatrixXd& factor, double shift, int count) {
  Eigen::MatrixXd shifted = fock - shift * overlap;
  // Rows and columns to unit size: elements grow like 1/r towards the nucleus.
  const Eigen::VectorXd scale = shifted.rowwise().lpNorm<Eigen::Infinity>().cwiseSqrt().cwiseInverse();
  shifted = scale.asDiagonal() * shifted * scale.asDiagonal();
  Solutions s;
  s.filter = scale.asDiagonal() * LuFactors(std::move(shifted)).solve(scale.asDiagonal() * factor);
  Eigen::MatrixXd inverse = multiply(factor, true, s.filter, false);
  inverse = (0.5 * (inverse + inverse.transpose())).eval();
  const Eigenpairs pairs = largestEigenpairs(std::move(inverse), count);
  if (pairs.values[count - 1] <= 0) {
    throw Error("the numerical limit: too few bound states above the negative-energy continuum");
  }
  // One step of inverse iteration in passing (x = A^-1 C y): it takes rounding noise out of the eigenvectors.
  s.vectors = multiply(s.filter, false, pairs.vectors, false);
  s.energies.resize(count);
  for (int i = 0; i < count; ++i) {
    auto vector = s.vectors.col(i);
    vector /= std::sqrt(vector.dot(overlap * vector));
    s.energies[i] = vector.dot(fock * vector);
  }
  return s;
}

double gapShift(double charge, double c) {
  const double coupling = std::min(charge / c, 1.0);
  const double lowest = c * c * (std::sqrt(1 - coupling * coupling) - 1);
  return std::max(1.5 * lowest - 0.5, -1.5 * c * c);
}

}  // namespace prophet::limit
