#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/functional/functional.hpp"
#include "from_text.hpp"

namespace prophet {
namespace {

class KohnShamSlow : public ::testing::TestWithParam<std::string> {};

/// The promise of chooseBasis, for a functional in place of exchange and every neutral atom.
TEST_P(KohnShamSlow, DefaultBasisKeepsItsPromiseForAllElements) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  for (int z = 1; z <= kLastElement; ++z) {
    const std::string groups =
        " functional='" + GetParam() + "' $end\n$nuc znuc=" + std::to_string(z) + " $end";
    const Result basis = compute(test::calculationFrom("$contrl" + groups)),
                 limit = compute(test::calculationFrom("$contrl jobtype='limit'" + groups));
    ASSERT_TRUE(basis.ok() && limit.ok()) << z;
    const double promise = std::max(5e-9 * std::abs(limit.energy.total), 1e-6);
    EXPECT_LT(std::abs(basis.energy.total - limit.energy.total), promise) << z;
  }
}

INSTANTIATE_TEST_SUITE_P(AllElements, KohnShamSlow, ::testing::Values("rlda", "pbe"),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace prophet
