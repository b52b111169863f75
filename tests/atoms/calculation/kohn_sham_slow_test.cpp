#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "atoms/atom/elements.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/functional/libxc_sum.hpp"
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

/// Every name of libxc gives a number or is refused with its reason.
TEST(KohnShamNames, GiveANumberOrAReason) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  int computed = 0, refused = 0;
  for (const std::string& name : libxcNames()) {
    for (const char* atom : {"$end $nuc znuc=1", "spin='polarised' $end $nuc znuc=1", "$end $nuc znuc=2",
                             "$end $nuc znuc=10", "$end $nuc znuc=26"}) {
      std::string reason;
      try {
        Calculation calculation =
            test::calculationFrom("$contrl functional='" + name + "' " + atom + " $end");
        const Result r = compute(calculation);
        reason = r.reason;
        EXPECT_TRUE(std::isfinite(r.energy.total)) << name << " " << atom;
        if (r.ok()) ++computed;
      } catch (const Error& error) {
        reason = error.what();
        EXPECT_EQ(reason.find("not-a-number"), std::string::npos) << name << " " << reason;
        EXPECT_NE(reason.find(name), std::string::npos) << reason;
      }
      if (!reason.empty()) {
        ++refused;
        std::cout << name << " " << atom << ": " << reason << "\n";
      }
    }
  }
  EXPECT_GT(computed, 3 * refused / 2);
}

/// To the last digit, whatever the number of threads: memory of threads lies differently in every run.
TEST(KohnShamLimit, DigitsDoNotDependOnThreads) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  const Calculation nitrogen = test::calculationFrom(
      "$contrl jobtype='limit' functional='pbe' spin='polarised' $end $nuc znuc=7 $end");
  const double energy = compute(nitrogen, {1}).energy.total;
  for (const int threads : {2, 2, 2, 3, 3, 5})
    EXPECT_EQ(compute(nitrogen, {threads}).energy.total, energy) << threads;
}

INSTANTIATE_TEST_SUITE_P(AllElements, KohnShamSlow, ::testing::Values("rlda", "pbe"),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace prophet
