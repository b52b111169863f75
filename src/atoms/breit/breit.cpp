#include "atoms/breit/breit.hpp"

namespace prophet {
BreitInteraction::BreitInteraction(const BasisSet& basis, const RadialGrid& grid,
                                   TwoElectronOperator repulsion) {
  if (repulsion == TwoElectronOperator::Coulomb) return;
  const BreitKernelSet set = breitKernelSet(symmetriesOf(basis), grid.h, grid.points);
  gaunt_ = set.gaunt;
  const bool gauntAlone = repulsion == TwoElectronOperator::CoulombGaunt;
  if (!gauntAlone) gauge_ = set.gauge;
  whole_ = gauntAlone ? set.gaunt : set.breit;
}

std::unique_ptr<GridFockBuilder> makeGridBuilder(const BasisSet& basis, const RadialGrid& grid,
                                                 TwoElectronOperator repulsion, ThreadPool& pool) {
  return std::make_unique<GridFockBuilder>(basis, grid, pool,
                                           BreitInteraction(basis, grid, repulsion).whole());
}

BreitEnergy breitEnergy(const BasisSet& basis, const RadialGrid& grid, const Configuration& configuration,
                        const ScfResult& scf, TwoElectronOperator repulsion, ThreadPool& pool) {
  return breitEnergy(basis, grid, configuration, scf, BreitInteraction(basis, grid, repulsion), pool);
}

std::vector<EnergyPart> breitParts(TwoElectronOperator repulsion, const BreitEnergy& energy,
                                   Treatment treatment) {
  std::vector<EnergyPart> parts;
  if (repulsion != TwoElectronOperator::Coulomb)
    parts.push_back({EnergyPartId::Gaunt, energy.gaunt, treatment});
  if (repulsion == TwoElectronOperator::CoulombBreit)
    parts.push_back({EnergyPartId::BreitGauge, energy.gauge, treatment});
  return parts;
}

}  // namespace prophet
