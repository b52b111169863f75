#include <gtest/gtest.h>

#include "calculation/calculation.hpp"
#include "common/error.hpp"
#include "input/parse_job.hpp"

namespace prophet {
namespace {

Calculation resolved(const std::string& groups) {
  return resolve(parseJob("test\n" + groups + "\n", "test.inp"));
}

bool mentions(const Calculation& c, const std::string& word) {
  for (const std::string& choice : c.choices) {
    if (choice.find(word) != std::string::npos) return true;
  }
  return false;
}

TEST(Resolve, ShortestInputGetsLibraryBasisItsNucleusAndTheGroundState) {
  const Calculation c = resolved("$nuc znuc=18 $end");
  EXPECT_EQ(c.nucleus.model, NuclearModel::Gaussian);
  EXPECT_EQ(c.configuration.description, "[Ne] 3s2 3p6");
  EXPECT_EQ(c.configuration.electrons(), 18);
  EXPECT_EQ(c.basis.symmetries[0].size(), 27);  // prophet-1
  EXPECT_EQ(c.fock, FockKind::Grid);
  for (const char* word : {"basis", "nucleus", "configuration", "Fock"})
    EXPECT_TRUE(mentions(c, word)) << word;
}

TEST(Resolve, GivenNuclearModelIsKept) {
  EXPECT_EQ(resolved("$nuc znuc=18 nucmdl=1 $end").nucleus.model, NuclearModel::Point);
  EXPECT_EQ(resolved("$nuc znuc=18 nucmdl=4 $end").nucleus.model, NuclearModel::Fermi);
}

/// Every element runs from its nuclear charge alone.
TEST(Resolve, EveryElement) {
  for (int z = 1; z <= 118; ++z) {
    const Calculation c = resolved("$nuc znuc=" + std::to_string(z) + " $end");
    EXPECT_NEAR(c.configuration.electrons(), z, 1e-12);
    EXPECT_GE(c.basis.symmetries.size(), c.configuration.symmetries.size()) << z;
  }
}

TEST(Resolve, AutogenIsTheAverageOverAllDistributions) {
  const Calculation c = resolved(
      "$nuc znuc=6 $end\n$bas nsym=3 bastype='wtbs' $end\n$wtbs wtbspara=0.05,2,4,1.3 nbs=15,9,9 $end\n"
      "$seconfig nclose=2,0,0 nopen=0,1,1 freel=2 autogen=.true. $end");
  EXPECT_NEAR(c.configuration.symmetries[1].openElectrons(), 2.0 / 3.0, 1e-14);
  EXPECT_NEAR(c.configuration.symmetries[2].openElectrons(), 4.0 / 3.0, 1e-14);
  const Calculation text = resolved("$nuc znuc=6 $end\n$seconfig config='[He] 2s2 2p2' $end");
  EXPECT_NEAR((c.configuration.openPairWeights - text.configuration.openPairWeights).norm(), 0.0, 1e-13);
}

TEST(Resolve, ImpossibleJobsAreErrors) {
  EXPECT_THROW(resolved("$nuc znuc=18 $end\n$bas nsym=1 bastype='wtbs' $end\n"
                        "$wtbs wtbspara=0.07,1.9,4.6,1.3 nbs=20 $end\n$seconfig config='[Ar]' $end"),
               Error);
  EXPECT_THROW(resolved("$nuc znuc=18 $end\n$bas bastype='library' library='no-such-set' $end"), Error);
  EXPECT_THROW(resolved("$nuc znuc=18.5 $end"), Error);
}

}  // namespace
}  // namespace prophet
