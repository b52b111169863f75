#include "properties/nuclear_region.hpp"

#include "properties/density.hpp"

namespace prophet {
namespace {

bool allExist(const SpinorIntegrals& integrals, int k) {
  for (int i = 0; i < integrals.count(); ++i) {
    if (integrals.spinor(i).occupation > 0 && !integrals.exists(i, k)) return false;
  }
  return true;
}

}  // namespace

NuclearRegion nuclearRegion(const SpinorIntegrals& integrals, const AtomProblem& problem,
                            const Result& result) {
  const Nucleus& nucleus = problem.nucleus;
  const double z = nucleus.charge;
  NuclearRegion region;
  if (allExist(integrals, -1)) region.potential = -integrals.total(integrals.powerWeight(-1));
  if (nucleus.model == NuclearModel::Point) {
    region.meanPotential = region.potential;
    return region;
  }
  region.meanPotential =
      integrals.total(integrals.weight([&](double r) { return nucleus.potential(r); })) / z;
  region.meanDensity =
      integrals.total(integrals.weight([&](double r) { return nucleus.chargeDensity(r); })) / z;
  region.energySlope = integrals.total(integrals.weight([&](double r) { return nucleus.potentialSlope(r); }));
  region.density = Density(result).at(Eigen::VectorXd::Zero(1))[0];
  return region;
}

}  // namespace prophet
