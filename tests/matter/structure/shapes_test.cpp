#include "matter/structure/lattices.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

// The particles of 10 and 20 nm of Reiten's thesis have 5.4e4 and 4.3e5 atoms.
TEST(Shapes, TheParticlesOfTheThesis) {
  EXPECT_NEAR(static_cast<double>(cutShape(namedLattice("CoO"), parseShape("sphere:100")).size()), 5.4e4,
              500);
  EXPECT_NEAR(static_cast<double>(cutShape(namedLattice("CoO"), parseShape("sphere:200")).size()), 4.3e5,
              5000);
}

TEST(Shapes, HoldWhatGeometrySays) {
  const Structure cell = namedLattice("sc:Fe:1");
  EXPECT_EQ(cutShape(cell, parseShape("sphere:2")).size(), 7u);
  EXPECT_EQ(cutShape(cell, parseShape("cube:4")).size(), 125u);
  EXPECT_EQ(cutShape(cell, parseShape("rod:2:10")).size(), 55u);
  const Structure block = cutShape(namedLattice("NaCl"), parseShape("cells:2,3,4"));
  EXPECT_EQ(block.size(), 8u * 24);
  EXPECT_NEAR((*block.lattice)(2, 2), 4 * 5.64056, 1e-12);
}

TEST(Shapes, OfAnObliqueCellAreComplete) {
  Structure cell = namedLattice("sc:Fe:1");
  cell.lattice = Eigen::Matrix3d{{1, 0, 0}, {3, 1, 0}, {0, -2, 1}};  // the same points
  EXPECT_EQ(cutShape(cell, parseShape("sphere:12")).size(),
            cutShape(namedLattice("sc:Fe:1"), parseShape("sphere:12")).size());
}

TEST(Shapes, WrongOnesAreRefused) {
  for (const char* text :
       {"", "ball:3", "sphere", "sphere:-1", "sphere:x", "rod:3", "cells:1,2", "cells:1.5,2,3", "cube:nan"})
    EXPECT_THROW(parseShape(text), Error) << text;
  EXPECT_THROW(cutShape(namedLattice("CoO"), parseShape("sphere:100000")), Error);
  Structure none = namedLattice("CoO");
  none.lattice.reset();
  EXPECT_THROW(cutShape(none, parseShape("sphere:10")), Error);
}

TEST(Lattices, HaveTheAtomsOfTheirType) {
  for (const auto& [name, atoms] : {std::pair<const char*, std::size_t>{"CoO", 8},
                                    {"Au", 4},
                                    {"Fe", 2},
                                    {"Si", 8},
                                    {"fluorite:Ca2+,F-:5.46", 12},
                                    {"cscl:Cs,Cl:4.12", 2},
                                    {"zincblende:Zn,S:5.41", 8}})
    EXPECT_EQ(namedLattice(name).size(), atoms) << name;
  for (const char* name :
       {"Coo", "fcc:Au", "fcc:Au:0", "fcc:Au,Ag:4", "rocksalt:Co:4", "fcc:Xx:4", "fcc:Au:x", ""})
    EXPECT_THROW(namedLattice(name), Error) << name;
  EXPECT_FALSE(latticeNames().empty());
}

// Files may have the atoms of a cell anywhere.
TEST(Shapes, AtomsOutsideTheirCellAreFound) {
  Structure far = namedLattice("NaCl");
  const auto expected = cutShape(far, parseShape("sphere:30")).counts();
  for (std::size_t i = 1; i < far.size(); ++i)
    far.positions[i] += 5.64056 * Eigen::Vector3d(static_cast<double>(i) * 100, -37, 12);
  EXPECT_EQ(cutShape(far, parseShape("sphere:30")).counts(), expected);
}

TEST(Shapes, KeepTheCharges) {
  Structure cell = namedLattice("cscl:Cs,Cl:4");
  cell.charges = {0.9, -0.9};
  for (const char* shape : {"cells:2,2,2", "sphere:9"}) {
    const Structure s = cutShape(cell, parseShape(shape));
    ASSERT_EQ(s.charges.size(), s.size());
    for (std::size_t i = 0; i < s.size(); ++i) EXPECT_EQ(s.charges[i], s.kind[i] == 0 ? 0.9 : -0.9);
  }
}

TEST(Shapes, WithoutAnEndAreRefused) {
  Structure flat = namedLattice("sc:Fe:4");
  flat.lattice = Eigen::Matrix3d{{4, 0, 0}, {4, 1e-5, 0}, {0, 0, 4}};
  EXPECT_THROW(cutShape(flat, parseShape("sphere:20")), Error);
  EXPECT_THROW(parseShape("cells:1,2,20000"), Error);
}

}  // namespace
}  // namespace prophet
