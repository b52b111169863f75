#include <gtest/gtest.h>

#include "limit_breit.hpp"

namespace prophet {
namespace {

using test::gaussianAtom;

/// Two open shells.
TEST(LimitBreitSlow, ChromiumAgreesWithGaussians) {
  test::expectBreitAgrees(gaussianAtom(NuclearModel::Gaussian, 24, "[Ar] 3d5 4s1", 0.01, 1e9, 1.8), 3e-7,
                          2e-9);
}

TEST(LimitBreitSlow, RadonAgreesWithGaussians) {
  test::expectBreitAgrees(gaussianAtom(NuclearModel::Gaussian, 86, "[Rn]", 0.02, 4e9, 1.7), 1e-5, 1e-7);
}

}  // namespace
}  // namespace prophet
