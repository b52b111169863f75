#include "core/mesh/spline_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/mesh/bspline.hpp"
#include "core/mesh/fft.hpp"

namespace prophet {
namespace {

/// The definition: M_p(x) = sum_k (-1)^k C(p,k) max(x-k, 0)^(p-1) / (p-1)!
double splineByPowers(int p, double x) {
  double sum = 0, binomial = 1;
  for (int k = 0; k <= p; ++k) {
    if (x > k) sum += (k % 2 ? -1 : 1) * binomial * std::pow(x - k, p - 1);
    binomial *= static_cast<double>(p - k) / (k + 1);
  }
  return sum / std::tgamma(p);
}

MeshPositions randomPositions(int count, const MeshSize& n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  MeshPositions u(3, count);
  for (int i = 0; i < count; ++i) {
    for (int d = 0; d < 3; ++d) u(d, i) = uniform(random) * n[static_cast<std::size_t>(d)];
  }
  return u;
}

Eigen::VectorXd randomCharges(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Eigen::VectorXd q(count);
  for (double& x : q) x = normal(random);
  return q;
}

TEST(BSpline, AgreesWithItsDefinition) {
  for (int p = 2; p <= 8; ++p) {
    for (const double f : {0.0, 0.2, 0.5, 0.93}) {
      double w[kMostSplineOrder], v[kMostSplineOrder], slopes[kMostSplineOrder];
      splineWeights(p, f, w);
      splineWeightsAndSlopes(p, f, v, slopes);
      for (int j = 0; j < p; ++j) {
        const double x = f + p - 1 - j;
        EXPECT_NEAR(w[j], splineByPowers(p, x), 1e-12) << p << " " << f;
        EXPECT_EQ(w[j], v[j]);
        const double slope = splineByPowers(p - 1, x) - splineByPowers(p - 1, x - 1);
        if (p > 2) {
          EXPECT_NEAR(slopes[j], slope, 1e-12) << p << " " << f;
        }
      }
    }
  }
}

TEST(SplineMesh, EveryAssignmentKeepsTheCharge) {
  const MeshSize n{12, 10, 15};
  const Eigen::VectorXd q = randomCharges(40, 1);
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    const SplineMesh mesh(randomPositions(40, n, 2), n, a, 6, 1);
    std::vector<double> values(meshPoints(n));
    mesh.assign(q, values.data());
    double sum = 0;
    for (const double v : values) sum += v;
    EXPECT_NEAR(sum, q.sum(), 1e-12) << nameOf(a);
  }
}

TEST(SplineMesh, GatherIsSpread) {
  const MeshSize n{12, 9, 16};
  const Eigen::VectorXd q = randomCharges(200, 3);
  for (const int order : {3, 4, 7}) {
    std::vector<double> spread(meshPoints(n)), gather(meshPoints(n));
    SplineMesh(randomPositions(200, n, 4), n, Assignment::Spread, order, 1).assign(q, spread.data());
    SplineMesh(randomPositions(200, n, 4), n, Assignment::Gather, order, 2).assign(q, gather.data());
    for (std::size_t i = 0; i < spread.size(); ++i) ASSERT_NEAR(spread[i], gather[i], 1e-12);
  }
}

TEST(SplineMesh, ThreadsChangeNoBit) {
  const MeshSize n{64, 12, 12};
  const Eigen::VectorXd q = randomCharges(500, 5);
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    std::vector<double> one(meshPoints(n)), many(meshPoints(n));
    SplineMesh(randomPositions(500, n, 6), n, a, 4, 1).assign(q, one.data());
    SplineMesh(randomPositions(500, n, 6), n, a, 4, 4).assign(q, many.data());
    EXPECT_EQ(one, many) << nameOf(a);
  }
}

/// <mesh from charges, field> = <charges, field at the particles>, and gradients are those of the
/// interpolated field.
TEST(SplineMesh, InterpolationIsTheTransposeOfAssignment) {
  const MeshSize n{11, 12, 13};
  const MeshPositions u = randomPositions(30, n, 7);
  const Eigen::VectorXd q = randomCharges(30, 8), f = randomCharges(static_cast<int>(meshPoints(n)), 9);
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    const SplineMesh mesh(u, n, a, 6, 1);
    std::vector<double> assigned(meshPoints(n)), field(f.begin(), f.end());
    mesh.assign(q, assigned.data());
    Eigen::VectorXd values;
    Eigen::Matrix3Xd gradients;
    mesh.interpolate(field.data(), values, gradients);
    EXPECT_NEAR(q.dot(values), f.dot(Eigen::Map<Eigen::VectorXd>(assigned.data(), f.size())), 1e-11)
        << nameOf(a);
    MeshPositions moved = u;
    const double step = 1e-5;
    moved.row(1).array() += step;
    for (int i = 0; i < 30; ++i) moved(1, i) = moved(1, i) < n[1] ? moved(1, i) : moved(1, i) - n[1];
    std::vector<double> again(f.begin(), f.end());
    Eigen::VectorXd there;
    Eigen::Matrix3Xd unused;
    SplineMesh(moved, n, a, 6, 1).interpolate(again.data(), there, unused);
    for (int i = 0; i < 30; ++i)
      EXPECT_NEAR((there(i) - values(i)) / step, gradients(1, i), 1e-3) << nameOf(a);
  }
}

TEST(SplineMesh, RefusesWhatCannotBe) {
  EXPECT_THROW(SplineMesh(MeshPositions(3, 0), {8, 8, 4}, Assignment::Spread, 4, 1), Error);
  EXPECT_THROW(SplineMesh(MeshPositions(3, 0), {30, 30, 30}, Assignment::Spread, 13, 1), Error);
}

/// A plane wave is reproduced by the spectrum at the points of the mesh.
TEST(SplineSpectrum, UndoesTheSplinesAtMeshPoints) {
  const int n = 16, order = 6;
  const std::vector<double> spectrum = splineSpectrum(order, n),
                            filter = filterSpectrum(filterWeights(order), n);
  double w[kMostSplineOrder];
  splineWeights(order, 0.0, w);
  for (int m = 0; m < n; ++m) {
    double real = 0, imaginary = 0;
    for (int k = 0; k < order; ++k) {
      real += w[k] * std::cos(2 * constants::kPi * m * k / n);
      imaginary += w[k] * std::sin(2 * constants::kPi * m * k / n);
    }
    EXPECT_NEAR(spectrum[static_cast<std::size_t>(m)], real * real + imaginary * imaginary, 1e-14);
    EXPECT_GT(filter[static_cast<std::size_t>(m)], 0.1);
  }
  EXPECT_NEAR(filter[0], 1, 1e-15);
}

TEST(MeshSize, HasSmallFactorsOnly) {
  EXPECT_EQ(fastMeshSize(1), 2);
  EXPECT_EQ(fastMeshSize(14), 16);
  EXPECT_EQ(fastMeshSize(37), 40);
  EXPECT_EQ(fastMeshSize(1000), 1000);
}

}  // namespace
}  // namespace prophet
