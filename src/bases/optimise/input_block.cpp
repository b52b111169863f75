#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "bases/optimise/bsopt.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

constexpr double kDefaultSkin = 2.30;  // fm, that of nucmdl=4

/// The keyword that gives the nucleus its size.
std::string sizeOf(const Nucleus& n) {
  if (n.model == NuclearModel::Point) return "";
  if (n.massNumber > 0 && n.rms == defaultRms(n.massNumber)) return fmt::format(" mass={}", n.massNumber);
  if (n.model == NuclearModel::Sphere) return fmt::format(" rnuc={}", n.sphereRadius);
  if (n.model == NuclearModel::Gaussian) return fmt::format(" alpha={}", n.exponent);
  return fmt::format(" rms={}", n.rms * constants::kFemtometresPerBohr);
}

std::string skinOf(const Nucleus& n) {
  const double skin = 4.0 * std::log(3.0) * n.fermiA * constants::kFemtometresPerBohr;
  if (n.model != NuclearModel::Fermi || std::abs(skin - kDefaultSkin) < 1e-12) return "";
  return fmt::format(" skin={}", skin);
}

}  // namespace

std::string inputBlock(const Nucleus& nucleus) {
  return fmt::format(" $nuc znuc={} nucmdl={}{}{} $end\n", nucleus.charge, static_cast<int>(nucleus.model),
                     sizeOf(nucleus), skinOf(nucleus));
}

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
