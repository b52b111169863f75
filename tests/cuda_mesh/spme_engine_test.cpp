#include "cuda/matter/mesh/cuda_spme_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/common/error.hpp"
#include "matter/madelung/charge_sums.hpp"
#include "tests/cuda/gpu_test.hpp"

namespace prophet::cuda {
namespace {

class CudaSpme : public GpuTest {};

/// Sites anywhere in an oblique cell, with a net charge of `net`.
ChargedCell randomCell(int seed, int sites, double net) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> uniform(0, 1);
  ChargedCell cell;
  cell.vectors << 24, 3, -2, 1, 21, 4, -3, 2, 27;
  cell.positions.resize(3, sites);
  cell.charges.resize(sites);
  for (Eigen::Index i = 0; i < sites; ++i) {
    cell.positions.col(i) = cell.vectors * Eigen::Vector3d(uniform(random), uniform(random), uniform(random));
    cell.charges(i) = uniform(random) - 0.5;
  }
  cell.charges.array() += (net - cell.charges.sum()) / sites;
  return cell;
}

/// The same cell, larger, with n^3 sites that are near the points of a lattice, in random order.
ChargedCell manySites(int seed, int n) {
  ChargedCell cell = randomCell(seed, n * n * n, 0);
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> uniform(0, 0.6);
  std::vector<int> points(static_cast<std::size_t>(cell.sites()));
  std::iota(points.begin(), points.end(), 0);
  std::shuffle(points.begin(), points.end(), random);
  cell.vectors *= n / 9.0;
  for (Eigen::Index i = 0; i < cell.sites(); ++i) {
    const int at = points[static_cast<std::size_t>(i)];
    const Eigen::Vector3d f(at % n + uniform(random), at / n % n + uniform(random),
                            at / n / n + uniform(random));
    cell.positions.col(i) = cell.vectors * f / n;
  }
  return cell;
}

void expectAlike(const Electrostatics& gpu, const Electrostatics& host, const ChargedCell& cell) {
  EXPECT_LT((gpu.potentials - host.potentials).norm(), 1e-12 * host.potentials.norm());
  // In a crystal the fields of neighbours cancel, and the rounding of each, a charge by its distance squared,
  // stays.
  const double largest = cell.charges.cwiseAbs().maxCoeff() / std::pow(nearestDistance(cell), 2);
  EXPECT_LT((gpu.fields - host.fields).norm(),
            1e-11 * host.fields.norm() + 1e-15 * largest * std::sqrt(static_cast<double>(cell.sites())));
  EXPECT_NEAR(gpu.energy, host.energy, 1e-12 * std::abs(host.energy));
  EXPECT_LT((gpu.virial - host.virial).norm(), 1e-11 * host.virial.norm());
}

/// By parts side by side, and one after the other.
void expectHostsSums(SpmeEngine& engine, const ChargedCell& cell, const SpmeParameters& p) {
  const Electrostatics host = hostSpmeEngine(2)->compute(cell, p, nullptr);
  SpmeTimes times;
  const Electrostatics timed = engine.compute(cell, p, &times), gpu = engine.compute(cell, p, nullptr);
  expectAlike(timed, host, cell);
  expectAlike(gpu, host, cell);
  EXPECT_GT(times.assign, 0);
  EXPECT_GT(times.pairs, 0);
  const double nearest = nearestDistance(cell);
  if (nearest < p.cutoff) {
    ASSERT_TRUE(gpu.nearest);
    EXPECT_NEAR(*gpu.nearest, nearest, 1e-11);
  } else {
    EXPECT_FALSE(gpu.nearest);
  }
}
void expectHostsSums(const ChargedCell& cell, const SpmeParameters& p) {
  CudaSpmeEngine engine({0});
  expectHostsSums(engine, cell, p);
}

TEST_F(CudaSpme, GivesTheSumsOfTheHost) {
  int seed = 0;
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    for (const int order : {4, 5, 6, 7, 8, 10, 12}) {
      SCOPED_TRACE(std::string(nameOf(a)) + " " + std::to_string(order));
      expectHostsSums(randomCell(++seed, 400, 0), {a, order, {36, 40, 45}, 0.25, 9.0});
    }
  }
}

TEST_F(CudaSpme, KeepsUniformBackgrounds) {
  expectHostsSums(randomCell(50, 300, 7.5), {Assignment::Spread, 6, {30, 30, 30}, 0.3, 8.0});
}

/// Few sites, several images of each within the cutoff; odd meshes; one site.
TEST_F(CudaSpme, TakesSmallCellsAndOddMeshes) {
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    expectHostsSums(randomCell(60, 2, 0), {a, 6, {15, 17, 21}, 0.2, 60.0});
    expectHostsSums(randomCell(61, 1, 1.0), {a, 4, {9, 10, 11}, 0.2, 30.0});
  }
}

/// Places, charges, cell, cutoff and the number of sites change from call to call; the mesh stays.
TEST_F(CudaSpme, KeepsNothingOfEarlierCallsThatCounts) {
  CudaSpmeEngine engine({0});
  SpmeParameters p{Assignment::Spread, 6, {32, 27, 36}, 0.25, 9.0};
  for (const int sites : {500, 500, 900, 20, 701}) {
    SCOPED_TRACE(sites);
    ChargedCell cell = randomCell(80 + sites, sites, 0);
    expectHostsSums(engine, cell, p);
    cell.positions.array() += 0.37;
    cell.charges *= -1.5;
    expectHostsSums(engine, cell, p);
    cell.vectors *= 1.02;
    cell.positions *= 1.02;
    p.beta = p.beta == 0.25 ? 0.3 : 0.25;
    p.cutoff = 17.5 - p.cutoff;
    expectHostsSums(engine, cell, p);
  }
  expectHostsSums(engine, randomCell(81, 300, 0), {Assignment::Filter, 6, {32, 27, 36}, 0.25, 9.0});
}

