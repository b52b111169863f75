#include "breit/breit.hpp"

namespace prophet {
namespace {

std::vector<Symmetry> symmetriesOf(const BasisSet& basis) {
  std::vector<Symmetry> list;
  for (const SymmetryBasis& s : basis.symmetries) list.push_back(s.symmetry);
  return list;
}

}  // namespace

std::string nameOf(TwoElectronOperator operation) {
  switch (operation) {
    case TwoElectronOperator::Coulomb:
      return "Coulomb";
    case TwoElectronOperator::CoulombGaunt:
      return "Coulomb-Gaunt";
    case TwoElectronOperator::CoulombBreit:
      return "Coulomb-Breit";
  }
  return "unknown";
}

BreitInteraction::BreitInteraction(const BasisSet& basis, const RadialGrid& grid,
                                   TwoElectronOperator operation) {
  if (operation == TwoElectronOperator::Coulomb) return;
  const BreitKernelSet set = breitKernelSet(symmetriesOf(basis), grid.h, grid.points);
  gaunt_ = set.gaunt;
  const bool gauntAlone = operation == TwoElectronOperator::CoulombGaunt;
  if (!gauntAlone) gauge_ = set.gauge;
  whole_ = gauntAlone ? set.gaunt : set.breit;
}

std::unique_ptr<GridFockBuilder> makeGridBuilder(const BasisSet& basis, const RadialGrid& grid,
                                                 TwoElectronOperator operation, ThreadPool& pool) {
  return std::make_unique<GridFockBuilder>(basis, grid, pool,
                                           BreitInteraction(basis, grid, operation).whole());
}

BreitEnergy breitEnergy(const BasisSet& basis, const RadialGrid& grid, const Configuration& configuration,
                        const ScfResult& scf, TwoElectronOperator operation, ThreadPool& pool) {
  return breitEnergy(basis, grid, configuration, scf, BreitInteraction(basis, grid, operation), pool);
}

std::vector<EnergyCorrection> breitCorrections(TwoElectronOperator operation, const BreitEnergy& energy,
                                               bool selfConsistent) {
  std::vector<EnergyCorrection> list;
  if (operation != TwoElectronOperator::Coulomb)
    list.push_back({CorrectionKind::Breit, "Gaunt", energy.gaunt, selfConsistent});
  if (operation == TwoElectronOperator::CoulombBreit)
    list.push_back({CorrectionKind::Breit, "Breit gauge", energy.gauge, selfConsistent});
  return list;
}

}  // namespace prophet
