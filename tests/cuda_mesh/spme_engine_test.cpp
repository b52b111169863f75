#include "cuda/matter/mesh/cuda_spme_engine.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/common/error.hpp"
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

void expectHostsSums(const ChargedCell& cell, const SpmeParameters& p) {
  const Electrostatics host = hostSpmeEngine(2)->compute(cell, p, nullptr);
  SpmeTimes times;
  const Electrostatics gpu = CudaSpmeEngine({0}).compute(cell, p, &times);
  EXPECT_LT((gpu.potentials - host.potentials).norm(), 1e-12 * host.potentials.norm());
  EXPECT_LT((gpu.fields - host.fields).norm(), 1e-11 * host.fields.norm());
  EXPECT_NEAR(gpu.energy, host.energy, 1e-12 * std::abs(host.energy));
  EXPECT_LT((gpu.virial - host.virial).norm(), 1e-11 * host.virial.norm());
  EXPECT_GT(times.assign, 0);
  EXPECT_GT(times.pairs, 0);
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

TEST_F(CudaSpme, RefusesWhatTheHostRefuses) {
  const ChargedCell cell = randomCell(70, 10, 0);
  CudaSpmeEngine engine({0});
  EXPECT_THROW(engine.compute(cell, {Assignment::Spread, 13, {32, 32, 32}, 0.3, 8}, nullptr), Error);
  EXPECT_THROW(engine.compute(cell, {Assignment::Spread, 8, {8, 32, 32}, 0.3, 8}, nullptr), Error);
  EXPECT_THROW(engine.compute(cell, {Assignment::Spread, 8, {32, 32, 32}, 0.3, 1e5}, nullptr), Error);
  EXPECT_THROW(CudaSpmeEngine({99}), DeviceError);
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
