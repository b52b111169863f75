#include "atoms/levels/spinor_table.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/breit/retarded.hpp"
#include "atoms/levels/extended_wavefunction.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

constexpr double kWidestCell = 0.3;       // in ln r
constexpr double kCell = 0.25;            // in ln r, of functions that have no mesh
constexpr double kLeastFrequency = 1e-8;  // 1/bohr; lower ones make no difference

/// The cells of a limit, which hold its polynomials, or equal ones, narrow enough for the kernels.
std::vector<double> cellsFor(const Wavefunction& functions) {
  std::vector<double> coarse = {std::log(functions.smallestRadius()), std::log(functions.largestRadius())};
  double widest = kCell;
  const auto* extended = dynamic_cast<const ExtendedWavefunction*>(&functions);
  const Wavefunction* own = extended ? &extended->occupied() : &functions;
  if (const auto* splines = dynamic_cast<const LimitWavefunction*>(own)) {
    coarse = splines->largeSpace().breaks();
    if (extended && std::log(functions.largestRadius()) > coarse.back())
      coarse.push_back(std::log(functions.largestRadius()));
    widest = kWidestCell;
  }
  return dividedCells(coarse, widest);
}

/// Derivatives at the nodes of the polynomial through values at them, by the barycentric formula.
Eigen::MatrixXd differentiation(const Eigen::VectorXd& nodes) {
  const Eigen::Index n = nodes.size();
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      if (i != j) weight(i) /= nodes(i) - nodes(j);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      if (i == j) continue;
      matrix(i, j) = weight(j) / weight(i) / (nodes(i) - nodes(j));
      matrix(i, i) -= matrix(i, j);
    }
  }
  return matrix;
}

}  // namespace

Eigen::MatrixXd derivativesOn(const RadialMesh& mesh, const Eigen::MatrixXd& functions) {
  const Eigen::MatrixXd slopes = differentiation(mesh.rule.nodes);
  Eigen::MatrixXd values(functions.rows(), functions.cols());
  const int points = mesh.pointsPerCell();
  for (int c = 0; c < mesh.cells; ++c)
    values.middleRows(c * points, points) =
        2 / mesh.cellWidth(c) * (slopes * functions.middleRows(c * points, points));
  return values;
}

double signNearNucleus(const Eigen::VectorXd& large) {
  const double seen = 1e-3 * large.cwiseAbs().maxCoeff();
  for (const double value : large)
    if (std::abs(value) > seen) return value < 0 ? -1 : 1;
  return 1;
}

SpinorTable::SpinorTable(const Result& result, const LevelField& field, int largestK) : field_(field) {
  if (!result.wavefunction) throw Error("levels need the radial functions of the spinors");
  const Wavefunction& functions = *result.wavefunction;
  mesh_ = std::make_unique<RadialMesh>(cellsFor(functions), kTablePoints);
  RadialTable table = tabulated(functions, *mesh_);
  large_ = std::move(table.large);
  small_ = std::move(table.small);
  for (const Spinor& spinor : result.spinors) {
    symmetries_.push_back(spinor.symmetry);
    energies_.push_back(spinor.occupation > 0 ? spinor.energy : std::nan(""));
  }
  complete(largestK);
}

SpinorTable::SpinorTable(const RadialMesh& mesh, std::vector<Symmetry> symmetries, RadialTable functions,
                         const LevelField& field, int largestK)
    : field_(field),
      mesh_(std::make_unique<RadialMesh>(mesh)),
      symmetries_(std::move(symmetries)),
      large_(std::move(functions.large)),
      small_(std::move(functions.small)),
      energies_(symmetries_.size(), std::nan("")) {
  complete(largestK);
}

void SpinorTable::complete(int largestK) {
  kernel_ = std::make_unique<SlaterKernel>(*mesh_, largestK + 1);
  const auto count = static_cast<Eigen::Index>(symmetries_.size());
  const Eigen::VectorXd root = mesh_->r.cwiseSqrt();
  for (Eigen::Index a = 0; a < count; ++a) {
    signs_.push_back(signNearNucleus(large_.col(a).cwiseQuotient(root)));
    large_.col(a) *= signs_.back();
    small_.col(a) *= signs_.back();
  }
  slope_ = derivativesOn(*mesh_, large_);
}

