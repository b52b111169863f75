#include <gtest/gtest.h>

#include <cmath>

#include "atoms/limit/limit.hpp"
#include "default_case.hpp"
#include "survey_cases.hpp"

namespace prophet {
namespace {

/// All classes of ions of some elements, each with a nuclear model in turn; the limits are computed.
TEST(DefaultBasisSlow, FitsEveryClass) {
  const NuclearModel models[] = {NuclearModel::Point, NuclearModel::Sphere, NuclearModel::Gaussian,
                                 NuclearModel::Fermi};
  int number = 0;
  for (const int z : {2, 6, 17, 29, 55, 79, 92, 118}) {
    for (const std::string& ionClass : test::surveyClasses()) {
      const auto configuration = test::surveyConfiguration(z, ionClass);
      if (!configuration) continue;
      test::expectGoodDefault(test::nucleusOf(z, models[number++ % 4]), *configuration, NAN);
    }
  }
}

/// All neutral atoms with the Hamiltonians that have one list for both j.
class WithoutSpinOrbit : public testing::TestWithParam<std::pair<OneElectronOperator, NuclearModel>> {};

TEST_P(WithoutSpinOrbit, FitsAllNeutralAtoms) {
  const auto [kind, model] = GetParam();
  for (int z = 1; z <= 118; ++z)
    test::expectGoodDefault(test::nucleusOf(z, model), groundConfiguration(z), NAN, kind);
}

INSTANTIATE_TEST_SUITE_P(
    DefaultBasisSlow, WithoutSpinOrbit,
    testing::Values(std::pair{OneElectronOperator::Nonrelativistic, NuclearModel::Gaussian},
                    std::pair{OneElectronOperator::Nonrelativistic, NuclearModel::Point},
                    std::pair{OneElectronOperator::SpinFreeX2c, NuclearModel::Gaussian},
                    std::pair{OneElectronOperator::SpinFreeX2c, NuclearModel::Point}),
    [](const auto& param) { return nameOf(param.param.first) + nameOf(param.param.second); });

TEST(DefaultBasisSlow, FitsHeavyExcitedStates) {
  const Nucleus caesium = test::nucleusOf(55, NuclearModel::Gaussian);
  test::expectGoodDefault(caesium, "[Xe] 6p1", NAN);
  test::expectGoodDefault(test::nucleusOf(90, NuclearModel::Gaussian), "[Rn] 5f2 7s2", NAN);
  test::expectGoodDefault(test::nucleusOf(56, NuclearModel::Gaussian), "[Xe] 5d2", NAN);
  test::expectGoodDefault(test::nucleusOf(65, NuclearModel::Gaussian), "[Xe] 4f8 5d1 6s2", NAN);
}

TEST(DefaultBasisSlow, FitsHeavyRydbergStates) {
  test::expectGoodDefault(test::nucleusOf(55, NuclearModel::Point), "[Xe] 7p1", NAN);
  test::expectGoodDefault(test::nucleusOf(87, NuclearModel::Point), "[Rn] 8p1", NAN);
  test::expectGoodDefault(test::nucleusOf(87, NuclearModel::Gaussian), "[Rn] 9s1", NAN);
}

/// Beyond Z = c only the size of the nucleus holds 1s and 2p1/2 together.
TEST(DefaultBasisSlow, FitsNucleiBeyondZ137) {
  NucleusRequest request;
  request.model = NuclearModel::Fermi;
  request.charge = 165;
  request.massNumber = 420;
  test::expectGoodDefault(makeNucleus(request), "[Og] 8s2", -188084.81771276);
  test::expectGoodDefault(makeNucleus(request), "1s2", NAN);
}

/// From the Thomas-Fermi field of this ion the limit's iterations go to a state with an electron far away,
/// 0.03 hartree higher.
TEST(DefaultBasisSlow, BasisAndLimitFindTheLowestStateOfGadoliniumsNegativeIon) {
  test::expectGoodDefault(test::nucleusOf(64, NuclearModel::Gaussian), "[Xe] 4f7 5d2 6s2", NAN);
  const LimitResult limit =
      numericalLimit(test::nucleusOf(64, NuclearModel::Gaussian), parseConfiguration("[Xe] 4f7 5d2 6s2"));
  EXPECT_TRUE(limit.converged);
  EXPECT_TRUE(limit.unbound.empty());
  EXPECT_NEAR(limit.energy, -11274.18569415, 1e-6);
  EXPECT_NE(limit.remark.find("higher"), std::string::npos) << limit.remark;
}

}  // namespace
}  // namespace prophet
