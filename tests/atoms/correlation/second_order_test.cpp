#include "atoms/correlation/second_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "atoms/correlation/open_groups.hpp"
#include "atoms/correlation/partial_waves.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "core/common/csv.hpp"
#include "core/common/files.hpp"
#include "test_paths.hpp"
#include "tests/atoms/correlation/determinants.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

const std::string kFolder = PROPHET_SOURCE_DIR "/tests/atoms/correlation/";

const std::map<std::string, std::pair<double, std::string>> kAtoms = {
    {"He", {2, "1s2"}}, {"Be", {4, "[He] 2s2"}}, {"Ne", {10, "[He] 2s2 2p6"}}, {"Ar", {18, "[Ne] 3s2 3p6"}}};
const std::map<std::string, OneElectronOperator> kHamiltonians = {
    {"nonrel", OneElectronOperator::Nonrelativistic},
    {"sfx2c1e", OneElectronOperator::SpinFreeX2c},
    {"x2c1e (2c, spinors)", OneElectronOperator::X2c},
    {"4c Dirac-Coulomb (with SSSS)", OneElectronOperator::Dirac}};

BasisSet publishedSet(const std::string& symbol, const std::string& name) {
  const std::string file = kFolder + name + ".nwchem";
  for (const ElementBasis& basis : readBasis(readFile(file), "nwchem", file))
    if (basis.z == static_cast<int>(kAtoms.at(symbol).first)) return basisSetOf(basis);
  throw Error(file + " has no set of " + symbol);
}

SecondOrder secondOrderOf(const AtomProblem& problem, const OrbitalSpace& space, ThreadPool& pool,
                          const std::string& frozen = "") {
  return secondOrder(space, problem.configuration,
                     {frozen.empty() ? std::vector<Shell>() : parseShells(frozen), &pool, {}});
}

/// All values of the file but those of coupled clusters, which this program does not have.
TEST(SecondOrder, AndItsFieldAgreeWithPyscfInPublishedSets) {
  ThreadPool pool(2);
  std::map<std::string, int> compared;
  std::string last;
  Result field;
  for (const CsvRow& row : readCsv(kFolder + "mp2_in_dyall_sets.csv")) {
    if (row.fields.size() < 5 || row.fields[0] == "symbol") continue;
    const std::string quantity = row.fields[3].substr(0, 3);
    ++compared[quantity];
    if (quantity != "SCF" && quantity != "MP2") continue;
    const auto& [z, configuration] = kAtoms.at(row.fields[0]);
    const AtomProblem problem = atomOf(z, configuration, kHamiltonians.at(row.fields[2]));
    const BasisSet basis = publishedSet(row.fields[0], row.fields[1]);
    const std::string name = row.fields[0] + ' ' + row.fields[1] + ' ' + row.fields[2];
    if (name != last) field = fieldIn(basis, problem);
    last = name;
    if (quantity == "SCF") {
      EXPECT_NEAR(field.energy.withCorrections(), std::stod(row.fields[4]), 1e-9) << name;
      continue;
    }
    const OrbitalSpace space = OrbitalSpace::inBasis(problem, basis, ScfOptions().dependencyThreshold, field,
                                                     basis.largestL(), pool);
    const SecondOrder e = secondOrderOf(problem, space, pool);
    EXPECT_NEAR(e.energy, std::stod(row.fields[4]), 1e-9) << name;
    EXPECT_EQ(e.singles, 0);
  }
  EXPECT_EQ(compared, (std::map<std::string, int>{{"SCF", 20}, {"MP2", 20}, {"CCS", 5}, {"(T)", 3}}));
}

TEST(SecondOrder, PairsAndWavesAddUpToTheEnergy) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(4, "[He] 2s2", OneElectronOperator::Dirac);
  const OrbitalSpace space = spaceIn(publishedSet("Be", "dyall-v2z"), problem, pool);
  const SecondOrder all = secondOrderOf(problem, space, pool);
  double pairs = 0, waves = 0;
  for (const PairEnergy& pair : all.pairs) pairs += pair.energy;
  for (const double wave : all.waves) waves += wave;
  EXPECT_NEAR(pairs, all.energy, 1e-14);
  EXPECT_NEAR(waves, all.energy, 1e-14);
  ASSERT_EQ(all.pairs.size(), 3u);
  EXPECT_EQ(all.pairs[1].first + "," + all.pairs[1].second, "1s1/2,2s1/2");
  // A frozen core leaves the pair of the valence electrons.
  const SecondOrder valence = secondOrderOf(problem, space, pool, "1s");
  EXPECT_NEAR(valence.energy, all.pairs[2].energy, 1e-15);
  EXPECT_THROW(secondOrderOf(problem, space, pool, "3s"), Error);
}

TEST(SecondOrder, CorrelatesAllElectronsWithFewVirtualSpinors) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(10, "[He] 2s2 2p6", OneElectronOperator::Dirac);
  const BasisSet basis = publishedSet("Ne", "dyall-v2z");
  const OrbitalSpace few = OrbitalSpace::inBasis(problem, basis, ScfOptions().dependencyThreshold,
                                                 fieldIn(basis, problem), 0, pool);
  const SecondOrder e = secondOrderOf(problem, few, pool),
                    all = secondOrderOf(problem, spaceIn(basis, problem, pool), pool);
  EXPECT_EQ(e.pairs.size(), 10u);
  EXPECT_EQ(few.symmetries()[1].virtuals(), 0);
  EXPECT_NEAR(e.energy, all.waves[0], 1e-13);
}

