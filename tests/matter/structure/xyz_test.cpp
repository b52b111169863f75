#include "matter/structure/xyz.hpp"

#include <gtest/gtest.h>

#include "scratch_file.hpp"

namespace prophet {
namespace {

using test::ScratchFile;

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

/// The comments that say the same: the box of CsCl with columns in another order.
TEST(Xyz, EverySpellingOfTheCommentIsRead) {
  const std::string atoms = "Cs 0.1 0.1 0.1 0 0 0\nCl 0.3 0.3 0.3 2 2 2\n";
  const std::string columns = "species:S:1:forces:R:3:pos:R:3";
  for (const std::string& comment :
       {"Lattice=\"4 0 0 0 4 0 0 0 4\" Properties=" + columns,
        "Lattice = \"4 0 0 0 4 0 0 0 4\" Properties = " + columns + " pbc = \"T T T\"",
        "Lattice\t=\t\"4 0 0 0 4 0 0 0 4\"\tProperties\t=" + columns,
        "Lattice= '4 0 0 0 4 0 0 0 4' Properties =\"" + columns + "\" pbc={T T T}",
        "Lattice={4 0 0 0 4 0 0 0 4} properties=" + columns + " pbc=[True, true, TRUE]",
        "LATTICE=[4, 0, 0, 0, 4, 0, 0, 0, 4] Properties=" + columns + " pbc=[1, 1, 1]",
        "pbc=[T,T,T] Properties=" + columns + " Lattice=[[4, 0, 0], [0, 4, 0], [0, 0, 4]]",
        "\"Lattice\"=\"4.0D+00 0 0 0 +4 0 0 0 4e0\" pbc=T Properties=" + columns,
        "relaxed energy=-1.5 note=\"a \\\"quoted\\\" = word\" url=http://a.b/?c=d stress=[[1, 2], [3, 4]] "
        "Lattice=\"4 0 0 "
        "0 4 0 0 0 4\" Properties=" +
            columns + " what='it has' \"300 K\" it's"}) {
    const ScratchFile file(".xyz", "2\n" + comment + "\n" + atoms);
    const auto s = XyzReader(file.path()).next();
    ASSERT_TRUE(s && s->lattice) << comment;
    EXPECT_EQ(*s->lattice, Eigen::Matrix3d(4 * Eigen::Matrix3d::Identity())) << comment;
    EXPECT_EQ(s->positions[1], Eigen::Vector3d(2, 2, 2)) << comment;
    EXPECT_EQ(s->otherColumns, std::vector<std::string>{"forces:R:3"}) << comment;
  }
  // Rows are the vectors, nested or not.
  for (const std::string lattice : {"\"4 0 0 1 5 0 0 0 6\"", "[[4, 0, 0], [1, 5, 0], [0, 0, 6]]"}) {
    const ScratchFile file(".xyz", "1\nLattice=" + lattice + "\nH 0 0 0\n");
    EXPECT_EQ(XyzReader(file.path()).next()->lattice->row(1), Eigen::RowVector3d(1, 5, 0)) << lattice;
  }
}

TEST(Xyz, WhatTheCommentLeavesOverIsRefused) {
  const std::string box = "Lattice=\"4 0 0 0 4 0 0 0 4\"";
  const std::pair<std::string, const char*> broken[] = {
      {"=\"4 0 0 0 4 0 0 0 4\" pbc=\"T T T\"", "no key"},
      {"=\"4 0 0 0 4 0 0 0 4\"", "no key"},
      {box + " = 3", "no key"},
      {"\"4 0 0 0 4 0 0 0 4\" pbc=\"F F F\" = 2", "no key"},
      {"Lattice=4 0 0 0 4 0 0 0 4", "left over"},
      {box + " pbc=T T F", "left over"},
      {box + "pbc=\"T T T\"", "left over"},
      {box + " [1, 2]", "left over"},
      {box + " }", "left over"},
      {box + " energy=1\"2\"", "left over"},
      {"Lattice=\"4 0 0 0 4 0 0 0 4", "does not end"},
      {"Lattice=[4, 0, 0, 0, 4, 0, 0, 0, 4", "does not end"},
      {box + " \"open", "not closed"},
      {box + " pbc=", "no value"},
      {box + " name= pbc=F", "no value"},
      {"Lattice Properties=species:S:1:pos:R:3", "not followed"},
      {"Lattice: Properties=species:S:1:pos:R:3", "not followed"},
      {"Latice=\"4 0 0 0 4 0 0 0 4\"", "is Lattice meant"},
      {"Property=species:S:1:pos:R:3", ""},
      {"Propertes=species:S:1:pos:R:3", "is Properties meant"},
      {"Lattice=\"4 4 4\"", "nine numbers"},
      {"Lattice=[[4, 0, 0], [0, 4, 0]]", "nine numbers"},
      {"Lattice=[[4, 0], [0, 4, 0, 0], [0, 0, 4]]", "nine numbers"},
      {"Lattice=\"4,0 0 0 0 4,0 0 0 0 4,0\"", "nine numbers"},
      {"pbc=\"T T T\"", "no Lattice="},
      {"Properties=species:S:1:pos:R:3 pbc=T", "no Lattice="}};
  for (const auto& [comment, what] : broken) {
    const std::string refusal = refusalOf("1\n" + comment + "\nH 0 0 0\n");
    EXPECT_EQ(refusal.empty(), *what == 0) << comment;
    if (*what == 0) continue;
    EXPECT_NE(refusal.find(":2: error: "), std::string::npos) << comment;
    EXPECT_NE(refusal.find(what), std::string::npos) << comment << "\n" << refusal;
  }
  // Texts are no extended XYZ, whatever signs they have.
  for (const std::string text :
       {"===== frame 1 =====", " i =       10, time =        5.000, E =       -17.14", "it's \"5", "{",
        "a = ", "=", "T=300 K, P=1 bar [NPT]", "lattice of NaCl, pbc"})
    EXPECT_EQ(refusalOf("1\n" + text + "\nH 0 0 0\n"), "") << text;
}

TEST(Xyz, CoordinatesInAnotherUnitAreRefused) {
  EXPECT_NE(refusalOf("1\nLattice=\"4 0 0 0 4 0 0 0 4\" units=bohr\nNa 0 0 0\n").find("angstrom"),
            std::string::npos);
  EXPECT_EQ(refusalOf("1\nLattice=\"4 0 0 0 4 0 0 0 4\" units=Angstrom charge=0\nNa 0 0 0\n"), "");
}

TEST(Xyz, FlagsThatDifferAreRefusedInEverySpelling) {
  const std::string box = "Lattice=\"4 0 0 0 4 0 0 0 4\" ";
  for (const std::string flags :
       {"pbc=\"T T F\"", "pbc = \"T T F\"", "pbc='F T T'", "pbc=[T, T, F]", "pbc=[T,T,F]",
        "pbc=[True, False, True]", "pbc={T T F}", "pbc=[1, 1, 0]", "pbc=\"1 0 1\"", "pbc=[true, true, false]",
        "PBC=\"TRUE FALSE TRUE\"", "pbc={1 1 0}", "pbc=\"T,T,F\"", "pbc=[\"T\", \"T\", \"F\"]"}) {
    EXPECT_NE(refusalOf("1\n" + box + flags + "\nH 0 0 0\n").find("all three directions"), std::string::npos)
        << flags;
    EXPECT_NE(refusalOf("1\n" + flags + "\nH 0 0 0\n").find("all three directions"), std::string::npos)
        << flags;
  }
  for (const std::string flags :
       {"pbc=\"T T\"", "pbc=\"T T T T\"", "pbc=\"\"", "pbc=yes", "pbc=TTF", "pbc=[[T,T,T],[T,T,T]]"})
    EXPECT_NE(refusalOf("1\n" + box + flags + "\nH 0 0 0\n").find("pbc"), std::string::npos) << flags;
  for (const std::string flags : {"pbc=F", "pbc=[F, F, F]", "pbc=\"0 0 0\"", "pbc={False False False}"}) {
    const ScratchFile file(".xyz", "1\n" + box + flags + "\nH 0 0 0\n");
    EXPECT_FALSE(XyzReader(file.path()).next()->lattice) << flags;
  }
}

TEST(Xyz, TwoStatementsOfAnAtomMustAgree) {
  const std::string head = "1\nProperties=species:S:1:pos:R:3:";
  EXPECT_NE(refusalOf(head + "Z:I:1\nCs 0 0 0 56\n").find("Cs by its name"), std::string::npos);
  EXPECT_NE(refusalOf(head + "charge:R:1\nCs+ 0 0 0 2\n").find("Cs+ by its name"), std::string::npos);
  EXPECT_NE(refusalOf(head + "occupancy:R:1\nCs 0 0 0 0.5\n").find("an occupancy of 0.5"), std::string::npos);
  for (const std::string line :
       {"Z:I:1\nCs 0 0 0 55\n", "charge:R:1\nCs+ 0 0 0 1\n", "charge:R:1\nCs+ 0 0 0 0.9\n",
        "charge:R:1\nCs 0 0 0 1\n", "occupancy:R:1\nCs 0 0 0 1.0\n"}) {
    const ScratchFile file(".xyz", head + line);
    EXPECT_EQ(XyzReader(file.path()).next()->size(), 1u) << line;
  }
}

TEST(Xyz, ColumnsOfChargesHaveSeveralNames) {
  for (const std::string name : {"charge", "charges", "initial_charges", "initial_charge"}) {
    const ScratchFile file(".xyz", "2\nProperties=species:S:1:pos:R:3:" + name +
                                       ":R:1:bader_charge:R:1\nNa 0 0 0 1 9\n" + "Cl 2 2 2 -1 9\n");
    const auto s = XyzReader(file.path()).next();
    EXPECT_EQ(s->charges, (std::vector<double>{1, -1})) << name;
    EXPECT_EQ(columnLikeCharges(*s), "bader_charge:R:1");
    EXPECT_TRUE(s->warnings.empty());
  }
  const ScratchFile both(
      ".xyz", "1\nProperties=species:S:1:pos:R:3:initial_charges:R:1:charge:R:1\nNa 0 0 0 1 0.9\n");
  const auto s = XyzReader(both.path()).next();
  EXPECT_EQ(s->charges, std::vector<double>{0.9});
  ASSERT_EQ(s->warnings.size(), 1u);
  EXPECT_NE(s->warnings[0].find("initial_charges and charge"), std::string::npos) << s->warnings[0];
}

TEST(Xyz, LinesHaveTheColumnsThatPropertiesSays) {
  const std::string head = "1\nProperties=species:S:1:pos:R:3:fixed:L:1:id:I:1\n";
  EXPECT_EQ(refusalOf(head + "H 0 0 0 T 1\n"), "");
  EXPECT_NE(refusalOf(head + "H 0 0 0 T\n").find(":3: error: "), std::string::npos);
  EXPECT_NE(refusalOf(head + "H 0 0 0 T 1 2\n").find("more than the 6 words"), std::string::npos);
  const ScratchFile numbers(".xyz", "1\nProperties=Z:I:1:pos:R:3\n26 1D0 2.5d-1 3\n");
  const auto s = XyzReader(numbers.path()).next();
  EXPECT_EQ(s->kinds[0], "Fe");
  EXPECT_EQ(s->positions[0], Eigen::Vector3d(1, 0.25, 3));
  for (const std::string wrong :
       {"species:S:1:pos:R:3:pos:R:3", "species:R:1:pos:R:3", "species:S:1:pos:S:3",
        "species:S:1:pos:R:3:charge:S:1", "species:S:1:pos:R:3:x:F:1", "species:S:1:pos:R:3:x:r:1"})
    EXPECT_NE(refusalOf("1\nProperties=" + wrong + "\nH 0 0 0 0 0 0\n").find(":2: error: Properties="),
              std::string::npos)
        << wrong;
}

TEST(Xyz, IsotopesAreKinds) {
  const ScratchFile file(".xyz", "4\n\nD 0 0 0\nO 0 0 1\n2H 0 0 2\n6Li+ 1 0 0\n");
  const auto frame = XyzReader(file.path()).next();
  EXPECT_EQ(frame->kinds, (std::vector<std::string>{"D", "O", "6Li+"}));
  EXPECT_EQ(frame->counts(), (std::vector<std::size_t>{2, 1, 1}));
  EXPECT_TRUE(frame->warnings.empty());
}

// The comment of a crystal says what is false of what is cut from it.
TEST(Xyz, CellsOfIPiAreRead) {
  constexpr double kBohr = 0.529177210903;
  const ScratchFile file(
      ".xyz",
      "1\n# CELL(abcABC): 10.0 20.0 30.0 90.0 90.0 60.0  Step: 0  Bead: 0 positions{angstrom}  "
      "cell{atomic_unit}\nO 1 2 3\n"
      "1\n# CELL(H): 10 1 2 0 11 3 0 0 12 Step: 1 Bead: 0 positions{atomic_unit} cell{angstrom}\n"
      "O 1 2 3\n");
  XyzReader reader(file.path());
  const auto first = reader.next(), second = reader.next();
  ASSERT_TRUE(first && second && first->lattice && second->lattice);
  Eigen::Matrix3d cell, columns;
  cell << 10, 0, 0, 10, 10 * std::sqrt(3.0), 0, 0, 0, 30;
  EXPECT_NEAR((*first->lattice - kBohr * cell).norm(), 0, 1e-12);
  EXPECT_EQ(first->positions[0], Eigen::Vector3d(1, 2, 3));
  columns << 10, 0, 0, 1, 11, 0, 2, 3, 12;
  EXPECT_NEAR((*second->lattice - columns).norm(), 0, 1e-12);
  EXPECT_NEAR((second->positions[0] - kBohr * Eigen::Vector3d(1, 2, 3)).norm(), 0, 1e-12);
  for (const char* comment :
       {"# CELL(abcABC): 10 10 10 90 90 positions{angstrom}",
        "# CELL(abcABC): 10 10 10 90 90 90 velocities{angstrom}", "# CELL(abc): 10 10 10 positions{angstrom}",
        "# CELL(abcABC): 10 10 10 90 90 90 positions{nanometer}"}) {
    const ScratchFile wrong(".xyz", std::string("1\n") + comment + "\nO 1 2 3\n");
    EXPECT_THROW(XyzReader(wrong.path()).next(), StructureError) << comment;
  }
}

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
  s.title = "C:\\salt \"new\"";
  EXPECT_EQ(wordsOfComment(XyzReader(ScratchFile(".xyz", xyzText(s)).path()).next()->title), "C:\\salt new");
  s.charges = {0.25};
  const ScratchFile charged(".xyz", xyzText(s));
  EXPECT_EQ(XyzReader(charged.path()).next()->charges, s.charges);
}

}  // namespace
}  // namespace prophet
