#include "matter/structure/structure.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

TEST(AtomKind, IsReadInTheSpellingsOfFiles) {
  struct Case {
    const char *text, *name;
    int z, massNumber;
    double charge;
  };
  for (const Case& c : {Case{"Fe", "Fe", 26, 0, 0},
                        {"FE", "Fe", 26, 0, 0},
                        {" 26 ", "Fe", 26, 0, 0},
                        {"Fe3+", "Fe3+", 26, 0, 3},
                        {"Fe+3", "Fe3+", 26, 0, 3},
                        {"Fe(3+)", "Fe3+", 26, 0, 3},
                        {"FE(+3)", "Fe3+", 26, 0, 3},
                        {"Fe+++", "Fe3+", 26, 0, 3},
                        {"Fe2.5+", "Fe2.5+", 26, 0, 2.5},
                        {"Fe+2.5", "Fe2.5+", 26, 0, 2.5},
                        {"Cs1+", "Cs+", 55, 0, 1},
                        {"Cs+", "Cs+", 55, 0, 1},
                        {"Cl-", "Cl-", 17, 0, -1},
                        {"Cl1-", "Cl-", 17, 0, -1},
                        {"Cl-1", "Cl-", 17, 0, -1},
                        {"O2-", "O2-", 8, 0, -2},
                        {"O-2", "O2-", 8, 0, -2},
                        {"O--", "O2-", 8, 0, -2},
                        {"Cu0+", "Cu", 29, 0, 0},
                        {"Cu+0", "Cu", 29, 0, 0},
                        {"H1+", "H+", 1, 0, 1},
                        {"H-", "H-", 1, 0, -1},
                        {"D", "D", 1, 2, 0},
                        {"2H", "D", 1, 2, 0},
                        {"T", "T", 1, 3, 0},
                        {"D1+", "D+", 1, 2, 1},
                        {"1H", "1H", 1, 1, 0},
                        {"6Li", "6Li", 3, 6, 0},
                        {"6Li+", "6Li+", 3, 6, 1},
                        {"58Ni2+", "58Ni2+", 28, 58, 2},
                        {"Fe2.66666667+", "Fe2.66666667+", 26, 0, 2.66666667}}) {
    const AtomKind kind = atomKind(c.text);
    EXPECT_EQ(kind.z, c.z) << c.text;
    EXPECT_EQ(kind.massNumber, c.massNumber) << c.text;
    EXPECT_EQ(kind.charge, c.charge) << c.text;
    EXPECT_EQ(kindName(c.text), c.name) << c.text;
    EXPECT_EQ(kindName(c.name), c.name) << c.text;
  }
  for (const char* wrong :
       {"",      "Wat",   "OW1",  "M",   "Fe3",       "Fe1",    "Cs*",  "Fe3+a", "Fe+3+",  "Fe+-", "Fe(3+",
        "Fe()",  "Fe 3+", "Cval", "119", "0",         "Li7",    "Li-7", "C-13",  "H-2",    "H2+",  "He-",
        "Fe27+", "40Li",  "5Li6", "6D",  "Fe[Ar]3d6", "Fe1e1+", "1.5+", "+",     "Fe2..5+"})
    EXPECT_THROW(atomKind(wrong), Error) << wrong;
}

}  // namespace
}  // namespace prophet