TEST(SecondOrder, DoesNotDependOnThreads) {
  const AtomProblem problem = atomOf(10, "[He] 2s2 2p6", OneElectronOperator::Dirac);
  ThreadPool one(1), three(3);
  const OrbitalSpace space = spaceIn(publishedSet("Ne", "dyall-v2z"), problem, one);
  EXPECT_EQ(secondOrderOf(problem, space, one).energy, secondOrderOf(problem, space, three).energy);
}

struct OpenCase {
  const char* configuration;
  double z;
  std::vector<std::vector<double>> exponents;
  OneElectronOperator hamiltonian;
};

TEST(SecondOrder, OfOpenShellsIsTheMeanOverAllDeterminants) {
  const std::vector<OpenCase> cases = {
      {"1s2 2s2 2p2", 6, {{60, 9, 1.6, 0.4}, {2.5, 0.5}}, OneElectronOperator::Dirac},
      {"1s2 2s1 2p3", 6, {{60, 9, 1.6, 0.4}, {2.5, 0.5}}, OneElectronOperator::Nonrelativistic},
      {"1s2 2s1 2p1/2:1 2p3/2:2", 6, {{60, 9, 1.6, 0.4}, {2.5, 0.5}}, OneElectronOperator::Dirac},
      {"1s1 2s2", 3, {{12, 2, 0.5, 0.1}, {0.6}, {0.5}}, OneElectronOperator::X2c},
      {"1s2 2s1", 3, {{12, 2, 0.5, 0.1}, {0.6}, {0.5}}, OneElectronOperator::Dirac},
      {"1s2 3d3", 20, {{300, 40, 6}, {12}, {6, 1.5}}, OneElectronOperator::Nonrelativistic}};
  ThreadPool pool(2);
  for (const OpenCase& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.configuration, c.hamiltonian);
    const OrbitalSpace space = spaceIn(sharedSet(c.exponents), problem, pool);
    const SecondOrder e = secondOrderOf(problem, space, pool);
    Places places(space);
    const double expected =
        byDeterminants(places, determinantsOf(places, space, OpenGroups(problem.configuration)));
    EXPECT_LT(expected, -1e-3) << c.configuration;
    EXPECT_NEAR(e.energy, expected, 1e-11) << c.configuration;
    EXPECT_LT(e.singles, 0) << c.configuration;
  }
}

/// With the energies that electrons have in the field of their own shell.
TEST(SecondOrder, IntoVirtualSpinorsAloneIsTheMeanOverAllDeterminants) {
  const std::vector<OpenCase> cases = {
      {"1s2 2s2 2p2", 6, {{60, 9, 1.6, 0.4}, {2.5, 0.5}}, OneElectronOperator::Dirac},
      {"1s2 3d3", 20, {{300, 40, 6}, {12}, {6, 1.5}}, OneElectronOperator::Nonrelativistic}};
  ThreadPool pool(2);
  for (const OpenCase& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.configuration, c.hamiltonian);
    const OrbitalSpace space = spaceIn(sharedSet(c.exponents), problem, pool);
    CorrelationOptions options{{}, &pool, {}};
    options.virtualOnly = true;
    Places places(space);
    for (Places::Place& p : places.list)
      if (!p.isVirtual)
        p.energy = space.symmetries()[static_cast<std::size_t>(p.symmetry)].ownEnergies(p.column);
    const double expected =
        byDeterminants(places, determinantsOf(places, space, OpenGroups(problem.configuration)), true);
    const SecondOrder e = secondOrder(space, problem.configuration, options);
    EXPECT_LT(expected, -1e-3) << c.configuration;
    EXPECT_NEAR(e.energy, expected, 1e-11) << c.configuration;
    EXPECT_GT(std::abs(e.energy - secondOrderOf(problem, space, pool).energy), 1e-4) << c.configuration;
  }
}

TEST(SecondOrder, OfInnerShellsLeavesTheirOwnPairsOut) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(4, "[He] 2s2", OneElectronOperator::Dirac);
  const OrbitalSpace space = spaceIn(publishedSet("Be", "dyall-v2z"), problem, pool);
  const SecondOrder all = secondOrderOf(problem, space, pool);
  CorrelationOptions options{{}, &pool, {}};
  options.inner = parseShells("1s2");
  EXPECT_NEAR(secondOrder(space, problem.configuration, options).energy, all.energy - all.pairs[0].energy,
              1e-15);
  options.inner = parseShells("3s2");
  EXPECT_THROW(secondOrder(space, problem.configuration, options), Error);
}

TEST(SecondOrder, RefusesAveragesOverSeveralConfigurations) {
  Configuration average = parseConfiguration("1s2 2s1 2p1");
  average.description = "1s2 2s2 | 1s2 2p2";
  EXPECT_THROW(OpenGroups{average}, Error);
  average.description = "average of 3 configurations";
  EXPECT_THROW(OpenGroups{average}, Error);
}

TEST(SecondOrder, OfHeliumAtTheLimitExtrapolatesToThePublishedValue) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(2, "1s2", OneElectronOperator::Nonrelativistic);
  const SecondOrder e = secondOrderOf(problem, splineSpace(problem, 1, 8, 0, pool), pool);
  const WaveLimit all = extrapolatedWaves(e.waves);
  // K. Szalewicz and others; the mesh alone leaves out 1e-6.
  EXPECT_NEAR(all.value, -0.0373774745, 1.5e-6);
  EXPECT_LT(all.error, 1e-6);
}

}  // namespace
}  // namespace prophet
