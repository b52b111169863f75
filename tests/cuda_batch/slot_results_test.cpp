#include "cuda/atoms/batch/slot_results.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cuda/atoms/batch/shape.hpp"
#include "tests/atoms/service/library_calculation.hpp"

/// On the host: what a slot's numbers become.
namespace prophet::cuda::batch {
namespace {

Calculation carbon() { return test::libraryCalculation(6); }

Shape shapeOf(const Calculation& calculation) {
  std::string why;
  return placementOf(calculation, 227 * 1024, why).value().shape.arrays;
}

SlotState stateOf(SlotStatus status) {
  SlotState state{};
  state.iteration = 7;
  state.status = static_cast<int>(status);
  state.kinetic = 37.0;
  state.nuclear = -88.0;
  state.twoElectron = 13.0;
  state.energy = -38.0;
  state.change = 2e-5;
  state.virialRatio = 75.0 / 37.0;
  return state;
}

TEST(SlotResults, HaveEnergiesAndSpinorsInOrder) {
  const Calculation calculation = carbon();
  const Shape shape = shapeOf(calculation);
  const std::vector<double> energies{-11.3, -0.7, -0.43, -0.42};  // 1s, 2s, 2p-, 2p
  const Result result =
      slotResult(calculation, shape, stateOf(SlotStatus::Converged), energies.data(), nullptr);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.energy.total, -38.0);
  EXPECT_EQ(result.energy.value(EnergyPartId::NuclearAttraction), -88.0);
  EXPECT_EQ(result.iterations, 7);
  ASSERT_EQ(result.spinors.size(), energies.size());
  for (std::size_t i = 0; i < energies.size(); ++i) EXPECT_EQ(result.spinors[i].energy, energies[i]);
  EXPECT_EQ(result.spinors[1].n, 2);
  EXPECT_EQ(result.spinors[3].symmetry.label(), "p+");
  EXPECT_NEAR(result.spinors[2].occupation + result.spinors[3].occupation, 2.0, 1e-14);
}

TEST(SlotResults, SayThatTheyAreNotConverged) {
  const Calculation calculation = carbon();
  const std::vector<double> energies(4, -1.0);
  const Result result = slotResult(calculation, shapeOf(calculation), stateOf(SlotStatus::OutOfIterations),
                                   energies.data(), nullptr);
  EXPECT_FALSE(result.ok());
  EXPECT_NE(result.reason.find("7 iterations"), std::string::npos) << result.reason;
}

TEST(SlotResults, TakeThePaddingOffSpinors) {
  const Calculation calculation = carbon();
  const Shape shape = shapeOf(calculation);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<double> padded(static_cast<std::size_t>(shape.coefficientSize));
  for (double& x : padded) x = number(random);
  const auto coefficients = slotCoefficients(calculation, shape, padded.data());
  Result result;
  addSpinors(calculation, shape, padded.data(), result);
  ASSERT_EQ(static_cast<int>(coefficients.size()), shape.symmetries);
  for (int a = 0; a < shape.symmetries; ++a) {
    const int count = calculation.inBasis().basis.symmetries[a].size();
    ASSERT_EQ(coefficients[a].rows(), 2 * count);
    for (int o = 0; o < shape.m[a]; ++o) {
      const double* spinor = padded.data() + shape.coefficients[a] + o * 2 * shape.n[a];
      for (int p = 0; p < count; ++p) {
        EXPECT_EQ(coefficients[a](p, o), spinor[p]);
        EXPECT_EQ(coefficients[a](count + p, o), spinor[shape.n[a] + p]);
        EXPECT_EQ(result.coefficients->large[a](p, o), spinor[p]);
        EXPECT_EQ(result.coefficients->small[a](p, o), spinor[shape.n[a] + p]);
      }
    }
  }
}

}  // namespace
}  // namespace prophet::cuda::batch
