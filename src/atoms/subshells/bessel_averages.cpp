#include "atoms/subshells/bessel_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "atoms/angular/angular.hpp"
#include "atoms/radial/spherical_bessel.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kEndOfDensity = 1e-17;  // of a density's largest value in ln r: it has ended there
constexpr double kLargestPhase = 1.5;    // radians from point to point where the density ends

}  // namespace

BesselAverages::BesselAverages(const SubshellFunctions& functions, const Eigen::VectorXd& q, int largestK)
    : functions_(functions), q_(q) {
  if (q.size() > 0 && !(q.minCoeff() >= 0 && q.maxCoeff() <= kLargestSubshellMomentum))
    throw Error(
        fmt::format("form factors of subshells are computed for momentum transfers from 0 to {:g} per bohr",
                    kLargestSubshellMomentum));
  const Eigen::VectorXd& r = functions.r();
  const int order = std::max(1, largestK);
  tables_.assign(static_cast<std::size_t>(order) + 1, Eigen::MatrixXd(q.size(), r.size()));
  deficitTable_.resize(q.size(), r.size());
  std::vector<double> values(static_cast<std::size_t>(order) + 1);
  for (Eigen::Index j = 0; j < r.size(); ++j)
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      sphericalBessel(order, q[i] * r[j], values.data());
      for (std::size_t k = 0; k < values.size(); ++k) tables_[k](i, j) = values[k];
      const double x = q[i] * r[j];
      deficitTable_(i, j) = x * x * sineDeficit(x);
    }
}

Eigen::MatrixXd BesselAverages::sums(const Eigen::MatrixXd& table, const Eigen::MatrixXd& densities) const {
  return table * (functions_.radii().step * functions_.r().asDiagonal() * densities);
}

void BesselAverages::transformBeyond(int k, const Eigen::MatrixXd& densities, bool deficit,
                                     Eigen::MatrixXd& values) const {
  const Eigen::VectorXd& r = functions_.r();
  std::vector<Eigen::Index> columns;
  std::vector<double> ends;
  const double largest = q_.size() > 0 ? q_.maxCoeff() : 0;
  for (Eigen::Index c = 0; c < densities.cols(); ++c) {
    const Eigen::ArrayXd inLog = densities.col(c).array().abs() * r.array();
    const double least = kEndOfDensity * inLog.maxCoeff();
    Eigen::Index end = r.size() - 1;
    while (end > 0 && inLog[end] < least) --end;
    const double last = kLargestPhase / (functions_.radii().step * r[end]);
    if (largest <= last) continue;
    columns.push_back(c);
    ends.push_back(last);
  }
  if (columns.empty()) return;
  const LogGrid& momenta = functions_.momenta();
  const Eigen::MatrixXd there = functions_.transform().densities(k, densities(Eigen::all, columns));
  for (std::size_t n = 0; n < columns.size(); ++n) {
    std::vector<Eigen::Index> rows;
    for (Eigen::Index i = 0; i < q_.size(); ++i)
      if (q_[i] > ends[n]) rows.push_back(i);
    const Eigen::VectorXd beyond =
        interpolated(momenta, there.col(static_cast<Eigen::Index>(n)), q_(rows)).col(0);
    const double whole = deficit ? functions_.radii().step * densities.col(columns[n]).dot(r) : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double value = beyond[static_cast<Eigen::Index>(i)];
      values(rows[i], columns[n]) = deficit ? whole - value : value;
    }
  }
}

Eigen::MatrixXd BesselAverages::averages(int k, const Eigen::MatrixXd& densities) const {
  Eigen::MatrixXd values = sums(tables_.at(static_cast<std::size_t>(k)), densities);
  transformBeyond(k, densities, false, values);
  return values;
}

Eigen::MatrixXd BesselAverages::deficits(const Eigen::MatrixXd& densities) const {
  Eigen::MatrixXd values = sums(deficitTable_, densities);
  transformBeyond(0, densities, true, values);
  return values;
}

