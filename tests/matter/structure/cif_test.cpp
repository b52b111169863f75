#include <gtest/gtest.h>

#include "core/common/text.hpp"
#include "matter/structure/structure.hpp"
#include "scratch_file.hpp"

namespace prophet {
namespace {

using test::ScratchFile;

class Cif : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  }
};

std::string cell(double a, double c, double gamma) {
  return "_cell_length_a " + std::to_string(a) + "\n_cell_length_b " + std::to_string(a) +
         "\n_cell_length_c " + std::to_string(c) + "\n_cell_angle_alpha 90\n_cell_angle_beta 90\n" +
         "_cell_angle_gamma " + std::to_string(gamma) + "\n";
}

/// A block with a loop of these columns of _atom_site_ (words) and rows.
std::string block(const std::string& symmetry, const std::string& columns, const std::string& rows,
                  const std::string& theCell = cell(4.12, 4.12, 90)) {
  std::string text = "data_x\n" + theCell + symmetry + "loop_\n";
  for (const auto& word : splitWords(columns)) text += "_atom_site_" + word + "\n";
  return text + rows;
}

const char* const kTyped = "label type_symbol fract_x fract_y fract_z";
const char* const kLabelled = "label fract_x fract_y fract_z";
const char* const kCubic = "_space_group_name_H-M_alt 'P m -3 m'\n";

Structure read(const std::string& text, const std::string& name = "") {
  const ScratchFile file(".cif", text);
  return readStructure(file.path(), name);
}

