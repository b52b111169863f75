#include "atoms/levels/extended_wavefunction.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "atoms/radial/radial_mesh.hpp"
#include "core/common/index.hpp"

namespace prophet {
ExtendedWavefunction::ExtendedWavefunction(std::shared_ptr<const Wavefunction> occupied,
                                           std::vector<double> ladder, std::vector<Function> functions)
    : occupied_(std::move(occupied)), ladder_(std::move(ladder)), functions_(std::move(functions)) {}

double ExtendedWavefunction::largestRadius() const {
  const double smallest = *std::min_element(ladder_.begin(), ladder_.end());
  return std::max(occupied_->largestRadius(), std::sqrt(45 / smallest));  // exp(-45) r^k < 1e-16
}

std::vector<double> ExtendedWavefunction::ladderOf(Symmetry symmetry) const {
  std::vector<double> exponents;
  for (const double zeta : ladder_) exponents.push_back(zeta * (2 * symmetry.l() + 3) / 3.0);
  return exponents;
}

RadialFunctions ExtendedWavefunction::radial(int index, const Eigen::VectorXd& r) const {
  requireSpinorAndRadii(index, count(), r);
  return allRadial(r)[usize(index)];
}

std::vector<RadialFunctions> ExtendedWavefunction::allRadial(const Eigen::VectorXd& r) const {
  const std::vector<RadialFunctions> occupied = occupied_->allRadial(r);
  std::map<int, RadialTable> ladders;
  std::vector<RadialFunctions> all;
  for (const Function& f : functions_) {
    RadialFunctions values{Eigen::VectorXd::Zero(r.size()), Eigen::VectorXd::Zero(r.size())};
    for (Eigen::Index i = 0; i < f.occupied.size(); ++i) {
      if (f.occupied(i) == 0) continue;
      values.large += f.occupied(i) * occupied[usize(i)].large;
      values.small += f.occupied(i) * occupied[usize(i)].small;
    }
    if (f.large.size() > 0 || f.small.size() > 0) {
      const auto [place, isNew] = ladders.try_emplace(f.symmetry.index());
      if (isNew) place->second = gaussiansAt(f.symmetry, ladderOf(f.symmetry), r, 0);
      if (f.large.size() > 0) values.large += place->second.large * f.large;
      if (f.small.size() > 0) values.small += place->second.small * f.small;
    }
    all.push_back(std::move(values));
  }
  return all;
}

}  // namespace prophet
