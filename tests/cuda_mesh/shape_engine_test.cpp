#include "cuda/mesh/cuda_shape_engine.hpp"

#include <gtest/gtest.h>

#include <random>

#include "common/error.hpp"
#include "cuda/gpu_test.hpp"
#include "shape/bodies.hpp"

namespace prophet::cuda {
namespace {

class CudaShape : public GpuTest {};

double difference(const FormFactor& a, const FormFactor& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    error += std::norm(a.at(i) - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(error / norm);
}

/// A closed surface with its corners moved at random, away from the origin.
std::vector<SurfaceElement> crumpledCone(int seed, int triangles) {
  TriangleMesh mesh = cone(30, 40).surface(triangles);
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (Eigen::Vector3d& v : mesh.vertices)
    v += Eigen::Vector3d(uniform(random) + 7, uniform(random) - 11, uniform(random) + 20);
  return surfaceElements(mesh);
}

/// Grids with and without momenta near zero, single points and lines among them.
const char* const kGrids[] = {"-1:1:16,-1:1:17,0.1:1:9", "0.3,-1:1:40,0:0.5:3", "-0.01:0.01:5,0,0:1:4",
                              "0,0,0"};

TEST_F(CudaShape, SumsAreThoseOfTheHost) {
  int seed = 0;
  for (const char* text : kGrids) {
    SCOPED_TRACE(text);
    const auto elements = crumpledCone(++seed, 1000);
    const QGrid grid = parseQGrid(text);
    const FormFactor host = sumAtPoints(elements, pointsOf(grid));
    for (const std::size_t block : {std::size_t{0}, std::size_t{7}, std::size_t{1000}}) {
      CudaShapeEngine engine({0}, block);
      EXPECT_LT(difference(engine.sumOnGrid(elements, grid, Precision::Double), host), 1e-12);
      EXPECT_LT(difference(engine.sumOnGrid(elements, grid, Precision::Single), host), 3e-5);
      EXPECT_LT(difference(engine.sumAtPoints(elements, pointsOf(grid), Precision::Double), host), 1e-12);
      EXPECT_LT(difference(engine.sumAtPoints(elements, pointsOf(grid), Precision::Single), host), 3e-5);
    }
  }
}

TEST_F(CudaShape, TransformsKeepTheirTolerance) {
  int seed = 10;
  for (const char* text : kGrids) {
    SCOPED_TRACE(text);
    const auto elements = crumpledCone(++seed, 1000);
    const QGrid grid = parseQGrid(text);
    const FormFactor host = sumAtPoints(elements, pointsOf(grid));
    for (const std::size_t block : {std::size_t{0}, std::size_t{1}, std::size_t{500}}) {
      CudaShapeEngine engine({0}, block);
      for (const double tolerance : {1e-3, 1e-6, 1e-10})
        EXPECT_LT(difference(engine.transformOnGrid(elements, grid, tolerance, Precision::Double), host),
                  5 * tolerance);
      EXPECT_LT(difference(engine.transformOnGrid(elements, grid, 1e-5, Precision::Single), host), 5e-5);
    }
  }
}

TEST_F(CudaShape, SharesBlocksAmongAllGpus) {
  const auto elements = crumpledCone(20, 2000);
  const QGrid grid = parseQGrid("-1:1:32,-1:1:31,0.1:1:9");
  const FormFactor host = sumAtPoints(elements, pointsOf(grid));
  CudaShapeEngine engine({});
  EXPECT_LT(difference(engine.sumOnGrid(elements, grid, Precision::Double), host), 1e-12);
  EXPECT_LT(difference(engine.transformOnGrid(elements, grid, 1e-9, Precision::Double), host), 5e-9);
  EXPECT_THROW(CudaShapeEngine({99}), Error);
}

}  // namespace
}  // namespace prophet::cuda
