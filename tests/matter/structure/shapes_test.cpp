#include "matter/structure/lattices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

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

// Cuboctahedra and octahedra have "magic numbers" of atoms, (10 n^3 + 15 n^2 + 11 n + 3)/3 and m (2 m^2 +
// 1)/3 (T. P. Martin, Phys. Rep. 273, 199 (1996)).
TEST(Shapes, WulffPolyhedraHaveMagicNumbers) {
  const Structure cell = namedLattice("fcc:Au:4");
  for (const auto& [shape, atoms] :
       {std::pair<const char*, std::size_t>{"wulff:4:100=1,111=1.1547005384", 13},
        {"wulff:8:100=2,111=2.3094010768", 55},
        {"wulff:12:100=1,111=1.1547005384", 147},
        {"wulff:4.6188021535:111=1", 19},
        {"wulff:9.2376043070:111=3", 85},
        {"wulff:9.2376043070:111=1,100=100", 85}})
    EXPECT_EQ(cutShape(cell, parseShape(shape)).size(), atoms) << shape;
  EXPECT_EQ(parseShape("wulff:4:100=1,110=1,111=1,210=2,321=3").facets.size(), 6u + 12 + 8 + 24 + 48);
  EXPECT_EQ(cutShape(cell, parseShape("wulff:8:100=1")).size(), cutShape(cell, parseShape("cube:8")).size());
}

TEST(Shapes, HaveCoreAndShell) {
  const Structure cell = namedLattice("fcc:Pt:4");
  for (const auto& [shape, core, inner] :
       {std::tuple<const char*, const char*, double>{"sphere:24", "sphere:16", 4},
        {"cube:16", "cube:8", 4},
        {"ellipsoid:12:16:20", "ellipsoid:8:12:16", 2},
        {"rod:12:20", "rod:8:16", 2},
        {"wulff:16:100=1,111=1", "wulff:8:100=1,111=1", 4}}) {
    Structure s = cutShape(cell, parseShape(shape));
    const std::size_t all = s.size();
    replaceOutside(s, coreOf(parseShape(shape), inner), {{"Pt", "Au"}});
    EXPECT_EQ(s.size(), all);
    EXPECT_EQ(s.kinds, (std::vector<std::string>{"Pt", "Au"}));
    EXPECT_EQ(s.counts()[0], cutShape(cell, parseShape(core)).size()) << shape;
  }
  Structure s = cutShape(cell, parseShape("sphere:12"));
  EXPECT_THROW(replaceOutside(s, parseShape("sphere:4"), {{"Ag", "Au"}}), Error);
  EXPECT_THROW(coreOf(parseShape("sphere:12"), 6), Error);
  EXPECT_THROW(coreOf(parseShape("wulff:8:100=1"), 4), Error);
  EXPECT_THROW(coreOf(parseShape("cells:2,2,2"), 1), Error);
}

TEST(Shapes, EllipsoidsAreStretchedSpheres) {
  const Structure cell = namedLattice("sc:Fe:1");
  EXPECT_EQ(cutShape(cell, parseShape("ellipsoid:12:12:12")).size(),
            cutShape(cell, parseShape("sphere:12")).size());
  EXPECT_EQ(cutShape(cell, parseShape("ellipsoid:1:1:10")).size(), 11u);
  EXPECT_NEAR(static_cast<double>(cutShape(cell, parseShape("ellipsoid:20:30:40")).size()), M_PI / 6 * 24000,
              300);
}

TEST(Shapes, OfAnObliqueCellAreComplete) {
  Structure cell = namedLattice("sc:Fe:1");
  cell.lattice = Eigen::Matrix3d{{1, 0, 0}, {3, 1, 0}, {0, -2, 1}};  // the same points
  EXPECT_EQ(cutShape(cell, parseShape("sphere:12")).size(),
            cutShape(namedLattice("sc:Fe:1"), parseShape("sphere:12")).size());
}

TEST(Shapes, WrongOnesAreRefused) {
  for (const char* text :
       {"", "ball:3", "sphere", "sphere:-1", "sphere:x", "rod:3", "cells:1,2", "cells:1.5,2,3", "cube:nan",
        "ellipsoid:1:2", "wulff:3", "wulff:3:111", "wulff:3:111=0", "wulff:3:000=1", "wulff:3:11=1",
        "wulff:3:1-11=1", "wulff:3:100=1,001=2"})
    EXPECT_THROW(parseShape(text), Error) << text;
  EXPECT_THROW(cutShape(namedLattice("CoO"), parseShape("sphere:100000")), Error);
  Structure oblique = namedLattice("sc:Fe:1");
  oblique.lattice = Eigen::Matrix3d{{1, 0, 0}, {3, 1, 0}, {0, -2, 1}};
  EXPECT_THROW(cutShape(oblique, parseShape("wulff:3:100=1")), Error);
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
