#include "cuda/matter/mesh/cuda_shape_engine.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cuda/core/common/check.hpp"
#include "cuda/matter/mesh/device_transform.hpp"
#include "matter/shape/bodies.hpp"
#include "tests/cuda/gpu_test.hpp"
#include "tests/matter/shape/random_rows.hpp"

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

/// Large bodies have large phases, of which 24 bits leave little.
TEST_F(CudaShape, SinglePrecisionKeepsItsBoundForBodiesOfEverySize) {
  const QGrid grid = parseQGrid("-1:1:12,-1:1:13,0.1:1:9");
  for (const double size : {40.0, 200.0, 500.0, 1000.0, 5000.0}) {
    SCOPED_TRACE(size);
    auto elements = crumpledCone(21, 1000);
    for (SurfaceElement& e : elements) {
      e.centre *= size / 40;
      e.area *= size * size / 1600;
    }
    const FormFactor host = sumAtPoints(elements, pointsOf(grid));
    CudaShapeEngine engine({0});
    EXPECT_LT(difference(engine.sumOnGrid(elements, grid, Precision::Single), host), 3e-5);
    EXPECT_LT(difference(engine.sumAtPoints(elements, pointsOf(grid), Precision::Single), host), 3e-5);
  }
}

/// The longest axis makes the rows of the products, with and without a row in the middle; parts of a grid are
/// planes, lines of planes or lines. One engine keeps plan and memory from call to call.
TEST_F(CudaShape, SumsOnGridsOfEveryShapeAreThoseOfTheHost) {
  std::mt19937 random(31);
  const auto elements = crumpledCone(31, 1500);
  CudaShapeEngine whole({0});
  for (const char* text :
       {"-1:1:9,-1:0.7:4,0.1:1:3", "-0.9:1:8,0.2:0.7:3,0.1:1:5", "-1:1:3,-1:0.7:12,0.1:1:4",
        "-0.3:1:2,-1:1:7,0.1:0.8:5", "0.1:1:4,-1:1:3,-0.5:1:11", "0.5,0.1:0.9:6,0.3", "0.2:0.9:2,0.4,0.3",
        "0.1:1:40,0.2:1:33,0.1:1:21", "-1 -0.3 0.4 1,-1:0.7:4,0.1 0.2 0.7"}) {
    SCOPED_TRACE(text);
    const QGrid grid = parseQGrid(text);
    const FormFactor host = sumAtPoints(elements, pointsOf(grid));
    EXPECT_LT(difference(whole.sumOnGrid(elements, grid, Precision::Double), host), 1e-12);
    for (int n = 0; n < 3; ++n) {
      CudaShapeEngine parts({0}, 1 + random() % (grid.size() + 1));
      EXPECT_LT(difference(parts.sumOnGrid(elements, grid, Precision::Double), host), 1e-12);
    }
  }
}

TEST_F(CudaShape, SumsOnGridsKeepTheirDigitsForLargeBodies) {
  const QGrid grid = parseQGrid("-1:1:12,-1:1:13,0.1:1:9");
  auto elements = crumpledCone(32, 1000);
  for (SurfaceElement& e : elements) e.centre *= 125;
  const FormFactor host = sumAtPoints(elements, pointsOf(grid));
  CudaShapeEngine engine({0});
  for (const Precision p : {Precision::Single, Precision::Double})
    EXPECT_LT(difference(engine.sumOnGrid(elements, grid, p), host), 1e-11);
}

TEST_F(CudaShape, CallsOneAfterTheOtherAreThoseOfNewEngines) {
  CudaShapeEngine kept({0});
  const auto small = crumpledCone(33, 400), large = crumpledCone(34, 3000);
  const QGrid first = parseQGrid("-1:1:16,-1:1:17,0.1:1:9"), second = parseQGrid("-1:1:9,-1:1:17,0.1:1:16");
  for (const auto& [elements, grid, precision] : {std::tuple{&small, &first, Precision::Single},
                                                  {&large, &first, Precision::Single},
                                                  {&large, &first, Precision::Double},
                                                  {&small, &second, Precision::Double},
                                                  {&small, &first, Precision::Single}}) {
    CudaShapeEngine fresh({0});
    EXPECT_LT(difference(kept.transformOnGrid(*elements, *grid, 1e-5, precision),
                         fresh.transformOnGrid(*elements, *grid, 1e-5, precision)),
              1e-6);
    EXPECT_LT(
        difference(kept.sumOnGrid(*elements, *grid, precision), sumAtPoints(*elements, pointsOf(*grid))),
        1e-12);
  }
}

/// One wave to four, real and decaying, in one engine and by hyperblocks; more and fewer pixels than a tile
/// and triangles than a block takes.
TEST_F(CudaShape, SumsOnRowsAreThoseOfTheHost) {
  CudaShapeEngine whole({0});
  int seed = 60;
  for (const auto& [triangles, rows, longest, decay] :
       {std::tuple{1000, 5, 100, 0.0}, {1000, 6, 150, 0.05}, {60, 40, 1, 0.2}, {3000, 1, 300, 0.1}}) {
    for (int waves = 1; waves <= QRows::kMostWaves; ++waves) {
      SCOPED_TRACE(std::to_string(triangles) + " " + std::to_string(waves));
      const auto elements = crumpledCone(++seed, triangles);
      const QRows q = randomRows(seed, rows, longest, waves, decay);
      const Eigen::MatrixXcd host = pointByPoint(elements, q);
      CudaShapeEngine parts({0}, 200);
      for (CudaShapeEngine* engine : {&whole, &parts}) {
        const Eigen::MatrixXcd f = engine->sumOnRows(elements, q, Precision::Double);
        for (int wave = 0; wave < waves; ++wave)
          EXPECT_LT((f.row(wave) - host.row(wave)).norm(), 1e-12 * host.row(wave).norm()) << wave;
        EXPECT_LT(std::abs(f(0, q.first[1] / 2) - host(0, q.first[1] / 2)),
                  1e-12 * std::abs(host(0, q.first[1] / 2)));
      }
    }
  }
}

