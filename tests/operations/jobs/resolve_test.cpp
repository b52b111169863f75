#include <gtest/gtest.h>

#include "core/common/error.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

ResolvedJob resolved(const std::string& groups) {
  return resolve(parseJob("test\n" + groups + "\n", "test.inp"));
}

Configuration configurationOf(const std::string& groups) {
  return resolved(groups).calculation.problem.configuration;
}

bool mentions(const ResolvedJob& c, const std::string& word) {
  for (const std::string& choice : c.choices) {
    if (choice.find(word) != std::string::npos) return true;
  }
  return false;
}

TEST(Resolve, ShortestInputGetsLibraryBasisItsNucleusAndTheGroundState) {
  const ResolvedJob c = resolved("$nuc znuc=18 $end");
  const AtomProblem& problem = c.calculation.problem;
  EXPECT_EQ(problem.nucleus.model, NuclearModel::Gaussian);
  EXPECT_EQ(problem.configuration.description, "[Ne] 3s2 3p6");
  EXPECT_EQ(problem.configuration.electrons(), 18);
  EXPECT_EQ(c.calculation.inBasis().basis.symmetries[0].size(), 27);  // prophet-1
  EXPECT_EQ(c.calculation.inBasis().fock, FockKind::Grid);
  for (const char* word : {"basis", "nucleus", "configuration", "Fock"})
    EXPECT_TRUE(mentions(c, word)) << word;
}

TEST(Resolve, TheInputChoosesHowStoredIntegralsAreMadeAndUsed) {
  const Calculation plain = resolved("$nuc znuc=10 $end\n$scf fock='stored' $end").calculation;
  EXPECT_EQ(plain.inBasis().fock, FockKind::Stored);
  EXPECT_EQ(plain.inBasis().mapping, MappingKind::OnTheFly);
  const Calculation chosen =
      resolved("$nuc znuc=10 $end\n$scf fock='stse' mapping='arrays' $end").calculation;
  EXPECT_EQ(chosen.inBasis().fock, FockKind::Stse);
  EXPECT_EQ(chosen.inBasis().mapping, MappingKind::StoredArrays);
}

TEST(Resolve, GivenNuclearModelIsKept) {
  EXPECT_EQ(resolved("$nuc znuc=18 nucmdl=1 $end").calculation.problem.nucleus.model, NuclearModel::Point);
  EXPECT_EQ(resolved("$nuc znuc=18 nucmdl=4 $end").calculation.problem.nucleus.model, NuclearModel::Fermi);
}

/// Every element runs from its nuclear charge alone.
TEST(Resolve, EveryElement) {
  for (int z = 1; z <= 118; ++z) {
    const Calculation c = resolved("$nuc znuc=" + std::to_string(z) + " $end").calculation;
    EXPECT_NEAR(c.problem.configuration.electrons(), z, 1e-12);
    EXPECT_GE(c.inBasis().basis.symmetries.size(), c.problem.configuration.symmetries.size()) << z;
  }
}

TEST(Resolve, AutogenIsTheAverageOverAllDistributions) {
  const Configuration c = configurationOf(
      "$nuc znuc=6 $end\n$bas nsym=3 bastype='wtbs' $end\n$wtbs wtbspara=0.05,2,4,1.3 nbs=15,9,9 $end\n"
      "$seconfig nclose=2,0,0 nopen=0,1,1 freel=2 autogen=.true. $end");
  EXPECT_NEAR(c.symmetries[1].openElectrons(), 2.0 / 3.0, 1e-14);
  EXPECT_NEAR(c.symmetries[2].openElectrons(), 4.0 / 3.0, 1e-14);
  const Configuration text = configurationOf("$nuc znuc=6 $end\n$seconfig config='[He] 2s2 2p2' $end");
  EXPECT_NEAR((c.openPairWeights - text.openPairWeights).norm(), 0.0, 1e-13);
}

/// "[Ar] 3d8 nist".
std::string configurationAndSource(const std::string& groups) {
  const Calculation c = resolved(groups).calculation;
  return c.problem.configuration.description + " " + nameOf(c.configurationSource);
}

TEST(Resolve, SaysWhereTheConfigurationComesFrom) {
  EXPECT_EQ(configurationAndSource("$nuc z='Lu' $end $electrons charge=1 $end"), "[Xe] 4f14 6s2 nist");
  EXPECT_EQ(configurationAndSource("$nuc z=Co $end $electrons charge=1 $end"), "[Ar] 3d8 nist");
  EXPECT_EQ(configurationAndSource("$nuc element='Rn' $end"), "[Xe] 4f14 5d10 6s2 6p6 nist");
  EXPECT_EQ(configurationAndSource("$nuc z='Cn' $end $electrons charge=1 $end"), "[Rn] 5f14 6d10 7s1 rule");
  EXPECT_EQ(configurationAndSource("$nuc z='V' $end $electrons charge=-1 $end"), "[Ar] 3d4 4s2 nist");
  EXPECT_EQ(configurationAndSource("$nuc z='Lu' $end $electrons config='[Xe] 4f14 5d1 6s1' $end"),
            "[Xe] 4f14 5d1 6s1 given");
}

