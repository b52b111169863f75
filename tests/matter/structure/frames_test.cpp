#include "matter/structure/structure.hpp"

#include <gtest/gtest.h>

#include "matter/structure/lattices.hpp"
#include "matter/structure/structure_formats.hpp"
#include "scratch_file.hpp"

namespace prophet {
namespace {

using test::ScratchFile;

const char* kCif =
    "data_coo\n_cell_length_a 4.26\n_cell_length_b 4.26\n_cell_length_c 4.26\n_cell_angle_alpha 90\n"
    "_cell_angle_beta 90\n_cell_angle_gamma 90\n_symmetry_space_group_name_H-M 'F m -3 m'\nloop_\n"
    "_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
    "Co1 Co2+ 0 0 0\nO1 O 0.5 0.5 0.5\n";

TEST(Frames, ACifHoldsTheWholeCell) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  const ScratchFile file(".cif", kCif);
  const Structure s = readStructure(file.path());
  EXPECT_EQ(s.kinds, (std::vector<std::string>{"Co2+", "O"}));
  EXPECT_EQ(s.counts(), (std::vector<std::size_t>{4, 4}));
  ASSERT_TRUE(s.lattice);
  EXPECT_NEAR((*s.lattice - 4.26 * Eigen::Matrix3d::Identity()).norm(), 0, 1e-12);
}

TEST(Frames, FormatsHaveTheirNamesAndEndings) {
  EXPECT_EQ(structureFormatNames(), "XYZ, extended XYZ, PDB or CIF");
  const std::string atom = "1\n\nCo 0 0 0\n";
  for (const char* ending : {".xyz", ".XYZ", ".extxyz", ".txt", ""}) {
    const ScratchFile file(ending, atom);
    EXPECT_EQ(readStructure(file.path()).size(), 1u) << ending;
    EXPECT_THROW(openFrames(file.path(), "block"), StructureError) << ending;
  }
  for (const char* ending : {".pdb", ".ent", ".cif", ".mmcif"}) {
    const ScratchFile file(ending, atom);  // is none of theirs
    EXPECT_THROW(openFrames(file.path()), StructureError) << ending;
  }
}

TEST(Frames, PdbModelsAreFrames) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  const std::string atom = "ATOM      1  O   HOH A   1       1.000   2.000   3.500  1.00  0.00           O\n";
  const ScratchFile file(
      ".pdb", "CRYST1   30.000   40.000   50.000  90.00  90.00  90.00 P 1           1\nMODEL        1\n" +
                  atom + "ENDMDL\nMODEL        2\n" + atom + "ENDMDL\nEND\n");
  const auto frames = openFrames(file.path());
  const auto first = frames->next(), second = frames->next();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(frames->next());
  EXPECT_EQ(first->positions[0], Eigen::Vector3d(1, 2, 3.5));
  ASSERT_TRUE(second->lattice);
  EXPECT_NEAR(cellWidths(*second->lattice)(2), 50, 1e-9);
}

TEST(Frames, BrokenFilesAreRefused) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  std::string half = kCif, open = kCif;
  half.replace(half.find("fract_z\n"), 8, "fract_z\n_atom_site_occupancy\n");
  half.replace(half.find("0 0 0\n"), 6, "0 0 0 0.5\n");
  half.replace(half.find("0.5 0.5 0.5\n"), 12, "0.5 0.5 0.5 1\n");
  open.replace(open.find("Co2+ 0 0 0"), 10, "Co2+ 0 0 'x");
  const std::pair<const char*, std::string> broken[] = {
      {".cif", half},
      {".cif", open},
      {".cif", "data_x\n_cell_length_a 4\n"},
      {".cif", ""},
      {".pdb", "ATOM      1  O   HOH A   1       1.000   2.0x0   3.500  1.00  0.00           O\n"},
      {".pdb", "ATOM      1  O   HOH A   1       1.000\n"},
      {".pdb", "END\n"},
      {".xyz", ""}};
  for (const auto& [ending, text] : broken) {
    const ScratchFile file(ending, text);
    try {
      readStructure(file.path());
      FAIL() << text;
    } catch (const StructureError& e) {
      EXPECT_NE(std::string(e.what()).find("error: "), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(file.path()), std::string::npos) << e.what();
    }
  }
}

