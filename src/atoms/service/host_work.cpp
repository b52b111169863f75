#include "atoms/service/host_work.hpp"

#include <algorithm>
#include <cmath>

namespace prophet {
namespace {

/// Seconds of one core of an AMD EPYC (2026): Li to element 115 in their library sets,
/// docs/performance-batches.md.
constexpr double kSecondsOfOneFunction = 1.2e-5;

}  // namespace

double hostSeconds(const Calculation& calculation) {
  const BasisSet& basis = calculation.inBasis().basis;
  const std::size_t occupied =
      std::min(basis.symmetries.size(), calculation.problem.configuration.symmetries.size());
  double functions = 0;
  for (std::size_t a = 0; a < occupied; ++a) functions += basis.symmetries[a].size();
  return kSecondsOfOneFunction * functions * std::sqrt(functions);
}

bool worthAGpu(std::size_t jobs, int threads,
               const std::function<std::optional<Calculation>(std::size_t)>& load) {
  double seconds = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    const auto calculation = load(i);
    if (calculation && !calculation->isLimit() && !calculation->problem.hamiltonian.shell.any() &&
        calculation->problem.hamiltonian.isFourComponent() && !calculation->inBasis().basis.contracted())
      seconds += hostSeconds(*calculation);
    if (seconds > kGpuPaysAfter * threads) return true;
  }
  return false;
}

}  // namespace prophet
