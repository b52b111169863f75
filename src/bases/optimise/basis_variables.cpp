#include "bases/optimise/basis_variables.hpp"

#include <algorithm>
#include <cmath>

#include "bases/optimise/ladder_variables.hpp"

namespace prophet {
namespace {

/// Adds sum over the ladder's functions of dE/d ln zeta times d ln zeta/d(the four variables of the group),
/// from ln zeta_k = ln alpha + sum over j = 2 .. k of ln beta + ln(1 + gamma (j/M)^delta).
void addLadder(const WellTemperedParameters& p, int start, int length, const Eigen::VectorXd& byExponents,
               Eigen::Ref<Eigen::VectorXd> sum) {
  Eigen::Vector4d slope(1.0, 0.0, 0.0, 0.0);
  for (int k = 1; k < start + byExponents.size(); ++k) {
    if (k > 1) {
      const double x = static_cast<double>(k) / length, bend = p.gamma * std::pow(x, p.delta);
      slope(1) += (p.beta - 1.0) / p.beta;
      slope(2) += bend * std::log(x) * p.delta / (1.0 + bend);
      slope(3) += bend / (1.0 + bend);
    }
    if (k >= start) sum += byExponents(k - start) * slope;
  }
}

int lengthOf(const WellTemperedSpec& spec, std::size_t a) {
  int length = spec.start[a] + spec.functions[a] - 1;
  if (spec.pool == LadderPool::Symmetry) return length;
  for (std::size_t b = 0; b < spec.functions.size(); ++b)
    if (spec.group[b] == spec.group[a]) length = std::max(length, spec.start[b] + spec.functions[b] - 1);
  return length;
}

}  // namespace

ExponentLists ListVariables::lists(const Eigen::VectorXd& v) const {
  ExponentLists lists = lists_;
  lists.lists = ratios_.toLists(v, lists_.lists);
  return lists;
}

Eigen::VectorXd ListVariables::natural(const Eigen::VectorXd&,
                                       const std::vector<Eigen::VectorXd>& byExponents) const {
  return lists_.gather(byExponents);
}

Eigen::VectorXd ListVariables::gradient(const Eigen::VectorXd& v,
                                        const std::vector<Eigen::VectorXd>& byExponents) const {
  return ratios_.gradient(v, lists_.gather(byExponents), lists_.lists);
}

Eigen::VectorXd LadderVariables::start() const {
  const std::vector<double> x = toVariables(spec_.groups);
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

WellTemperedSpec LadderVariables::spec(const Eigen::VectorXd& v) const {
  WellTemperedSpec spec = spec_;
  spec.groups = fromVariables({v.data(), v.data() + v.size()});
  return spec;
}

Eigen::VectorXd LadderVariables::gradient(const Eigen::VectorXd& v,
                                          const std::vector<Eigen::VectorXd>& byExponents) const {
  const WellTemperedSpec at = spec(v);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(v.size());
  for (std::size_t a = 0; a < byExponents.size(); ++a) {
    const int group = at.group[a] - 1;
    addLadder(at.groups[group], at.start[a], lengthOf(at, a), byExponents[a],
              sum.segment(4 * static_cast<Eigen::Index>(group), 4));
  }
  return sum;
}

}  // namespace prophet
