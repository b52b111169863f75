#include "matter/madelung/spme.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "core/mesh/fft.hpp"
#include "core/mesh/spline_mesh.hpp"
#include "matter/madelung/charged_cell.hpp"

namespace prophet {
namespace mesh_sums {  // with a name, for Spme has them as members

/// Energy and virial of the modes with one first index.
struct ModeSums {
  double energy = 0;
  Eigen::Matrix3d virial = Eigen::Matrix3d::Zero();
};

/// Index m of n as a signed wave number.
inline int signedMode(int m, int n) { return 2 * m > n ? m - n : m; }

/// Turns the charges' modes into those of the potential, 4 pi/(V k^2) exp(-k^2/(4 beta^2)) times them. Modes
/// at half the mesh's own frequency, of which it cannot tell k from -k, are left out. The factors depend on
/// the cell alone and are kept.
template <class Real>
class Influence {
 public:
  Influence(const Eigen::Matrix3d& vectors, const SpmeParameters& p, int threads)
      : n_(p.mesh),
        beta_(p.beta),
        reciprocal_(2 * constants::kPi * vectors.inverse().transpose()),
        factors_(meshPoints({n_[0], n_[1], n_[2] / 2 + 1})) {
    std::vector<double> spectrum[3];
    for (std::size_t d = 0; d < 3; ++d) spectrum[d] = inverseSpectrum(p.assignment, p.order, n_[d]);
    const double scale = 4 * constants::kPi / std::abs(vectors.determinant());
    const double width = 1 / (4 * beta_ * beta_);
    ThreadPool(threads).forEach(n_[0], [&](int x, int) {
      Real* factor = factors_.data() + plane(x);
      for (int y = 0; y < n_[1]; ++y) {
        for (int z = 0; z <= n_[2] / 2; ++z, ++factor) {
          if (2 * x == n_[0] || 2 * y == n_[1] || 2 * z == n_[2] || (x == 0 && y == 0 && z == 0)) continue;
          const double k2 = (rowOf(x, y) + z * reciprocal_.col(2)).squaredNorm();
          *factor = static_cast<Real>(scale / k2 * std::exp(-width * k2) * spectrum[0][x] * spectrum[1][y] *
                                      spectrum[2][z]);
        }
      }
    });
  }

  /// The modes with first index x of `all`.
  ModeSums apply(int x, std::complex<Real>* all) const {
    const int length = n_[2] / 2 + 1;
    const Eigen::ArrayXd z = Eigen::ArrayXd::LinSpaced(length, 0, length - 1);
    const Eigen::Vector3d step = reciprocal_.col(2);
    Eigen::ArrayXd energies(length), k2(length);
    ModeSums sums;
    for (int y = 0; y < n_[1]; ++y) {
      const std::size_t first = plane(x) + static_cast<std::size_t>(y) * static_cast<std::size_t>(length);
      const Real* factor = factors_.data() + first;
      std::complex<Real>* mode = all + first;
      for (int i = 0; i < length; ++i) {
        energies(i) = static_cast<double>(factor[i] * std::norm(mode[i]));
        mode[i] *= factor[i];
      }
      energies(0) *= 0.5;
      const double energy = energies.sum();
      sums.energy += energy;
      sums.virial.diagonal().array() += energy;
      // k = row + z step; energies become those times (2/k^2) (1 + k^2/(4 beta^2)).
      const Eigen::Vector3d row = rowOf(x, y);
      k2 = row.squaredNorm() + z * (2 * row.dot(step) + step.squaredNorm() * z);
      if (k2(0) == 0) k2(0) = 1;  // a mode without energy
      energies *= 2 / k2 + 1 / (2 * beta_ * beta_);
      const double zeroth = energies.sum(), once = (energies * z).sum(), twice = (energies * z * z).sum();
      const Eigen::Matrix3d mixed = row * step.transpose();
      sums.virial.noalias() -= zeroth * row * row.transpose() + once * (mixed + mixed.transpose()) +
                               twice * step * step.transpose();
    }
    return sums;
  }

 private:
  std::size_t plane(int x) const {
    return static_cast<std::size_t>(x) * meshPoints({1, n_[1], n_[2] / 2 + 1});
  }
  Eigen::Vector3d rowOf(int x, int y) const {
    return signedMode(x, n_[0]) * reciprocal_.col(0) + signedMode(y, n_[1]) * reciprocal_.col(1);
  }