std::vector<Eigen::MatrixXd> evenBesselAverages(const SubshellFunctions& functions, const Eigen::VectorXd& q,
                                                int largestK) {
  const BesselAverages bessel(functions, q, largestK);
  const Eigen::MatrixXd densities = functions.densities();
  std::vector<Eigen::MatrixXd> list;
  for (int k = 0; k <= largestK; k += 2) list.push_back(bessel.averages(k, densities));
  return list;
}

// S = 2 sum q_a d_a - (sum q_a d_a)^2 + sum_ab w_ab g_a g_b d_a d_b - sum_a w_aa g_a d_a^2 - sum' w_ab X_ab
// with d_a = integral D_a (1 - j_0), which does not cancel as N^2/S does; X_ab = g_a g_b sum_k (2k + 1) 3j^2
// R_k^2, without the term a = b, k = 0, and with j_0 - 1 in the place of j_0 between orthogonal spinors. It
// rests on sum_b w_ab g_b - w_aa = (q_a/g_a)(N - 1). docs/theory/subshells.md.
IncoherentScattering incoherentScattering(const SubshellFunctions& f, const Eigen::VectorXd& q) {
  const int n = f.count();
  const Eigen::MatrixXd w = pairProbabilities(f.problem().configuration);
  struct Pair {
    int a, b;
    double weight;  ///< w_ab g_a g_b (2k + 1) 3j^2, twice where a != b
  };
  std::map<int, std::vector<Pair>> byK;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b <= a; ++b) {
      const Symmetry x = f.spinor(a).symmetry, y = f.spinor(b).symmetry;
      const double both = (a == b ? 1 : 2) * w(a, b) * x.degeneracy() * y.degeneracy();
      if (both == 0) continue;
      for (const ExchangeTerm& term : exchangeTerms(x, y))
        if (a != b || term.k > 0) byK[term.k].push_back({a, b, both * (2 * term.k + 1) * term.coefficient});
    }
  const int largestK = byK.empty() ? 0 : byK.rbegin()->first;
  const BesselAverages bessel(f, q, largestK);
  const Eigen::MatrixXd d = bessel.deficits(f.densities());
  IncoherentScattering s;
  s.values = Eigen::VectorXd::Zero(q.size());
  Eigen::VectorXd occupied(n), degeneracy(n);
  for (int a = 0; a < n; ++a) {
    occupied[a] = f.spinor(a).occupation;
    degeneracy[a] = f.spinor(a).symmetry.degeneracy();
  }
  const Eigen::VectorXd elastic = d * occupied;
  const Eigen::MatrixXd weighted = degeneracy.asDiagonal() * w * degeneracy.asDiagonal();
  const Eigen::VectorXd own = w.diagonal().cwiseProduct(degeneracy);
  s.values = 2 * elastic - elastic.cwiseAbs2() + (d * weighted).cwiseProduct(d).rowwise().sum() -
             d.cwiseAbs2() * own;
  for (const auto& [k, pairs] : byK) {
    Eigen::MatrixXd densities(f.r().size(), static_cast<Eigen::Index>(pairs.size()));
    Eigen::VectorXd weights(densities.cols());
    for (Eigen::Index i = 0; i < densities.cols(); ++i) {
      const Pair& pair = pairs[static_cast<std::size_t>(i)];
      densities.col(i) = f.density(pair.a, pair.b);
      weights[i] = pair.weight;
    }
    const Eigen::MatrixXd values = k == 0 ? bessel.deficits(densities) : bessel.averages(k, densities);
    s.values -= values.cwiseAbs2() * weights;
  }
  double slope = 0;
  for (int a = 0; a < n; ++a)
    slope += occupied[a] * f.integral(f.density(a, a).array() * f.r().array().square(),
                                      2 * std::min(f.powers(a).large, f.powers(a).small) + 2);
  if (const auto dipole = byK.find(1); dipole != byK.end())
    for (const Pair& pair : dipole->second) {
      const double between = f.integral(f.density(pair.a, pair.b).array() * f.r().array(),
                                        std::min(f.powers(pair.a).large + f.powers(pair.b).large,
                                                 f.powers(pair.a).small + f.powers(pair.b).small) +
                                            1);
      slope -= pair.weight / 3 * between * between;  // R_1 = q <r>/3, and the weight has 2k + 1 = 3
    }
  s.slope = slope / 3;
  return s;
}

}  // namespace prophet
