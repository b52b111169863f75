#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "atoms/correlation/self_energy.hpp"
#include "cuda/atoms/correlation/cuda_correlation_engine.hpp"
#include "cuda/core/common/check.hpp"
#include "tests/atoms/correlation/spaces.hpp"
#include "tests/cuda/gpu_test.hpp"

namespace prophet::cuda {
namespace {

class CudaCorrelation : public GpuTest {
 protected:
  ThreadPool pool{2};

  CorrelationOptions options() {
    CorrelationOptions o;
    o.pool = &pool;
    return o;
  }

  /// Everything that the sums give is that of the host, and the same in a second run. Excitations between
  /// 2p1/2 and 2p3/2 have so little energy that its rounding shows, in waves that are large and of both
  /// signs.
  SecondOrder compare(const OrbitalSpace& space, const AtomProblem& problem, CorrelationOptions o) {
    CudaCorrelationEngine engine({});
    const SecondOrder expected = secondOrder(space, problem.configuration, o);
    o.engine = &engine;
    const SecondOrder found = secondOrder(space, problem.configuration, o);
    if (std::isinf(expected.smallestGap))
      EXPECT_EQ(found.smallestGap, expected.smallestGap);
    else
      EXPECT_NEAR(found.smallestGap, expected.smallestGap, 1e-12 * (1 + std::abs(expected.smallestGap)));
    EXPECT_EQ(found.integrals, expected.integrals);
    EXPECT_EQ(found.pairs.size(), expected.pairs.size());
    double size = std::abs(expected.energy);
    for (std::size_t i = 0; i < std::min(found.pairs.size(), expected.pairs.size()); ++i) {
      EXPECT_EQ(found.pairs[i].first + found.pairs[i].second,
                expected.pairs[i].first + expected.pairs[i].second);
      for (std::size_t l = 0; l < expected.pairs[i].waves.size(); ++l) {
        const double wave = expected.pairs[i].waves[l];
        EXPECT_NEAR(found.pairs[i].waves[l], wave, 1e-13 + 1e-12 * std::abs(wave)) << i << ' ' << l;
        size += std::abs(wave);
      }
    }
    EXPECT_NEAR(found.energy, expected.energy, 1e-12 * (1 + size));
    EXPECT_EQ(secondOrder(space, problem.configuration, o).energy, found.energy);
    return found;
  }
};

/// Even-tempered exponents of s, p, ..., all of them moved by the same random factor for each l.
BasisSet randomSet(const std::vector<std::vector<double>>& ranges, std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.9, 1.1);
  std::vector<std::vector<double>> exponents;
  for (const std::vector<double>& r : ranges) {
    const double shift = factor(random);
    exponents.emplace_back();
    for (double zeta = r[0]; zeta < r[1]; zeta *= r[2]) exponents.back().push_back(shift * zeta);
  }
  return sharedSet(exponents);
}

TEST_F(CudaCorrelation, PairsOfClosedShellsAreThoseOfTheHost) {
  std::mt19937 random(31);
  for (const OneElectronOperator h :
       {OneElectronOperator::Dirac, OneElectronOperator::Nonrelativistic, OneElectronOperator::SpinFreeX2c}) {
    const AtomProblem problem = atomOf(18, "[Ne] 3s2 3p6", h);
    const BasisSet basis =
        randomSet({{0.1, 3e4, 3}, {0.1, 300, 3}, {0.3, 20, 2.7}, {0.5, 5, 3}, {0.8, 2, 4}}, random);
    const OrbitalSpace space = spaceIn(basis, problem, pool);
    CorrelationOptions o = options();
    compare(space, problem, o);
    o.frozen = parseShells("1s2");
    o.inner = parseShells("2s2 2p6");
    compare(space, problem, o);
    o.targets.assign(space.symmetries().size(), false);
    o.targets[1] = o.targets[4] = true;
    const SecondOrder some = compare(space, problem, o);
    EXPECT_LT(some.energy, -1e-3);
  }
}

TEST_F(CudaCorrelation, PairsOfOpenShellsAreThoseOfTheHost) {
  struct Case {
    const char* configuration;
    double z;
    std::vector<std::vector<double>> ranges;
    OneElectronOperator hamiltonian;
  };
  const std::vector<Case> cases = {
      {"1s2 2s1 2p3", 6, {{0.1, 500, 3}, {0.1, 30, 3}, {0.5, 3, 3}}, OneElectronOperator::Nonrelativistic},
      {"1s2 2s1 2p1/2:1 2p3/2:2", 6, {{0.1, 500, 3}, {0.1, 30, 3}, {0.5, 3, 3}}, OneElectronOperator::Dirac},
      {"1s2 2s1", 3, {{0.03, 100, 3}, {0.05, 2, 3}, {0.1, 1, 3}}, OneElectronOperator::Dirac},
      {"[Ar] 3d3 4s1",
       23,
       {{0.04, 4e4, 3}, {0.1, 500, 3}, {0.1, 50, 3}, {0.3, 5, 3}},
       OneElectronOperator::X2c}};
  std::mt19937 random(32);
  for (const Case& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.configuration, c.hamiltonian);
    const OrbitalSpace space = spaceIn(randomSet(c.ranges, random), problem, pool);
    CorrelationOptions o = options();
    compare(space, problem, o);
    o.virtualOnly = true;
    compare(space, problem, o);
  }
}

