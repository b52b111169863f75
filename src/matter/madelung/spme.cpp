#include "matter/madelung/spme.hpp"

#include <Eigen/LU>
#include <cmath>

#include "core/common/math_constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/thread_pool.hpp"
#include "core/mesh/fft.hpp"
#include "core/mesh/spline_mesh.hpp"
#include "core/mesh/spline_spectrum.hpp"
#include "matter/madelung/real_space.hpp"
#include "matter/madelung/spme_parameters.hpp"

namespace prophet {
struct Spme::Mesh {
  Mesh(const MeshSize& n, int threads) : fft(n, threads) {}
  RealFft fft;
  std::vector<double> spectrum[3];
};

Spme::Spme(const Eigen::Matrix3d& vectors, const SpmeParameters& parameters, int threads)
    : vectors_(vectors), parameters_(parameters), threads_(threads) {
  check(parameters);
  mesh_ = std::make_unique<Mesh>(parameters.mesh, threads);
  for (std::size_t d = 0; d < 3; ++d)
    mesh_->spectrum[d] = inverseSpectrum(parameters.assignment, parameters.order, parameters.mesh[d]);
}

Spme::~Spme() = default;

namespace {

/// Energy and virial of the modes with one first index.
struct ModeSums {
  double energy = 0;
  Eigen::Matrix3d virial = Eigen::Matrix3d::Zero();
};

/// Index m of n as a signed wave number.
int signedMode(int m, int n) { return 2 * m > n ? m - n : m; }

/// Turns the charges' modes into those of the potential, 4 pi/(V k^2) exp(-k^2/(4 beta^2)) times them. Modes
/// at half the mesh's own frequency, of which it cannot tell k from -k, are left out.
class Influence {
 public:
  Influence(const Eigen::Matrix3d& vectors, const SpmeParameters& p, const std::vector<double>* spectrum)
      : p_(p),
        spectrum_(spectrum),
        reciprocal_(2 * constants::kPi * vectors.inverse().transpose()),
        volume_(std::abs(vectors.determinant())) {}

  ModeSums apply(int x, std::complex<double>* modes) const {
    const MeshSize& n = p_.mesh;
    ModeSums sums;
    for (int y = 0; y < n[1]; ++y) {
      for (int z = 0; z <= n[2] / 2; ++z, ++modes) {
        if (2 * x == n[0] || 2 * y == n[1] || 2 * z == n[2] || (x == 0 && y == 0 && z == 0)) {
          *modes = 0;
          continue;
        }
        const Eigen::Vector3d k = reciprocal_ * Eigen::Vector3d(signedMode(x, n[0]), signedMode(y, n[1]), z);
        const double k2 = k.squaredNorm(), damping = k2 / (4 * p_.beta * p_.beta);
        const double factor = 4 * constants::kPi / (volume_ * k2) * std::exp(-damping) *
                              spectrum_[0][static_cast<std::size_t>(x)] *
                              spectrum_[1][static_cast<std::size_t>(y)] *
                              spectrum_[2][static_cast<std::size_t>(z)];
        const double energy = (z == 0 ? 0.5 : 1.0) * factor * std::norm(*modes);
        sums.energy += energy;
        sums.virial.diagonal().array() += energy;
        sums.virial.noalias() -= (2 * energy * (1 + damping) / k2) * k * k.transpose();
        *modes *= factor;
      }
    }
    return sums;
  }

 private:
  const SpmeParameters& p_;
  const std::vector<double>* spectrum_;
  Eigen::Matrix3d reciprocal_;
  double volume_;
};

MeshPositions meshPositions(const ChargedCell& cell, const MeshSize& n) {
  MeshPositions u = cell.fractional();
  for (Eigen::Index i = 0; i < u.cols(); ++i) {
    for (int d = 0; d < 3; ++d) {
      const int points = n[static_cast<std::size_t>(d)];
      u(d, i) *= points;
      if (u(d, i) >= points) u(d, i) = 0;
    }
  }
  return u;
}

}  // namespace

Electrostatics Spme::reciprocal(const ChargedCell& cell, SpmeTimes* times) {
  const MeshSize& n = parameters_.mesh;
  SpmeTimes spent;
  Stopwatch watch;
  const SplineMesh particles(meshPositions(cell, n), n, parameters_.assignment, parameters_.order, threads_);
  particles.assign(cell.charges, mesh_->fft.values());
  spent.assign = watch.seconds();
  mesh_->fft.forward();
  const Influence influence(vectors_, parameters_, mesh_->spectrum);
  std::vector<ModeSums> planes(static_cast<std::size_t>(n[0]));
  const std::size_t plane = static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2] / 2 + 1);
  ThreadPool(threads_).forEach(n[0], [&](int x, int) {
    planes[static_cast<std::size_t>(x)] =
        influence.apply(x, mesh_->fft.modes() + static_cast<std::size_t>(x) * plane);
  });
  mesh_->fft.backward();
  spent.transform = watch.seconds() - spent.assign;
  Electrostatics sums;
  for (const ModeSums& part : planes) {
    sums.energy += part.energy;
    sums.virial += part.virial;
  }
  Eigen::Matrix3Xd gradients;
  particles.interpolate(mesh_->fft.values(), sums.potentials, gradients);
  const Eigen::Vector3d points(n[0], n[1], n[2]);
  sums.fields = -(vectors_.inverse().transpose() * points.asDiagonal()) * gradients;
  spent.interpolate = watch.seconds() - spent.assign - spent.transform;
  if (times) *times = spent;
  return sums;
}

Electrostatics Spme::compute(const ChargedCell& cell, SpmeTimes* times) {
  Electrostatics sums = reciprocal(cell, times);
  const Stopwatch watch;
  addRealSpace(cell, parameters_.beta, parameters_.cutoff, threads_, sums);
  if (times) times->pairs = watch.seconds();
  return sums;
}

Electrostatics spme(const ChargedCell& cell, const SpmeParameters& parameters, NetCharge netCharge,
                    int threads) {
  check(cell, netCharge);
  return Spme(cell.vectors, parameters, threads).compute(cell);
}

}  // namespace prophet
