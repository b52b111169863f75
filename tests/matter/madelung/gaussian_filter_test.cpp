#include "benchmarks/gaussian_filter.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "benchmarks/potassium_chloride.hpp"
#include "matter/madelung/direct_ewald.hpp"
#include "matter/madelung/spme.hpp"

namespace prophet {
namespace {

using benchmarks::GaussianFilter;

/// Charge and squares of widths, beta^2 = beta_1^2 + n beta_n^2, of a charge on a mesh point.
TEST(GaussianFilter, WidthsAddUpInSquares) {
  constexpr int kPoints = 32, kPasses = 3;
  constexpr double kPass = 0.9;
  const MeshSize n{kPoints, kPoints, kPoints};
  std::vector<double> mesh(meshPoints(n));
  benchmarks::assignNarrow(MeshPositions(Eigen::Vector3d(16, 16.5, 16)), Eigen::VectorXd::Constant(1, 2.0), n,
                           0.2, 1, mesh.data());
  for (int p = 0; p < kPasses; ++p) filterMesh(benchmarks::gaussianWeights(9, kPass), n, 1, mesh.data());
  double charge = 0, squareX = 0, squareY = 0;
  std::size_t at = 0;
  for (int x = 0; x < kPoints; ++x) {
    for (int y = 0; y < kPoints; ++y) {
      for (int z = 0; z < kPoints; ++z, ++at) {
        charge += mesh[at];
        squareX += mesh[at] * (x - 16) * (x - 16);
        squareY += mesh[at] * (y - 16.5) * (y - 16.5);
      }
    }
  }
  EXPECT_NEAR(charge, 2, 1e-12);
  EXPECT_NEAR(squareX / charge, kPasses * kPass * kPass, 1e-3);  // the narrow one is all on its point
  EXPECT_NEAR(squareY / charge, kPasses * kPass * kPass + 0.25, 1e-3);
}

/// The errors of docs/engineering/performance-matter.md: two orders of magnitude above those of B-splines,
/// which keep the centres of the charges where two weights of Gaussians do not.
TEST(GaussianFilter, HasErrorsOfAPerCent) {
  const double bohr = constants::kAngstromsPerBohr, beta = 0.2 * bohr, cutoff = 16 / bohr;
  const ChargedCell cell = benchmarks::potassiumChloride(3, 0.3);
  const Electrostatics reference = directEwald(cell);
  const auto error = [&](const Electrostatics& e) {
    return (e.fields - reference.fields).norm() / reference.fields.norm();
  };
  const double gaussian = error(benchmarks::gaussianFilterSums(cell, 18, beta, cutoff, GaussianFilter{}));
  const double splines = error(spme(cell, {Assignment::Spread, 4, {18, 18, 18}, beta, cutoff}));
  EXPECT_LT(gaussian, 0.05);
  EXPECT_GT(gaussian, 1e-3);
  EXPECT_LT(splines, gaussian / 3);
}

}  // namespace
}  // namespace prophet
