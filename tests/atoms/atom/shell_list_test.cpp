#include "atoms/atom/shell_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "atoms/atom/configuration.hpp"

namespace prophet {
namespace {

using ::testing::HasSubstr;

/// Electrons of the spinors of a symmetry.
std::vector<double> electronsOf(const Configuration& c, int symmetry) {
  std::vector<double> list;
  for (const SpinorOccupation& s : c.occupationOf(symmetry).spinors) list.push_back(s.electrons);
  return list;
}

void expectSame(const Configuration& a, const Configuration& b) {
  ASSERT_EQ(a.occupiedSymmetries(), b.occupiedSymmetries());
  for (int s = 0; s < a.occupiedSymmetries(); ++s) {
    EXPECT_EQ(electronsOf(a, s), electronsOf(b, s));
    for (int i = 0; i < a.occupiedSpinors(s); ++i)
      EXPECT_EQ(a.occupationOf(s).spinors[i].open, b.occupationOf(s).spinors[i].open);
  }
  ASSERT_EQ(a.openPairWeights.size(), b.openPairWeights.size());
  EXPECT_NEAR((a.openPairWeights - b.openPairWeights).norm(), 0, 1e-12);
}

std::string refusal(const std::string& configuration, const std::string& hole) {
  try {
    withHole(configuration, hole);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(ShellList, SpinorsHaveTheirOwnElectrons) {
  const Configuration tl = parseConfiguration("[Xe] 4f14 5d10 6s2 6p1/2");
  EXPECT_EQ(tl.electrons(), 81);
  EXPECT_EQ(electronsOf(tl, 1), (std::vector<double>{2, 2, 2, 2, 1}));
  EXPECT_EQ(electronsOf(tl, 2), (std::vector<double>{4, 4, 4, 4}));
  EXPECT_EQ(tl.openSpinors().size(), 1u);
  const Configuration bi = parseConfiguration("[Xe] 4f14 5d10 6s2 6p1/2:2 6p3/2:1");
  EXPECT_EQ(electronsOf(bi, 1).back(), 2);
  EXPECT_EQ(electronsOf(bi, 2).back(), 1);
  EXPECT_EQ(bi.openSpinors().size(), 1u);  // 6p1/2 is full
}

/// The list of one distribution, as closed and open spinors of each symmetry give it.
TEST(ShellList, OneConfigurationOfSpinorsIsTheAverageOfItsDeterminants) {
  expectSame(parseConfiguration("[He] 2s2 2p1/2:1 2p3/2:2"),
             averageConfigurations({2, 0, 0}, {false, true, true}, {{1, 2}}, ""));
  expectSame(parseConfiguration("[He] 2s2 2p1/2:2 2p3/2:3"),
             averageConfigurations({2, 1, 0}, {false, false, true}, {{3}}, ""));
  expectSame(parseConfiguration("[He] 2s1/2:2 2p1/2:2 2p3/2:4"), parseConfiguration("[Ne]"));
}

TEST(ShellList, BlanksCommasAndDotsSeparateShells) {
  for (const char* text : {"[Ar] 3d6,4s2", "[Ar].3d6.4s2", "[Ar]3d6 ,4s2", "[Ar] 3d^6 4s^2"})
    expectSame(parseConfiguration(text), parseConfiguration("[Ar] 3d6 4s2"));
}

TEST(ShellList, HolesOpenTheCore) {
  EXPECT_EQ(withHole("[Ar]", "1s"), "1s1 2s2 2p6 3s2 3p6");
  EXPECT_EQ(withHole("[Ar]", "2p3/2"), "[He] 2s2 2p1/2:2 2p3/2:3 3s2 3p6");
  EXPECT_EQ(withHole("[Ar]", "2p1/2"), "[He] 2s2 2p1/2 2p3/2:4 3s2 3p6");
  EXPECT_EQ(withHole("[Ar]", "2p"), "[He] 2s2 2p5 3s2 3p6");
  EXPECT_EQ(withHole("[Xe]", "4d5/2"), "[Kr] 4d3/2:4 4d5/2:5 5s2 5p6");
  EXPECT_EQ(withHole("[Xe] 4f14 5d10 6s2 6p1/2", "6p1/2"), "[Xe] 4f14 5d10 6s2");
  EXPECT_EQ(withHole("[Ar] 3d6 4s2", "4s1/2"), "[Ar] 3d6 4s1/2");
  EXPECT_EQ(withHole(withHole("[Ne]", "1s"), "1s"), "2s2 2p6");
  const Configuration hole = parseConfiguration(withHole("[Ar]", "2p1/2"));
  EXPECT_EQ(hole.electrons(), 17);
  EXPECT_EQ(electronsOf(hole, 1), (std::vector<double>{1, 2}));
  EXPECT_TRUE(hole.symmetries[1].spinors[0].open);
  EXPECT_FALSE(hole.isAufbau());  // 2p1/2 is open below the closed 3p1/2
}

TEST(ShellList, HolesThatCannotBeAreErrors) {
  EXPECT_THAT(refusal("[Ne]", "3s"), HasSubstr("has no electron in 3s"));
  EXPECT_THAT(refusal("[Ne]", "2x"), HasSubstr("'2x' is not a shell"));
  EXPECT_THAT(refusal("[Ne]", "2p5/2"), HasSubstr("'2p5/2' is not a shell"));
  EXPECT_THAT(refusal("[Ne]", "1s2"), HasSubstr("is not a shell"));
  EXPECT_THAT(refusal("[Ar] 3d6 4s2", "3d5/2"), HasSubstr("3d of '[Ar] 3d6 4s2' is not full"));
  EXPECT_THAT(refusal("[Xe] 4f14 5d10 6s2 6p1/2", "6p"), HasSubstr("expected 6p1/2 or 6p3/2"));
  EXPECT_THAT(refusal("1s1", "1s"), HasSubstr("no electrons"));
}

TEST(ShellList, ElectronsMoveFromShellToShell) {
  EXPECT_EQ(withPromotion("[Ar] 3d6", "2p", "3d"), "[He] 2s2 2p5 3s2 3p6 3d7");
  EXPECT_EQ(withPromotion("[Ar]", "2p3/2", "3d5/2"), "[He] 2s2 2p1/2:2 2p3/2:3 3s2 3p6 3d5/2");
  EXPECT_EQ(withPromotion("1s1", "1s", "2p"), "2p1");
  EXPECT_EQ(withPromotion("[Xe] 4f14 5d10 6s2 6p1/2", "6p1/2", "6p3/2"), "[Xe] 4f14 5d10 6s2 6p3/2");
  for (const char* into : {"3p", "3d5/2", "2p", "3x"})
    EXPECT_THROW(withPromotion("[Ar] 3d6", "2p", into), Error) << into;
}

TEST(ShellList, EmptyShellsMayBeNamed) {
  expectSame(parseConfiguration("1s0 2s2 2p6 3d0"), parseConfiguration("2s2 2p6"));
  EXPECT_EQ(namedShells("2p6 3d0").size(), 2u);
  EXPECT_THROW(parseConfiguration("1s0"), ConfigurationError);
}

TEST(ShellList, InnerShellsAreAddedAsTheyAreFilled) {
  EXPECT_EQ(withInnerShells("3d6 4s2", 26), "[Ar] 3d6 4s2");
  EXPECT_EQ(withInnerShells("3d6", 24), "[Ar] 3d6");
  EXPECT_EQ(withInnerShells("3d6", 26), "[Ar] 4s2 3d6");
  EXPECT_EQ(withInnerShells("4f4", 60), "[Xe] 6s2 4f4");
  EXPECT_EQ(withInnerShells("5f3 6d1", 92), "[Rn] 7s2 5f3 6d1");
  EXPECT_EQ(withInnerShells("4s1", 29), "[Ar] 3d10 4s1");
  EXPECT_EQ(withInnerShells("2p6 3d0", 18), "[He] 2s2 3s2 3p6 2p6 3d0");
  EXPECT_EQ(withInnerShells("5d2 6s2", 72), "[Xe] 4f14 5d2 6s2");
  EXPECT_EQ(withInnerShells("5d1 6s2", 57), "[Xe] 5d1 6s2");
  EXPECT_EQ(withInnerShells("2p5 3s", 10), "[He] 2s2 2p5 3s");
  // Whole already, hollow, or with a core.
  for (const char* text : {"2s2 2p6", "1s0 2s2 2p4", "1s2", "[Ar] 3d4"})
    EXPECT_EQ(withInnerShells(text, 8), text);
  // Closed shells do not make up the number: as many as come nearest, none beyond those that are named.
  EXPECT_EQ(withInnerShells("3d7 4s2", 26), "[Ar] 3d7 4s2");
  EXPECT_EQ(withInnerShells("3d5 4s2", 26), "[Ar] 3d5 4s2");
  EXPECT_EQ(withInnerShells("5d2 6s2", 57), "[Xe] 5d2 6s2");
  EXPECT_EQ(withInnerShells("5d2 6s2", 71), "[Xe] 4f14 5d2 6s2");
  EXPECT_EQ(withInnerShells("6s1", 56), "[Xe] 6s1");
  EXPECT_EQ(withInnerShells("2s2 2p6", 26), "[He] 2s2 2p6");
  EXPECT_EQ(withInnerShells("2p5 3s", 16), "[He] 2s2 2p5 3s");
  // One too few without 1s and one too many with it: the inner shells are there.
  EXPECT_EQ(withInnerShells("2s2 2p6 3s1", 10), "[He] 2s2 2p6 3s1");
  EXPECT_EQ(withInnerShells("2s2 2p6 3s2", 11), "[He] 2s2 2p6 3s2");
  EXPECT_EQ(withInnerShells("3d7", 26), "[Ar] 3d7");  // 4s is filled before 3d, but not inner
}

}  // namespace
}  // namespace prophet