Eigen::VectorXd SpinorTable::derivative(const Eigen::VectorXd& f) const { return derivativesOn(*mesh_, f); }

Eigen::VectorXd SpinorTable::slope(const Eigen::VectorXd& f) const {
  return derivative(f).cwiseQuotient(mesh_->r);
}

double SpinorTable::edge(int cell) const { return std::exp(mesh_->breaks[usize(cell)]); }

RadialValues SpinorTable::values(int a) const {
  const Eigen::ArrayXd r = mesh_->r.array(), root = r.sqrt();
  const auto slopeOf = [&](const Eigen::ArrayXd& f, const Eigen::ArrayXd& change) -> Eigen::ArrayXd {
    return (change - 0.5 * f) / (r * root);
  };
  return {large_.col(a).array() / root, small_.col(a).array() / root,
          slopeOf(large_.col(a).array(), slope_.col(a).array()),
          slopeOf(small_.col(a).array(), derivative(small_.col(a)).array())};
}

Eigen::VectorXd SpinorTable::nuclearPotential() const {
  return mesh_->r.unaryExpr([this](double r) { return field_.nucleus.potential(r); });
}

Eigen::VectorXd SpinorTable::directPotential(const std::vector<std::pair<int, double>>& electrons) const {
  Eigen::VectorXd density = Eigen::VectorXd::Zero(mesh_->points);
  for (const auto& [a, weight] : electrons) density += weight * pair(Pair::Density, 0, a, a);
  return kernel_->potential(0, density);
}

double SpinorTable::largeDensity(int a, int b, const Eigen::VectorXd& f) const {
  return (mesh_->weight.array() * f.array() * large_.col(a).array() * large_.col(b).array()).sum();
}

double SpinorTable::density(int a, int b, const Eigen::VectorXd& f) const {
  return (mesh_->weight.array() * f.array() *
          (large_.col(a).array() * large_.col(b).array() + small_.col(a).array() * small_.col(b).array()))
      .sum();
}

double SpinorTable::largeOverlap(int a, int b) const {
  return largeDensity(a, b, Eigen::VectorXd::Ones(mesh_->points));
}

double SpinorTable::smallOverlap(int a, int b) const {
  return (mesh_->weight.array() * small_.col(a).array() * small_.col(b).array()).sum();
}

double SpinorTable::coupling(int a, int b, const Eigen::VectorXd& f) const {
  return (mesh_->weight.array() * f.array() *
          (large_.col(a).array() * small_.col(b).array() + small_.col(a).array() * large_.col(b).array()))
      .sum();
}

double SpinorTable::antisymmetric(int a, int b, const Eigen::VectorXd& f) const {
  return (mesh_->weight.array() * f.array() *
          (large_.col(a).array() * small_.col(b).array() - small_.col(a).array() * large_.col(b).array()))
      .sum();
}

double SpinorTable::oneElectron(int a, int b) const {
  const double c = field_.speedOfLight;
  const Symmetry s = symmetry(a);
  const Eigen::ArrayXd weight = mesh_->weight.array(), r = mesh_->r.array();
  double sum = density(a, b, nuclearPotential());
  sum -= 2 * c * c * (weight * small_.col(a).array() * small_.col(b).array()).sum();
  // P' + kappa P/r with P = p/sqrt(r).
  const auto derivative = [&](int i) -> Eigen::ArrayXd {
    return (slope_.col(i).array() + (s.kappa - 0.5) * large_.col(i).array()) / r;
  };
  sum += c * (weight * (small_.col(b).array() * derivative(a) + small_.col(a).array() * derivative(b))).sum();
  for (const RadialOperator& extra : field_.extra) {
    const SampledOperator sampled(extra, mesh_->r);
    sum += density(a, b, sampled.local(s));
    if (sampled.coupling().size() > 0) sum += coupling(a, b, sampled.coupling());
  }
  return sum;
}

