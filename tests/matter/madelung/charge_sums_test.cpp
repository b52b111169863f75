#include "matter/madelung/charge_sums.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"
#include "core/mesh/fft.hpp"
#include "crystals.hpp"
#include "matter/madelung/direct_ewald.hpp"

namespace prophet {
namespace {

TEST(ChargeSums, OfFewChargesAreEwalds) {
  const ChargedCell cell = crystals::disordered(6, 3);
  ChargeSums sums(cell.charges, {});
  const Electrostatics e = sums.compute(cell.vectors, cell.positions);
  EXPECT_EQ(e.energy, directEwald(cell).energy);
  EXPECT_FALSE(sums.parameters());
}

TEST(ChargeSums, KeepTheirParametersWhilePlacesAndCellsChangeALittle) {
  if (!hasFft()) GTEST_SKIP() << "built without gemmi";
  ChargedCell cell = crystals::disordered(30, 4);
  ChargeSumOptions options;
  options.ewald = false;
  options.mesh.tolerance = 1e-6;
  ChargeSums sums(cell.charges, options);
  sums.compute(cell.vectors, cell.positions);
  const SpmeParameters first = sums.parameters().value();
  const auto expectRight = [&] {
    const Electrostatics e = sums.compute(cell.vectors, cell.positions), reference = directEwald(cell);
    EXPECT_LT((e.potentials - reference.potentials).norm(), 3e-6 * reference.potentials.norm());
  };
  cell.positions.col(3) += Eigen::Vector3d(0.2, -0.1, 0.1);
  expectRight();
  EXPECT_EQ(sums.parameters(), first);
  cell.vectors *= 1.001;
  cell.positions *= 1.001;
  expectRight();
  EXPECT_EQ(sums.parameters(), first);
  cell.vectors *= 2;
  cell.positions *= 2;
  expectRight();
  EXPECT_NE(sums.parameters(), first);
}

TEST(ChargeSums, RefuseWhatCannotBe) {
  const ChargedCell cell = crystals::rockSalt(10).cell;
  EXPECT_THROW(ChargeSums(Eigen::VectorXd(), {}), Error);
  EXPECT_THROW(ChargeSums(Eigen::VectorXd::Constant(2, std::nan("")), {}), Error);
  ChargeSums sums(cell.charges, {});
  EXPECT_THROW(sums.compute(cell.vectors, cell.positions.leftCols(7)), Error);
  EXPECT_THROW(sums.compute(Eigen::Matrix3d::Zero(), cell.positions), Error);
  EXPECT_THROW(ChargeSums(Eigen::VectorXd::Ones(8), {}).compute(cell.vectors, cell.positions), Error);
  ChargeSumOptions useless;
  useless.ewald = false;
  useless.mesh.beta = 0.05;
  useless.mesh.cutoff = 2;
  EXPECT_THROW(ChargeSums(cell.charges, useless).compute(cell.vectors, cell.positions), Error);
}

}  // namespace
}  // namespace prophet
