#include <gtest/gtest.h>

#include <cmath>

#include "atoms/limit/limit.hpp"
#include "atoms/qed/qed.hpp"
#include "gaussian_atom.hpp"
#include "limit_breit.hpp"

namespace prophet {
namespace {

using test::gaussianAtom;
using test::GaussianAtom;
using test::limitOf;

TEST(LimitBreit, HeliumAgreesWithGaussians) {
  test::expectBreitAgrees(gaussianAtom(NuclearModel::Gaussian, 2, "1s2", 0.05, 1e9, 1.7), 1e-10, 1e-10);
}

/// 6e-8 is what the Gaussian basis lacks; the operators' shifts agree much better.
TEST(LimitBreit, NeonAgreesWithGaussians) {
  test::expectBreitAgrees(gaussianAtom(NuclearModel::Gaussian, 10, "[Ne]", 0.05, 1e9, 1.6), 1e-7, 2e-9);
}

/// Independent numerical program, Fermi nucleus: 13.3645 hartree in first order.
TEST(LimitBreit, LithiumlikeUraniumInFirstOrder) {
  const GaussianAtom atom = gaussianAtom(NuclearModel::Fermi, 92, "1s2 2s1", 10, 2e10, 1.9);
  const LimitResult r = limitOf(atom, TwoElectronOperator::CoulombBreit, false);
  EXPECT_NEAR(r.parts.firstOrder(), 13.3645, 5e-5);
  test::expectBreitAgrees(atom, 2e-5, 2e-7);
}

/// The first-order treatment leaves energy and spinors alone; Gaunt alone has no gauge part.
TEST(LimitBreit, FirstOrderIsNotInTheEnergy) {
  const GaussianAtom atom = gaussianAtom(NuclearModel::Gaussian, 5, "[He] 2s2 2p1", 1, 10, 2);
  const LimitResult coulomb = limitOf(atom, TwoElectronOperator::Coulomb, true);
  const LimitResult first = limitOf(atom, TwoElectronOperator::CoulombGaunt, false);
  EXPECT_EQ(first.energy, coulomb.energy);
  EXPECT_EQ(first.parts.value(EnergyPartId::ElectronRepulsion),
            coulomb.parts.value(EnergyPartId::ElectronRepulsion));
  EXPECT_EQ(coulomb.parts.value(EnergyPartId::Gaunt), 0);
  EXPECT_GT(first.parts.value(EnergyPartId::Gaunt), 0);
  EXPECT_EQ(first.parts.value(EnergyPartId::BreitGauge), 0);
  const auto& p = first.parts;
  EXPECT_NEAR(p.value(EnergyPartId::Kinetic) + p.value(EnergyPartId::NuclearAttraction) +
                  p.value(EnergyPartId::ElectronRepulsion),
              first.energy, 1e-12 * std::abs(first.energy));
}

/// The Breit kernels scale as 1/r, so the virial theorem holds with them for a point nucleus.
TEST(LimitBreit, VirialTheorem) {
  LimitOptions options;
  options.twoElectronOperator = TwoElectronOperator::CoulombBreit;
  Nucleus nucleus;
  nucleus.charge = 18;
  const LimitResult r = numericalLimit(nucleus, parseConfiguration("[Ar]"), options);
  EXPECT_TRUE(r.converged);
  EXPECT_NEAR(r.virialRatio, 1, 1e-11);
}

/// The QED potentials of lithium-like uranium in first order and self-consistent, against the matrices of the
/// Gaussian route.
TEST(LimitQed, PotentialsAgreeWithGaussians) {
  const GaussianAtom atom = gaussianAtom(NuclearModel::Fermi, 92, "1s2 2s1", 10, 2e10, 1.9);
  QedOptions qed;
  qed.vacuumPolarisation = qed.kallenSabry = qed.wichmannKroll = qed.selfEnergy = true;
  const auto terms = qedTerms(atom.basis, atom.nucleus, constants::kSpeedOfLight, qed);
  ThreadPool pool(2);
  const ScfResult bare = solve(atom, TwoElectronOperator::Coulomb, pool);
  const ScfResult dressed = solve(atom, TwoElectronOperator::Coulomb, pool, terms);
  ASSERT_TRUE(bare.converged && dressed.converged);
  const std::vector<double> first = firstOrderEnergies(terms, bare);

  LimitOptions options;
  const double coulomb = numericalLimit(atom.nucleus, atom.configuration, options).energy;
  options.extra = qedOperators(atom.nucleus, constants::kSpeedOfLight, qed);
  const LimitResult relaxed = numericalLimit(atom.nucleus, atom.configuration, options);
  options.extraSelfConsistent = false;
  const LimitResult expectation = numericalLimit(atom.nucleus, atom.configuration, options);

  EXPECT_EQ(expectation.energy, coulomb);
  ASSERT_EQ(expectation.parts.parts.size(), 7u);
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const EnergyPartId id = terms[i].part;
    const double value = expectation.parts.value(id);
    EXPECT_NEAR(value / first[i], 1, 2e-7) << keyOf(id);
    EXPECT_NEAR(relaxed.parts.value(id) / dressed.energy.value(id), 1, 2e-7) << keyOf(id);
    sum += value;
  }
  EXPECT_NEAR(expectation.parts.firstOrder(), sum, 1e-12);
  EXPECT_EQ(relaxed.parts.firstOrder(), 0);
  const double shift = dressed.energy.total - bare.energy.total;
  EXPECT_NEAR((relaxed.energy - coulomb) / shift, 1, 1e-7);
  EXPECT_LT(relaxed.energy, coulomb + sum);
}

}  // namespace
}  // namespace prophet