std::string trimmedCharge(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

constexpr const char* kName = "_symmetry_space_group_name_H-M 'F m -3 m'\n";

TEST(Frames, ACifMayTellItsSymmetryInManyWays) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  for (const std::string symmetry :
       {"_space_group_name_H-M_alt 'F m -3 m'\n", "_space_group_name_H-M_alt Fm-3m\n",
        "_space_group_IT_number 225\n", "_symmetry_Int_Tables_number 225\n",
        "_space_group_name_Hall '-F 4 2 3'\n", "_symmetry_space_group_name_Hall '-F 4 2 3'\n",
        "_space_group_name_H-M_alt ?\n_space_group_IT_number 225\n"}) {
    const ScratchFile file(".cif", replaced(kCif, kName, symmetry));
    const Structure s = readStructure(file.path());
    EXPECT_EQ(s.counts(), (std::vector<std::size_t>{4, 4})) << symmetry;
    EXPECT_TRUE(s.warnings.empty()) << symmetry;
  }
  for (const std::string none : {"", "_space_group_name_H-M_alt ''\n", "_space_group_IT_number ?\n"}) {
    const ScratchFile file(".cif", replaced(kCif, kName, none));
    const Structure s = readStructure(file.path());
    EXPECT_EQ(s.size(), 2u);
    ASSERT_EQ(s.warnings.size(), 1u) << none;
    EXPECT_NE(s.warnings[0].find("P 1"), std::string::npos);
  }
  for (const std::string wrong : {"_space_group_name_H-M_alt 'F x -3 m'\n", "_space_group_IT_number 231\n",
                                  "_space_group_IT_number 0\n", "_space_group_name_Hall 'F q'\n",
                                  "_space_group_name_H-M_alt 'F m -3 m'\n_space_group_IT_number 216\n",
                                  "_space_group_IT_number 194\n"}) {
    const ScratchFile file(".cif", replaced(kCif, kName, wrong));
    EXPECT_THROW(readStructure(file.path()), StructureError) << wrong;
  }
}

// Silicon at 1/8 is that of the second origin: 8 atoms.
TEST(Frames, AnOpenChoiceOfTheOriginIsTold) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  std::string silicon = replaced(kCif, "Co1 Co2+ 0 0 0\nO1 O 0.5 0.5 0.5\n", "Si Si 0.125 0.125 0.125\n");
  for (const std::string symmetry :
       {"_space_group_name_H-M_alt 'F d -3 m'\n", "_space_group_IT_number 227\n"}) {
    const ScratchFile file(".cif", replaced(silicon, kName, symmetry));
    const Structure s = readStructure(file.path());
    EXPECT_EQ(s.size(), 16u);
    ASSERT_EQ(s.warnings.size(), 1u);
    EXPECT_NE(s.warnings[0].find("'F d -3 m:2', there are 8"), std::string::npos) << s.warnings[0];
  }
  for (const std::string symmetry :
       {"_space_group_name_H-M_alt 'F d -3 m:2'\n", "_space_group_name_Hall '-F 4vw 2vw 3'\n"}) {
    const ScratchFile file(".cif", replaced(silicon, kName, symmetry));
    const Structure s = readStructure(file.path());
    EXPECT_EQ(s.size(), 8u);
    EXPECT_TRUE(s.warnings.empty());
  }
}

TEST(Frames, WhatIsNoCellIsRefused) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  for (const std::string value : {".", "?", "abc", "0", "-4.26", "inf", "nan", "1e300", "1e-300"}) {
    const ScratchFile file(".cif", replaced(kCif, "_cell_length_b 4.26", "_cell_length_b " + value));
    try {
      readStructure(file.path());
      FAIL() << value;
    } catch (const StructureError& e) {
      EXPECT_NE(std::string(e.what()).find(file.path() + ":3: error: _cell_length_b is '" + value + "'"),
                std::string::npos)
          << e.what();
    }
  }
  for (const std::string value : {".", "?", "abc", "0", "180", "-90", "1e300"}) {
    const ScratchFile file(".cif", replaced(kCif, "_cell_angle_gamma 90", "_cell_angle_gamma " + value));
    EXPECT_THROW(readStructure(file.path()), StructureError) << value;
  }
  // Three angles that no corner has.
  std::string corner = replaced(replaced(kCif, kName, "_space_group_IT_number 1\n"), "_cell_angle_gamma 90",
                                "_cell_angle_gamma 20");
  corner = replaced(corner, "_cell_angle_alpha 90", "_cell_angle_alpha 150");
  const ScratchFile impossible(".cif", corner);
  EXPECT_THROW(readStructure(impossible.path()), StructureError);
  for (const std::string value : {"1e300", ".", "?", "x"}) {
    const ScratchFile file(".cif", replaced(kCif, "0.5 0.5 0.5", "0.5 " + value + " 0.5"));
    EXPECT_THROW(readStructure(file.path()), StructureError) << value;
  }
}

