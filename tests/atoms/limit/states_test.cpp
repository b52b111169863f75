// Holes, excited states, electrons that are not bound, and nuclei whose 1s comes near the continuum.
#include <gtest/gtest.h>

#include <cmath>

#include "atoms/limit/limit.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "atoms/limit/resolutions.hpp"
#include "atoms/limit/self_consistency.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

Nucleus nucleusOf(NuclearModel model, double charge, double mass = 0) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  if (mass > 0) request.massNumber = mass;
  return makeNucleus(request);
}

LimitResult limitOf(double charge, const char* configuration, const LimitOptions& options = {}) {
  return numericalLimit(nucleusOf(NuclearModel::Point, charge), parseConfiguration(configuration), options);
}

// Energy without rest mass: E/c^2 + 1 = (1 + x^2)^(-1/2).
double dirac(double charge, int kappa, int n) {
  const double c = constants::kSpeedOfLight, gamma = std::sqrt(kappa * kappa - charge * charge / (c * c));
  const double x = charge / c / (n - std::abs(kappa) + gamma), root = std::sqrt(1 + x * x);
  return -c * c * x * x / (root * (1 + root));
}

TEST(LimitStates, OneElectronInAnyShell) {
  struct Case {
    double charge;
    const char* configuration;
  };
  for (const Case& at : {Case{1, "10s1"}, Case{1, "2p1"}, Case{80, "3p1"}, Case{92, "5d1"}, Case{118, "7s1"},
                         Case{26, "6f1"}}) {
    const LimitResult result = limitOf(at.charge, at.configuration);
    EXPECT_TRUE(result.converged) << at.configuration;
    EXPECT_TRUE(result.unbound.empty()) << at.configuration;
    double energy = 0;
    for (const LimitSpinor& s : result.spinors) {
      EXPECT_NEAR(s.energy / dirac(at.charge, s.kappa, s.n), 1, 1e-12) << at.configuration << " " << s.label;
      energy += s.occupation * dirac(at.charge, s.kappa, s.n);
    }
    EXPECT_NEAR(result.energy / energy, 1, 1e-12) << at.configuration;
  }
}

// <r> = [3 n'^2 - l(l+1)]/(2Z) without relativity, to which a small charge comes close.
TEST(LimitStates, RydbergStateFitsItsMesh) {
  const LimitResult result = limitOf(1, "10s1");
  ASSERT_EQ(result.spinors.size(), 1u);
  EXPECT_EQ(result.spinors[0].n, 10);
  EXPECT_EQ(result.wavefunction->nodes(0), 9);
  EXPECT_NEAR(result.spinors[0].meanRadius, 150, 1e-2);
}

struct LimitState {
  double charge;
  const char* configuration;
  double energy;
};

// All are stationary: neither the mesh nor where it ends matters, and the virial theorem holds, which no
// state that is not stationary fulfils.
TEST(LimitStates, HolesAndExcitedStates) {
  for (const LimitState& at :
       {LimitState{10, "1s1 2s2 2p6", -96.727663958861}, LimitState{3, "1s2 3s1", -7.311006852601},
        LimitState{11, "[Ne] 3p1", -162.005417440993}, LimitState{10, "1s2 2s2 2p5 3p1", -128.070114613288},
        LimitState{2, "1s1 2s1", -2.173166350796}, LimitState{3, "1s1 2s1 3s1", -5.201665987693},
        LimitState{10, "1s2 2s1 2p6 3s1", -127.049460734319},
        LimitState{6, "1s2 2s2 2p1 3p1", -37.401319560576}, LimitState{2, "2s2", -0.719722159956},
        LimitState{3, "1s2 10s1", -7.242623256861}}) {
    const LimitResult result = limitOf(at.charge, at.configuration);
    EXPECT_TRUE(result.converged) << at.configuration;
    EXPECT_TRUE(result.unbound.empty()) << at.configuration;
    EXPECT_NEAR(result.virialRatio, 1, 1e-10) << at.configuration;
    EXPECT_NEAR(result.energy / at.energy, 1, 1e-12) << at.configuration;
    EXPECT_LT(result.estimatedError, 1e-11 * std::abs(result.energy)) << at.configuration;
  }
}

TEST(LimitStates, NeitherMeshNorItsEndMatter) {
  LimitOptions other;
  other.density = 1.2;
  other.largestRadius = 120;
  const double energy = limitOf(3, "1s2 3s1").energy;
  EXPECT_NEAR(limitOf(3, "1s2 3s1", other).energy, energy, 1e-11);
}

// Weakly bound, so that the mesh must follow them.
TEST(LimitStates, BoundAnions) {
  for (const LimitState& at :
       {LimitState{1, "1s2", -0.487934960885}, LimitState{3, "1s2 2s2", -7.429037793358},
        LimitState{9, "[Ne]", -99.551288228841}}) {
    const LimitResult result = limitOf(at.charge, at.configuration);
    EXPECT_TRUE(result.converged) << at.configuration;
    EXPECT_TRUE(result.unbound.empty()) << at.configuration;
    EXPECT_NEAR(result.energy / at.energy, 1, 1e-12) << at.configuration;
    EXPECT_TRUE(result.remark.empty()) << at.configuration << ": " << result.remark;
    LimitOptions wide;
    wide.largestRadius = 1.5 * result.resolutions.back().largestRadius;
    EXPECT_NEAR(limitOf(at.charge, at.configuration, wide).energy, result.energy, 1e-11) << at.configuration;
  }
}

