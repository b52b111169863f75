#include "atoms/atom/species.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

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
                        {"F 1s2 2s2 2p6", "F 1s2 2s2 2p6", 9, -1, "1s2 2s2 2p6"}};
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

TEST(Species, IonsAreNamedAsChemistsDo) {
  EXPECT_EQ(ionName(26, 0), "Fe");
  EXPECT_EQ(ionName(26, 1), "Fe+");
  EXPECT_EQ(ionName(26, 3), "Fe3+");
  EXPECT_EQ(ionName(8, -2), "O2-");
}

}  // namespace
}  // namespace prophet
