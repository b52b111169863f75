#include <gtest/gtest.h>

#include <algorithm>

#include "tests/atoms/lines/lines_of.hpp"

namespace prophet {
namespace {

struct ReferenceLine {
  ReferenceCase of;
  ReferenceLevel upper, lower;
  Multipole multipole;
  double length = 0, velocity = 0, rate = 0;
};

std::vector<ReferenceLine> referenceLines() {
  std::vector<ReferenceLine> lines;
  for (const CsvRow& row : readCsv(std::string(PROPHET_SOURCE_DIR) + "/tests/atoms/levels/grasp_lines.csv")) {
    const std::vector<std::string>& f = row.fields;
    if (f[0] == "case") continue;
    const auto level = [&](std::size_t at) {
      return ReferenceLevel{*twiceOf(f[at]), std::stoi(f[at + 2]), f[at + 1] == "-", 0, "", 0, {}, {}, {}};
    };
    ReferenceLine line{{f[0], f[2], f[5], std::stod(f[1]), {}},
                       level(6),
                       level(9),
                       multipoleNamed(f[12]),
                       std::stod(f[14]),
                       std::stod(f[15]),
                       std::stod(f[16])};
    if (!f[3].empty()) line.of.fermiA = std::stod(f[3]);
    if (!f[4].empty()) line.of.fermiC = std::stod(f[4]);
    lines.push_back(line);
  }
  return lines;
}

TEST(ReferenceLines, AgreeInAllCases) {
  std::map<std::string, Computed> computed;
  std::map<std::string, Result> limits;
  std::map<std::string, double> strongest;
  const auto nameOf = [](const ReferenceLine& l) {
    return l.of.name + (l.of.fermiA ? " Fermi " : " point ") + l.of.hamiltonian;
  };
  const std::vector<ReferenceLine> lines = referenceLines();
  for (const ReferenceLine& l : lines) {
    double& most = strongest[nameOf(l) + l.multipole.name()];
    most = std::max(most, l.length);
  }
  int compared = 0;
  for (const ReferenceLine& l : lines) {
    const auto [place, isNew] = computed.try_emplace(nameOf(l));
    Computed& c = place->second;
    if (isNew) {
      const LevelSpace space = levelSpace(l.of.configurations);
      Result& limit = limits[l.of.name + (l.of.fermiA ? " Fermi" : "")];
      if (!limit.wavefunction) limit = limitOf(space, l.of.nucleus());
      LevelHamiltonian hamiltonian{{l.of.nucleus(), 137.03599976, {}}};
      if (l.of.hamiltonian != "DC") hamiltonian.electrons = TwoElectronOperator::CoulombBreit;
      c = linesOf(space, limit, hamiltonian);
    }
    const Level *upper = levelNamed(c.levels, l.upper), *lower = levelNamed(c.levels, l.lower);
    ASSERT_TRUE(upper && lower) << nameOf(l);
    const auto found = std::ranges::find_if(c.lines, [&](const Line& line) {
      return &c.levels.levels[static_cast<std::size_t>(line.upper)] == upper &&
             &c.levels.levels[static_cast<std::size_t>(line.lower)] == lower && line.multipole == l.multipole;
    });
    ASSERT_TRUE(found != c.lines.end()) << nameOf(l) << " " << l.multipole.name();
    const double tolerance = l.length > 1e-3 * strongest[nameOf(l) + l.multipole.name()] ? 1e-8 : 1e-6;
    const std::string where = nameOf(l) + " " + l.multipole.name() + " J = " + halves(l.upper.twoJ) + " #" +
                              std::to_string(l.upper.index) + " to " + halves(l.lower.twoJ) + " #" +
                              std::to_string(l.lower.index);
    EXPECT_NEAR(found->strength, l.length, tolerance * l.length) << where;
    EXPECT_NEAR(found->velocityStrength, l.velocity, tolerance * l.velocity) << where;
    const double rate = ratesOf(*found, found->strength, upper->twoJ, 137.03599976).rate;
    EXPECT_NEAR(rate, l.rate, 3 * tolerance * l.rate) << where;
    ++compared;
  }
  EXPECT_EQ(compared, 1190);
}

}  // namespace
}  // namespace prophet
