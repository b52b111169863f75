#include "api/core_atom.hpp"
#include "cudaprophet/cudaprophet.hpp"
#include "service/energy_service.hpp"

namespace cudaprophet {

Error::Error(const std::string& text) : std::runtime_error(text) {}
Error::~Error() = default;

Energy energy(const Atom& atom, const Basis& basis) {
  const prophet::EnergyOutcome outcome = prophet::computeEnergy(coreRequest(atom, basis));
  if (outcome.status == prophet::EnergyStatus::Failed) throw Error(outcome.reason);
  const prophet::EnergyParts& e = outcome.energy;
  return {e.total, e.kinetic, e.nuclear, e.twoElectron, outcome.ok(), outcome.iterations};
}

}  // namespace cudaprophet