Eigen::VectorXd SpinorTable::pair(Pair kind, int k, int a, int c) const {
  const auto pa = large_.col(a).array(), qa = small_.col(a).array();
  const auto pc = large_.col(c).array(), qc = small_.col(c).array();
  if (kind == Pair::Density) return (pa * pc + qa * qc).matrix();
  const Eigen::ArrayXd sum = pa * qc + qa * pc;
  if (kind == Pair::Sum) return sum.matrix();
  const Eigen::ArrayXd difference = pa * qc - qa * pc;
  const double d = symmetry(c).kappa - symmetry(a).kappa;
  if (kind == Pair::V) return (k * difference + d * sum).matrix();
  return ((k + 1) * difference - d * sum).matrix();
}

const Eigen::VectorXd& SpinorTable::potential(Pair kind, int rank, Side side, int k, int b, int d) const {
  const auto [place, isNew] = potentials_.try_emplace({kind, rank, side, k, b, d});
  if (isNew) {
    const Eigen::VectorXd f = pair(kind, rank, b, d);
    place->second = side == Side::All      ? kernel_->potential(k, f)
                    : side == Side::Inside ? kernel_->potentialFromInside(k, f)
                                           : kernel_->potentialFromOutside(k, f);
  }
  return place->second;
}

double SpinorTable::product(const Eigen::VectorXd& f, const Eigen::VectorXd& potential) const {
  return (mesh_->weight.array() * f.array() * potential.array()).sum();
}

double SpinorTable::slater(int k, int a, int b, int c, int d) const {
  return product(pair(Pair::Density, 0, a, c), potential(Pair::Density, 0, Side::All, k, b, d));
}

double SpinorTable::breit(int k, int a, int b, int c, int d, bool gauge) const {
  const Symmetry sa = symmetry(a), sb = symmetry(b), sc = symmetry(c), sd = symmetry(d);
  if ((sa.l() + sc.l() + k) % 2 != 0) {
    if (k == 0) return 0;
    const double angular = reducedC(Symmetry{-sa.kappa}, k, sc) * reducedC(Symmetry{-sb.kappa}, k, sd);
    const double factor = static_cast<double>((sa.kappa + sc.kappa) * (sb.kappa + sd.kappa)) / (k * (k + 1));
    if (angular * factor == 0) return 0;
    return -factor * angular * product(pair(Pair::Sum, 0, a, c), potential(Pair::Sum, 0, Side::All, k, b, d));
  }
  const double angular = reducedC(sa, k, sc) * reducedC(sb, k, sd);
  if (angular == 0 || (gauge && k == 0)) return 0;  // V and W vanish between equal symmetries for k = 0
  const Eigen::VectorXd w = pair(Pair::W, k, a, c);
  const auto ww = [&] { return product(w, potential(Pair::W, k, Side::All, k + 1, b, d)); };
  if (k == 0) return angular * ww() / 3;
  const Eigen::VectorXd v = pair(Pair::V, k, a, c);
  const double vv = product(v, potential(Pair::V, k, Side::All, k - 1, b, d));
  if (!gauge) return angular * (vv / (k * (2 * k - 1)) + ww() / ((k + 1) * (2 * k + 3)));
  const double mixed = product(v, potential(Pair::W, k, Side::Outside, k - 1, b, d)) -
                       product(v, potential(Pair::W, k, Side::Outside, k + 1, b, d)) +
                       product(w, potential(Pair::V, k, Side::Inside, k - 1, b, d)) -
                       product(w, potential(Pair::V, k, Side::Inside, k + 1, b, d));
  return angular * ((k + 1.0) / (k * (2 * k - 1) * (2 * k + 1)) * vv +
                    k / ((k + 1.0) * (2 * k + 1) * (2 * k + 3)) * ww() + mixed / (2 * (2 * k + 1)));
}

double SpinorTable::frequency(int a, int c) const {
  const double difference = energies_[usize(a)] - energies_[usize(c)];
  return std::isnan(difference) ? 0 : std::abs(difference) / field_.speedOfLight;
}

double SpinorTable::retardedBreit(int k, int a, int b, int c, int d) const {
  const double first = frequency(a, c), second = frequency(b, d);
  if (first == second) return breitOf(first, k, a, b, c, d);
  return 0.5 * (breitOf(first, k, a, b, c, d) + breitOf(second, k, a, b, c, d));
}