  MeshSize n_;
  double beta_;
  Eigen::Matrix3d reciprocal_;
  std::vector<Real> factors_;
};

template <class Real>
struct PotentialMesh {
  PotentialMesh(const Eigen::Matrix3d& vectors, const SpmeParameters& p, int threads)
      : fft(p.mesh, threads), influence(vectors, p, threads) {}
  MeshFft<Real> fft;
  Influence<Real> influence;
};

}  // namespace mesh_sums

namespace {

using mesh_sums::ModeSums;
using mesh_sums::PotentialMesh;

MeshPositions meshPositions(const ChargedCell& cell, const MeshSize& n) {
  MeshPositions u = cell.fractional();
  for (Eigen::Index i = 0; i < u.cols(); ++i) {
    for (int d = 0; d < 3; ++d) {
      const int points = n[d];
      u(d, i) *= points;
      if (u(d, i) >= points) u(d, i) = 0;
    }
  }
  return u;
}

/// Transforms the charges on the mesh, makes them potentials, and transforms these back.
template <class Real>
ModeSums makePotentials(PotentialMesh<Real>& mesh, int planeCount, int threads) {
  mesh.fft.forward();
  std::vector<ModeSums> planes(static_cast<std::size_t>(planeCount));
  ThreadPool(threads).forEach(planeCount,
                              [&](int x, int) { planes[x] = mesh.influence.apply(x, mesh.fft.modes()); });
  mesh.fft.backward();
  ModeSums all;
  for (const ModeSums& part : planes) {
    all.energy += part.energy;
    all.virial += part.virial;
  }
  return all;
}

}  // namespace

struct Spme::Mesh {
  std::unique_ptr<mesh_sums::PotentialMesh<double>> twofold;
  std::unique_ptr<mesh_sums::PotentialMesh<float>> single;  ///< one of the two
};

Spme::Spme(const Eigen::Matrix3d& vectors, const SpmeParameters& parameters, int threads)
    : parameters_(parameters), threads_(threads), mesh_(std::make_unique<Mesh>()) {
  check(parameters);
  if (parameters.precision == ChargePrecision::Mixed) {
    mesh_->single = std::make_unique<PotentialMesh<float>>(vectors, parameters, threads);
  } else {
    mesh_->twofold = std::make_unique<PotentialMesh<double>>(vectors, parameters, threads);
  }
}

Spme::~Spme() = default;

namespace {

template <class Real>
Electrostatics sumsOn(PotentialMesh<Real>& mesh, const ChargedCell& cell, const SpmeParameters& p,
                      int threads, SpmeTimes& spent) {
  const MeshSize& n = p.mesh;
  Stopwatch watch;
  const SplineMesh particles(meshPositions(cell, n), n, p.assignment, p.order, threads);
  particles.assign(cell.charges, mesh.fft.values());
  spent.assign = watch.seconds();
  const ModeSums modes = makePotentials(mesh, n[0], threads);
  spent.transform = watch.seconds() - spent.assign;
  Electrostatics sums;
  sums.energy = modes.energy;
  sums.virial = modes.virial;
  Eigen::Matrix3Xd gradients;
  particles.interpolate(mesh.fft.values(), sums.potentials, gradients);
  const Eigen::Vector3d points(n[0], n[1], n[2]);
  sums.fields = -(cell.vectors.inverse().transpose() * points.asDiagonal()) * gradients;
  spent.interpolate = watch.seconds() - spent.assign - spent.transform;
  return sums;
}

}  // namespace

Electrostatics Spme::reciprocal(const ChargedCell& cell, SpmeTimes* times) {
  SpmeTimes spent;
  Electrostatics sums = mesh_->twofold ? sumsOn(*mesh_->twofold, cell, parameters_, threads_, spent)
                                       : sumsOn(*mesh_->single, cell, parameters_, threads_, spent);
  if (times) *times = spent;
  return sums;
}

Electrostatics Spme::compute(const ChargedCell& cell, SpmeTimes* times) {
  Electrostatics sums = reciprocal(cell, times);
  const Stopwatch watch;
  addRealSpace(cell, parameters_.beta, parameters_.cutoff, parameters_.precision, threads_, sums);
  if (times) times->pairs = watch.seconds();
  return sums;
}

Electrostatics spme(const ChargedCell& cell, const SpmeParameters& parameters, NetCharge netCharge,
                    int threads) {
  check(cell, netCharge);
  return Spme(cell.vectors, parameters, threads).compute(cell);
}

namespace {

constexpr double kCaution = 10;       // crystals' errors are alike, not at random
constexpr double kRockSalt = 1.7476;  // root mean square of the potentials in units of charge and spacing

/// Share of the square of a mode that other modes mix in, x of the mesh's points to a period: M_p's transform
/// falls as 1/x^p.
double aliasing(double x, int order) {
  if (x >= 0.5) return 1;
  double sum = 0;
  for (const int l : {-1, 1}) sum += std::pow(x / (x + l), 2 * order);
  return std::min(1.0, sum);
}

/// integral exp(-t^2/2)/t^2 times the share that is mixed in along one axis, over t = k/beta > 0, directions
/// averaged. `s` = beta times the spacing.
double aliasedSquare(double s, int order) {
  constexpr int kRadii = 40, kAngles = 8;
  constexpr double kFarthest = 12;
  double sum = 0;
  for (int i = 0; i < kRadii; ++i) {
    const double t = kFarthest * (i + 0.5) / kRadii;
    double share = 0;
    for (int a = 0; a < kAngles; ++a)
      share += aliasing(t * (a + 0.5) / kAngles * s / (2 * constants::kPi), order);
    sum += std::exp(-0.5 * t * t) / (t * t) * share / kAngles * kFarthest / kRadii;
  }
  return sum;
}

struct Density {
  explicit Density(const ChargedCell& cell)
      : sites(static_cast<double>(cell.sites())),
        spacing(std::cbrt(cell.volume() / sites)),
        density(sites / cell.volume()) {}
  double sites, spacing, density;
};

double pairError(const Density& d, double beta, double cutoff) {
  // sqrt of density * integral over r > cutoff of 4 pi r^2 (erfc(beta r)/r)^2, leading term.
  const double x = beta * cutoff;
  return std::sqrt(d.density / cutoff) / (x * beta) * std::exp(-x * x) * d.spacing / kRockSalt;
}

/// `aliased`: sum of aliasedSquare over the axes.
double meshError(const Density& d, double beta, double aliased) {
  // Square: density (1/(2 pi)^3) integral over k of (4 pi/k^2)^2 exp(-k^2/(2 beta^2)) 2 (what assignment and
  // interpolation mix in).
  return std::sqrt(d.density * 8 * 2 / beta * aliased) * d.spacing / kRockSalt;
}

double cutoffFor(const Density& d, double beta, double tolerance) {
  double cutoff = 0.5 / beta;
  while (pairError(d, beta, cutoff) > tolerance) cutoff *= 1.02;
  return cutoff;
}

/// The coarsest mesh whose error is below the tolerance.
MeshSize meshFor(const ChargedCell& cell, const Density& d, double beta, int order, int ownSplines,
                 double tolerance) {
  double coarse = 4 / beta, fine = 0.02 / beta;
  for (int step = 0; step < 12; ++step) {
    const double h = std::sqrt(coarse * fine);
    (meshError(d, beta, 3 * aliasedSquare(beta * h, ownSplines)) > tolerance ? coarse : fine) = h;
  }
  MeshSize mesh;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double length = cell.vectors.col(static_cast<Eigen::Index>(axis)).norm();
    mesh[axis] = fastMeshSize(std::max(static_cast<int>(std::min(std::ceil(length / fine), 1e5)), order + 1));
  }
  return mesh;
}

/// Nanoseconds on one processor, roughly: of pairs, mesh points and splines.
double costOf(const Density& d, const SpmeParameters& p) {
  const double pairs = d.sites * d.density * 4.2 * std::pow(p.cutoff, 3);
  const double splines = d.sites * std::pow(ownOrder(p.assignment, p.order), 3);
  return 30 * pairs + 40 * static_cast<double>(meshPoints(p.mesh)) + 3 * splines;
}

std::vector<double> splittings(const Density& d, const SpmeRequest& request) {
  if (request.beta) return {*request.beta};
  std::vector<double> list;
  for (double beta = 0.2; beta < 4; beta *= 1.2) list.push_back(beta / d.spacing);
  return list;
}

std::vector<int> ordersOf(const SpmeRequest& request) {
  if (request.order) return {*request.order};
  return {4, 6, 8, 10, 12};
}

}  // namespace

