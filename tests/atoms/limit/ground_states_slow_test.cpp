// Every neutral atom converges from the Thomas-Fermi start, whatever the nucleus.
#include <gtest/gtest.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/limit/limit.hpp"

namespace prophet {
namespace {

class GroundStates : public ::testing::TestWithParam<NuclearModel> {};

TEST_P(GroundStates, ConvergeWithAnErrorBelow1e10) {
  double before = 0;
  // No Fermi distribution with a skin of 2.3 fm is as small as a proton.
  for (int z = GetParam() == NuclearModel::Fermi ? 2 : 1; z <= kLastElement; ++z) {
    NucleusRequest request;
    request.model = GetParam();
    request.charge = z;
    if (GetParam() != NuclearModel::Point) request.massNumber = massNumberOf(z);
    const LimitResult result =
        numericalLimit(makeNucleus(request), parseConfiguration(groundConfiguration(z)));
    EXPECT_TRUE(result.converged) << symbolOf(z);
    EXPECT_LT(result.estimatedError, 1e-10 * std::abs(result.energy)) << symbolOf(z);
    EXPECT_LT(result.energy, before) << symbolOf(z);  // one more electron and proton always bind
    before = result.energy;
  }
}

INSTANTIATE_TEST_SUITE_P(Limit, GroundStates,
                         ::testing::Values(NuclearModel::Point, NuclearModel::Sphere, NuclearModel::Gaussian,
                                           NuclearModel::Fermi),
                         [](const auto& model) { return nameOf(model.param); });

}  // namespace
}  // namespace prophet