TEST(Frames, ASiteThatIsGivenTwiceIsRefused) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  for (const std::string twice :
       {"Co9 Co2+ 0 0 0\n", "Co9 Co2+ 0.0001 -0.0001 1\n", "Co9 Fe 0.5 0.5 1.0\n"}) {
    const ScratchFile file(".cif", kCif + twice);
    try {
      readStructure(file.path());
      FAIL() << twice;
    } catch (const StructureError& e) {
      EXPECT_NE(std::string(e.what()).find("Co9"), std::string::npos) << e.what();
    }
  }
}

TEST(Frames, APdbMayHaveNoBox) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  const std::string atom = "ATOM      1  O   HOH A   1       1.000   2.000   3.500  1.00  0.00           O\n";
  for (const char* box : {"CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1           1\n",
                          "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n"}) {
    const ScratchFile file(".pdb", box + atom);
    EXPECT_FALSE(readStructure(file.path()).lattice) << box;
  }
  for (const std::string& text :
       {"CRYST1   20.000   20.000   20.000  90.00  90.00 180.00 P 1           1\n" + atom,
        replaced(atom, "   1.000", "   1e300")}) {
    const ScratchFile file(".pdb", text);
    EXPECT_THROW(readStructure(file.path()), StructureError) << text;
  }
}

TEST(Frames, APdbSaysWhatItsBoxIs) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  const std::string atom = "ATOM      1 NA    NA A   1       1.000   2.000   3.500  1.00  0.00          NA";
  const auto box = [](const std::string& lengths, const std::string& angles) {
    return "CRYST1" + lengths + angles + " P 1           1\n";
  };
  const std::string twenty = "   20.100   20.100   20.100", right = "  90.00  90.00  90.00";
  const std::string none[] = {box("    1.000    1.000    1.000", right),
                              box("    0.000    0.000    0.000", right),
                              box("    0.000    0.000    0.000", "   0.00   0.00   0.00"),
                              box("    1.000    1.000    1.000", "   0.00   0.00   0.00")};
  for (const std::string& text : none) {
    const ScratchFile file(".pdb", text + atom + "\n");
    EXPECT_FALSE(readStructure(file.path()).lattice) << text;
  }
  for (const std::string& text :
       {box(twenty, "   0.00   0.00   0.00"), box(twenty, "   0.00  90.00  90.00"),
        box(twenty, "  90.00   0.00  90.00"), box(twenty, "  90.00  90.00   0.00"),
        box(twenty, "  90.00  90.00 180.00"), box("    0.000   20.100   20.100", right),
        box("   20.1x0   20.100   20.100", right), box(twenty, "  90.00  90.00"),
        std::string("CRYST1 20.1 20.1 20.1 90 90 90\n"), box(twenty, " 150.00  20.00  90.00")}) {
    const ScratchFile file(".pdb", "REMARK box\n" + text + atom + "\n");
    try {
      readStructure(file.path());
      FAIL() << text;
    } catch (const StructureError& e) {
      EXPECT_NE(std::string(e.what()).find(file.path() + ":2: error: CRYST1: "), std::string::npos)
          << e.what();
    }
  }
  // The box of each model is the one that was written last.
  const std::string model = atom + "\nENDMDL\n";
  const ScratchFile two(".pdb", box(twenty, right) + "MODEL        1\n" + model +
                                    box("   30.000   30.000   30.000", right) + "MODEL        2\n" + model);
  const auto frames = openFrames(two.path());
  EXPECT_NEAR(cellVolume(*frames->next()->lattice), 20.1 * 20.1 * 20.1, 1e-6);
  EXPECT_NEAR(cellVolume(*frames->next()->lattice), 27000, 1e-6);
  const ScratchFile behind(".pdb", atom + "\nEND\n" + atom + "\nEND\n");
  EXPECT_THROW(openFrames(behind.path()), StructureError);
}