TEST(Resolve, HolesAreMadeInTheStateThatIsNamed) {
  EXPECT_EQ(configurationAndSource("$nuc z='Ar' $end $electrons config='[Ar]' hole='2p3/2' $end"),
            "[He] 2s2 2p1/2:2 2p3/2:3 3s2 3p6 given");
  EXPECT_EQ(configurationAndSource("$nuc z='Ar' $end $electrons hole='1s' $end"),
            "1s1 2s2 2p6 3s2 3p6 given");
  EXPECT_EQ(configurationAndSource("$nuc z='Ar' $end $electrons hole='1s, 1s' $end"),
            "2s2 2p6 3s2 3p6 given");
  EXPECT_EQ(configurationAndSource("$nuc z='Lu' $end $electrons hole='1s' charge=1 $end"),
            "1s1 2s2 2p6 3s2 3p6 3d10 4s2 4p6 4d10 5s2 5p6 4f14 6s2 given");
  EXPECT_EQ(configurationAndSource("$nuc z='Fe' $end $electrons hole='2p' charge=2 $end"),
            "[He] 2s2 2p5 3s2 3p6 3d6 given");
  EXPECT_EQ(configurationAndSource("$nuc z='Fe' $end $electrons promote='2p -> 3d' charge=2 $end"),
            "[He] 2s2 2p5 3s2 3p6 3d7 given");
  EXPECT_EQ(configurationAndSource(
                "$nuc z='Fe' $end $electrons config='3d6' promote='2p->3d,3p->4s' charge=2 $end"),
            "[He] 2s2 2p5 3s2 3p5 3d7 4s1 given");
}

/// The configuration and the warning of its charge.
std::pair<std::string, std::string> electronsAndRemark(const std::string& electrons) {
  const ResolvedJob job = resolved("$nuc z='Fe' $end $electrons " + electrons + " $end");
  std::string remark;
  for (const Warning& w : jobWarnings(job))
    if (w.id == "charge_from_configuration") remark = w.text;
  return {job.calculation.problem.configuration.description, remark};
}

TEST(Resolve, EnergiesHaveTheirInnerShellsToo) {
  using Pair = std::pair<std::string, std::string>;
  const std::string anion =
      "Fe with the configuration [Ar] 3d7 4s2 is Fe-; write Fe-, or charge=-1, if that is meant";
  EXPECT_EQ(electronsAndRemark("config='3d6 4s2'"), Pair("[Ar] 3d6 4s2", ""));
  EXPECT_EQ(electronsAndRemark("config='[Ar] 3d7 4s2'"), Pair("[Ar] 3d7 4s2", anion));
  EXPECT_EQ(electronsAndRemark("config='3d7 4s2'"), Pair("[Ar] 3d7 4s2", anion));
  EXPECT_EQ(electronsAndRemark("config='3d7 4s2' charge=-1"), Pair("[Ar] 3d7 4s2", ""));
  EXPECT_EQ(electronsAndRemark("config='3d6 4s2' hole='1s'").second, "");
  EXPECT_EQ(
      electronsAndRemark("closed=4,2,2 open=0,0,0,0,1 freel=5").second,
      "Fe with the configuration of 'nclose' and 'nopen' is Fe+; write Fe+, or charge=1, if that is meant");
}

TEST(Resolve, AnEmptyInnerShellIsToldUnlessAHoleWasAskedFor) {
  const auto remark = [](const std::string& text) {
    for (const Warning& w : jobWarnings(resolved(text)))
      if (w.id == "empty_inner_shell") return w.text;
    return std::string();
  };
  EXPECT_NE(remark("$nuc z='C' $end $electrons config='2s2 2p2' charge=2 $end")
                .find("in '2s2 2p2' 1s is empty below 4 electrons"),
            std::string::npos);
  EXPECT_NE(
      remark("$nuc z='Ne' $end $electrons config='1s2 3s2 3p6' charge=0 $end").find("every shell of n = 2"),
      std::string::npos);
  for (const char* usual :
       {"$nuc z='C' $end $electrons config='1s2 2s2 2p2' $end",
        "$nuc z='He' $end $electrons config='2s2' $end", "$nuc z='Li' $end $electrons config='1s2 4p1' $end",
        "$nuc z='Be' $end $electrons config='1s2 3s2' $end", "$nuc z='Ar' $end $electrons hole='1s, 1s' $end",
        "$nuc z='H' $end $electrons config='3d1' $end",
        "$nuc z='Sc' $end $electrons config='[Ar] 4s2 4p1' $end"})
    EXPECT_EQ(remark(usual), "") << usual;
}