void check(const SpmeParameters& p) {
  if (p.order < 2 || p.order > 12)
    throw Error(fmt::format("a particle mesh takes orders from 2 to 12, not {}", p.order));
  if (!(p.beta > 0 && p.beta < 1e3))
    throw Error("a particle mesh takes a splitting beta above 0 (1/angstrom)");
  if (!(p.cutoff > 0)) throw Error("a particle mesh takes a cutoff above 0 (angstrom)");
  constexpr double kMostPoints = 4e9;
  if (!(static_cast<double>(p.mesh[0]) * p.mesh[1] * p.mesh[2] < kMostPoints))
    throw Error("the mesh has more than 4e9 points; give a larger tolerance or fewer points");
  for (const int points : p.mesh) {
    if (points <= p.order)
      throw Error(
          fmt::format("a mesh of {} points is too small for order {}; take more points", points, p.order));
  }
}

double SpmeErrors::all() const { return std::hypot(pairs, mesh); }

double secondsOnProcessor(const ChargedCell& cell, const SpmeParameters& p) {
  return 1e-9 * costOf(Density(cell), p);
}

SpmeErrors estimatedErrors(const ChargedCell& cell, const SpmeParameters& p) {
  const Density d(cell);
  double aliased = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double spacing = cell.vectors.col(axis).norm() / p.mesh[axis];
    aliased += aliasedSquare(p.beta * spacing, ownOrder(p.assignment, p.order));
  }
  return {pairError(d, p.beta, p.cutoff), meshError(d, p.beta, aliased)};
}