TEST(Frames, WhatAPdbLeavesOutIsSaid) {
  if (!hasGemmi()) GTEST_SKIP();
  const auto line = [](const char* place, const char* occupancy) {
    return "ATOM      1  CA " + std::string(place) + "GLY A   1       0.000   0.000   0.000  " + occupancy +
           "  0.00           C  \n";
  };
  const std::string box = "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 ";
  for (const auto& [text, warning] :
       {std::pair{line("A", "0.50") + line("B", "0.50"), "alternative places"},
        std::pair{"MTRIX1   1 -1.000000  0.000000  0.000000        0.00000\n"
                  "MTRIX2   1  0.000000 -1.000000  0.000000        0.00000\n"
                  "MTRIX3   1  0.000000  0.000000  1.000000        0.00000\n" +
                      line(" ", "1.00"),
                  "1 operation MTRIX whose copies"},
        std::pair{box + "P 21 21 21    4\n" + line(" ", "1.00"), "'P 21 21 21'"}}) {
    const ScratchFile file(".pdb", text);
    const Structure s = readPdb(file.path()).at(0);
    EXPECT_EQ(s.size(), 1u);
    ASSERT_EQ(s.warnings.size(), 1u) << text;
    EXPECT_NE(s.warnings[0].find(warning), std::string::npos) << s.warnings[0];
  }
  const ScratchFile whole(".pdb", box + "P 1           1\n" + line(" ", "1.00"));
  EXPECT_TRUE(readPdb(whole.path()).at(0).warnings.empty());
}

TEST(Frames, AtomsOfAPdbAreWholeOrRefused) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  // One residue; columns 13-16 the name, 17 the label of the place, 18-20 the residue.
  const auto line = [](const std::string& name, const std::string& x, const std::string& occupancy,
                       const std::string& residue = "SER") {
    return "ATOM      1  " + name + residue + " A   1       " + x + "   0.000   0.000" + occupancy +
           "  0.00           C  \n";
  };
  const auto read = [](const std::string& text) {
    const ScratchFile file(".pdb", text);
    return readPdb(file.path()).at(0);
  };
  for (const std::string whole : {"  1.00", "      ", "1.0000"})
    EXPECT_TRUE(read(line("CA  ", "1.000", whole)).warnings.empty()) << whole;
  // The first place, whatever its label; rounded thirds are whole.
  const Structure places = read(line("CA  ", "0.000", "  1.00") + line("CB B", "1.000", "  0.30") +
                                line("CB C", "2.000", "  0.70") + line("OG A", "3.000", "  0.33") +
                                line("OG B", "4.000", "  0.33") + line("OG C", "5.000", "  0.33"));
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places.positions[1], Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(places.positions[2], Eigen::Vector3d(3, 0, 0));
  ASSERT_EQ(places.warnings.size(), 1u);
  EXPECT_NE(places.warnings[0].find("3 lines are left out"), std::string::npos) << places.warnings[0];
  for (const auto& [text, why] :
       {std::pair{line("CA  ", "0.000", "  0.50"), "atom 1 (CA) has an occupancy of 0.5"},
        std::pair{line("CA  ", "0.000", "  0.00"), "has an occupancy of 0;"},
        std::pair{line("CA A", "0.000", "  0.60"), "atom 1 (CA) add up to 0.6"},
        std::pair{line("OG A", "0.000", "  0.50") + line("SG B", "1.000", "  0.50", "CYS"), "add up to 0.5"},
        std::pair{line("CA A", "0.000", "  1.00") + line("CA B", "1.000", "  1.00"), "add up to 2"},
        std::pair{line("CA  ", "0.000", "  x.5 "), ":1: error: 'x.5' is not an occupancy"},
        std::pair{line("CA  ", "0.000", " -1.00"), ":1: error: '-1.00' is not an occupancy"}}) {
    try {
      read(text);
      FAIL() << text;
    } catch (const StructureError& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  }
}

TEST(Frames, ChargesOfAPdbAreReadOrRefused) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  const std::string atom = "HETATM    1 NA    NA A   1       1.000   2.000   3.500  1.00  0.00          NA";
  for (const auto& [charge, kind] :
       {std::pair{"1+", "Na+"}, {"+1", "Na+"}, {"  ", "Na"}, {"", "Na"}, {"0", "Na"}}) {
    const ScratchFile file(".pdb", atom + charge + "\n");
    EXPECT_EQ(readStructure(file.path()).kinds[0], kind) << charge;
  }
  for (const char* charge : {"++", "+", " +", "1", "10", "xx", "1x"}) {
    const ScratchFile file(".pdb", atom + charge + "\n");
    try {
      readStructure(file.path());
      FAIL() << charge;
    } catch (const StructureError& e) {
      EXPECT_NE(std::string(e.what()).find(":1: error: '" + trimmedCharge(charge) + "' is not a charge"),
                std::string::npos)
          << e.what();
    }
  }
}

TEST(Frames, AByteOrderMarkIsSkipped) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  const ScratchFile file(".cif", std::string("\xEF\xBB\xBF") + kCif);
  EXPECT_EQ(readStructure(file.path()).size(), 8u);
}

}  // namespace
}  // namespace prophet
