#include "bases/audit/steepest_exponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prophet {

std::optional<SteepestExponent> steepestExponent(const std::vector<ExponentList>& lists,
                                                 const BasisSet& basis,
                                                 const std::vector<Eigen::VectorXd>& gradient) {
  if (gradient.empty()) return std::nullopt;
  SteepestExponent steepest;
  for (const ExponentList& list : lists) {
    if (!list.occupied) continue;
    for (std::size_t i = 0; i < list.exponents.size(); ++i) {
      double slope = 0;
      for (const int a : list.symmetries) {
        const std::vector<double>& own = basis.symmetries[static_cast<std::size_t>(a)].exponents;
        const auto at = std::find(own.begin(), own.end(), list.exponents[i]);
        if (static_cast<std::size_t>(a) < gradient.size() && at != own.end())
          slope += gradient[static_cast<std::size_t>(a)](at - own.begin());
      }
      if (std::abs(slope) > steepest.slope)
        steepest = {std::abs(slope), fmt::format("{} {}", list.label, i + 1)};
    }
  }
  return steepest;
}

}  // namespace prophet