void requireUseful(const SpmeErrors& errors, double tolerance) {
  constexpr double kUseless = 0.03;  // of the potentials
  if (errors.all() < std::max(kUseless, kErrorsMiss * tolerance)) return;
  throw Error(fmt::format(
      "with this splitting, cutoff, mesh and order the estimated error is {:.2g} of the potentials; omit "
      "beta, cutoff, mesh or order so that the program chooses them from the tolerance",
      errors.all()));
}

SpmeParameters chosenParameters(const ChargedCell& cell, const SpmeRequest& request) {
  if (!(request.tolerance >= 1e-13 && request.tolerance <= 0.1))
    throw Error(fmt::format("a tolerance is from 1e-13 to 0.1, not {:g}", request.tolerance));
  const Density d(cell);
  const double aim = request.tolerance / kCaution;
  SpmeParameters best;
  double bestCost = std::numeric_limits<double>::infinity(), bestError = bestCost;
  for (const double beta : splittings(d, request)) {
    for (const int order : ordersOf(request)) {
      SpmeParameters p;
      p.assignment = request.assignment;
      p.order = order;
      p.precision = request.precision;
      p.beta = beta;
      p.cutoff = request.cutoff ? *request.cutoff : cutoffFor(d, beta, aim);
      p.mesh =
          request.mesh ? *request.mesh : meshFor(cell, d, beta, order, ownOrder(p.assignment, order), aim);
      const double error = std::max(estimatedErrors(cell, p).all(), request.tolerance), cost = costOf(d, p);
      if (error < bestError || (error == bestError && cost < bestCost)) {
        best = p;
        bestError = error;
        bestCost = cost;
      }
    }
  }
  return best;
}

namespace {

class HostSpmeEngine : public SpmeEngine {
 public:
  explicit HostSpmeEngine(int threads) : threads_(threads) {}
  std::string name() const override {
    return fmt::format("CPU, {} {}", threads_, threads_ == 1 ? "thread" : "threads");
  }
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                         SpmeTimes* times) override {
    if (!kept_ || vectors_ != cell.vectors || !(parameters_ == parameters)) {
      kept_.reset();  // its memory first
      kept_ = std::make_unique<Spme>(cell.vectors, parameters, threads_);
      vectors_ = cell.vectors;
      parameters_ = parameters;
    }
    return kept_->compute(cell, times);
  }

 private:
  int threads_;
  std::unique_ptr<Spme> kept_;
  Eigen::Matrix3d vectors_;
  SpmeParameters parameters_;
};

}  // namespace

std::unique_ptr<SpmeEngine> hostSpmeEngine(int threads) { return std::make_unique<HostSpmeEngine>(threads); }

}  // namespace prophet
