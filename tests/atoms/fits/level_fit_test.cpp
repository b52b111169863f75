#include "atoms/fits/level_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/levels/open_electrons.hpp"
#include "atoms/levels/parameter_operators.hpp"
#include "core/common/error.hpp"
#include "tests/atoms/levels/reference_cases.hpp"

namespace prophet {
namespace {

struct FitCase {
  LevelSpace space;
  Result limit;
  LevelHamiltonian hamiltonian;
};

FitCase caseOf(const std::string& configurations, double z, double c = 137.03599976) {
  Nucleus nucleus;
  nucleus.charge = z;
  FitCase made{levelSpace(configurations), {}, {}};
  made.limit = limitOf(made.space, nucleus, c);
  made.hamiltonian.field = {nucleus, c, {}};
  return made;
}

std::map<std::string, double> slopesOf(const LevelResult& r, const Level& level) {
  std::map<std::string, double> slopes;
  for (std::size_t p = 0; p < r.parameters.size(); ++p)
    slopes[nameOf(r.parameters[p])] = level.derivatives[p];
  return slopes;
}

// The triplet H of f2: -25/225, -51/1089, -13*25/184041 in F2, F4, F6, less the mean of all terms (Cowan
// 1981, tables of f^k); l.s is half of that of a single electron's.
TEST(Derivatives, OfTheTermsOfTwoElectronsAreThoseOfTheBooks) {
  const FitCase c = caseOf("[He] 4f2", 12);
  const LevelResult r = computeLevels(c.space, c.limit, c.hamiltonian, {.derivatives = true});
  ASSERT_EQ(r.parameters.size(), 4u);
  for (const Level& l : r.levels) {
    if (l.label != "4f2 3H" || l.twoJ != 10) continue;
    auto slopes = slopesOf(r, l);
    EXPECT_NEAR(slopes["F2(4f,4f)"], -25 / 225.0 + 4 / 195.0, 1e-12);
    EXPECT_NEAR(slopes["F4(4f,4f)"], -51 / 1089.0 + 2 / 143.0, 1e-12);
    EXPECT_NEAR(slopes["F6(4f,4f)"], -13 * 25 / 184041.0 + 100 / 5577.0, 1e-12);
    EXPECT_NEAR(slopes["zeta(4f)"], -0.5, 1e-12);
    return;
  }
  FAIL() << "no level 4f2 3H of J = 5";
}

// Energies are homogeneous of first order in the parameters: without relativity their sum is all there is.
TEST(Derivatives, TimesTheirParametersAddUpToTheLevelWithoutRelativity) {
  for (const auto& [text, z] :
       {std::pair("[Ar] 3d3", 24.0), {"[He] 2s2 2p1 3d1", 6.0}, {"1s2 2s1 2p3", 7.0}}) {
    const FitCase c = caseOf(text, z, 137036);
    const LevelResult r = computeLevels(c.space, c.limit, c.hamiltonian, {.derivatives = true});
    for (const Level& l : r.levels) {
      double sum = 0;
      for (std::size_t p = 0; p < r.parameters.size(); ++p) sum += r.parameters[p].value * l.derivatives[p];
      EXPECT_NEAR(sum, l.relative, 1e-7) << text << " " << l.label;
    }
  }
}

/// The largest element of the Hamiltonian less averages of configurations and parameters times operators.
double missing(const FitCase& c) {
  const std::vector<Place> places = placesOf(c.space);
  const OpenElectrons electrons(c.space, c.limit, c.hamiltonian, places);
  const auto operators =
      parameterOperators(c.space, places, slaterParameters(c.space, c.limit, c.hamiltonian, {}));
  double largest = 0;
  std::map<int, double> averages;
  for (const LevelCount::Block& b : countLevels(c.space).blocks) {
    const LevelBlock block = blockOf(c.space, b.twoJ, b.odd);
    Eigen::MatrixXd rest = electrons.matrixOf(block);
    for (const ParameterOperator& o : operators) rest -= o.parameter().value * o.matrixOf(block);
    for (Eigen::Index s = 0; s < block.size(); ++s) {
      const int configuration = block.configurations[static_cast<std::size_t>(s)];
      rest(s, s) -= averages.try_emplace(configuration, rest(s, s)).first->second;
    }
    largest = std::max(largest, rest.cwiseAbs().maxCoeff());
  }
  return largest;
}

// Both j of a shell have one radial function where light is fast: what parameters and their operators leave
// of the Hamiltonian is the same number for all states of a configuration.
TEST(ParameterOperators, MakeUpTheHamiltonianOfShellsOfOneL) {
  for (const auto& [text, z] :
       {std::pair("1s2 2p2 3p1", 9.0), {"1s2 3d1 4d1", 12.0}, {"1s2 2p2 | 1s2 2p1 3p1 | 1s2 3p2", 8.0}}) {
    const FitCase c = caseOf(text, z, 137036);
    EXPECT_LT(missing(c), 1e-8) << text;
  }
}

// l.s is -1 in p1/2 and 1/2 in p3/2.
TEST(SlaterParameters, OfOneElectronBetweenShellsGiveItsHamiltonian) {
  const FitCase c = caseOf("1s2 2p1 | 1s2 3p1", 80);
  std::map<std::string, double> x;
  for (const SlaterParameter& p : slaterParameters(c.space, c.limit, c.hamiltonian, {}))
    x[nameOf(p)] = p.value;
  const std::vector<Place> places = placesOf(c.space);
  const OpenElectrons electrons(c.space, c.limit, c.hamiltonian, places);
  const double low = electrons.matrixOf(blockOf(c.space, 1, true))(0, 1),
               high = electrons.matrixOf(blockOf(c.space, 3, true))(0, 1);
  EXPECT_GT(std::abs(low - high), 1e-6);
  EXPECT_NEAR(low, x.at("h(2p,3p)") - x.at("zeta(2p,3p)"), 1e-12);
  EXPECT_NEAR(high, x.at("h(2p,3p)") + x.at("zeta(2p,3p)") / 2, 1e-12);
}

TEST(Derivatives, AreWhatAChangeOfTheHamiltonianShows) {
  const FitCase c = caseOf("[He] 2s2 2p1 3s1 | [He] 2s2 2p1 3d1 | [He] 2s1 2p3", 6);
  const std::vector<Place> places = placesOf(c.space);
  const auto operators =
      parameterOperators(c.space, places, slaterParameters(c.space, c.limit, c.hamiltonian, {}));
  const LevelResult r = computeLevels(c.space, c.limit, c.hamiltonian, {.derivatives = true});
  ASSERT_GT(r.parameters.size(), 10u);
  constexpr double kStep = 1e-7;
  for (std::size_t p = 0; p < operators.size(); p += 3) {
    const auto with = [&](double step) {
      return computeLevels(c.space, c.limit, c.hamiltonian,
                           {.correction = [&](const LevelBlock& block, Eigen::MatrixXd& h) {
                             h += step * operators[p].matrixOf(block);
                           }});
    };
    const LevelResult up = with(kStep), down = with(-kStep);
    for (std::size_t i = 0; i < r.levels.size(); ++i) {
      auto slopes = slopesOf(r, r.levels[i]);
      EXPECT_NEAR((up.levels[i].relative - down.levels[i].relative) / (2 * kStep),
                  slopes[nameOf(operators[p].parameter())], 5e-6)
          << nameOf(operators[p].parameter()) << " " << r.levels[i].label;
    }
  }
}

// Two electrons in one spinor pair: the mean of their Breit energy is -(1/(g(g-1))) sum_k X^k of exchange, as
// OpenElectrons has it: 1s1/2 of a helium-like ion alone.
TEST(SlaterParameters, OfTheBreitInteractionAreThoseOfTheLevels) {
  FitCase c = caseOf("1s2 | 1s1 2s1", 60);
  const LevelResult without = computeLevels(c.space, c.limit, c.hamiltonian);
  c.hamiltonian.electrons = TwoElectronOperator::CoulombBreit;
  const LevelResult with = computeLevels(c.space, c.limit, c.hamiltonian);
  std::map<std::string, double> x;
  for (const SlaterParameter& p : slaterParameters(c.space, c.limit, c.hamiltonian, {}))
    x[nameOf(p)] = p.value;
  // J = 1 of 1s 2s alone: <ab|g|ab> - <ab|g|ba> in the state of both spins up, where w(1/2 1 0 1/2) =
  // 1/sqrt 6.
  const auto triplet = [](const LevelResult& r) {
    for (const Level& l : r.levels)
      if (l.twoJ == 2) return l.energy;
    return 0.0;
  };
  EXPECT_NEAR(triplet(with) - triplet(without),
              (x["F_breit1(1s1/2,2s1/2)"] - x["G_breit1(1s1/2,2s1/2)"]) / 6 - x["G_breit0(1s1/2,2s1/2)"] / 2,
              1e-12);
  EXPECT_GT(std::abs(x["F_breit1(1s1/2,2s1/2)"]), 1e-4);
}

FittedIon ionOf(const FitCase& c, const std::vector<ObservedLevel>& observed, const std::string& name = "",
                double charge = 0) {
  return {name, charge, c.space, c.limit, c.hamiltonian, observed};
}

LevelFit fitOf(const FitCase& c, const std::vector<ObservedLevel>& observed,
               const std::vector<std::string>& parameters) {
  return fitLevels({ionOf(c, observed)}, parameters);
}

/// Levels of a changed Hamiltonian, every fifth one held out.
std::vector<ObservedLevel> madeUp(const FitCase& c, const std::map<std::string, double>& changes) {
  const std::vector<Place> places = placesOf(c.space);
  const auto operators =
      parameterOperators(c.space, places, slaterParameters(c.space, c.limit, c.hamiltonian, {}));
  const LevelResult r = computeLevels(
      c.space, c.limit, c.hamiltonian, {.correction = [&](const LevelBlock& block, Eigen::MatrixXd& h) {
        for (const ParameterOperator& o : operators)
          if (const auto change = changes.find(nameOf(o.parameter())); change != changes.end())
            h += change->second * o.parameter().value * o.matrixOf(block);
      }});
  std::vector<ObservedLevel> observed;
  for (const Level& l : r.levels)
    observed.push_back({l.twoJ, l.odd, l.index, l.excitation + 0.1, observed.size() % 5 == 4 ? 0.0 : 1.0});
  return observed;
}

TEST(LevelFit, FindsTheParametersThatLevelsWereMadeWith) {
  const FitCase c = caseOf("[Ar] 3d6", 26);
  const auto observed = madeUp(c, {{"F2(3d,3d)", -0.15}, {"F4(3d,3d)", -0.25}, {"zeta(3d)", 0.3}});
  const LevelFit fit = fitOf(c, observed, {"F2(3d,3d)", "F4(3d,3d)", "zeta(3d)"});
  EXPECT_EQ(fit.deviations.heldOutLevels, 6);
  EXPECT_GT(fit.deviations.before, 1e-3);
  EXPECT_GT(fit.deviations.heldOutBefore, 1e-3);
  EXPECT_LT(fit.deviations.after, 1e-9);
  EXPECT_LT(fit.deviations.heldOutAfter, 1e-9);
  const double ratios[] = {0.85, 0.75, 1.3};
  for (std::size_t p = 0; p < 3; ++p)
    EXPECT_NEAR(fit.parameters[p].fitted / fit.parameters[p].computed, ratios[p], 1e-6)
        << fit.parameters[p].name;
  const LevelResult fitted =
      computeLevels(c.space, c.limit, c.hamiltonian, {.correction = fit.ions.front().correction});
  EXPECT_NEAR(fitted.levels.back().excitation, observed.back().energy - 0.1, 1e-9);
}

TEST(LevelFit, ScalesParametersTogetherAndMovesAverages) {
  const FitCase c = caseOf("[He] 2s2 2p2 | [He] 2p4", 6);
  std::map<std::string, double> changes;
  for (const SlaterParameter& p : slaterParameters(c.space, c.limit, c.hamiltonian, {}))
    if (p.integral != "zeta") changes[nameOf(p)] = -0.2;
  const LevelFit fit = fitOf(c, madeUp(c, changes), {"scale(F,G,R)"});
  ASSERT_EQ(fit.parameters.size(), 2u);
  EXPECT_NEAR(fit.parameters[0].fitted, 0.8, 1e-7);
  EXPECT_NEAR(fit.parameters[1].fitted, 0, 1e-7);
  EXPECT_LT(fit.deviations.after, 1e-9);
}

// The factor grows by 0.05 with each unit of charge; of the third ion all levels are held out, the last has
// none.
TEST(LevelFit, FindsTheFactorsOfASequence) {
  const double charges[] = {4, 2, 6, 3};
  std::vector<FitCase> cases;
  for (const double charge : charges) cases.push_back(caseOf("[Ar] 3d2", 20 + charge));
  std::vector<FittedIon> ions;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double change = 0.05 * (charges[i] - charges[0]) - 0.2;
    const auto levels = madeUp(cases[i], {{"F2(3d,3d)", change}, {"F4(3d,3d)", change}, {"zeta(3d)", 0.1}});
    ions.push_back(ionOf(cases[i], levels, "an ion", charges[i]));
    for (ObservedLevel& l : ions.back().observed) l.energy += 0.3 * static_cast<double>(i);
  }
  for (ObservedLevel& l : ions[2].observed) l.weight = 0;
  ions[3].observed.clear();
  const LevelFit fit = fitLevels(ions, {"scale(F)", "slope(F2,F4)", "scale(zeta)"});
  ASSERT_EQ(fit.parameters.size(), 3u);
  EXPECT_NEAR(fit.parameters[0].fitted, 0.8, 1e-6);
  EXPECT_NEAR(fit.parameters[1].fitted, 0.05, 1e-6);
  EXPECT_NEAR(fit.parameters[2].fitted, 1.1, 1e-6);
  EXPECT_EQ(fit.deviations.fittedLevels, 16);
  EXPECT_EQ(fit.deviations.heldOutLevels, 11);
  EXPECT_GT(fit.ions[2].deviations.heldOutBefore, 1e-3);
  EXPECT_LT(fit.ions[2].deviations.heldOutAfter, 1e-9);
  EXPECT_LT(fit.deviations.after, 1e-9);
  // What was fitted to the others gives the levels of the ion without any.
  const FitCase& last = cases[3];
  const auto change = 0.05 * (3 - 4) - 0.2;
  const auto expected = madeUp(last, {{"F2(3d,3d)", change}, {"F4(3d,3d)", change}, {"zeta(3d)", 0.1}});
  const LevelResult levels =
      computeLevels(last.space, last.limit, last.hamiltonian, {.correction = fit.ions[3].correction});
  EXPECT_NEAR(levels.levels.back().excitation, expected.back().energy - 0.1, 1e-9);
}

TEST(LevelFit, StandardErrorsAreThoseOfLinearLeastSquares) {
  // One parameter and noise of a known pattern: p = sum d r/sum d^2 about the means.
  const FitCase c = caseOf("[Ne] 3s2 3p1", 13);
  const std::vector<ObservedLevel> observed{{1, true, 1, 0.0, 1}, {3, true, 1, 0.001, 1}};
  EXPECT_THROW(fitOf(c, observed, {"zeta(3p)", "scale(zeta)"}), Error);
  const LevelFit fit = fitOf(c, observed, {"zeta(3p)"});
  EXPECT_NEAR(fit.parameters[0].fitted - fit.parameters[0].computed,
              (0.001 - (fit.ions[0].computedEnergies[1] - fit.ions[0].computedEnergies[0])) / 1.5, 1e-9);
}

TEST(LevelFit, KindsOfParametersAreThoseOfCalibrations) {
  const FitCase c = caseOf("[Ne] 3s1 3p1", 12);
  for (const SlaterParameter& p : slaterParameters(c.space, c.limit, c.hamiltonian, {})) {
    EXPECT_EQ(isOfKinds(p, {"F", "zeta"}), p.integral == "F" || p.integral == "zeta") << nameOf(p);
    EXPECT_EQ(isOfKinds(p, {"G1"}), p.integral == "G" && p.k == 1) << nameOf(p);
    EXPECT_EQ(isOfKinds(p, {"Fin"}), p.integral == "F" && p.shells != "3s,3p") << nameOf(p);
  }
  const FitCase two = caseOf("[Ne] 3p2", 14);
  EXPECT_NO_THROW(fitOf(two, madeUp(two, {{"F2(3p,3p)", -0.1}}), {"scale(Fin)"}));
}

TEST(LevelFit, NamesWhatIsWrong) {
  const FitCase c = caseOf("[He] 2s2 2p2", 6);
  const auto observed = madeUp(c, {});
  const auto fails = [&](std::vector<ObservedLevel> levels, const std::vector<std::string>& parameters,
                         const std::string& why) {
    try {
      fitOf(c, levels, parameters);
      ADD_FAILURE() << why;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  fails(observed, {"F2(3d,3d)"}, "expected F2(2p,2p), zeta(2p)");
  fails(observed, {}, "found 0 parameters");
  fails({observed[0], observed[1]}, {"F2(2p,2p)", "zeta(2p)"}, "expected at least 3");
  fails(observed, {"F2(2p,2p)", "scale(F)"}, "do not determine");
  auto wrong = observed;
  wrong[0].index = 9;
  fails(wrong, {"F2(2p,2p)"}, "found number 9");
  fails(observed, {"slope(F)"}, "there is no parameter 'slope(F)'");
  fails(observed, {"scale(F,Q)"}, "there is no parameter 'scale(F,Q)'");
  fails(observed, {"scale(F,,G)"}, "found 'F,,G', where an item is empty");
  try {
    fitLevels({ionOf(c, observed, "C", 0), ionOf(c, observed, "N+", 1)}, {"F2(2p,2p)"});
    ADD_FAILURE();
  } catch (const FitParameterError& e) {
    EXPECT_NE(std::string(e.what()).find("as several ions have factors in common"), std::string::npos);
  }
}

}  // namespace
}  // namespace prophet
