#include "api/core_atom.hpp"
#include "calculation/compute.hpp"
#include "cudaprophet/cudaprophet.hpp"

namespace cudaprophet {

Error::Error(const std::string& text) : std::runtime_error(text) {}
Error::~Error() = default;

Energy energy(const Atom& atom, const Basis& basis) {
  const prophet::Result result = prophet::computeOrReason(coreCalculation(atom, basis));
  if (result.status == prophet::Status::Failed) throw Error(result.reason);
  const prophet::EnergyBreakdown& e = result.energy;
  return {e.total,
          e.value(prophet::EnergyPartId::Kinetic),
          e.value(prophet::EnergyPartId::NuclearAttraction),
          e.value(prophet::EnergyPartId::ElectronRepulsion),
          result.ok(),
          result.iterations};
}

}  // namespace cudaprophet
