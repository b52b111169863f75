#pragma once
#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "core/common/constants.hpp"
#include "core/mesh/fft.hpp"
#include "core/mesh/spline_mesh.hpp"
#include "matter/madelung/charged_cell.hpp"
#include "matter/madelung/real_space.hpp"

namespace prophet::benchmarks {

/// The Gaussian filter of P. Mühlbauer's thesis, to be compared with our assignments: each charge goes to the
/// eight mesh points around it with the weights of a narrow Gaussian, and passes of a filter of a few points
/// along each axis widen it to the Gaussians of Ewald's sum, squares of widths adding up. The potential is
/// read back with B-splines. Widths are standard deviations in mesh spacings.
struct GaussianFilter {
  double narrow = 0.4;  ///< of the Gaussian of the eight points
  int passes = 3;
  int points = 7;  ///< of the filter along each axis, odd
  int order = 4;   ///< of the B-splines that read back, even
};

/// Weights of the two mesh points around a place at f in [0, 1) between them.
inline std::array<double, 2> narrowWeights(double f, double width) {
  const double a = std::exp(-0.5 * f * f / (width * width)),
               b = std::exp(-0.5 * (1 - f) * (1 - f) / (width * width));
  return {a / (a + b), b / (a + b)};
}

/// Charges on the mesh before the filter; `u`: places in spacings, in [0, n).
template <class Real>
void assignNarrow(const MeshPositions& u, const Eigen::VectorXd& charges, const MeshSize& n, double width,
                  int threads, Real* mesh) {
  std::fill(mesh, mesh + meshPoints(n), Real{0});
  const MeshSlabs slabs(u, n, 2, [](double x) { return static_cast<int>(x); });
  slabs.forEach(threads, [&](Eigen::Index i) {
    std::array<double, 2> w[3];
    std::size_t at[3][2];
    for (int d = 0; d < 3; ++d) {
      const int first = static_cast<int>(u(d, i));
      w[d] = narrowWeights(u(d, i) - first, width);
      at[d][0] = static_cast<std::size_t>(first);
      at[d][1] = static_cast<std::size_t>(first + 1 == n[d] ? 0 : first + 1);
    }
    for (std::size_t x = 0; x < 2; ++x) {
      for (std::size_t y = 0; y < 2; ++y) {
        Real* row =
            mesh + (at[0][x] * static_cast<std::size_t>(n[1]) + at[1][y]) * static_cast<std::size_t>(n[2]);
        const double weight = charges(i) * w[0][x] * w[1][y];
        for (std::size_t z = 0; z < 2; ++z) row[at[2][z]] += static_cast<Real>(weight * w[2][z]);
      }
    }
  });
}

/// One side and the middle of a filter of so many points with this width; the sum of all is 1.
inline std::vector<double> gaussianWeights(int points, double width) {
  std::vector<double> g;
  double sum = 0;
  for (int j = 0; j <= points / 2; ++j) {
    g.push_back(std::exp(-0.5 * j * j / (width * width)));
    sum += (j == 0 ? 1 : 2) * g.back();
  }
  for (double& w : g) w /= sum;
  return g;
}

/// All of the assignment: the widths of the passes make up for what the narrow Gaussian lacks of `total`.
template <class Real>
void assignGaussians(const MeshPositions& u, const Eigen::VectorXd& charges, const MeshSize& n, double total,
                     const GaussianFilter& filter, int threads, Real* mesh) {
  const double pass = std::sqrt((total * total - filter.narrow * filter.narrow) / filter.passes);
  assignNarrow(u, charges, n, filter.narrow, threads, mesh);
  for (int p = 0; p < filter.passes; ++p) filterMesh(gaussianWeights(filter.points, pass), n, threads, mesh);
}

/// Sums with the splitting beta (1/bohr) and a cutoff (bohr) for a cubic cell and n points along each axis.
/// Without the virial. The total width is that of Ewald's Gaussians, 1/(sqrt(2) beta).
inline Electrostatics gaussianFilterSums(const ChargedCell& cell, int points, double beta, double cutoff,
                                         const GaussianFilter& filter) {
  const MeshSize n{points, points, points};
  const double spacing = cell.vectors(0, 0) / points, total = 1 / (std::sqrt(2.0) * beta * spacing);
  MeshFft<double> fft(n, 1);
  MeshPositions u = points * cell.fractional();
  for (double& x : u.reshaped()) x = x >= points ? 0 : x;
  assignGaussians(u, cell.charges, n, total, filter, 1, fft.values());
  fft.forward();
  // What B-splines of even order take away from a wave, if it is read half their order farther on.
  std::vector<double> lost = splineSpectrum(filter.order, points);
  for (double& x : lost) x = std::sqrt(x);
  std::complex<double>* mode = fft.modes();
  for (int x = 0; x < points; ++x) {
    for (int y = 0; y < points; ++y) {
      for (int z = 0; z <= points / 2; ++z, ++mode) {
        const Eigen::Vector3d m(2 * x > points ? x - points : x, 2 * y > points ? y - points : y, z);
        const double k2 = (2 * constants::kPi / cell.vectors(0, 0) * m).squaredNorm();
        const double undone = lost[static_cast<std::size_t>(x)] * lost[static_cast<std::size_t>(y)] *
                              lost[static_cast<std::size_t>(z)];
        *mode *= k2 > 0 ? 4 * constants::kPi / (cell.volume() * k2 * undone) : 0.0;
      }
    }
  }
  fft.backward();
  for (double& x : u.reshaped()) x = std::fmod(x + filter.order / 2, points);
  Electrostatics sums;
  Eigen::Matrix3Xd gradients;
  SplineMesh(u, n, Assignment::Spread, filter.order, 1).interpolate(fft.values(), sums.potentials, gradients);
  sums.fields = -gradients / spacing;
  sums.energy = 0.5 * cell.charges.dot(sums.potentials);
  addRealSpace(cell, beta, cutoff, ChargePrecision::Double, 1, sums);
  return sums;
}

}  // namespace prophet::benchmarks
