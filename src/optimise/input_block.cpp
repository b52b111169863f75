#include <fmt/format.h>
#include <fmt/ranges.h>

#include "optimise/bsopt.hpp"

namespace prophet {

std::string inputBlock(const WellTemperedSpec& spec) {
  std::string parameters;
  for (const WellTemperedParameters& p : spec.groups)
    parameters += fmt::format("{}{}, {}, {}, {}", parameters.empty() ? "" : ",\n           ", p.alpha, p.beta,
                              p.delta, p.gamma);
  return fmt::format(
      " $bas nsym={} bastype='wtbs' ngroup={} $end\n"
      " $wtbs\n"
      "  wtbspara={}\n"
      "  nbs={}\n"
      "  start={}\n"
      "  groups={}\n"
      "  pool='{}'\n"
      " $end\n",
      spec.functions.size(), spec.groups.size(), parameters, fmt::join(spec.functions, ","),
      fmt::join(spec.start, ","), fmt::join(spec.group, ","),
      spec.pool == LadderPool::Shared ? "shared" : "symmetry");
}

std::string inputBlock(const BasisSet& basis) {
  std::string text = fmt::format(" $bas nsym={} bastype='rdin' $end\n", basis.symmetries.size());
  for (const SymmetryBasis& s : basis.symmetries) {
    text += fmt::format(" {}\n", s.size());
    for (const double zeta : s.exponents) text += fmt::format("  {}\n", zeta);
  }
  return text;
}

}  // namespace prophet
