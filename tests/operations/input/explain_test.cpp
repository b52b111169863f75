#include "operations/input/keywords.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "operations/input/job.hpp"

namespace prophet {
namespace {

TEST(Keywords, EveryOneBelongsToAGroupAndIsThereOnce) {
  std::set<std::string> names;
  for (const Keyword& keyword : keywords()) {
    EXPECT_NE(findGroup(keyword.group), nullptr) << keyword.name;
    EXPECT_TRUE(names.insert(keyword.group + "." + keyword.name).second) << keyword.name;
    EXPECT_EQ(findKeyword(keyword.group, keyword.name), &keyword);
    EXPECT_FALSE(keyword.documentation.empty()) << keyword.name;
    EXPECT_EQ(keyword.name, lowerCase(keyword.name));
  }
  EXPECT_EQ(names.size(), keywords().size());
}

TEST(Keywords, DefaultsAreThoseOfTheJob) {
  const auto defaultOf = [](const char* group, const char* name) {
    return findKeyword(group, name)->defaultText;
  };
  const Job job;
  EXPECT_EQ(defaultOf("scf", "thdll"), fmt::format("{}", job.scf.thresholdLL));
  EXPECT_EQ(defaultOf("newuoa", "shared"), "'" + job.optimiser.shared + "'");
  EXPECT_EQ(defaultOf("chain", "limit"), "computed");
  EXPECT_EQ(defaultOf("levels", "core_rings"), "'iterated'");
  EXPECT_EQ(defaultOf("nuc", "znuc"), "");
}

TEST(Keywords, AValueStandsInTheJob) {
  Job job;
  findKeyword("levels", "core_rings")->read(job, "second");
  EXPECT_FALSE(job.coreValence.iteratedRings);
  findKeyword("scf", "ixtrp")->read(job, 1);
  EXPECT_EQ(job.scf.extrapolation, Extrapolation::Fock);
  findKeyword("nuc", "skin")->read(job, 2.2);
  EXPECT_EQ(job.nucleus.skinFemtometres, 2.2);
}

TEST(Keywords, RangesDescribeThemselves) {
  EXPECT_EQ((Range{1, 15, false, false}.description()), "1 to 15");
  EXPECT_EQ((Range{0, 1, true, true}.description()), "more than 0 and less than 1");
  EXPECT_EQ(Range{}.description(), "");
  EXPECT_TRUE((Range{0, 1, false, true}.contains(0)));
  EXPECT_FALSE((Range{0, 1, false, true}.contains(1)));
}

TEST(Explain, GroupListsAllItsKeywords) {
  for (const KeywordGroup& group : keywordGroups()) {
    const std::string text = explainGroup(group.name);
    for (const Keyword& keyword : keywords()) {
      if (keyword.group != group.name) continue;
      EXPECT_NE(text.find("  " + keyword.name), std::string::npos) << keyword.name;
      EXPECT_NE(text.find(expectedValue(keyword)), std::string::npos) << keyword.name;
    }
    EXPECT_EQ(text.back(), '\n');
  }
}

TEST(Explain, ContrlWordForWord) {
  EXPECT_EQ(
      explainGroup("$CONTRL"),
      "$contrl: what to compute (also $control)\n"
      "\n"
      "  jobtype, jobtyp, job    what to compute\n"
      "                          'energy', 'bsopt', 'chain', 'limit', 'levels', 'lines', "
      "'correlation', 'mean_field' or 'slater'\n"
      "                          default: 'energy'\n"
      "  c, speed_of_light       speed of light, atomic units\n"
      "                          a number, 1 to 1e+09\n"
      "                          default: 137.03599976\n"
      "  hamiltonian             one-electron Hamiltonian: four-component, exact two-component, the same "
      "without spin-orbit coupling, non-relativistic, or scalar-relativistic of Koelling and Harmon (limit "
      "with a functional)\n"
      "                          'dirac', 'x2c1e', 'sfx2c1e', 'nonrel' or 'koelling-harmon'\n"
      "                          default: 'dirac'\n"
      "  functional              density functional in place of exact exchange, Kohn-Sham: lda, rlda, pbe, "
      "pbe0, pbesol, blyp, b3lyp, tpss, scan, r2scan, or names of libxc such as gga_x_rpbe+gga_c_pbe\n"
      "                          a text in quotes\n"
      "                          default: 'none'\n"
      "                          only with jobtype='energy' or 'limit'\n"
      "  spin                    spin polarisation of a density functional: none, or that of the open shells "
      "by Hund's first rule\n"
      "                          'none' or 'polarised'\n"
      "                          default: 'none'\n"
      "                          only with jobtype='energy' or 'limit'\n"
      "  breit                   two-electron operator in addition to Coulomb: the magnetic (Gaunt) part "
      "alone, or the whole Breit interaction\n"
      "                          'none', 'gaunt' or 'breit'\n"
      "                          default: 'none'; 'breit' with jobtype='levels' or 'lines'\n"
      "                          only with jobtype='energy', 'limit', 'levels', 'lines', 'correlation', "
      "'mean_field' or "
      "'slater'\n"
      "  breitscf                treat the Breit interaction self-consistently (fock='grid') instead of in "
      "first order on the Coulomb spinors\n"
      "                          .true. or .false.\n"
      "                          default: .false.\n"
      "                          only with jobtype='energy', 'limit', 'levels', 'lines', 'correlation', "
      "'mean_field' or "
      "'slater'\n"
      "  breitfreq               frequency-dependent Breit interaction (breit='breit' in first order)\n"
      "                          .true. or .false.\n"
      "                          default: .false.\n"
      "                          only with jobtype='energy', 'levels' or 'lines'\n"
      "  qedvp                   vacuum polarisation: Uehling potential, or also Kallen-Sabry and "
      "Wichmann-Kroll\n"
      "                          'none', 'uehling' or 'full'\n"
      "                          default: 'none'\n"
      "                          only with jobtype='energy', 'limit', 'levels', 'lines', 'correlation', "
      "'mean_field' or "
      "'slater'\n"
      "  qedse                   self-energy: radiative potential fitted to inner shells (total energies) or "
      "to valence states\n"
      "                          'none', 'inner' or 'valence'\n"
      "                          default: 'none'\n"
      "                          only with jobtype='energy', 'limit', 'levels', 'lines', 'correlation', "
      "'mean_field' or "
      "'slater'\n"
      "  qedscf                  treat the QED potentials self-consistently instead of in first order\n"
      "                          .true. or .false.\n"
      "                          default: .false.\n"
      "                          only with jobtype='energy', 'limit', 'levels', 'lines', 'correlation', "
      "'mean_field' or "
      "'slater'\n");
}

TEST(Explain, WithoutAGroupListsAllGroups) {
  const std::string text = explainGroup();
  for (const KeywordGroup& group : keywordGroups()) EXPECT_NE(text.find("$" + group.name), std::string::npos);
  for (const JobName& job : jobNames()) EXPECT_NE(text.find(job.documentation), std::string::npos);
}

TEST(Explain, UnknownGroupNamesTheNearest) {
  try {
    explainGroup("secnofig");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "unknown group or keyword 'secnofig'; did you mean 'seconfig'? expected 'contrl', 'nuc', 'bas', "
        "'wtbs', 'newuoa', 'chain', 'seconfig', 'levels', 'watson', 'crystal' or 'scf', or one of their "
        "keywords");
  }
}

TEST(Explain, FindsAKeywordInItsGroup) {
  const std::string text = explainGroup("breit");
  EXPECT_EQ(text.find("$contrl: "), 0u) << text;
  EXPECT_NE(text.find("\n  breit "), std::string::npos) << text;
  EXPECT_EQ(text.find("jobtype "), std::string::npos) << text;
  // By another name, and in more than one group.
  EXPECT_NE(explainGroup("znuc").find("$nuc: "), std::string::npos);
  EXPECT_NE(explainGroup("z").find("$nuc: "), std::string::npos);
}

}  // namespace
}  // namespace prophet
