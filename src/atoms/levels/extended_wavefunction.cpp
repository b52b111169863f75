#include "atoms/levels/extended_wavefunction.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "atoms/integrals/primitives.hpp"

namespace prophet {
namespace {

/// Large and small components of the Gaussians of one symmetry: radii x functions.
struct LadderValues {
  Eigen::MatrixXd large, small;
};

LadderValues ladderValues(Symmetry symmetry, const std::vector<double>& ladder, const Eigen::VectorXd& r) {
  const auto count = static_cast<Eigen::Index>(ladder.size());
  LadderValues values{Eigen::MatrixXd(r.size(), count), Eigen::MatrixXd(r.size(), count)};
  const Eigen::ArrayXd square = r.array().square(), power = r.array().pow(symmetry.l());
  for (Eigen::Index i = 0; i < count; ++i) {
    const Primitive g =
        makePrimitive(symmetry, ladder[static_cast<std::size_t>(i)] * (2 * symmetry.l() + 3) / 3.0);
    const Eigen::ArrayXd common = power * (-g.zeta * square).exp();
    values.large.col(i) = g.norm * common * r.array();
    values.small.col(i) = common * (g.small0 + g.small2 * square);
  }
  return values;
}

}  // namespace

ExtendedWavefunction::ExtendedWavefunction(std::shared_ptr<const Wavefunction> occupied,
                                           std::vector<double> ladder, std::vector<Function> functions)
    : occupied_(std::move(occupied)), ladder_(std::move(ladder)), functions_(std::move(functions)) {}

double ExtendedWavefunction::largestRadius() const {
  const double smallest = *std::min_element(ladder_.begin(), ladder_.end());
  return std::max(occupied_->largestRadius(), std::sqrt(45 / smallest));  // exp(-45) r^k < 1e-16
}

RadialFunctions ExtendedWavefunction::radial(int index, const Eigen::VectorXd& r) const {
  requireSpinorAndRadii(index, count(), r);
  return allRadial(r)[static_cast<std::size_t>(index)];
}

std::vector<RadialFunctions> ExtendedWavefunction::allRadial(const Eigen::VectorXd& r) const {
  const std::vector<RadialFunctions> occupied = occupied_->allRadial(r);
  std::map<int, LadderValues> ladders;
  std::vector<RadialFunctions> all;
  for (const Function& f : functions_) {
    RadialFunctions values{Eigen::VectorXd::Zero(r.size()), Eigen::VectorXd::Zero(r.size())};
    for (Eigen::Index i = 0; i < f.occupied.size(); ++i) {
      if (f.occupied(i) == 0) continue;
      values.large += f.occupied(i) * occupied[static_cast<std::size_t>(i)].large;
      values.small += f.occupied(i) * occupied[static_cast<std::size_t>(i)].small;
    }
    if (f.large.size() > 0 || f.small.size() > 0) {
      const auto [place, isNew] = ladders.try_emplace(f.symmetry.index());
      if (isNew) place->second = ladderValues(f.symmetry, ladder_, r);
      if (f.large.size() > 0) values.large += place->second.large * f.large;
      if (f.small.size() > 0) values.small += place->second.small * f.small;
    }
    all.push_back(std::move(values));
  }
  return all;
}

}  // namespace prophet