/// What is said of a file that is refused; empty where it is not.
std::string refusal(const std::string& text, const std::string& name = "") {
  const ScratchFile file(".cif", text);
  try {
    readStructure(file.path(), name);
    return "";
  } catch (const StructureError& e) {
    std::string what = e.what();
    if (what.find(file.path()) != 0) return "NO PLACE: " + what;
    return "FILE" + what.substr(file.path().size());
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string chloride(const std::string& caesium, const std::string& chlorine,
                     const std::string& before = "") {
  return block(kCubic + before, kTyped, "A " + caesium + " 0 0 0\nB " + chlorine + " 0.5 0.5 0.5\n");
}

TEST_F(Cif, TypeSymbolsStateCharges) {
  for (const auto& [plus, minus] : std::vector<std::pair<std::string, std::string>>{
           {"Cs+", "Cl-"}, {"Cs1+", "Cl1-"}, {"Cs+1", "Cl-1"}, {"Cs(1+)", "Cl(1-)"}, {"CS1+", "CL1-"}})
    EXPECT_EQ(read(chloride(plus, minus)).kinds, (std::vector<std::string>{"Cs+", "Cl-"})) << plus;
  EXPECT_EQ(read(chloride("Fe2.5+", "O-2")).kinds, (std::vector<std::string>{"Fe2.5+", "O2-"}));
  EXPECT_EQ(read(chloride("H1+", "D")).kinds, (std::vector<std::string>{"H+", "D"}));
  for (const std::string wrong : {"Cs*", "Cs1", "Cs+-", "Wat", "Cval", "Cs56+", "T"}) {
    const std::string what = refusal(chloride(wrong, "Cl-"));
    EXPECT_TRUE(contains(what, "FILE:15: error: site A") && contains(what, wrong)) << what;
  }
}

TEST_F(Cif, OxidationNumbersOfTheTypesAreCharges) {
  const std::string loop = "loop_\n_atom_type_symbol\n_atom_type_oxidation_number\n";
  const std::vector<std::string> ions{"Cs+", "Cl-"};
  EXPECT_EQ(read(chloride("Cs", "Cl", loop + "Cs 1\nCl -1\n")).kinds, ions);
  EXPECT_EQ(read(chloride("Cs", "Cl", loop + "Cs +1\nCl -1.00(1)\n")).kinds, ions);
  EXPECT_EQ(read(chloride("Cs+1", "Cl-1", loop + "Cs+1 1\nCl-1 -1\n")).kinds, ions);
  EXPECT_EQ(read(chloride("Cs", "Cl", loop + "Cs1+ 1\nCl1- -1\n")).kinds,
            ions);  // symbols that only begin alike
  EXPECT_EQ(read(chloride("Cs", "Cl", loop + "Cs ?\nCl .\n")).kinds, (std::vector<std::string>{"Cs", "Cl"}));
  EXPECT_EQ(read(chloride("Fe", "O", loop + "Fe 2.6667\nO -2\n")).kinds,
            (std::vector<std::string>{"Fe2.6667+", "O2-"}));
  EXPECT_EQ(read(block(kCubic + loop + "Cs 1\nCl -1\n", kLabelled, "Cs1 0 0 0\nCl1 0.5 0.5 0.5\n")).kinds,
            ions);
  for (const char* rows : {"Cs+1 2\nCl-1 -1\n", "Cs 2\nCl -1\n"}) {
    const std::string what = refusal(chloride("Cs+1", "Cl-1", loop + rows));
    EXPECT_TRUE(contains(what, "Cs") && contains(what, "oxidation number 2; correct one")) << what;
  }
  EXPECT_TRUE(contains(refusal(chloride("Fe", "O2-", loop + "Fe2+ 2\nFe3+ 3\n")), "Fe2+ and Fe3+; which"));
  EXPECT_TRUE(contains(refusal(chloride("Cs", "Cl", loop + "Cs one\nCl -1\n")), "FILE:12: error: 'one'"));
}

TEST_F(Cif, OxidationNumbersOfNoSiteAreRefused) {
  const std::string loop = "loop_\n_atom_type_symbol\n_atom_type_oxidation_number\n";
  // The labels of the sites in place of their types, and another element.
  EXPECT_TRUE(contains(refusal(chloride("Cs", "Cl", loop + "A 1\nB -1\n")),
                       "FILE:12: error: the oxidation number 1 of A"));
  EXPECT_TRUE(contains(refusal(chloride("Cs", "Cl", loop + "Rb 1\nCl -1\n")), "of Rb is that of no site"));
  EXPECT_EQ(read(chloride("Cs", "Cl", loop + "Cs 1\nCl -1\nRb 1\n")).warnings.size(), 0u);
  for (const std::string rows : {"Cs 1\n", "Cs 1\nCl ?\n"}) {
    const Structure s = read(chloride("Cs", "Cl", loop + rows));
    EXPECT_EQ(s.kinds, (std::vector<std::string>{"Cs+", "Cl"}));
    ASSERT_EQ(s.warnings.size(), 1u);
    EXPECT_TRUE(contains(s.warnings[0], "no oxidation number of Cl: taken as neutral")) << s.warnings[0];
  }
}

TEST_F(Cif, MultiplicitiesAreThoseOfThePlaces) {
  const auto with = [](const std::string& tag, const std::string& a, const std::string& b) {
    return block("_space_group_name_H-M_alt 'F m -3 m'\n", std::string(kTyped) + " " + tag,
                 "A Cs 0 0 0 " + a + "\nB Cl 0.5 0.5 0.5 " + b + "\n");
  };
  // The places in the cell, those in a primitive cell, the order of the site's symmetry, unknown.
  for (const char* tag : {"symmetry_multiplicity", "site_symmetry_multiplicity"}) {
    for (const auto& [a, b] :
         std::vector<std::array<std::string, 2>>{{"4", "4"}, {"1", "1"}, {"48", "48"}, {"?", "."}})
      EXPECT_EQ(read(with(tag, a, b)).size(), 8u) << a;
    const std::string what = refusal(with(tag, "4", "8"));
    EXPECT_TRUE(contains(what, "site B has _atom_site_") && contains(what, " of 8, and 4 places")) << what;
  }
}

TEST_F(Cif, SymmetryThatIsNotReadIsNotNone) {
  for (const std::string tag :
       {"_space_group_name_H-M", "_space_group_magn.name_BNS", "_parent_space_group.name_H-M_alt",
        "_space_group_ssg_name", "_symmetry_space_group_H-M_name"}) {
    const std::string what = refusal(block(tag + " 'F m -3 m'\n", kTyped, "A C 0.1 0.2 0.3\n"));
    EXPECT_TRUE(contains(what, "'F m -3 m' is not read; write the symmetry")) << tag << ": " << what;
  }
  const Structure s =
      read(block(std::string(kCubic) + "_cell_modulation_dimension 1\n", kTyped, "A C 0 0 0\n"));
  ASSERT_EQ(s.warnings.size(), 1u);
  EXPECT_TRUE(contains(s.warnings[0], "modulated"));
  const Structure occupied = read(block(kCubic, std::string(kTyped) + " occ", "A C 0 0 0 0.5\n"));
  ASSERT_EQ(occupied.warnings.size(), 1u);
  EXPECT_TRUE(contains(occupied.warnings[0], "_atom_site_occ is not read"));
}

TEST_F(Cif, AColumnOfChargesIsKept) {
  const std::string columns = std::string(kTyped) + " charge";
  EXPECT_EQ(read(block(kCubic, columns, "A Cs 0 0 0 0.9\nB Cl 0.5 0.5 0.5 -0.9(1)\n")).charges,
            (std::vector<double>{0.9, -0.9}));
  EXPECT_TRUE(
      contains(refusal(block(kCubic, columns, "A Cs 0 0 0 ?\nB Cl 0.5 0.5 0.5 -0.9\n")), "charge ''"));
  const Structure s = read(block(kCubic, std::string(kTyped) + " formal_charge", "A Cs 0 0 0 1\n"));
  ASSERT_EQ(s.warnings.size(), 1u);
  EXPECT_TRUE(contains(s.warnings[0], "_atom_site_formal_charge is not read"));
}

TEST_F(Cif, LabelsThatCanBeReadInTwoWaysAreTold) {
  for (const auto& [label, kind, other] : std::vector<std::array<std::string, 3>>{{"HO1", "Ho", "H"},
                                                                                  {"HO3'", "Ho", "H"},
                                                                                  {"CO1", "Co", "C"},
                                                                                  {"NB1", "Nb", "N"},
                                                                                  {"OS1", "Os", "O"},
                                                                                  {"SC1", "Sc", "S"},
                                                                                  {"CA", "Ca", "C"},
                                                                                  {"NA", "Na", "N"},
                                                                                  {"CU1", "Cu", "C"},
                                                                                  {"co2", "Co", "C"}}) {
    const Structure s = read(block(kCubic, kLabelled, label + " 0 0 0\n"));
    EXPECT_EQ(s.kinds[0], kind);
    ASSERT_EQ(s.warnings.size(), 1u) << label;
    EXPECT_TRUE(contains(s.warnings[0], label + " is " + kind + ", not " + other)) << s.warnings[0];
  }
  for (const auto& [label, kind] : std::vector<std::array<std::string, 2>>{{"Co1", "Co"},
                                                                           {"C1", "C"},
                                                                           {"MG2", "Mg"},
                                                                           {"Ca", "Ca"},
                                                                           {"O1A", "O"},
                                                                           {"D1", "D"},
                                                                           {"Na1+", "Na+"},
                                                                           {"Cl-", "Cl-"},
                                                                           {"C-1", "C"}}) {
    const Structure s = read(block(kCubic, kLabelled, label + " 0 0 0\n"));
    EXPECT_EQ(s.kinds[0], kind);
    EXPECT_TRUE(s.warnings.empty()) << label;
  }
  for (const std::string label : {"Wat1", "OW1", "M1", "T1", "X", "1", "Fe3+_1", "H1A-"})
    EXPECT_TRUE(contains(refusal(block(kCubic, kLabelled, label + " 0 0 0\n")), "FILE:14: error: the label"))
        << label;
}

TEST_F(Cif, OperationsAreAGroup) {
  const auto with = [](const std::string& list) {
    return block("loop_\n_symmetry_equiv_pos_as_xyz\n" + list, kTyped, "A C 0.1 0.2 0.3\n");
  };
  EXPECT_EQ(read(with("x,y,z\n-x,-y,z\n'-x, -y, z'\nx+1,y,z\n")).size(), 2u);  // twice is once
  EXPECT_EQ(read(with("x,y,z\n-y,x,z\n-x,-y,z\ny,-x,z\n")).size(), 4u);
  // A list of generators; a screw axis without its translations; P 61 with lost translations.
  for (const std::string list :
       {"x,y,z\n-y,x,z\n", "x,y,z\n-x,-y,z+1/4\n", "-x,-y,z\n", "x,y,z\n-x,-y,z+1/2\nx-y,x,z\n",
        "x,y,z\n2*x,y,z\n", "99999*x,99999*y,99999*z\n"}) {
    const std::string what = refusal(with(list));
    EXPECT_TRUE(contains(what, "FILE:8: error: ") && contains(what, "are no group")) << what;
  }
  EXPECT_TRUE(contains(refusal(with("x,y\n")), "'x,y' is not a symmetry operation"));
}

constexpr const char* kInversion = "loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n-x,-y,-z\n";

TEST_F(Cif, StatementsOfSymmetryAgree) {
  const auto sites = [](const std::string& symmetry) { return block(symmetry, kTyped, "A C 0.1 0.2 0.3\n"); };
  for (const std::string name :
       {"_symmetry_space_group_name_H-M 'P -1'\n", "_symmetry_Int_Tables_number 2\n",
        "_symmetry_space_group_name_Hall '-P 1'\n", "_space_group_IT_coordinate_system_code 1\n"}) {
    const Structure s = read(sites(kInversion + name));
    EXPECT_EQ(s.size(), 2u) << name;
    EXPECT_TRUE(s.warnings.empty()) << name;
  }
  // NaCl's two sites with the identity alone would be CsCl.
  for (const auto& [tag, value] :
       std::vector<std::array<std::string, 2>>{{"_symmetry_space_group_name_H-M", "F m -3 m"},
                                               {"_space_group_name_H-M_alt", "Fm-3m"},
                                               {"_symmetry_Int_Tables_number", "225"},
                                               {"_symmetry_space_group_name_Hall", "-F 4 2 3"}}) {
    const std::string what =
        refusal(sites("loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n" + tag + " '" + value + "'\n"));
    EXPECT_TRUE(contains(what,
                         "FILE:11: error: the operations of 'P 1' (number 1) in "
                         "_symmetry_equiv_pos_as_xyz contradict " +
                             tag + " '" + value + "'"))
        << what;
  }
  for (const std::string other :
       {"_symmetry_space_group_name_H-M 'P 1'\n", "_symmetry_space_group_name_H-M 'P 1 21/c 1'\n",
        "_symmetry_Int_Tables_number 1\n", "loop_\n_space_group_symop_operation_xyz\nx,y,z\n-x,-y,z\n",
        "_symmetry_space_group_name_H-M 'P -1'\n_space_group_IT_number 1\n",
        "_symmetry_space_group_name_Hall 'P 1'\n_space_group_IT_number 2\n",
        "_symmetry_space_group_name_H-M 'P -1'\n_space_group_name_H-M_alt 'P 1'\n",
        "_symmetry_Int_Tables_number 2\n_space_group_IT_number 1\n"})
    EXPECT_FALSE(refusal(sites(kInversion + other)).empty()) << other;
  EXPECT_EQ(
      read(sites("loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n_symmetry_space_group_name_H-M 'P 1'\n")).size(),
      1u);
  // Another origin than those of the table is no contradiction; another name than those of the table is told.
  EXPECT_EQ(
      read(sites("loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n1/6-x,-y,-z\n_symmetry_space_group_name_H-M "
                 "'P -1'\n"))
          .size(),
      2u);
  const Structure unknown = read(sites(std::string(kInversion) + "_symmetry_space_group_name_H-M 'Q -1'\n"));
  ASSERT_EQ(unknown.warnings.size(), 1u);
  EXPECT_TRUE(contains(unknown.warnings[0], "'Q -1'"));
  const std::string both =
      "_space_group_name_H-M_alt 'F d -3 m'\n_symmetry_space_group_name_H-M 'F d -3 m:2'\n";
  EXPECT_EQ(read(block(both, kTyped, "A Si 0.125 0.125 0.125\n")).size(), 8u);
  EXPECT_EQ(
      read(block("_symmetry_space_group_name_H-M 'P2(1)2(1)2(1)'\n", kTyped, "A C 0.1 0.2 0.3\n")).size(),
      4u);
  // The operations against the cell.
  EXPECT_TRUE(contains(refusal(block("loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n-y,x,z\n-x,-y,z\ny,-x,z\n",
                                     kTyped, "A C 0.1 0.2 0.3\n", cell(4, 5, 100))),
                       "does not have the symmetry of the operations of 'P 4'"));
}

TEST_F(Cif, SettingsAreRead) {
  const auto silicon = [](const std::string& symmetry) {
    return block(symmetry, kTyped, "Si1 Si 0.125 0.125 0.125\n", cell(5.43, 5.43, 90));
  };
  const std::string name = "_symmetry_space_group_name_H-M 'F d -3 m",
                    number = "_space_group_IT_number 227\n", code = "_space_group_IT_coordinate_system_code ";
  for (const std::string& second :
       {name + "'\n" + number + code + "2\n", name + "'\n" + code + "2\n", number + code + "2\n",
        name + " Z'\n", name + "Z'\n", name + ":2'\n", name + " : 2'\n",
        name + " Z'\n" + number + code + "2\n",
        std::string("_symmetry_space_group_name_H-M 'F d 3 m'\n") + code + "2\n"}) {
    const Structure s = read(silicon(second));
    EXPECT_EQ(s.size(), 8u) << second;
    EXPECT_TRUE(s.warnings.empty()) << second;
  }
  for (const std::string& first : {name + " S'\n", name + ":1'\n", name + "'\n" + code + "1\n"}) {
    const Structure s = read(silicon(first));
    EXPECT_EQ(s.size(), 16u) << first;
    EXPECT_TRUE(s.warnings.empty()) << first;
  }
  for (const std::string& wrong : {name + ":1'\n" + code + "2\n", name + " S'\n" + code + "2\n",
                                   name + ":3'\n", name + "'\n" + code + "3\n", name + " R'\n",
                                   name + ":1'\n_symmetry_space_group_name_Hall '-F 4vw 2vw 3'\n"})
    EXPECT_FALSE(refusal(silicon(wrong)).empty()) << wrong;
  EXPECT_TRUE(contains(refusal(silicon(name + ":1'\n" + code + "2\n")),
                       "_space_group_IT_coordinate_system_code '2' is no setting of the space group "
                       "_symmetry_space_group_name_H-M 'F d -3 m:1'"));
}

TEST_F(Cif, RhombohedraAreReadInBothCells) {
  // Corundum, Al at 0 0 0.352: 12 in the hexagonal cell, 4 in the rhombohedral one (x = y = z).
  const std::string hexagonal = cell(4.76, 12.99, 120),
                    rhombohedral =
                        "_cell_length_a 5.128\n_cell_length_b 5.128\n_cell_length_c 5.128\n"
                        "_cell_angle_alpha 55.28\n_cell_angle_beta 55.28\n_cell_angle_gamma 55.28\n";
  const auto aluminium = [](const std::string& symmetry, const std::string& theCell,
                            const std::string& place) {
    return block(symmetry, kTyped, "Al1 Al3+ " + place + "\n", theCell);
  };
  const std::string hexagonalPlace = "0 0 0.352", rhombohedralPlace = "0.352 0.352 0.352",
                    name = "_symmetry_space_group_name_H-M 'R -3 c";
  for (const std::string& symmetry :
       {name + " H'\n", name + ":H'\n", name + "'\n", name + "'\n_space_group_IT_coordinate_system_code h\n",
        std::string("_symmetry_space_group_name_H-M 'H -3 c'\n"),
        std::string("_space_group_IT_number 167\n")}) {
    EXPECT_EQ(read(aluminium(symmetry, hexagonal, hexagonalPlace)).size(), 12u) << symmetry;
  }
  for (const std::string& symmetry :
       {name + " R'\n", name + "R'\n", name + ":R'\n", name + "'\n",
        name + "'\n_space_group_IT_coordinate_system_code R\n", std::string("_space_group_IT_number 167\n")})
    EXPECT_EQ(read(aluminium(symmetry, rhombohedral, rhombohedralPlace)).size(), 4u) << symmetry;
  EXPECT_TRUE(
      contains(refusal(aluminium(name + " R'\n", hexagonal, hexagonalPlace)), "does not have the symmetry"));
  EXPECT_TRUE(contains(
      refusal(aluminium(name + ":H'\n_space_group_IT_coordinate_system_code r\n", hexagonal, hexagonalPlace)),
      "is no setting of"));
}

TEST_F(Cif, TheBlockWithSitesIsTaken) {
  const std::string one = block(kCubic, kTyped, "A Cs+ 0 0 0\nB Cl- 0.5 0.5 0.5\n"),
                    global = "data_global\n_journal_name_full 'Acta'\n";
  EXPECT_EQ(read(global + one + "data_end\n_journal_year 1999\n").size(), 2u);
  std::string other = block(kCubic, kTyped, "A Fe 0 0 0\n");
  other.replace(0, 6, "data_Iron");
  const std::string both = global + one + other, what = refusal(both);
  EXPECT_TRUE(contains(what, "several structures") && contains(what, "--block") && contains(what, "x, Iron"))
      << what;
  EXPECT_EQ(read(both, "iron").kinds[0], "Fe");
  EXPECT_EQ(read(both, "data_Iron").kinds[0], "Fe");
  EXPECT_EQ(read(both, "x").size(), 2u);
  EXPECT_TRUE(contains(refusal(both, "global"), "no block global with sites; choose one of x, Iron"));
  EXPECT_TRUE(contains(refusal(global), "has no sites"));
  EXPECT_TRUE(contains(refusal("data_1ABC\nloop_\n_atom_site.id\n_atom_site.Cartn_x\n1 2.0\n"),
                       "the atoms have no _atom_site_Cartn_y"));
  const ScratchFile xyz(".xyz", "1\n\nFe 0 0 0\n");
  EXPECT_THROW(readStructure(xyz.path(), "x"), StructureError);
}

TEST_F(Cif, SitesHaveThreeCoordinatesAndWholeAtoms) {
  EXPECT_TRUE(contains(refusal(block(kCubic, "label type_symbol Cartn_x Cartn_y Cartn_z", "A C 0 0 0\n")),
                       "FILE:9: error: the sites have no _atom_site_fract_x; Cartesian"));
  EXPECT_TRUE(contains(refusal(block(kCubic, "label type_symbol fract_x fract_y", "A C 0.1 0.2\n")),
                       "FILE:9: error: the sites have no _atom_site_fract_z"));
  EXPECT_TRUE(contains(refusal(block(kCubic, kTyped, "A C 0.1 0.2 ?\n")),
                       "FILE:15: error: site A has the coordinate"));
  const std::string columns = std::string(kTyped) + " occupancy";
  for (const std::string whole : {"1", "1.0", "?", ".", "1.000(2)"})
    EXPECT_EQ(read(block(kCubic, columns, "A C 0 0 0 " + whole + "\n")).size(), 1u) << whole;
  for (const std::string part : {"0", "0.5", "half", "0.99(1)"})
    EXPECT_TRUE(
        contains(refusal(block(kCubic, columns, "A C 0 0 0 " + part + "\n")), "has an occupancy of " + part))
        << part;
  const Structure hydrate =
      read(block(kCubic, std::string(kTyped) + " attached_hydrogens", "A O 0 0 0 2\nB C 0.5 0.5 0.5 0\n"));
  ASSERT_EQ(hydrate.warnings.size(), 1u);
  EXPECT_TRUE(contains(hydrate.warnings[0], "site A has 2 hydrogen atoms without places"));
}

TEST_F(Cif, WhatIsSaidOfTheWholeCrystalIsComparedWithTheSites) {
  // CsCl: 168.36 dalton in 4.12^3 angstrom^3 are 3.998 g/cm^3.
  for (const std::string right :
       {"_chemical_formula_sum 'Cl Cs'\n_cell_formula_units_Z 1\n", "_chemical_formula_sum 'Cl2 Cs2'\n",
        "_exptl_crystal_density_diffrn 3.998\n", "_chemical_formula_weight 168.36\n_cell_formula_units_Z 1\n",
        "_cell_volume 69.93(2)\n", "_space_group_crystal_system cubic\n", "_symmetry_cell_setting Cubic\n",
        "_space_group_centring_type P\n"}) {
    EXPECT_EQ(refusal(chloride("Cs", "Cl", right)), "") << right;
    EXPECT_TRUE(read(chloride("Cs", "Cl", right)).warnings.empty()) << right;
  }
  for (const auto& [wrong, what] : std::vector<std::pair<std::string, std::string>>{
           {"_chemical_formula_sum 'Cl2 Cs'\n", "has 0.5 Cs in the cell (0.5 units), and the sites 1"},
           {"_chemical_formula_sum 'Cl Cs'\n_cell_formula_units_Z 4\n",
            "has 4 Cl in the cell (4 units), and the sites 1"},
           {"_chemical_formula_sum 'Cl Cs O'\n", "has 1 O in the cell"},
           {"_exptl_crystal_density_diffrn 2\n",
            "_exptl_crystal_density_diffrn is 2, and the sites have 3.998 g/cm^3"},
           {"_chemical_formula_weight 168.36\n_cell_formula_units_Z 2\n", "where the sites weigh 168.358"},
           {"_cell_volume 139.9\n", "_cell_volume is 139.9, and the cell has 69.9345 angstrom^3"},
           {"_space_group_crystal_system tetragonal\n",
            "_space_group_crystal_system is 'tetragonal', and the space group 'P m -3 m' is cubic"},
           {"_symmetry_cell_setting hexagonal\n", "_symmetry_cell_setting is 'hexagonal'"},
           {"_space_group_centring_type F\n",
            "_space_group_centring_type is 'F', and the space group is 'P m -3 m'"}})
    EXPECT_TRUE(contains(refusal(chloride("Cs", "Cl", wrong)), what)) << refusal(chloride("Cs", "Cl", wrong));
  // The formula of the whole cell beside its number of units, as pymatgen writes it.
  EXPECT_EQ(
      refusal(block("_space_group_name_H-M_alt 'F m -3 m'\n", kTyped, "A Na 0 0 0\nB Cl 0.5 0.5 0.5\n",
                    cell(5.64, 5.64, 90) + "_chemical_formula_sum 'Na4 Cl4'\n_cell_formula_units_Z 4\n")),
      "");
  const Structure ice =
      read(block(kCubic, kTyped, "A O 0 0 0\n", cell(4, 4, 90) + "_chemical_formula_sum 'H2 O'\n"));
  ASSERT_EQ(ice.warnings.size(), 1u);
  EXPECT_TRUE(contains(ice.warnings[0], "hydrogen atoms are missing")) << ice.warnings[0];
}

TEST_F(Cif, ShiftsMayBeDecimals) {
  const auto operations = [](const std::string& shift) {
    return "loop_\n_symmetry_equiv_pos_as_xyz\n x,y,z\n '-x," + shift + "y,-z'\n";
  };
  for (const std::string half : {"1/2+", "0.5+", ".5+", "0.50000+", "12/24+"})
    EXPECT_EQ(read(block(operations(half), kTyped, "A C 0.1 0.2 0.3\n")).size(), 2u) << half;
  const std::string thirds = "loop_\n_symmetry_equiv_pos_as_xyz\n x,y,z\n x+0.3333,y,z\n x+.66667,y,z\n";
  EXPECT_EQ(read(block(thirds, kTyped, "A C 0.1 0.2 0.3\n")).size(), 3u);
  EXPECT_TRUE(
      contains(refusal(block(operations("0.47+"), kTyped, "A C 0.1 0.2 0.3\n")), "no multiple of 1/24"));
}

TEST_F(Cif, TagsOfTheNewDictionaryHavePoints) {
  std::string text = block(kCubic, kTyped, "A Cs 0 0 0\n");
  for (const char* category : {"_cell", "_space_group", "_atom_site"})
    for (std::size_t at = 0; (at = text.find(std::string(category) + "_", at)) != std::string::npos; ++at)
      text[at + std::string(category).size()] = '.';
  EXPECT_EQ(read(text).kinds, std::vector<std::string>{"Cs"});
  EXPECT_TRUE(
      contains(refusal(text + "_cell_length_a 5\n"), "_cell.length_a and _cell_length_a are both there"))
      << refusal(text + "_cell_length_a 5\n");
}

/// A block of the dictionary of macromolecules.
std::string macromolecule(const std::string& rows, const std::string& before = "") {
  std::string text = "data_1ABC\n" + before + "loop_\n";
  for (const char* word : {"group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id",
                           "label_asym_id", "label_seq_id", "Cartn_x", "Cartn_y", "Cartn_z", "occupancy",
                           "pdbx_formal_charge", "pdbx_PDB_model_num"})
    text += std::string("_atom_site.") + word + "\n";
  return text + rows;
}

std::string cellOfMacromolecule(const std::string& numbers) {
  std::string text;
  const auto words = splitWords(numbers);
  const char* const tags[] = {"length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"};
  for (std::size_t i = 0; i < words.size(); ++i)
    text += std::string("_cell.") + tags[i] + " " + words[i] + "\n";
  return text;
}

const char* const kZinc = "HETATM 1 ZN ZN . ZN A . 1.5 -2.0 3.25 1.00 2 1\n";

TEST_F(Cif, MacromoleculesHaveCartesianCoordinates) {
  const Structure open = read(macromolecule(kZinc));
  EXPECT_EQ(open.kinds, std::vector<std::string>{"Zn2+"});
  EXPECT_EQ(open.positions[0], Eigen::Vector3d(1.5, -2, 3.25));
  EXPECT_FALSE(open.lattice);
  EXPECT_EQ(open.title, "1ABC");
  for (const std::string none : {"1 1 1 90 90 90", "? ? ? ? ? ?", "0 0 0 0 0 0"})
    EXPECT_FALSE(read(macromolecule(kZinc, cellOfMacromolecule(none))).lattice) << none;
  const std::string monoclinic = cellOfMacromolecule("20 30 40 90 105 90");
  const Structure periodic =
      read(macromolecule(kZinc, monoclinic + "_symmetry.space_group_name_H-M 'P 1'\n"));
  ASSERT_TRUE(periodic.lattice && periodic.warnings.empty());
  EXPECT_NEAR(cellVolume(*periodic.lattice), 24000 * std::sin(105 * std::acos(-1.0) / 180), 1e-6);
  const Structure group =
      read(macromolecule(kZinc, monoclinic + "_symmetry.space_group_name_H-M 'P 1 21 1'\n"));
  ASSERT_EQ(group.warnings.size(), 1u);
  EXPECT_TRUE(contains(group.warnings[0], "'P 1 21 1', whose operations are not applied"));
  EXPECT_TRUE(contains(refusal(macromolecule(kZinc, cellOfMacromolecule("20 30 40 90 0 90"))),
                       "_cell_angle_beta is '0'"));
  EXPECT_TRUE(contains(refusal(macromolecule(kZinc, cellOfMacromolecule("20 30"))), "no _cell_length_c"));
}

TEST_F(Cif, AxesOfMacromoleculesAreTheUsualOnes) {
  const auto matrix = [](const std::string& numbers) {
    std::string text;
    const auto words = splitWords(numbers);
    for (std::size_t i = 0; i < words.size(); ++i)
      text += "_atom_sites.fract_transf_matrix[" + std::to_string(i / 3 + 1) + "][" +
              std::to_string(i % 3 + 1) + "] " + words[i] + "\n";
    return text;
  };
  const std::string box = cellOfMacromolecule("20 30 40 90 90 90");
  EXPECT_TRUE(read(macromolecule(kZinc, box + matrix("0.05 0 0 0 0.033333 0 0 0 0.025"))).lattice);
  EXPECT_TRUE(contains(refusal(macromolecule(kZinc, box + matrix("0 0.05 0 0.033333 0 0 0 0 0.025"))),
                       "with a along x and b in the plane"));
  // The core dictionary leaves the axes open, which matters beside a cell.
  EXPECT_EQ(read("data_x\nloop_\n_atom_site_type_symbol\n_atom_site_Cartn_x\n_atom_site_Cartn_y\n"
                 "_atom_site_Cartn_z\nC 1 2 3\n")
                .size(),
            1u);
}

TEST_F(Cif, AtomsOfMacromoleculesAreWholeAndModelsFrames) {
  const auto row = [](const char* place, const char* occupancy, const char* model = "1") {
    return std::string("ATOM 7 C CA ") + place + " GLY A 3 " + (place[0] == 'B' ? "9" : "1") + " 2 3 " +
           occupancy + " ? " + model + "\n";
  };
  const Structure first = read(macromolecule(row("A", "0.4") + row("B", "0.6")));
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(first.positions[0], Eigen::Vector3d(1, 2, 3));
  ASSERT_EQ(first.warnings.size(), 1u);
  EXPECT_TRUE(contains(refusal(macromolecule(row(".", "0.4"))), "atom 7 (CA) has an occupancy of 0.4"));
  EXPECT_TRUE(contains(refusal(macromolecule(row("A", "0.4"))), "atom 7 (CA) add up to 0.4"));
  EXPECT_TRUE(contains(refusal(macromolecule(row(".", "half"))), "'half' is not an occupancy"));
  EXPECT_TRUE(
      contains(refusal(macromolecule("ATOM 7 C CA . GLY A 3 x 2 3 1 ? 1\n")), "'x' is not a coordinate"));
  EXPECT_TRUE(
      contains(refusal(macromolecule("ATOM 7 X CA . GLY A 3 1 2 3 1 ? 1\n")), "atom 7 (CA): 'X' is not"));
  EXPECT_TRUE(
      contains(refusal(macromolecule("ATOM 7 C CA . GLY A 3 1 2 3 1 9 1\n")), "has only 6 electrons"));
  for (const char* ending : {".cif", ".mmcif"}) {
    const ScratchFile file(ending, macromolecule(row(".", "1") + row(".", "1", "2")));
    const auto frames = openFrames(file.path());
    EXPECT_TRUE(frames->next() && frames->next() && !frames->next()) << ending;
  }
}

TEST_F(Cif, FaultsOfTheFormatHaveTheirPlaceOnce) {
  const std::string twice = refusal("data_x\n_cell_length_a 4\n_cell_length_a 5\n");
  EXPECT_TRUE(contains(twice, "FILE:3: error: in data_x: duplicate tag")) << twice;
  EXPECT_EQ(twice.find("error"), twice.rfind("error")) << twice;
}

}  // namespace
}  // namespace prophet