TEST(LimitStates, SaysWhichElectronsAreNotBound) {
  for (const LimitState& at : {LimitState{2, "1s2 2s1", 0}, LimitState{8, "[He] 2s2 2p6", 0}}) {
    const LimitResult result = limitOf(at.charge, at.configuration);
    ASSERT_FALSE(result.unbound.empty()) << at.configuration;
    EXPECT_TRUE(std::isinf(result.estimatedError)) << at.configuration;
    for (const LimitSpinor& s : result.spinors)
      EXPECT_EQ(s.bound, s.energy < 0) << at.configuration << s.label;
  }
}

// Beyond Z = 137, where the search must start between the 1s and -2 c^2. Reference: even-tempered Gaussian
// basis sets.
TEST(LimitStates, SpinorsNearTheNegativeContinuum) {
  const auto energy = [](double charge, const char* configuration) {
    const LimitResult result =
        numericalLimit(nucleusOf(NuclearModel::Gaussian, charge, 340), parseConfiguration(configuration));
    EXPECT_TRUE(result.converged) << charge;
    EXPECT_LT(result.estimatedError, 1e-11 * std::abs(result.energy)) << charge;
    return result.energy;
  };
  EXPECT_NEAR(energy(160, "1s1"), -28522.80, 5e-3);
  double before = energy(137, "1s2");
  for (const double charge : {145.0, 155.0, 159.0, 160.0, 164.0, 168.0}) {
    const double now = energy(charge, "1s2");
    EXPECT_LT(now, before) << charge;
    before = now;
  }
}

TEST(LimitStates, RefusesSpinorsBelowTheGap) {
  const Nucleus nucleus = nucleusOf(NuclearModel::Gaussian, 170, 340);
  EXPECT_THROW(numericalLimit(nucleus, parseConfiguration("1s1")), Error);
}

// 1s of a point nucleus: the mesh would have to reach down to 1e-25 bohr.
TEST(LimitStates, RefusesPointNucleiThatNoMeshHolds) {
  const double exact = dirac(130, -1, 1);
  EXPECT_NEAR(limitOf(130, "1s1").energy / exact, 1, 1e-10);
  for (const double charge : {131.0, 136.0, 137.0}) {
    try {
      limitOf(charge, "1s1");
      ADD_FAILURE() << charge;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("up to 130.9 charges"), std::string::npos) << error.what();
    }
  }
}

// Damping, level shift and other fields to start from lead to the same state.
TEST(LimitStates, StartsDoNotMatter) {
  using namespace limit;
  FieldProblem problem;
  problem.nucleus = nucleusOf(NuclearModel::Gaussian, 7);
  problem.configuration = parseConfiguration("1s2 2s2 2p3");
  problem.speedOfLight = constants::kSpeedOfLight;
  const MeshExtent extent = firstExtent(problem, 0);
  const RadialBasis basis(makeMesh({problem.nucleus, problem.speedOfLight, extent.radius, extent.decay, 1.0,
                                    10, outerCharge(problem)}),
                          10, 10);
  SelfConsistency iteration(basis, problem, {});
  const FieldSolution usual = iteration.solve();
  ASSERT_TRUE(usual.converged);
  for (const FieldStart& start :
       {FieldStart{1, 0, 0, 0}, FieldStart{0, 8, 0.5, 0}, FieldStart{2, 8, 0.6, 0.5}}) {
    const FieldSolution other = iteration.solve(start);
    EXPECT_TRUE(other.converged);
    EXPECT_NEAR(other.energy.total / usual.energy.total, 1, 1e-13);
    EXPECT_GT(other.iterations, start.dampedIterations);
  }
}

// P and Q by quadrature of their own, on a mesh that has nothing to do with the splines'.
TEST(LimitWavefunctions, AreOrthonormalAndGiveTheExpectationValues) {
  const LimitResult result =
      numericalLimit(nucleusOf(NuclearModel::Fermi, 36, 84), parseConfiguration("[Kr]"));
  const LimitWavefunction& wave = *result.wavefunction;
  ASSERT_EQ(wave.count(), static_cast<int>(result.spinors.size()));
  const GaussRule rule = gaussLegendre(16);
  constexpr int kCells = 400;
  Eigen::VectorXd r(kCells * rule.size()), weight(r.size());
  const double first = std::log(1e-9), step = (std::log(wave.largestRadius()) - first) / kCells;
  for (int i = 0; i < r.size(); ++i) {
    const int cell = i / rule.size(), node = i % rule.size();
    r[i] = std::exp(first + step * (cell + 0.5 * (1 + rule.nodes[node])));
    weight[i] = 0.5 * step * rule.weights[node] * r[i];
  }
  std::vector<RadialFunctions> all;
  for (int i = 0; i < wave.count(); ++i) all.push_back(wave.radial(i, r));
  for (int i = 0; i < wave.count(); ++i) {
    int visible = 0;
    while (std::abs(all[i].large[visible]) < 1e-3) ++visible;
    EXPECT_GT(all[i].large[visible], 0);
    EXPECT_EQ(wave.nodes(i), result.spinors[i].n - 1 - Symmetry{result.spinors[i].kappa}.l());
    for (int j = 0; j <= i; ++j) {
      if (result.spinors[i].kappa != result.spinors[j].kappa) continue;
      const Eigen::VectorXd product =
          all[i].large.cwiseProduct(all[j].large) + all[i].small.cwiseProduct(all[j].small);
      EXPECT_NEAR(product.dot(weight), i == j ? 1 : 0, 1e-10) << i << " " << j;
      if (i == j) {
        EXPECT_NEAR(product.cwiseProduct(r).dot(weight) / result.spinors[i].meanRadius, 1, 1e-9) << i;
      }
    }
  }
  EXPECT_THROW(wave.radial(wave.count(), r), Error);
  EXPECT_EQ(wave.radial(0, Eigen::VectorXd::Constant(1, 1e4)).large[0], 0);
}

}  // namespace
}  // namespace prophet
