#include "atoms/atom/species.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Case {
  const char* text;
  const char* name;
  int z, charge;
  const char* configuration;
};

TEST(Species, AreReadAsTheyAreWritten) {
  const Case cases[] = {{"Fe", "Fe", 26, 0, ""},
                        {"26", "Fe", 26, 0, ""},
                        {" fe ", "Fe", 26, 0, ""},
                        {"Fe3+", "Fe3+", 26, 3, ""},
                        {"FE+3", "Fe+3", 26, 3, ""},
                        {"Na+", "Na+", 11, 1, ""},
                        {"O2-", "O2-", 8, -2, ""},
                        {"Cl-", "Cl-", 17, -1, ""},
                        {"U12+", "U12+", 92, 12, ""},
                        {"Fe[Ar]3d6", "Fe[Ar]3d6", 26, 2, "[Ar] 3d6"},
                        {"Fe2+ [Ar] 3d5.4s1", "Fe2+ [Ar] 3d5.4s1", 26, 2, "[Ar] 3d5 4s1"},
                        {"He 1s1,2s1", "He 1s1,2s1", 2, 0, "1s1 2s1"},
                        {"H1s1", "H1s1", 1, 0, "1s1"},
                        {"F 1s2 2s2 2p6", "F 1s2 2s2 2p6", 9, -1, "1s2 2s2 2p6"},
                        {"Fe 3d6.4s2", "Fe 3d6.4s2", 26, 0, "[Ar] 3d6 4s2"},
                        {"Fe2+ 3d6", "Fe2+ 3d6", 26, 2, "[Ar] 3d6"},
                        {"Fe24+ 1s2", "Fe24+ 1s2", 26, 24, "1s2"},
                        {"Ne2+ 1s0 2s2 2p6", "Ne2+ 1s0 2s2 2p6", 10, 2, "1s0 2s2 2p6"}};
  for (const Case& c : cases) {
    const Species s = parseSpecies(c.text);
    EXPECT_EQ(s.name, c.name);
    EXPECT_EQ(s.z, c.z) << c.text;
    EXPECT_EQ(s.charge, c.charge) << c.text;
    EXPECT_EQ(s.configuration, c.configuration) << c.text;
  }
}

TEST(Species, ThatAreNoneAreRefused) {
  for (const char* text :
       {"",     " ",    "Xx",   "0",     "119",         "999",       "Fe3",        "Fe3+x",        "3+",
        "+",    "H+",   "He2+", "Fe27+", "Fe3+[Ar]3d6", "Fe[Xx]3d6", "Fe[Ar]3d11", "Fe[Ar]3d64s2", "Fe [Ar",
        "Fe+-", "Fe++3"})
    EXPECT_THROW(parseSpecies(text), Error) << text;
  EXPECT_THROW(parseSpecies(std::string(100000, '1')), Error);
}

std::string refusal(const std::string& text) {
  try {
    parseSpecies(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Species, IsotopesHaveTheirMassNumberFirst) {
  const Species calcium = parseIsotope("43Ca+");
  EXPECT_EQ(calcium.z, 20);
  EXPECT_EQ(calcium.charge, 1);
  EXPECT_EQ(calcium.massNumber, 43);
  EXPECT_EQ(calcium.name, "43Ca+");
  EXPECT_EQ(parseIsotope("133Cs [Xe] 6p1").configuration, parseSpecies("Cs [Xe] 6p1").configuration);
  for (const char* text : {"Cs", "26", "Fe2+"}) EXPECT_EQ(parseIsotope(text).massNumber, 0) << text;
  for (const char* text : {"19Ca", "999Fe", "3d6", "2s2", "133Cs++"})
    EXPECT_THROW(parseIsotope(text), Error) << text;
}

TEST(Species, ErrorsOfIsotopesQuoteWhatIsWritten) {
  for (const char* text : {"1e400", "56Xx", "133Cs++", "56Fe26+", "56Fe [Ar] 3d99"}) {
    try {
      parseIsotope(text);
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), StartsWith(std::string("'") + text + "'"));
    }
  }
}

TEST(Species, ErrorsNameWhatIsWrong) {
  EXPECT_THAT(refusal("Fe++"), HasSubstr("'++' is not a charge; write Fe2+"));
  EXPECT_THAT(refusal("Fe^2+"), HasSubstr("'^2+' is not a charge; write Fe2+"));
  EXPECT_THAT(refusal("O(2-)"), HasSubstr("'(2-)' is not a charge; write O2-"));
  EXPECT_THAT(refusal("Fe2.5+"), HasSubstr("'2.5+' is not a charge; write Fe, 26"));
  EXPECT_THAT(refusal("Fe(II)"), HasSubstr("'(II)' is not a charge;"));
  EXPECT_THAT(refusal("Rn210"), HasSubstr("'210' has no sign; an isotope is Rn with mass=210"));
  EXPECT_THAT(refusal("Fe2"), EndsWith("'2' has no sign; the ion of this charge is Fe2+"));
  EXPECT_THAT(refusal("U235"), EndsWith("'235' has no sign; an isotope is U with mass=235"));
  EXPECT_THAT(refusal("Rn300"),
              EndsWith("'300' has no sign, and no isotope has this mass number; write Fe, 26, "
                       "Fe3+, O2- or 'Fe [Ar] 3d6'"));
  EXPECT_THAT(refusal("Fe0"), EndsWith("'0' has no sign; the neutral atom is Fe"));
  EXPECT_THAT(refusal("Fe,Co"), HasSubstr("several atoms are separate words"));
  EXPECT_THAT(refusal("210Rn"), HasSubstr("an isotope is Rn with mass=210"));
  EXPECT_THAT(refusal("D"), HasSubstr("D is hydrogen; write H with mass=2"));
  EXPECT_THAT(refusal("NaCl"), HasSubstr("there is no element 'NaCl'"));
  EXPECT_THAT(refusal("119"), HasSubstr("there is no element 119, nuclear charges of elements are 1 to 118"));
  EXPECT_THAT(refusal("Fe26+"), HasSubstr("it has no electrons"));
  EXPECT_THAT(refusal("Fe2+ [Ar] 3d7"),
              HasSubstr("'[Ar] 3d7' has 25 electrons, which is Fe+, and Fe2+ is written"));
}

TEST(Species, ConfigurationsOfIonsWithoutAChargeAreRemarked) {
  EXPECT_EQ(parseSpecies("Fe [Ar] 3d7 4s2").remark(),
            "Fe with the configuration [Ar] 3d7 4s2 is Fe-; write Fe-, or charge=-1, if that is meant");
  for (const char* text : {"Fe", "Fe2+", "Fe 3d6 4s2", "Fe2+ [Ar] 3d6"})
    EXPECT_EQ(parseSpecies(text).remark(), "") << text;
}

TEST(Species, IonsAreNamedAsChemistsDo) {
  EXPECT_EQ(ionName(26, 0), "Fe");
  EXPECT_EQ(ionName(26, 1), "Fe+");
  EXPECT_EQ(ionName(26, 3), "Fe3+");
  EXPECT_EQ(ionName(8, -2), "O2-");
}

}  // namespace
}  // namespace prophet
