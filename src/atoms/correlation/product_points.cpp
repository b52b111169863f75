#include "atoms/correlation/product_points.hpp"

#include "core/common/index.hpp"
#include "core/linalg/column_basis.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {

Eigen::MatrixXd ProductPoints::potentials(int k, const Eigen::MatrixXd& values) const {
  return multiply(kernels[usize(k)], false, values, false);
}

SpinorFunctions InterpolationPoints::valuesOf(const SpinorFunctions& f) const {
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

InterpolationPoints interpolationPoints(
    const OrbitalSpace& space, double threshold,
    const std::function<Eigen::MatrixXd(std::mt19937_64& engine, Eigen::Index count)>& samples) {
  constexpr Eigen::Index kSamples = 400;  // at first
  constexpr Eigen::Index kSpare = 20;     // samples beyond the rank that they are found to have
  const Eigen::VectorXd roots = space.weights().cwiseSqrt();
  for (Eigen::Index count = kSamples;; count *= 2) {
    std::mt19937_64 engine(1);
    const Eigen::MatrixXd functions = samples(engine, count) * roots.asDiagonal();
    ColumnBasis basis = columnBasis(functions, threshold);
    const auto rank = static_cast<Eigen::Index>(basis.columns.size());
    if (rank + kSpare > functions.rows() && functions.rows() < space.points()) continue;
    InterpolationPoints made{std::move(basis.columns), {}};
    made.interpolation = roots.cwiseInverse().asDiagonal() * basis.coefficients.transpose() *
                         Eigen::VectorXd(roots(made.points)).asDiagonal();
    return made;
  }
}

void RandomCombinations::add(const Eigen::MatrixXd& ofLarge, const Eigen::MatrixXd& ofSmall,
                             std::mt19937_64& engine) {
  const Eigen::MatrixXd factors = randomFactors(engine, ofLarge.cols(), large.cols());
  large += multiply(ofLarge, false, factors, false);
  if (ofSmall.rows() > 0) small += multiply(ofSmall, false, factors, false);
}

ProductPoints productPoints(const OrbitalSpace& space, const std::vector<SpinorFunctions>& functions,
                            ThreadPool& pool) {
  constexpr double kInterpolated = 1e-10;
  const auto samples = [&](std::mt19937_64& engine, Eigen::Index count) -> Eigen::MatrixXd {
    RandomCombinations first(space.points(), count), second = first;
    for (const SpinorFunctions& f : functions) first.add(f.large, f.small, engine);
    for (const SymmetryOrbitals& o : space.symmetries()) second.add(o.large, o.small, engine);
    return (first.large.cwiseProduct(second.large) + first.small.cwiseProduct(second.small)).transpose();
  };
  ProductPoints made{interpolationPoints(space, kInterpolated, samples), {}};
  made.kernels.resize(usize(space.kernel().largestK()) + 1);
  pool.forEach(static_cast<int>(made.kernels.size()), [&](int k, int) {
    made.kernels[usize(k)] =
        multiply(made.interpolation, true, space.potentials(k, made.interpolation), false);
  });
  return made;
}

}  // namespace prophet