double SpinorTable::breitOf(double omega, int k, int a, int b, int c, int d) const {
  if (omega < kLeastFrequency) return breit(k, a, b, c, d, true);
  if (k == 0) return 0;  // even: V and W vanish; odd: there is none
  const Symmetry sa = symmetry(a), sb = symmetry(b), sc = symmetry(c), sd = symmetry(d);
  if ((sa.l() + sc.l() + k) % 2 != 0) {
    const double angular = reducedC(Symmetry{-sa.kappa}, k, sc) * reducedC(Symmetry{-sb.kappa}, k, sd);
    const double factor = static_cast<double>((sa.kappa + sc.kappa) * (sb.kappa + sd.kappa)) / (k * (k + 1));
    if (angular * factor == 0) return 0;
    return -factor * angular * retardedSlater(omega, k, pair(Pair::Sum, 0, a, c), pair(Pair::Sum, 0, b, d));
  }
  const double angular = reducedC(sa, k, sc) * reducedC(sb, k, sd);
  if (angular == 0) return 0;
  const Eigen::VectorXd v = pair(Pair::V, k, a, c), w = pair(Pair::W, k, a, c), v2 = pair(Pair::V, k, b, d),
                        w2 = pair(Pair::W, k, b, d);
  return angular * ((k + 1.0) / (k * (2 * k - 1) * (2 * k + 1)) * retardedSlater(omega, k - 1, v, v2) +
                    k / ((k + 1.0) * (2 * k + 1) * (2 * k + 3)) * retardedSlater(omega, k + 1, w, w2) +
                    (retardedGauge(omega, k, v, w2) + retardedGauge(omega, k, v2, w)) / (2 * (2 * k + 1)));
}

const SpinorTable::Bessel& SpinorTable::bessel(int order, double omega) const {
  const auto [place, isNew] = bessel_.try_emplace({order, omega});
  if (isNew) {
    place->second.j = mesh_->r.unaryExpr([&](double r) { return reducedBesselJ(order, omega * r); });
    place->second.y = mesh_->r.unaryExpr([&](double r) { return reducedBesselY(order, omega * r); });
  }
  return place->second;
}

double SpinorTable::retardedSlater(double omega, int order, const Eigen::VectorXd& f,
                                   const Eigen::VectorXd& g) const {
  const Eigen::ArrayXd inner = 1 + bessel(order, omega).j, outer = 1 + bessel(order, omega).y;
  const Eigen::ArrayXd sum =
      outer * kernel_->potentialFromInside(order, (g.array() * inner).matrix()).array() +
      inner * kernel_->potentialFromOutside(order, (g.array() * outer).matrix()).array();
  return product(f, sum.matrix());
}

double SpinorTable::retardedGauge(double omega, int k, const Eigen::VectorXd& f,
                                  const Eigen::VectorXd& g) const {
  // As RetardedKernels::gauge: the powers are r^(k-1) inside and r^-k outside, and the others at the points.
  const Eigen::ArrayXd square = mesh_->r.array().square();
  const Eigen::ArrayXd &a = bessel(k - 1, omega).j, &b = bessel(k + 1, omega).y;
  const auto inside = [&](const Eigen::ArrayXd& factor) -> Eigen::ArrayXd {
    return kernel_->potentialFromInside(k - 1, (f.array() * factor).matrix()).array();
  };
  const Eigen::ArrayXd below = 2 * (2 * k + 1) / (omega * omega) *
                               ((1 + b) * inside(a) + b * inside(Eigen::ArrayXd::Ones(f.size()))) / square;
  const Eigen::ArrayXd outer = f.array() * (1 + bessel(k - 1, omega).y);
  const Eigen::ArrayXd above = 2 * omega * omega / ((2 * k + 3) * (2 * k + 1) * (2 * k - 1)) * square *
                               (1 + bessel(k + 1, omega).j) *
                               kernel_->potentialFromOutside(k - 1, outer.matrix()).array();
  return product(g, (below + above).matrix());
}

}  // namespace prophet