/// Sites outside of the cell, on its faces, and all in one corner of it.
TEST_F(CudaSpme, TakesSitesAnywhere) {
  const SpmeParameters p{Assignment::Gather, 5, {20, 24, 27}, 0.25, 7.0};
  ChargedCell cell = randomCell(90, 350, 0);
  for (Eigen::Index i = 0; i < cell.sites(); ++i)
    cell.positions.col(i) +=
        cell.vectors * Eigen::Vector3d(static_cast<double>(i % 7 - 3), static_cast<double>(i % 5 - 2),
                                       static_cast<double>(i % 3));
  expectHostsSums(cell, p);
  ChargedCell lattice{12 * Eigen::Matrix3d::Identity(), Eigen::Matrix3Xd(3, 64), Eigen::VectorXd(64)};
  for (int i = 0; i < 64; ++i) {
    lattice.positions.col(i) = 3.0 * Eigen::Vector3d(i % 4, i / 4 % 4, i / 16 - 4);
    lattice.charges(i) = (i + i / 4 + i / 16) % 2 ? -1 : 1.5;
  }
  lattice.charges.array() -= lattice.charges.mean();
  expectHostsSums(lattice, p);
  ChargedCell corner = randomCell(91, 250, 0);
  corner.positions *= 0.15;
  expectHostsSums(corner, p);
}

/// Enough sites for several blocks of each kernel, and for one thread a site; many and few neighbours.
TEST_F(CudaSpme, GivesTheSumsOfTheHostForManySites) {
  const ChargedCell cell = manySites(95, 34);
  for (const double cutoff : {2.0, 9.0})
    expectHostsSums(cell, {Assignment::Spread, 4, {60, 64, 72}, 0.4, cutoff});
  expectHostsSums(cell, {Assignment::Gather, 4, {60, 64, 72}, 0.4, 5.0});
}

/// One particle a cell is gathered and the rest spread: few points, so that most cells have more than one,
/// and many.
TEST_F(CudaSpme, GathersOneParticleACellAndSpreadsTheRest) {
  const ChargedCell cell = randomCell(97, 2000, 0);
  for (const MeshSize& mesh : {MeshSize{8, 9, 10}, MeshSize{48, 45, 50}}) {
    for (const int order : {2, 3, 4, 7}) {
      SCOPED_TRACE(order);
      expectHostsSums(cell, {Assignment::Gather, order, mesh, 0.25, 6.0});
    }
  }
}

TEST_F(CudaSpme, FindsOverlaps) {
  ChargedCell cell = randomCell(98, 700, 0);
  CudaSpmeEngine engine({0});
  const SpmeParameters p{Assignment::Spread, 4, {24, 24, 24}, 0.25, 6.0};
  // Across a face, and twice the same.
  cell.positions.col(5) =
      cell.positions.col(600) + cell.vectors * Eigen::Vector3d(1, -1, 0) + Eigen::Vector3d(0, 0.02, 0);
  EXPECT_NEAR(engine.compute(cell, p, nullptr).nearest.value(), 0.02, 1e-12);
  EXPECT_THROW(sumsOfMesh(engine, cell, p), Error);
  cell.positions.col(5) = cell.positions.col(600);
  EXPECT_EQ(engine.compute(cell, p, nullptr).nearest.value(), 0);
}

TEST_F(CudaSpme, RefusesWhatTheHostRefuses) {
  const ChargedCell cell = randomCell(70, 10, 0);
  CudaSpmeEngine engine({0});
  EXPECT_THROW(engine.compute(cell, {Assignment::Spread, 13, {32, 32, 32}, 0.3, 8}, nullptr), Error);
  EXPECT_THROW(engine.compute(cell, {Assignment::Spread, 8, {8, 32, 32}, 0.3, 8}, nullptr), Error);
  EXPECT_THROW(engine.compute(cell, {Assignment::Spread, 8, {32, 32, 32}, 0.3, 1e5}, nullptr), Error);
  expectHostsSums(engine, cell, {Assignment::Spread, 8, {32, 32, 32}, 0.3, 8});
  EXPECT_THROW(CudaSpmeEngine({99}), DeviceError);
}

/// Images are counted in ten bits: what the host takes and the device does not is for the engine behind it.
TEST_F(CudaSpme, RefusesCutoffsOverTooManyImages) {
  ChargedCell needle{Eigen::Vector3d(0.25, 60, 60).asDiagonal(), Eigen::Matrix3Xd(3, 1),
                     Eigen::VectorXd::Ones(1)};
  needle.positions.setZero();
  EXPECT_THROW(CudaSpmeEngine({0}).compute(needle, {Assignment::Spread, 4, {8, 32, 32}, 0.3, 150}, nullptr),
               DeviceError);
}

/// Cells are counted in 32 bits: refused before any memory is taken, and the host can do it.
TEST_F(CudaSpme, RefusesToGatherOnMeshesOfTooManyPoints) {
  try {
    CudaSpmeEngine({0}).compute(randomCell(71, 10, 0), {Assignment::Gather, 4, {1296, 1296, 1296}, 0.3, 8},
                                nullptr);
    FAIL() << "a mesh of 2^31 points and more was taken";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("2^31"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace prophet::cuda
