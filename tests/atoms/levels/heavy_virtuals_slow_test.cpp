#include <gtest/gtest.h>

#include <cctype>

#include "atoms/atom/elements.hpp"
#include "tests/atoms/levels/excited_atom.hpp"

namespace prophet {
namespace {

/// A pair of electrons of a heavy atom that is excited, and the shells of noble gases and closed ones below.
struct HeavyCase {
  int z;
  std::string references, virtuals, excited;
};

/// Every element from mercury on: the outer s shell, the holes of p and d shells, and an open p
/// shell with a pair, with virtual s shells, to which deep s spinors are nearest, and p shells. Ions of more
/// than one electron too many are none.
std::vector<HeavyCase> heavyCases() {
  std::vector<HeavyCase> cases;
  for (int z = 80; z <= kLastElement; ++z) {
    const bool sixth = z <= 86;
    const std::string core = sixth ? "[Xe] 4f14 5d10 " : z >= 112 ? "[Rn] 5f14 6d10 " : "[Rn] ";
    const std::string s = sixth ? "6s" : "7s", p = sixth ? "6p" : "7p";
    const std::string nextS = sixth ? "7s" : "8s", nextP = sixth ? "7p" : "8p";
    cases.push_back({z, core + s + "2", nextS, s});
    cases.push_back({z, core + s + "2", p + " " + nextS + " " + nextP, s});
    const int electrons = z - (sixth ? 80 : 112);
    if (electrons > 1) cases.push_back({z, core + s + "2 " + p + std::to_string(electrons), nextS, p});
    if (sixth) cases.push_back({z, "[Xe] 4f14 5d9 6s2", nextS, "5d 6s"});
    if (sixth && z >= 84) cases.push_back({z, "[Xe] 4f14 5d10 6s2 6p5", nextS + " " + nextP, "6p"});
  }
  // What was left of an inner p3/2 spinor lay below the virtual ones.
  cases.push_back({110, "[Rn] 7s2", "7p", "7s"});
  // Open d shells of neutral atoms.
  cases.push_back({109, "[Rn] 5f14 6d7 7s2", "8s", "7s"});
  cases.push_back({111, "[Rn] 5f14 6d9 7s2", "8s", "6d 7s"});
  return cases;
}

class HeavyVirtuals : public testing::TestWithParam<HeavyCase> {};

TEST_P(HeavyVirtuals, GainWhatOuterPairsGain) {
  // An outer pair gains some hundredths of a hartree; a state in the gap gives tens to thousands.
  const HeavyCase& c = GetParam();
  const Excited atom(c.z, c.references, {c.virtuals, c.excited, 2});
  for (const Level& level : atom.with().levels) {
    if (!level.correlation) {  // 7p2 8s2 of Lv is below 7p4 with both holes in 7p1/2, which are 14 eV deep
      EXPECT_GT(level.excitation, 0.1) << level.label;
      continue;
    }
    EXPECT_LT(*level.correlation, 1e-8) << level.label;
    EXPECT_GT(*level.correlation, -0.2) << level.label;
    EXPECT_GT(level.referencePercent, 80) << level.label;
  }
}

INSTANTIATE_TEST_SUITE_P(FromMercuryOn, HeavyVirtuals, testing::ValuesIn(heavyCases()),
                         [](const auto& heavy) {
                           std::string name = symbolOf(heavy.param.z) + "_" + heavy.param.references + "_" +
                                              heavy.param.virtuals + "_" + heavy.param.excited + "_" +
                                              std::to_string(heavy.index);
                           for (char& letter : name)
                             if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
                           return name;
                         });

}  // namespace
}  // namespace prophet
