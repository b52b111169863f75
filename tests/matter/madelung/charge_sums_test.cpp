#include "matter/madelung/charge_sums.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"
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

/// The processor's sums, with a smallest distance as a GPU gives it.
class FindingEngine : public SpmeEngine {
 public:
  explicit FindingEngine(double nearest) : nearest_(nearest) {}
  std::string name() const override { return "finding"; }
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& p, SpmeTimes* times) override {
    Electrostatics e = host_->compute(cell, p, times);
    e.nearest = nearest_;
    return e;
  }

 private:
  std::unique_ptr<SpmeEngine> host_ = hostSpmeEngine(1);
  double nearest_;
};

TEST(ChargeSums, OpenTheEngineOfTheirOptionsOnce) {
  const ChargedCell cell = crystals::disordered(30, 4);
  int opened = 0;
  ChargeSumOptions options;
  options.ewald = false;
  options.mesh.tolerance = 1e-5;
  options.engine = [&](double seconds) {
    ++opened;
    EXPECT_GT(seconds, 0);
    return std::make_shared<FindingEngine>(1.5);
  };
  ChargeSums sums(cell.charges, options);
  EXPECT_EQ(sums.compute(cell.vectors, cell.positions).nearest, 1.5);
  sums.compute(1.01 * cell.vectors, 1.01 * cell.positions);
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(sums.device(), "finding");
  EXPECT_EQ(ChargeSums(cell.charges, {}).device(), "CPU, 1 thread");
}

TEST(ChargeSums, AskTheEngineForOverlaps) {
  ChargedCell cell = crystals::disordered(30, 4);
  const SpmeParameters p{Assignment::Spread, 4, {16, 16, 16}, 0.3, 6};
  FindingEngine close(0.1);
  EXPECT_THROW(sumsOfMesh(close, cell, p), Error);
  const auto host = hostSpmeEngine(1);
  EXPECT_NEAR(sumsOfMesh(*host, cell, p).nearest.value(), nearestDistance(cell), 1e-12);
  cell.positions.col(3) = cell.positions.col(7) + Eigen::Vector3d(0.05, 0, 0);
  EXPECT_THROW(sumsOfMesh(*host, cell, p), Error);
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
