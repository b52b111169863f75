#include "matter/structure/xyz.hpp"

#include <gtest/gtest.h>

#include "scratch_file.hpp"

namespace prophet {
namespace {

using testing::ScratchFile;

TEST(Xyz, ReadsFrameByFrame) {
  const ScratchFile file(
      ".xyz",
      "2\nfirst\nCo 0 0 0\nO 2.13 0 0 extra 7\n\n3\r\nsecond\r\nO2- 1 +2 -3e0\r\nCO 0 0 0\r\n8 4 5 6\r\n");
  XyzReader reader(file.path());
  const auto first = reader.next(), second = reader.next();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(first->kinds, (std::vector<std::string>{"Co", "O"}));
  EXPECT_EQ(first->positions[1], Eigen::Vector3d(2.13, 0, 0));
  EXPECT_FALSE(first->lattice);
  EXPECT_EQ(second->kinds, (std::vector<std::string>{"O2-", "Co", "O"}));
  EXPECT_EQ(second->positions[0], Eigen::Vector3d(1, 2, -3));
}

TEST(Xyz, ReadsLatticesAndColumns) {
  const ScratchFile file(
      ".xyz",
      "1\nLattice=\"4 0 0 0 5 0 1 0 6\" Properties=id:I:1:species:S:1:force:R:3:pos:R:3 pbc=\"T T T\"\n"
      "7 Fe 9 9 9 1 2 3\n1\nLattice=\"4 0 0 0 5 0 1 0 6\" pbc=\"F F F\"\nFe 0 0 0\n");
  XyzReader reader(file.path());
  const auto s = reader.next();
  ASSERT_TRUE(s && s->lattice);
  EXPECT_EQ(s->kinds[0], "Fe");
  EXPECT_EQ(s->positions[0], Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(s->lattice->row(2), Eigen::RowVector3d(1, 0, 6));
  EXPECT_FALSE(reader.next()->lattice);
}

TEST(Xyz, WhatIsWrittenIsRead) {
  Structure s;
  s.lattice = Eigen::Matrix3d{{3, 0, 0}, {0.5, 4, 0}, {0, 0, 5}};
  s.add(s.kindNumber("Na+"), {0.125, 0.25, -1});
  s.add(s.kindNumber("Cl-"), {1, 2, 3});
  const ScratchFile file(".xyz", xyzText(s));
  const auto back = XyzReader(file.path()).next();
  EXPECT_EQ(back->kinds, s.kinds);
  EXPECT_EQ(back->positions, s.positions);
  EXPECT_EQ(*back->lattice, *s.lattice);
}

TEST(Xyz, ErrorsNameTheLine) {
  const std::pair<const char*, int> broken[] = {
      {"two\n\nH 0 0 0\n", 1},
      {"0\n\n", 1},
      {"-1\n\n", 1},
      {"2\nx\nH 0 0 0\n", 4},
      {"1\n", 2},
      {"1\nx\nH 0 0\n", 3},
      {"1\nx\nH 0 0 nan\n", 3},
      {"1\nx\nH 0 0 1e999\n", 3},
      {"1\nx\nH 0 0 1,5\n", 3},
      {"1\nx\nQq 0 0 0\n", 3},
      {"1\nLattice=\"1 2 3\"\nH 0 0 0\n", 2},
      {"1\nLattice=\"1 0 0 1 0 0 0 0 1\"\nH 0 0 0\n", 2},
      {"1\nLattice=\"1 0 0 0 1 0 0 0 1\" pbc=\"T T F\"\nH 0 0 0\n", 2},
      {"1\nProperties=species:S:1:force:R:3\nH 0 0 0\n", 2},
      {"1\nx\nH 0 0 0\nH 0 0 1\n", 4}};
  for (const auto& [text, line] : broken) {
    const ScratchFile file(".xyz", text);
    try {
      XyzReader reader(file.path());
      while (reader.next()) {
      }
      FAIL() << text;
    } catch (const StructureError& e) {
      EXPECT_EQ(std::string(e.what()).rfind(file.path() + ":" + std::to_string(line) + ": error: ", 0), 0u)
          << text << e.what();
    }
  }
  EXPECT_THROW(XyzReader("/nonexistent/a.xyz"), StructureError);
  EXPECT_THROW(XyzReader("/tmp"), StructureError);
}

TEST(Xyz, ReadsTheColumnOfCharges) {
  const ScratchFile file(".xyz",
                         "2\nLattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:charge:R:1:pos:R:3\n"
                         "Na +0.9 0 0 0\nCl -0.9 2 2 2\n");
  const auto frame = XyzReader(file.path()).next();
  ASSERT_TRUE(frame);
  const Structure& s = *frame;
  EXPECT_EQ(s.charges, (std::vector<double>{0.9, -0.9}));
  EXPECT_EQ(s.positions[1], Eigen::Vector3d(2, 2, 2));
  const ScratchFile broken(".xyz", "1\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 much\n");
  EXPECT_THROW(XyzReader(broken.path()).next(), StructureError);
}

std::string refusalOf(const std::string& text) {
  const ScratchFile file(".xyz", text);
  try {
    XyzReader reader(file.path());
    while (reader.next()) {
    }
  } catch (const StructureError& e) {
    return e.what();
  }
  return "";
}

TEST(Xyz, ColumnsMustBeWhatTheyAreCalled) {
  for (const std::string properties :
       {"species:S:1:foo:R:2147483646:pos:R:3", "species:S:1:foo:R:-3:pos:R:3", "species:S:1:foo:R:0:pos:R:3",
        "species:S:1:pos:R:1", "species:S:2:pos:R:3", "species:S:1:pos:R:3:charge:R:2", "species:S:1:pos:R",
        "species:S:1:pos:X:3", "species:S:1:pos:R:3.5"})
    EXPECT_NE(refusalOf("1\nProperties=" + properties + "\nH 0 0 0 0\n").find(":2: error: Properties="),
              std::string::npos)
        << properties;
}

TEST(Xyz, KeysThatStandTwiceAreRefused) {
  const std::string box = "Lattice=\"4 0 0 0 4 0 0 0 4\" ";
  EXPECT_NE(refusalOf("1\n" + box + box + "\nH 0 0 0\n").find("twice"), std::string::npos);
  EXPECT_EQ(refusalOf("1\n" + box + "energy=1 energy=2\nH 0 0 0\n"), "");
}

TEST(Xyz, CoordinatesHaveAnEnd) {
  EXPECT_NE(refusalOf("1\n\nH 0 0 1e300\n").find(":3: error: "), std::string::npos);
  EXPECT_NE(refusalOf("1\nLattice=\"1e300 0 0 0 4 0 0 0 4\"\nH 0 0 0\n").find(":2: error: "),
            std::string::npos);
  EXPECT_EQ(refusalOf("1\n\nH 0 0 1e9\n"), "");
}

TEST(Xyz, TextOfOtherEncodingsIsRead) {
  const ScratchFile file(".xyz",
                         "\xEF\xBB\xBF"
                         "1\nB\xE4r, 3 \xC5\nH 0 0 0\n");
  const auto frame = XyzReader(file.path()).next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->title, "Bär, 3 Å");
  ASSERT_EQ(frame->warnings.size(), 1u);
  EXPECT_NE(frame->warnings[0].find("Latin-1"), std::string::npos);
}

TEST(Xyz, DevicesAndOtherFilesAreRefused) {
  EXPECT_THROW(XyzReader("/dev/zero"), StructureError);
  const ScratchFile input(".inp", "$nuc z=10 $end\n");
  try {
    XyzReader(input.path()).next();
    FAIL();
  } catch (const StructureError& e) {
    EXPECT_NE(std::string(e.what()).find(".cif"), std::string::npos) << e.what();
  }
}

TEST(Xyz, IsotopesAreKinds) {
  const ScratchFile file(".xyz", "4\n\nD 0 0 0\nO 0 0 1\n2H 0 0 2\n6Li+ 1 0 0\n");
  const auto frame = XyzReader(file.path()).next();
  EXPECT_EQ(frame->kinds, (std::vector<std::string>{"D", "O", "6Li+"}));
  EXPECT_EQ(frame->counts(), (std::vector<std::size_t>{2, 1, 1}));
  EXPECT_TRUE(frame->warnings.empty());
}

// The comment of a crystal says what is false of what is cut from it.
TEST(Xyz, OfACommentOnlyWordsAreWritten) {
  EXPECT_EQ(wordsOfComment("Lattice=\"4 0 0 0 4 0 0 0 4\" salt Properties=species:S:1:pos:R:3:charge:R:1 at "
                           "\"300 K\" pbc=\"T T T\""),
            "salt at 300 K");
  Structure s;
  s.title = "Lattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3:charge:R:1 salt";
  s.add(s.kindNumber("Na"), {0, 0, 0});
  const ScratchFile file(".xyz", xyzText(s));
  const auto back = XyzReader(file.path()).next();
  EXPECT_FALSE(back->lattice);
  EXPECT_TRUE(back->charges.empty());
  EXPECT_NE(back->title.find("salt"), std::string::npos);
  s.charges = {0.25};
  const ScratchFile charged(".xyz", xyzText(s));
  EXPECT_EQ(XyzReader(charged.path()).next()->charges, s.charges);
}

}  // namespace
}  // namespace prophet