TEST_F(CudaCorrelation, PairsAtTheLimitAreThoseOfTheHost) {
  const AtomProblem problem = atomOf(4, "[He] 2s2", OneElectronOperator::Dirac);
  compare(splineSpace(problem, 0.5, 5, 0, pool), problem, options());
}

TEST_F(CudaCorrelation, WithoutVirtualSpinorsThereIsNothing) {
  const AtomProblem problem = atomOf(2, "1s2", OneElectronOperator::Dirac);
  const SecondOrder none = compare(spaceIn(sharedSet({{1.5}}), problem, pool), problem, options());
  EXPECT_EQ(none.energy, 0);
}

TEST_F(CudaCorrelation, SelfEnergyIsThatOfTheHost) {
  struct Case {
    const char* closed;
    double z;
    std::vector<std::vector<double>> ranges;
    OneElectronOperator hamiltonian;
    const char* valence;
  };
  const std::vector<Case> cases = {
      {"1s2", 3, {{0.03, 100, 3}, {0.03, 3, 3}, {0.1, 1, 3}}, OneElectronOperator::Dirac, "1s 2s 2p 3d"},
      {"1s2 2s2 2p6",
       11,
       {{0.02, 3e3, 3}, {0.02, 100, 3}, {0.1, 10, 3}, {0.5, 3, 3}},
       OneElectronOperator::X2c,
       "2s 2p3/2 3s 3p"}};
  std::mt19937 random(33);
  for (const Case& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.closed, c.hamiltonian);
    const OrbitalSpace space = spaceIn(randomSet(c.ranges, random), problem, pool);
    CorrelationOptions o = options();
    const auto expected = valenceStates(space, problem.configuration, parseShells(c.valence), o);
    CudaCorrelationEngine engine({});
    o.engine = &engine;
    const auto found = valenceStates(space, problem.configuration, parseShells(c.valence), o),
               again = valenceStates(space, problem.configuration, parseShells(c.valence), o);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].label, expected[i].label);
      EXPECT_EQ(found[i].hole, expected[i].hole);
      EXPECT_GT(std::abs(found[i].secondOrder), 1e-5) << found[i].label;
      for (std::size_t l = 0; l < expected[i].waves.size(); ++l)
        EXPECT_NEAR(found[i].waves[l], expected[i].waves[l], 1e-13) << found[i].label << ' ' << l;
      EXPECT_NEAR(found[i].brueckner, expected[i].brueckner, 1e-11) << found[i].label;
      EXPECT_NEAR(found[i].smallestGap, expected[i].smallestGap, 1e-12 * (1 + expected[i].smallestGap));
      EXPECT_EQ(again[i].brueckner, found[i].brueckner);
    }
  }
}

/// Of combinations of spinors at an energy that none of them has, as core-valence correlation takes it.
TEST_F(CudaCorrelation, SelfEnergyOfCombinationsIsThatOfTheHost) {
  const AtomProblem problem = atomOf(11, "1s2 2s2 2p6", OneElectronOperator::Dirac);
  const OrbitalSpace space = splineSpace(problem, 0.5, 3, 30, pool);
  const std::vector<ActiveSpinor> holes =
      activeSpinors(space, OpenGroups(problem.configuration), std::vector<Shell>{});
  const std::unique_ptr<CorrelationEngine> host = hostCorrelationEngine();
  CudaCorrelationEngine gpu({});
  std::mt19937_64 random(34);
  for (const int symmetry : {0, 2, 3}) {
    const SpinorFunctions low = functionsOf(space, symmetry, 0, 6);
    const Eigen::MatrixXd factors = randomFactors(random, 6, 4);
    std::vector<SpinorFunctions> all{{low.symmetry, low.large * factors, low.small * factors}};
    for (int s = 0; s < 3; ++s)
      all.push_back(functionsOf(space, s, 0, space.symmetries()[static_cast<std::size_t>(s)].closed));
    const ProductPoints products = productPoints(space, all, pool);
    // One of them with factors of the ranks.
    const RankFactors ranks = symmetry == 3 ? RankFactors{0.7, 0.6, 0.85} : RankFactors{};
    const SelfEnergyTerms terms{space, holes, symmetry, all.front(), 1, -0.2, products, pool, ranks};
    const std::unique_ptr<SigmaSums> ofHost = host->sums(terms), ofGpu = gpu.sums(terms);
    for (std::size_t a = 0; a < holes.size(); ++a) {
      const SigmaPart expected = ofHost->partOf(a), found = ofGpu->partOf(a);
      ASSERT_EQ(found.matrix.rows(), 4);
      const double size = expected.matrix.cwiseAbs().maxCoeff();
      EXPECT_GT(size, 1e-8);
      EXPECT_LT((found.matrix - expected.matrix).cwiseAbs().maxCoeff(), 1e-11 * size) << symmetry << a;
      for (std::size_t l = 0; l < expected.waves.size(); ++l)
        EXPECT_NEAR(found.waves[l], expected.waves[l], 1e-11 * size) << symmetry << a << ' ' << l;
      EXPECT_NEAR(found.gap, expected.gap, 1e-12 * (1 + expected.gap));
    }
  }
}

TEST_F(CudaCorrelation, RefusesAGpuThatIsNotThere) { EXPECT_THROW(CudaCorrelationEngine({99}), CudaError); }

}  // namespace
}  // namespace prophet::cuda
