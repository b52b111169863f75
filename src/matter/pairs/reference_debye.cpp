#include <cmath>

#include "core/common/stopwatch.hpp"
#include "matter/pairs/debye_sums.hpp"

namespace prophet {

DebyeSums referenceDebyeSums(const Structure& s, const DebyeRequest& request) {
  requireScattering(request.q);
  const Stopwatch watch;
  const int kinds = static_cast<int>(s.kinds.size());
  DebyeSums sums;
  sums.values.setZero(request.q.size(), pairKinds(kinds));
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double r = (s.positions[i] - s.positions[j]).norm();
      const int pair = pairKind(s.kind[i], s.kind[j], kinds);
      for (Eigen::Index k = 0; k < request.q.size(); ++k) {
        const double x = request.q(k) * r;
        sums.values(k, pair) += x < 1e-8 ? 1.0 : std::sin(x) / x;
      }
      sums.terms += static_cast<double>(request.q.size());
    }
  }
  sums.seconds = watch.seconds();
  return sums;
}

}  // namespace prophet
