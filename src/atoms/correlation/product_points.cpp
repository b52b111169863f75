#include "atoms/correlation/product_points.hpp"

#include "core/common/index.hpp"
#include "core/linalg/column_basis.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {

Eigen::MatrixXd ProductPoints::potentials(int k, const Eigen::MatrixXd& values) const {
  return multiply(kernels[usize(k)], false, values, false);
}

SpinorFunctions ProductPoints::valuesOf(const SpinorFunctions& f) const {
  return {f.symmetry, valuesOf(f.large),
          f.small.rows() > 0 ? valuesOf(f.small) : Eigen::MatrixXd(0, f.count())};
}

Eigen::MatrixXd productsOf(const SpinorFunctions& f, const SpinorFunctions& g) {
  Eigen::MatrixXd values(f.large.rows(), f.count() * g.count());
  for (Eigen::Index j = 0; j < g.count(); ++j) {
    auto own = values.middleCols(j * f.count(), f.count());
    own = g.large.col(j).asDiagonal() * f.large;
    if (f.small.rows() > 0) own += g.small.col(j).asDiagonal() * f.small;
  }
  return values;
}

SpinorFunctions lowestOf(const SpinorFunctions& f, Eigen::Index count) {
  return {f.symmetry, f.large.leftCols(count), f.small.leftCols(count)};
}

Eigen::MatrixXd randomFactors(std::mt19937_64& engine, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd factors(rows, columns);
  for (double& f : factors.reshaped()) f = 2.0 * static_cast<double>(engine() >> 11) * 0x1p-53 - 1;
  return factors;
}

ProductPoints productPoints(const OrbitalSpace& space, const std::vector<SpinorFunctions>& functions,
                            ThreadPool& pool) {
  constexpr double kInterpolated = 1e-10;
  constexpr Eigen::Index kSamples = 400;  // products of random combinations, at first
  constexpr Eigen::Index kSpare = 20;     // samples beyond the rank that they are found to have
  const Eigen::Index points = space.points();
  const Eigen::VectorXd roots = space.weights().cwiseSqrt();
  for (Eigen::Index samples = kSamples;; samples *= 2) {
    std::mt19937_64 engine(1);
    // Sums of one side's functions: of all symmetries, as their products' span is wanted, not their angles.
    struct Side {
      Eigen::MatrixXd large, small;
    };
    Side first{Eigen::MatrixXd::Zero(points, samples), Eigen::MatrixXd::Zero(points, samples)},
        second = first;
    const auto add = [&](Side& side, const Eigen::MatrixXd& large, const Eigen::MatrixXd& small) {
      const Eigen::MatrixXd factors = randomFactors(engine, large.cols(), samples);
      side.large += multiply(large, false, factors, false);
      if (small.rows() > 0) side.small += multiply(small, false, factors, false);
    };
    for (const SpinorFunctions& f : functions) add(first, f.large, f.small);
    for (const SymmetryOrbitals& o : space.symmetries()) add(second, o.large, o.small);
    const Eigen::MatrixXd products =
        (first.large.cwiseProduct(second.large) + first.small.cwiseProduct(second.small)).transpose() *
        roots.asDiagonal();
    ColumnBasis basis = columnBasis(products, kInterpolated);
    const auto rank = static_cast<Eigen::Index>(basis.columns.size());
    if (rank + kSpare > samples && samples < points) continue;
    ProductPoints made{std::move(basis.columns), {}, {}};
    made.interpolation = roots.cwiseInverse().asDiagonal() * basis.coefficients.transpose() *
                         Eigen::VectorXd(roots(made.points)).asDiagonal();
    made.kernels.resize(usize(space.kernel().largestK()) + 1);
    pool.forEach(static_cast<int>(made.kernels.size()), [&](int k, int) {
      made.kernels[usize(k)] =
          multiply(made.interpolation, true, space.potentials(k, made.interpolation), false);
    });
    return made;
  }
}

}  // namespace prophet
