#include "bases/optimise/prolapse_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "atoms/frozen/reference_basis.hpp"

namespace prophet {
namespace {

constexpr double kProlapseReferenceRatio = 1.45;
constexpr double kAim = 0.9;          // of the bound: what the search goes for
constexpr double kFar = 0.1;          // of the bound: prolapse below it is not followed
constexpr double kNegligible = 1e-3;  // of the bound, for one symmetry
constexpr double kResolution = 1e-9;  // of the energy: errors below cannot be told from rounding
constexpr double kStiffness = 3.0;    // times the bound in hartree

FrozenField fieldOf(const AtomProblem& problem) {
  Configuration configuration = problem.configuration;
  configuration.symmetries.resize(static_cast<std::size_t>(configuration.occupiedSymmetries()));
  const WellTemperedSpec spec = universalSpec(problem.nucleus, configuration, kProlapseReferenceRatio);
  return {makeWellTempered(spec), problem.nucleus, configuration, problem.hamiltonian.speedOfLight};
}

}  // namespace

ProlapseBound::ProlapseBound(const AtomProblem& problem, double share)
    : field_(fieldOf(problem)), known_(static_cast<std::size_t>(field_.symmetries())), share_(share) {}

const ProlapseBound::Measured& ProlapseBound::measureOne(int symmetry, const std::vector<double>& exponents) {
  auto& [last, before] = known_[symmetry];
  if (last.exponents == exponents) return last;
  std::swap(last, before);
  if (last.exponents == exponents) return last;
  Measured now{field_.defectSlopes(symmetry, exponents), exponents};
  last = std::move(now);
  return last;
}

double ProlapseBound::measure(const BasisSet& basis, const std::vector<int>& symmetries,
                              std::vector<Eigen::VectorXd>& gradient) {
  double sum = 0.0;
  gradient.clear();
  for (const SymmetryBasis& s : basis.symmetries) gradient.push_back(Eigen::VectorXd::Zero(s.size()));
  for (const int a : symmetries) {
    if (field_.occupied(a) == 0) continue;
    const Measured& part = measureOne(a, basis.symmetries[a].exponents);
    gradient[a] = part.ofDefect;
    sum += part.defect;
  }
  return sum;
}

void ProlapseBound::add(const BasisSet& basis, double& value, std::vector<Eigen::VectorXd>& gradient,
                        std::vector<Eigen::VectorXd>& slope) {
  slope.clear();
  if (acting_.empty()) return;
  const double force = multiplier_ + stiffness_ * (measure(basis, acting_, slope) + resting_ - kAim * most_);
  value += 0.5 * (std::pow(std::max(0.0, force), 2) - multiplier_ * multiplier_) / stiffness_;
  if (force <= 0.0) {
    slope.clear();
    return;
  }
  for (std::size_t a = 0; a < gradient.size(); ++a) {
    gradient[a] += force * slope[a];
    slope[a] *= std::sqrt(stiffness_);
  }
}

void ProlapseBound::addWeighted(const BasisSet& basis, double weight, double& value,
                                std::vector<Eigen::VectorXd>& gradient) {
  std::vector<int> all(std::min(basis.symmetries.size(), static_cast<std::size_t>(field_.symmetries())));
  std::iota(all.begin(), all.end(), 0);
  std::vector<Eigen::VectorXd> slope;
  value += weight * measure(basis, all, slope);
  for (std::size_t a = 0; a < gradient.size(); ++a) gradient[a] += weight * slope[a];
}

double ProlapseBound::frozenEnergy(const BasisSet& basis, std::vector<Eigen::VectorXd>& gradient) {
  double energy = limit();
  gradient.clear();
  for (int a = 0; a < static_cast<int>(basis.symmetries.size()); ++a) {
    gradient.push_back(Eigen::VectorXd::Zero(basis.symmetries[a].size()));
    if (a >= field_.symmetries() || field_.occupied(a) == 0) continue;
    const Measured& part = measureOne(a, basis.symmetries[a].exponents);
    gradient[a] = part.ofRise;
    energy += part.rise;
  }
  return energy;
}

bool ProlapseBound::settle(const BasisSet& basis, double energy) {
  std::vector<Eigen::VectorXd> slope;
  const double error = energy - limit();
  if (most_ == 0.0) {
    most_ = share_ * std::max(std::abs(error), kResolution * std::abs(energy));
    stiffness_ = kStiffness / most_;
  }
  acting_.clear();
  resting_ = prolapse_ = 0.0;
  const bool first = !settled_;
  settled_ = true;
  for (int a = 0; a < field_.symmetries(); ++a) {
    const double part = measure(basis, {a}, slope);
    prolapse_ += part;
    if (part > kNegligible * most_) {
      acting_.push_back(a);
    } else {
      resting_ += part;
    }
  }
  if (!first) multiplier_ = std::max(0.0, multiplier_ + stiffness_ * (prolapse_ - kAim * most_));
  if (multiplier_ == 0.0 && prolapse_ < kFar * most_) acting_.clear();
  return prolapse_ <= share_ * error;
}

}  // namespace prophet
