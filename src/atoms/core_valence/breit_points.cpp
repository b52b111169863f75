#include "atoms/core_valence/breit_points.hpp"

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Products are interpolated to this part of the largest one: energies change by a millionth of what the
/// Breit interaction does in them.
constexpr double kInterpolatedBreit = 1e-9;

InterpolationPoints pointsOf(const OrbitalSpace& space, const std::vector<SpinorFunctions>& functions,
                             const std::vector<SpinorFunctions>& others) {
  return interpolationPoints(space, kInterpolatedBreit,
                             [&](std::mt19937_64& engine, Eigen::Index count) -> Eigen::MatrixXd {
                               RandomCombinations first(space.points(), count), second = first;
                               for (const SpinorFunctions& f : functions) first.add(f.large, f.small, engine);
                               for (const auto* list : {&functions, &others})
                                 for (const SpinorFunctions& f : *list) second.add(f.large, f.small, engine);
                               Eigen::MatrixXd products(2 * count, space.points());
                               products << first.large.cwiseProduct(second.small).transpose(),
                                   first.small.cwiseProduct(second.large).transpose();
                               return products;
                             });
}

}  // namespace

BreitPoints::BreitPoints(const OrbitalSpace& space, const std::vector<SpinorFunctions>& functions,
                         const std::vector<SpinorFunctions>& others, TwoElectronOperator repulsion,
                         int largestK, ThreadPool& pool)
    : InterpolationPoints(pointsOf(space, functions, others)),
      hasGauge_(repulsion == TwoElectronOperator::CoulombBreit) {
  const SlaterKernel kernel(space.mesh(), largestK + 1);
  const SlaterKernel::CellRange all{0, space.mesh().cells};
  // Where the first electron is outside of the second one.
  std::vector<Eigen::MatrixXd> outside(usize(largestK) + 2);
  pool.forEach(largestK + 2, [&](int k, int) {
    Eigen::MatrixXd elements;
    kernel.ordered(k, all, all, elements);
    outside[usize(k)] = multiply(interpolation, true, multiply(elements, false, interpolation, false), false);
  });
  const auto whole = [&](int k) -> Eigen::MatrixXd {
    return outside[usize(k)] + outside[usize(k)].transpose();
  };
  const auto n = static_cast<Eigen::Index>(points.size());
  for (int k = 0; k <= largestK; ++k) {
    odd_.emplace_back(-whole(k));
    Eigen::MatrixXd& m = even_.emplace_back(Eigen::MatrixXd::Zero(2 * n, 2 * n));
    if (hasGauge_ && k == 0) continue;
    const double ofV = k == 0 ? 0 : 1.0 / (k * (2 * k - 1)), ofW = 1.0 / ((k + 1) * (2 * k + 3));
    const double atV = hasGauge_ ? (k + 1.0) / (2 * k + 1) : 1, atW = hasGauge_ ? k / (2.0 * k + 1) : 1;
    if (k > 0) m.topLeftCorner(n, n) = atV * ofV * whole(k - 1);
    m.bottomRightCorner(n, n) = atW * ofW * whole(k + 1);
    if (!hasGauge_) continue;
    m.bottomLeftCorner(n, n) = (outside[usize(k - 1)] - outside[usize(k + 1)]) / (2 * (2 * k + 1));
    m.topRightCorner(n, n) = m.bottomLeftCorner(n, n).transpose();
  }
}

Eigen::MatrixXd BreitPoints::sources(int k, const SpinorFunctions& a, const SpinorFunctions& c) const {
  const int ka = a.symmetry.kappa, kc = c.symmetry.kappa;
  const bool isOdd = (a.symmetry.l() + c.symmetry.l() + k) % 2 != 0;
  const double factor =
      isOdd ? (k == 0 ? 0 : (ka + kc) / std::sqrt(k * (k + 1.0)) * reducedC(Symmetry{-ka}, k, c.symmetry))
            : (k == 0 && hasGauge_ ? 0 : reducedC(a.symmetry, k, c.symmetry));
  if (factor == 0) return {};
  const Eigen::Index n = a.large.rows(), count = a.count();
  Eigen::MatrixXd made(isOdd ? n : 2 * n, count * c.count());
  for (Eigen::Index j = 0; j < c.count(); ++j) {
    const auto columns = Eigen::seqN(j * count, count);
    const Eigen::MatrixXd first = factor * (c.small.col(j).asDiagonal() * a.large),
                          second = factor * (c.large.col(j).asDiagonal() * a.small);
    if (isOdd) {
      made(Eigen::all, columns) = first + second;
      continue;
    }
    const double d = kc - ka;
    made(Eigen::seqN(0, n), columns) = (k + d) * first - (k - d) * second;
    made(Eigen::seqN(n, n), columns) = (k + 1 - d) * first - (k + 1 + d) * second;
  }
  return made;
}

Eigen::MatrixXd BreitPoints::potentials(int k, bool odd, const Eigen::MatrixXd& sources) const {
  if (sources.size() == 0) return {};
  return multiply(odd == (k % 2 != 0) ? even_[usize(k)] : odd_[usize(k)], false, sources, false);
}

}  // namespace prophet