/// Every width of the kernel, points in all of the mesh and in one corner of it, across its edges.
template <class T>
void compareSpreading(double tolerance) {
  ShapeDevice device(1);
  std::mt19937 random(71);
  for (int width = 2; width <= kMostKernelWidth; ++width) {
    SCOPED_TRACE(width);
    const ExpSqrtKernel kernel{width, 2.3 * width};
    const int3 n{std::max(40, 2 * width), 2 * width, std::max(35, 2 * width)};
    const TransformPlan plan{kernel, n, {0.1, 0.2, -0.3}, {0.05, 0.06, 0.07}, nullptr, nullptr, nullptr};
    for (const double extent : {3.0, 200.0}) {
      std::uniform_real_distribution<double> uniform(-extent, extent);
      std::vector<Element<double>> points(700);
      for (auto& e : points)
        e = {uniform(random), uniform(random), uniform(random),
             uniform(random), uniform(random), uniform(random)};
      const int count = static_cast<int>(points.size());
      const DeviceBuffer<Element<double>> elements(points);
      const std::size_t size = static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y * n.z);
      DeviceBuffer<double3> places(points.size());
      DeviceBuffer<Complex<T>> strengths(3 * points.size()), simple(size), fast(size);
      simple.fill(0, device.stream());
      fast.fill(0, device.stream());
      launchPlaces<T>(elements.data(), nullptr, count, plan, places.data(), strengths.data(),
                      device.stream());
      launchSpreadKernel<T>(places.data(), strengths.data(), count, plan, simple.data(), device.stream());
      const SortedElements sorted = sortElements(device, elements, plan);
      launchPlaces<T>(elements.data(), sorted.order.data(), count, plan, places.data(), strengths.data(),
                      device.stream());
      launchSpreadBins<T>(places.data(), strengths.data(), sorted.keys.data(), count, plan, sorted.bins,
                          fast.data(), device.stream());
      const auto expected = simple.download(device.stream()), found = fast.download(device.stream());
      double error = 0, norm = 0;
      for (std::size_t i = 0; i < size; ++i) {
        error += std::norm(std::complex<double>(expected[i].x - found[i].x, expected[i].y - found[i].y));
        norm += std::norm(std::complex<double>(expected[i].x, expected[i].y));
      }
      EXPECT_GT(norm, 0);
      EXPECT_LT(std::sqrt(error / norm), tolerance) << extent;
    }
  }
}

TEST_F(CudaShape, SpreadingByBinsIsTheSimpleSpreading) {
  compareSpreading<float>(3e-6);
  compareSpreading<double>(1e-14);
}

/// Memory that is refused makes hyperblocks smaller, down to one that has room.
TEST_F(CudaShape, ShortMemoryMakesHyperblocksSmaller) {
  const auto elements = crumpledCone(22, 500);
  const QGrid grid = parseQGrid("-1:1:16,-1:1:17,0.1:1:9");
  const FormFactor host = sumAtPoints(elements, pointsOf(grid));
  int refused = 0;
  CudaShapeEngine engine({0}, 0, [&](long long momenta) {
    if (momenta > 500) {
      ++refused;
      throw OutOfDeviceMemory("injected");
    }
  });
  EXPECT_LT(difference(engine.sumOnGrid(elements, grid, Precision::Double), host), 1e-12);
  EXPECT_LT(difference(engine.transformOnGrid(elements, grid, 1e-9, Precision::Double), host), 5e-9);
  const QRows q = randomRows(23, 30, 60, 3, 0.1);
  const Eigen::MatrixXcd rows = pointByPoint(elements, q);
  EXPECT_LT((engine.sumOnRows(elements, q, Precision::Double) - rows).norm(), 1e-12 * rows.norm());
  EXPECT_GT(refused, 3);
  CudaShapeEngine none({0}, 0, [](long long) { throw OutOfDeviceMemory("injected"); });
  EXPECT_THROW(none.sumOnGrid(elements, grid, Precision::Double), DeviceError);
}

TEST_F(CudaShape, SharesBlocksAmongAllGpus) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  if (count < 2) GTEST_SKIP() << "one GPU only";
  const auto elements = crumpledCone(20, 2000);
  const QGrid grid = parseQGrid("-1:1:32,-1:1:31,0.1:1:9");
  const FormFactor host = sumAtPoints(elements, pointsOf(grid));
  CudaShapeEngine engine({});
  EXPECT_LT(difference(engine.sumOnGrid(elements, grid, Precision::Double), host), 1e-12);
  EXPECT_LT(difference(engine.transformOnGrid(elements, grid, 1e-9, Precision::Double), host), 5e-9);
  const QRows q = randomRows(24, 30, 60, 4, 0.1);
  const Eigen::MatrixXcd rows = pointByPoint(elements, q);
  EXPECT_LT((engine.sumOnRows(elements, q, Precision::Double) - rows).norm(), 1e-12 * rows.norm());
}

TEST_F(CudaShape, RefusesAGpuThatIsNotThere) { EXPECT_THROW(CudaShapeEngine({99}), DeviceError); }

}  // namespace
}  // namespace prophet::cuda
