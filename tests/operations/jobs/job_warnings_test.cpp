#include "operations/jobs/job_warnings.hpp"

#include <gtest/gtest.h>

#include "operations/input/parse_job.hpp"

namespace prophet {
namespace {

std::vector<std::string> idsOf(const std::string& groups) {
  std::vector<std::string> ids;
  for (const Warning& w : jobWarnings(resolve(parseJob("test\n" + groups + "\n", "test.inp")))) {
    EXPECT_FALSE(w.text.empty());
    ids.push_back(w.id);
  }
  return ids;
}

using Ids = std::vector<std::string>;

TEST(JobWarnings, ANucleusThatIsAPointBecauseOfHowTheFunctionsAreGiven) {
  const std::string ladder = "$bas nsym=1 bastype='wtbs' $end\n$wtbs wtbspara=0.1,2,4,1 nbs=12 $end";
  const std::string list = "$bas nsym=1 bastype='rdin' $end\n2\n0.5\n2.0";
  EXPECT_EQ(idsOf("$nuc znuc=2 $end\n" + ladder), Ids{"point_nucleus_by_default"});
  EXPECT_EQ(idsOf("$nuc znuc=2 $end\n" + list), Ids{"point_nucleus_by_default"});
  EXPECT_EQ(idsOf("$nuc znuc=2 nucmdl=1 $end\n" + ladder), Ids{});
  EXPECT_EQ(idsOf("$nuc znuc=2 nucmdl=3 $end\n" + list), Ids{});
  EXPECT_EQ(idsOf("$nuc znuc=2 $end"), Ids{});
}

// Og 1s1 in a Fermi nucleus of 1000 fm is 2.2e-3 hartree off in the chosen basis, which states 9.6e-6.
TEST(JobWarnings, ANucleusThatNoElementHas) {
  EXPECT_EQ(idsOf("$nuc znuc=118 nucmdl=4 rms=1000 skin=10 $end\n$seconfig charge=117 config='1s1' $end"),
            Ids{"unusual_nucleus"});
  EXPECT_EQ(idsOf("$nuc znuc=4 nucmdl=2 rnuc=0.5 $end"), Ids{"unusual_nucleus"});
  EXPECT_EQ(idsOf("$nuc znuc=92 nucmdl=3 alpha=1e24 $end"), Ids{"unusual_nucleus"});
  EXPECT_EQ(idsOf("$nuc znuc=92 nucmdl=4 rms=6.5 $end"), Ids{});
  EXPECT_EQ(idsOf("$contrl jobtype='limit' $end\n$nuc znuc=4 nucmdl=2 rnuc=0.5 $end"), Ids{});
}

TEST(JobWarnings, AMassNumberThatNoIsotopeHas) {
  for (const char* mass : {"9", "33", "500"})
    EXPECT_EQ(idsOf(std::string("$nuc znuc=10 mass=") + mass + " $end"), Ids{"no_such_isotope"}) << mass;
  for (const char* mass : {"10", "20.18", "32"})
    EXPECT_EQ(idsOf(std::string("$nuc znuc=10 mass=") + mass + " $end"), Ids{}) << mass;
}

}  // namespace
}  // namespace prophet
