#include "cuda/atoms/batch/shape.hpp"

#include <gtest/gtest.h>

#include <set>

#include "atoms/breit/breit.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/slater_kernel.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/screening.hpp"
#include "tests/atoms/service/library_calculation.hpp"

namespace prophet::cuda::batch {
namespace {

constexpr int kShared = 227 * 1024;  // Hopper

TEST(BatchShape, FollowsFromTheRequestAlone) {
  std::string why;
  const auto radon = placementOf(test::libraryCalculation(86), kShared, why),
             stretched = placementOf(test::libraryCalculation(86, 1.02), kShared, why);
  ASSERT_TRUE(radon && stretched);
  EXPECT_EQ(keyOf(radon->shape), keyOf(stretched->shape));
  EXPECT_EQ(radon->shape.arrays.symmetries, 7);
  EXPECT_EQ(radon->shape.arrays.points % 16, 0);
  EXPECT_EQ(radon->shape.arrays.m[0], 6);
  EXPECT_EQ(radon->shape.arrays.firstOrbital[7], 24);
  EXPECT_NE(keyOf(radon->shape), keyOf(placementOf(test::libraryCalculation(80), kShared, why)->shape));
}

TEST(BatchShape, HasNoBracketsWithAFunctional) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  std::string why;
  Calculation request = test::libraryCalculation(86);
  const Shape exact = placementOf(request, kShared, why)->shape.arrays;
  request.problem.hamiltonian.functional = "rlda";
  const auto local = placementOf(request, kShared, why);
  ASSERT_TRUE(local) << why;
  EXPECT_LT(local->shape.arrays.bracketSize, exact.bracketSize / 10);
  EXPECT_EQ(local->shape.arrays.components, 2);
  EXPECT_EQ(kernelTable(local->shape.arrays).size(), 2u * local->shape.arrays.points - 1);
  request.problem.hamiltonian.functional = "pbe";
  EXPECT_EQ(placementOf(request, kShared, why)->shape.arrays.components, 4);
  request.problem.hamiltonian.repulsion = TwoElectronOperator::CoulombBreit;
  request.problem.hamiltonian.breitTreatment = Treatment::FirstOrder;
  EXPECT_FALSE(placementOf(request, kShared, why));
  request = test::libraryCalculation(86);
  request.problem.hamiltonian.functional = "pbe0";
  EXPECT_FALSE(placementOf(request, kShared, why));
  EXPECT_NE(why.find("functionals"), std::string::npos) << why;
  request.problem.hamiltonian.functional = "rlda";
  request.inBasis().estimateError = true;
  EXPECT_FALSE(placementOf(request, kShared, why));
}

TEST(BatchShape, LeavesToTheHostWhatTheKernelsDoNotCover) {
  std::string why;
  Calculation request = test::libraryCalculation(10);
  request.inBasis().scf.extrapolation = Extrapolation::Fock;
  EXPECT_FALSE(placementOf(request, kShared, why));
  request = test::libraryCalculation(10);
  request.problem.hamiltonian.qed.selfEnergy = true;
  EXPECT_TRUE(placementOf(request, kShared, why));
  request.problem.nucleus.charge = 121.0;
  EXPECT_FALSE(placementOf(request, kShared, why));
  EXPECT_NE(why.find("self-energy"), std::string::npos) << why;
  request = test::libraryCalculation(10);
  request.problem.configuration = parseConfiguration("1s1 2s2 2p6");
  EXPECT_FALSE(placementOf(request, kShared, why));
  EXPECT_NE(why.find("holes"), std::string::npos) << why;
  request = test::libraryCalculation(10);
  request.inBasis().basis.symmetries.resize(1);
  EXPECT_FALSE(placementOf(request, kShared, why));
  request = test::libraryCalculation(10);
  request.inBasis().basis.symmetries[0].exponents[0] = -1.0;
  EXPECT_FALSE(placementOf(request, kShared, why));
  EXPECT_FALSE(why.empty());
  request = test::libraryCalculation(10);
  request.inBasis().basis.symmetries[1].exponents.back() = 1e16;
  EXPECT_FALSE(placementOf(request, kShared, why));
  EXPECT_NE(why.find("tight"), std::string::npos) << why;
  EXPECT_TRUE(placementOf(test::libraryCalculation(86), 99 * 1024, why));
  EXPECT_FALSE(placementOf(test::libraryCalculation(86), 16 * 1024, why));
}

TEST(BatchShape, PacksOccupationsAndExponents) {
  std::string why;
  const Calculation request = test::libraryCalculation(24);  // 3d5 4s1
  const auto [batch, first] = placementOf(request, kShared, why).value();
  const Shape& shape = batch.arrays;
  std::vector<double> input(shape.inputSize, -1.0);
  NuclearTable table;
  packInput(request, shape, first, table, input.data());
  EXPECT_EQ(input[kTableCount], 0.0);
  EXPECT_EQ(input[kCharge], 24.0);
  EXPECT_EQ(input[shape.inExponents], request.inBasis().basis.symmetries[0].exponents[0]);
  double electrons = 0.0;
  for (int i = 0; i < shape.firstOrbital[shape.symmetries]; ++i) electrons += input[shape.inOccupation + i];
  EXPECT_NEAR(electrons, 24.0, 1e-12);
  EXPECT_EQ(input[shape.inSymmetry + kOpen], 1.0);
  EXPECT_NEAR(input[shape.inSymmetry + kOpenElectrons], 1.0, 1e-12);
  EXPECT_NEAR(input[shape.inReduction], request.problem.configuration.openReduction()(0, 0), 1e-15);
  for (const double value : input) EXPECT_TRUE(std::isfinite(value));
}

TEST(BatchShape, PacksTheScreeningThatTheHostStartsFrom) {
  std::string why;
  for (const int electrons : {1, 24, 26}) {
    const int z = 26;
    Calculation request = test::libraryCalculation(z);
    if (electrons != z)
      request.problem.configuration = parseConfiguration(electrons == 1 ? "1s1" : "[Ar] 3d6");
    const auto [batch, first] = placementOf(request, kShared, why).value();
    const Shape& shape = batch.arrays;
    std::vector<double> input(shape.inputSize);
    NuclearTable table;
    packInput(request, shape, first, table, input.data());
    for (int a = 0; a < shape.symmetries; ++a) {
      const auto screening = tabulatedScreening(z, electrons, Symmetry::fromIndex(a));
      const double* charges = input.data() + shape.inScreening + (a + 1) * kScreeningTerms;
      ASSERT_EQ(input[shape.inSymmetry + a * kInputPerSymmetry + kTabulated], screening ? 1.0 : 0.0) << z;
      if (!screening) continue;
      EXPECT_EQ(screeningPotential(input.data() + shape.inScreening, charges, 0.3),
                screeningPotential(screening->rates.data(), screening->charges.data(), 0.3));
    }
  }
}

TEST(BatchShape, PacksOnlySpinorsThatFit) {
  std::string why;
  Calculation request = test::libraryCalculation(10);
  const auto [batch, first] = placementOf(request, kShared, why).value();
  const Shape& shape = batch.arrays;
  std::vector<double> input(shape.inputSize);
  EXPECT_FALSE(packStart(request, shape, input.data()));
  request.inBasis().keepSpinors = true;
  StartSpinors spinors = *computeOrReason(request).coefficients;
  request.inBasis().start = std::make_shared<StartSpinors>(spinors);
  ASSERT_TRUE(packStart(request, shape, input.data()));
  EXPECT_EQ(input[shape.inSymmetry + kStartFunctions], spinors.basis.symmetries[0].size());
  EXPECT_EQ(input[shape.inStartExponents], spinors.basis.symmetries[0].exponents[0]);
  const double* second = input.data() + shape.inStartSpinors + shape.coefficients[0] + 2 * shape.n[0];
  EXPECT_EQ(second[3], spinors.large[0](3, 1));
  EXPECT_EQ(second[shape.n[0] + 3], spinors.small[0](3, 1));
  spinors.large[0].conservativeResize(Eigen::NoChange, 1);
  request.inBasis().start = std::make_shared<StartSpinors>(spinors);
  EXPECT_FALSE(packStart(request, shape, input.data()));
}

TEST(BatchShape, TakesBreitAndKeepsItApartFromCoulomb) {
  std::string why;
  Calculation request = test::libraryCalculation(86);
  const Shape coulomb = placementOf(request, kShared, why)->shape.arrays;
  request.problem.hamiltonian.repulsion = TwoElectronOperator::CoulombBreit;
  const Shape whole = placementOf(request, kShared, why)->shape.arrays;
  request.problem.hamiltonian.breitTreatment = Treatment::FirstOrder;
  const Shape first = placementOf(request, kShared, why)->shape.arrays;
  request.problem.hamiltonian.repulsion = TwoElectronOperator::CoulombGaunt;
  const Shape gaunt = placementOf(request, kShared, why)->shape.arrays;
  EXPECT_EQ(std::set<std::string>(
                {keyOf({coulomb, {}}), keyOf({whole, {}}), keyOf({first, {}}), keyOf({gaunt, {}})})
                .size(),
            4u);
  EXPECT_TRUE(whole.breitInScf && !first.breitInScf);
  EXPECT_EQ(gaunt.breitParts, 1);
}

TEST(BatchShape, TabulatesBreitKernelsOfBothOrders) {
  std::string why;
  Calculation request = test::libraryCalculation(13);
  request.problem.hamiltonian.repulsion = TwoElectronOperator::CoulombBreit;
  const Shape shape = placementOf(request, kShared, why)->shape.arrays;
  ASSERT_EQ(shape.symmetries, 3);
  const std::vector<double> table = kernelTable(shape);
  const int length = 2 * shape.points - 1, pairs = 6, sets = kBreitSets, whole = kWholeBreit;
  ASSERT_EQ(table.size(), static_cast<std::size_t>(length) * (pairs + 1 + sets * kCrossKernels * pairs));
  const auto kernels = breitKernels({Symmetry::fromIndex(0), Symmetry::fromIndex(1), Symmetry::fromIndex(2)},
                                    shape.h, shape.points, BreitPart::Breit);
  const auto entry = [&](CrossKernel which, int pair, int m) {  // i - j = m
    return table[static_cast<std::size_t>(length) *
                     (pairs + 1 + (whole * kCrossKernels + which) * pairs + pair) +
                 shape.points - 1 + m];
  };
  for (int a = 0, pair = 0; a < 3; ++a) {
    for (int b = 0; b <= a; ++b, ++pair) {
      for (const int m : {-7, 0, 1, 20}) {
        EXPECT_EQ(entry(kCrossLL, pair, m), kernels->centre(kernels->largeFromSmall, a, b)[-m]);
        EXPECT_EQ(entry(kCrossSS, pair, m), kernels->centre(kernels->largeFromSmall, b, a)[-m]);
        EXPECT_EQ(entry(kCrossMixed, pair, m), kernels->centre(kernels->mixed, a, b)[-m]);
        if (a == b) continue;
        EXPECT_EQ(entry(kCrossTransposed, pair, m), kernels->centre(kernels->mixed, b, a)[-m]);
      }
    }
  }
}

/// Closed form of the Gaussian nucleus and quadrature of the difference are together the host's matrices.
TEST(BatchShape, TabulatesWhatAFermiNucleusDiffersBy) {
  std::string why;
  for (const int z : {10, 86}) {
    Calculation request = test::libraryCalculation(z);
    NucleusRequest fermi;
    fermi.model = NuclearModel::Fermi;
    fermi.charge = z;
    const Nucleus nucleus = request.problem.nucleus = makeNucleus(fermi);
    const auto [batch, first] = placementOf(request, kShared, why).value();
    const Shape& shape = batch.arrays;
    std::vector<double> input(shape.inputSize);
    NuclearTable table;
    packInput(request, shape, first, table, input.data());
    const int count = static_cast<int>(input[kTableCount]), start = static_cast<int>(input[kTableFirst]);
    ASSERT_GT(count, 100);
    const BasisSet& basis = request.inBasis().basis;
    const auto exact = oneElectronMatrices(basis, nucleus),
               gaussian = oneElectronMatrices(basis, gaussianOf(nucleus));
    const RadialGrid grid{std::exp(start * kTableSpacing), kTableSpacing, count};
    const GridFunctions f = evaluateOnGrid(basis.symmetries[0], grid);
    const Eigen::Map<const Eigen::VectorXd> values(input.data() + shape.inTable, count);
    const Eigen::MatrixXd sum =
        gaussian[0].nuclearLarge + f.large.transpose() * values.asDiagonal() * f.large;
    EXPECT_LT((sum - exact[0].nuclearLarge).cwiseAbs().maxCoeff(),
              1e-13 * exact[0].nuclearLarge.cwiseAbs().maxCoeff());
    EXPECT_LT(((sum - exact[0].nuclearLarge).array() / exact[0].nuclearLarge.array()).abs().maxCoeff(), 1e-11)
        << z;
  }
}

}  // namespace
}  // namespace prophet::cuda::batch
