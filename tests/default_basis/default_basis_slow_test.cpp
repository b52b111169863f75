#include <gtest/gtest.h>

#include <cmath>

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

TEST(DefaultBasisSlow, FitsHeavyExcitedStates) {
  const Nucleus caesium = test::nucleusOf(55, NuclearModel::Gaussian);
  test::expectGoodDefault(caesium, "[Xe] 6p1", NAN);
  test::expectGoodDefault(test::nucleusOf(90, NuclearModel::Gaussian), "[Rn] 5f2 7s2", NAN);
  test::expectGoodDefault(test::nucleusOf(56, NuclearModel::Gaussian), "[Xe] 5d2", NAN);
  test::expectGoodDefault(test::nucleusOf(65, NuclearModel::Gaussian), "[Xe] 4f8 5d1 6s2", NAN);
}

}  // namespace
}  // namespace prophet