/// What used to be called "average of 1 configuration".
TEST(Resolve, ListsOfSpinorsAreDescribedByWhatTheyAre) {
  EXPECT_EQ(
      configurationOf("$nuc z=81 $end $electrons closed=6,4,4,3,3,1,1 open=0,1 freel=1 $end").description,
      "[Xe] 4f14 5d10 6s2 6p1/2");
  EXPECT_EQ(
      configurationOf("$nuc z=81 $end $electrons closed=6,4,4,3,3,1,1 open=0,0,1 freel=1 $end").description,
      "[Xe] 4f14 5d10 6s2 6p3/2");
  EXPECT_EQ(configurationOf("$nuc z=10 $end $electrons closed=2,1,1 $end").description, "[Ne]");
  EXPECT_EQ(
      configurationOf("$nuc z=6 $end $electrons closed=2 open=0,1,1 freel=2 autogen=t $end").description,
      "average of 3 configurations: [He] 2s2 and 2 electrons in 2p1/2, 2p3/2");
  const Configuration list =
      configurationOf("$nuc z=83 $end $electrons closed=6,5,4,3,3,1,1 open=0,0,1 freel=1 $end");
  const Configuration text = parseConfiguration(list.description);
  EXPECT_EQ(list.description, "[Xe] 4f14 5d10 6s2 6p1/2:2 6p3/2");
  EXPECT_NEAR((list.openPairWeights - text.openPairWeights).norm(), 0, 1e-12);
}

TEST(Resolve, ImpossibleJobsAreErrors) {
  EXPECT_THROW(resolved("$nuc znuc=18 $end\n$bas nsym=1 bastype='wtbs' $end\n"
                        "$wtbs wtbspara=0.07,1.9,4.6,1.3 nbs=20 $end\n$seconfig config='[Ar]' $end"),
               Error);
  EXPECT_THROW(resolved("$nuc znuc=18 $end\n$bas bastype='library' library='no-such-set' $end"), Error);
  EXPECT_THROW(resolved("$nuc znuc=18.5 $end"), Error);
}

TEST(Resolve, NegativeIonsTakeTheDiffuseFunctionsOfANamedSet) {
  const ResolvedJob atom = resolved("$nuc znuc=9 $end\n$bas library='prophet-dz' $end");
  const ResolvedJob ion =
      resolved("$nuc znuc=9 $end\n$seconfig charge=-1 $end\n$bas library='prophet-dz' $end");
  EXPECT_FALSE(mentions(atom, "diffuse"));
  EXPECT_TRUE(mentions(ion, "with its diffuse functions"));
  const BasisSet &less = atom.calculation.inBasis().basis, &more = ion.calculation.inBasis().basis;
  for (const std::size_t a : {0, 1, 2})
    EXPECT_EQ(more.symmetries.at(a).size(), less.symmetries.at(a).size() + 1) << a;
  EXPECT_LT(more.symmetries[0].exponents.front(), less.symmetries[0].exponents.front());
  EXPECT_NE(more.description.find("diffuse"), std::string::npos) << more.description;
}

TEST(Resolve, NamedSetsBringTheirNucleus) {
  const auto modelIn = [](const std::string& groups) {
    return resolved("$nuc znuc=10 " + groups).calculation.problem.nucleus.model;
  };
  EXPECT_EQ(modelIn("$end\n$bas library='wtbs-2.1' $end"), NuclearModel::Point);
  EXPECT_EQ(modelIn("$end\n$bas library='wtbs-2.1-by-symmetry' $end"), NuclearModel::Gaussian);
  EXPECT_EQ(modelIn("nucmdl=3 $end\n$bas library='wtbs-2.1' $end"), NuclearModel::Gaussian);
  EXPECT_TRUE(mentions(resolved("$nuc znuc=10 $end\n$bas library='wtbs-2.1' $end"), "nucleus: point"));
}

/// Input as Hennessey (2018) writes it: damping is the default there.
TEST(Resolve, SaysThatDampingFollowsFromItsFactor) {
  const ResolvedJob damped = resolved("$nuc znuc=10 $end\n$scf dfctr=0.3 $end");
  EXPECT_EQ(damped.calculation.inBasis().scf.extrapolation, Extrapolation::None);
  EXPECT_TRUE(mentions(damped, "damping (ixtrp=0)"));
  const ResolvedJob said = resolved("$nuc znuc=10 $end\n$scf ixtrp=1 dfctr=0.3 $end");
  EXPECT_EQ(said.calculation.inBasis().scf.extrapolation, Extrapolation::Fock);
  EXPECT_FALSE(mentions(said, "damping"));
}

TEST(Resolve, SaysWhatToDoWhereTheLibrarysSetIsTooSmall) {
  try {
    resolved("$nuc znuc=1 $end\n$electrons config='20k1' $end");
    FAIL() << "the library has no functions for 20k";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("functions of your own"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace prophet
