#include "atoms/correlation/second_order.hpp"

#include <algorithm>
#include <limits>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/correlation_engine.hpp"
#include "core/common/index.hpp"

namespace prophet {

SecondOrder secondOrder(const OrbitalSpace& space, const Configuration& configuration,
                        const CorrelationOptions& options) {
  const OpenGroups groups(configuration);
  const std::vector<ActiveSpinor> active = activeSpinors(space, groups, options);
  const PairExcitations excitations(space, groups, active, options);
  const std::unique_ptr<CorrelationEngine> ownEngine = options.engine ? nullptr : hostCorrelationEngine();
  const std::unique_ptr<PairSums> sums = (options.engine ? *options.engine : *ownEngine).sums(excitations);
  SecondOrder result;
  result.smallestGap = std::numeric_limits<double>::infinity();
  result.waves.assign(usize(space.largestL()) + 1, 0.0);
  for (std::size_t a = 0; a < active.size(); ++a) {
    pass(options.checkpoint);
    std::size_t b = a;
    for (PairPart& part : sums->pairsOf(a)) {
      PairEnergy pair{active[a].label, active[b++].label, 0, std::move(part.waves)};
      for (std::size_t l = 0; l < pair.waves.size(); ++l) {
        pair.energy += pair.waves[l];
        result.waves[l] += pair.waves[l];
      }
      result.smallestGap = std::min(result.smallestGap, part.gap);
      result.integrals += part.integrals;
      result.pairs.push_back(std::move(pair));
    }
  }
  addSingles(space, groups, active, options, result);
  for (const double wave : result.waves) result.energy += wave;
  return result;
}

double secondOrderOperations(const OrbitalSpace& space, const Configuration& configuration,
                             const CorrelationOptions& options) {
  const OpenGroups groups(configuration);
  const std::vector<ActiveSpinor> active = activeSpinors(space, groups, options);
  return PairExcitations(space, groups, active, options).operations();
}

}  // namespace prophet
