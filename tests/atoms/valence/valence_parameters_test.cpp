#include "atoms/valence/valence_parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "atoms/valence/valence_levels.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

std::map<std::string, double> byName(const std::vector<SlaterParameter>& list) {
  std::map<std::string, double> values;
  for (const SlaterParameter& p : list) values[nameOf(p)] = p.value;
  return values;
}

/// Without spin-orbit coupling and without Sigma every term of two electrons is what radial integrals make of
/// it, and so projections of the terms must give these back.
TEST(ValenceParameters, OfTheCoulombInteractionAreItsRadialIntegrals) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(12, "1s2 2s2 2p6", OneElectronOperator::Nonrelativistic);
  const OrbitalSpace orbitals =
      spaceIn(sharedSet({{60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}, {0.6, 0.15}}), problem, pool);
  ValenceSpinorRequest request;
  request.largestL = 2;
  request.perSymmetry = request.eigenvectors = request.screened = 1;
  const ValenceSpace space = valenceSpace(orbitals, problem.configuration, request, pool);
  const PairTable coulomb = coulombTable(space, pool);
  std::vector<Eigen::MatrixXd> h;
  for (int s = 0; s < space.symmetries(); ++s) h.push_back(space.coreField(s));
  const std::vector<ValenceShells> configurations{
      {{3, 0, 0, 2}}, {{3, 1, 0, 2}}, {{3, 2, 0, 2}}, {{3, 1, 0, 1}, {3, 2, 0, 1}}};
  const auto found = byName(valenceParameters({space, h, {&coulomb}}, configurations, pool));
  // Symmetries are s, p1/2, p3/2, d3/2, d5/2.
  const auto radial = [&](int k, int a, int b, int c, int d) {
    const int number = PairTable::number(k, (space.type(a).l() + space.type(c).l()) % 2 != 0);
    return coulomb.values(number)(coulomb.rows(number, a, c).of(0, 0), coulomb.rows(number, b, d).of(0, 0));
  };
  const std::map<std::string, double> known = {
      {"F0(3s,3s)", radial(0, 0, 0, 0, 0)},       {"F0(3s,3p)", radial(0, 0, 1, 0, 1)},
      {"G1(3s,3p)", radial(1, 0, 1, 1, 0)},       {"F2(3p,3p)", radial(2, 2, 2, 2, 2)},
      {"F2(3p,3d)", radial(2, 2, 3, 2, 3)},       {"G3(3p,3d)", radial(3, 2, 3, 3, 2)},
      {"F4(3d,3d)", radial(4, 4, 4, 4, 4)},       {"G2(3s,3d)", radial(2, 0, 4, 4, 0)},
      {"R1(3s,3s,3p,3p)", radial(1, 0, 0, 1, 1)}, {"R3(3p,3p,3d,3d)", radial(3, 2, 2, 4, 4)},
      {"R1(3s,3d,3p,3p)", radial(1, 0, 4, 2, 2)}, {"R2(3s,3d,3d,3d)", radial(2, 0, 4, 4, 4)}};
  for (const auto& [name, value] : known) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_GT(std::abs(value), 1e-3) << name;
    EXPECT_NEAR(found.at(name), value, 1e-10) << name;
  }
}

ValenceRequest requestOf(const AtomProblem& problem, int electrons, const std::vector<const char*>& texts) {
  ValenceRequest request;
  request.electrons = electrons;
  request.spinors.largestL = 1;
  request.spinors.perSymmetry = request.spinors.eigenvectors = request.spinors.screened = 1;
  request.field = {problem.nucleus, problem.hamiltonian.speedOfLight};
  request.core = "[Ne]";
  for (const char* text : texts) {
    LevelSpace::Part part;
    part.text = text;
    part.shells = parseShells(text);
    part.odd = part.text.ends_with("3p1");
    request.configurations.push_back(part);
  }
  return request;
}

/// Levels in one spinor of each symmetry are what the parameters say: of one electron by zeta, of 3s3p by the
/// Slater integrals. The core lowers them by some percent, and pulls the two p levels apart.
TEST(ValenceParameters, WithTheCoreAreThoseOfLevels) {
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  const AtomProblem problem = atomOf(12, "[Ne]", OneElectronOperator::Dirac);
  const OrbitalSpace orbitals = splineSpace(problem, 0.5, 3, 30, pool);
  const auto levelsOf = [&](const ValenceRequest& r) {
    return valenceLevels(orbitals, problem.configuration, 0, r, *engine, pool).levels;
  };
  const ValenceRequest one = requestOf(problem, 1, {"[Ne] 3s1", "[Ne] 3p1"}),
                       two = requestOf(problem, 2, {"[Ne] 3s1 3p1"});
  const std::vector<Level> ion = levelsOf(one), atom = levelsOf(two);
  ASSERT_EQ(ion.size(), 3U);
  ASSERT_EQ(atom.size(), 4U);
  const auto ofIon = byName(valenceIntegrals(orbitals, problem.configuration, one, *engine, pool).with);
  EXPECT_NEAR(1.5 * ofIon.at("zeta(3p)"), ion[2].energy - ion[1].energy, 1e-12);

  const ValenceIntegrals both = valenceIntegrals(orbitals, problem.configuration, two, *engine, pool);
  const auto with = byName(both.with), without = byName(both.without);
  const double mean = ion[0].energy + (ion[1].energy + 2 * ion[2].energy) / 3;
  double all = 0, triplet = 0;
  for (const Level& l : atom) {
    all += (l.twoJ + 1) * l.energy / 12;
    if (&l != &atom.back()) triplet += (l.twoJ + 1) * l.energy / 9;
  }
  EXPECT_NEAR(with.at("F0(3s,3p)") - with.at("G1(3s,3p)") / 6, all - mean, 1e-11);
  // But for the little that spin-orbit coupling mixes singlet and triplet.
  EXPECT_NEAR(2 * with.at("G1(3s,3p)") / 3, atom.back().energy - triplet, 1e-6);
  for (const char* name : {"F0(3s,3s)", "F0(3s,3p)", "G1(3s,3p)", "F2(3p,3p)"}) {
    EXPECT_LT(with.at(name), without.at(name)) << name;
    EXPECT_GT(with.at(name), 0.93 * without.at(name)) << name;
  }
  EXPECT_GT(with.at("zeta(3p)"), 1.03 * without.at("zeta(3p)"));
  EXPECT_LT(with.at("zeta(3p)"), 1.2 * without.at("zeta(3p)"));
}

TEST(ValenceParameters, AreOfShellsThatThereAre) {
  ThreadPool pool(1);
  const AtomProblem problem = atomOf(12, "1s2 2s2 2p6", OneElectronOperator::Nonrelativistic);
  const OrbitalSpace orbitals = spaceIn(sharedSet({{60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}}), problem, pool);
  ValenceSpinorRequest request;
  request.perSymmetry = request.eigenvectors = request.screened = 1;
  const ValenceSpace space = valenceSpace(orbitals, problem.configuration, request, pool);
  EXPECT_THROW(valenceParameters({space, {}, {}}, {{{4, 0, 0, 1}}}, pool), Error);
}

}  // namespace
}  // namespace prophet
