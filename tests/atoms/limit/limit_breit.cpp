#include "limit_breit.hpp"

#include <gtest/gtest.h>

namespace prophet::test {
namespace {

constexpr auto kBreit = TwoElectronOperator::CoulombBreit;

void expectPartsAgree(const GaussianAtom& atom, const ScfResult& scf, const LimitResult& limit, double error,
                      ThreadPool& pool) {
  const BreitEnergy parts =
      breitEnergy(atom.basis, fockGrid(atom.basis), atom.configuration, scf, kBreit, pool);
  EXPECT_NEAR(limit.parts.value(EnergyPartId::Gaunt), parts.gaunt, error);
  EXPECT_NEAR(limit.parts.value(EnergyPartId::BreitGauge), parts.gauge, error);
}

}  // namespace

LimitResult limitOf(const GaussianAtom& atom, TwoElectronOperator operation, bool breitSelfConsistent) {
  LimitOptions options;
  options.twoElectronOperator = operation;
  options.breitSelfConsistent = breitSelfConsistent;
  return numericalLimit(atom.nucleus, atom.configuration, options);
}

void expectBreitAgrees(const GaussianAtom& atom, double basisError, double shiftError) {
  ThreadPool pool(2);
  const ScfResult coulomb = solve(atom, TwoElectronOperator::Coulomb, pool);
  const LimitResult limit = limitOf(atom, kBreit, false);
  ASSERT_TRUE(coulomb.converged && limit.converged);
  const double excess = coulomb.energy.total - limit.energy;
  EXPECT_GT(excess, -1e-10);
  EXPECT_LT(excess, basisError);
  expectPartsAgree(atom, coulomb, limit, shiftError, pool);
  for (const auto operation : {TwoElectronOperator::CoulombGaunt, kBreit}) {
    const ScfResult scf = solve(atom, operation, pool);
    const LimitResult relaxed = limitOf(atom, operation, true);
    ASSERT_TRUE(scf.converged && relaxed.converged) << nameOf(operation);
    EXPECT_NEAR(scf.energy.total - relaxed.energy, excess, shiftError) << nameOf(operation);
    if (operation == kBreit) expectPartsAgree(atom, scf, relaxed, shiftError, pool);
  }
}

}  // namespace prophet::test
