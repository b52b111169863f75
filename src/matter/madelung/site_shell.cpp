#include "matter/madelung/site_shell.hpp"

#include <fmt/format.h>

#include "core/common/error.hpp"
#include "matter/madelung/direct_ewald.hpp"

namespace prophet {

ChargedShell shellAround(const ChargedStructure& crystal, Eigen::Index site, int threads) {
  const std::string& label = crystal.labels.at(static_cast<std::size_t>(site));
  const double charge = -crystal.cell.charges(site);
  if (charge == 0) throw Error(fmt::format("the site {} has no charge; nothing holds an ion there", label));
  const double potential = directEwald(crystal.cell, NetCharge::Refused, threads).potentials(site);
  if (!(potential * charge > 0))
    throw Error(fmt::format(
        "the potential at the site {} is {:g} hartree/e, which does not hold a charge of {:g} e; are the "
        "charges right?",
        label, potential, -charge));
  return {charge, charge / potential};
}

}  // namespace prophet
