#include "matter/madelung/charged_cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/common/error.hpp"
#include "matter/madelung/direct_ewald.hpp"
#include "matter/structure/lattices.hpp"

namespace prophet {
namespace {

TEST(ChargedStructure, TakesChargesByName) {
  const ChargedStructure salt = chargedStructure(namedLattice("NaCl"), parseChargeSource("Na=1,Cl=-1"));
  EXPECT_EQ(salt.cell.sites(), 8);
  EXPECT_NEAR(madelungConstant(salt.cell, salt.kinds, directEwald(salt.cell).energy), 1.747564594633182,
              1e-12);
  EXPECT_EQ(salt.site("Cl"), salt.site("Cl1"));
  EXPECT_LT(salt.cell.charges(salt.site("Cl2")), 0);
  EXPECT_THROW(salt.site("K"), Error);
}

TEST(ChargedStructure, TakesOxidationStatesAndColumns) {
  Structure s = makeStructure({"Mg2+", "O2-"}, {{0, 0, 0}, {2, 2, 2}}, 4 * Eigen::Matrix3d::Identity());
  EXPECT_EQ(chargedStructure(s, {}).cell.charges, Eigen::Vector2d(2, -2));
  s.charges = {1.7, -1.7};
  EXPECT_EQ(chargedStructure(s, {}).cell.charges, Eigen::Vector2d(1.7, -1.7));
  EXPECT_EQ(chargedStructure(s, parseChargeSource("oxidation")).cell.charges, Eigen::Vector2d(2, -2));
  EXPECT_EQ(chargedStructure(s, parseChargeSource("Mg=1,O2-=-1")).cell.charges, Eigen::Vector2d(1, -1));
}

TEST(ChargedStructure, SaysWhatIsMissing) {
  const Structure salt = namedLattice("NaCl");
  const auto refusal = [&](const Structure& s, const std::string& charges) {
    try {
      chargedStructure(s, charges.empty() ? ChargeSource{} : parseChargeSource(charges));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(salt, ""), testing::HasSubstr("charges='Na=1,Cl=-1'"));
  EXPECT_THAT(refusal(salt, "column"), testing::HasSubstr("charge:R:1"));
  EXPECT_THAT(refusal(salt, "Na=1"), testing::HasSubstr("Cl=CHARGE"));
  EXPECT_THAT(refusal(salt, "Na=1,Cl=-1,K=1"), testing::HasSubstr("no such atoms"));
  EXPECT_THAT(refusal(salt, "Na=1,Na=2"), testing::HasSubstr("two charges"));
  EXPECT_THAT(refusal(salt, "Na:1"), testing::HasSubstr("Na=1,Cl=-1"));
  Structure free = salt;
  free.lattice.reset();
  EXPECT_THAT(refusal(free, "Na=1,Cl=-1"), testing::HasSubstr("Lattice="));
}

}  // namespace
}  // namespace prophet
