#include "structure/frames.hpp"

#include <gtest/gtest.h>

#include "scratch_file.hpp"
#include "structure/lattices.hpp"

namespace prophet {
namespace {

using testing::ScratchFile;

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

}  // namespace
}  // namespace prophet
