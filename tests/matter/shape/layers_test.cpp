#include "matter/shape/layers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

constexpr double kRadiansOfDegree = 3.14159265358979323846 / 180;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
const double kWaveNumber = 2 * std::acos(-1.0);

const Medium kPolymer{1.5e-6, 2e-9}, kOxide{5e-6, 4e-8}, kSilicon{3.2e-6, 3e-8};

LayerStack stack(double roughness = 0) {
  return LayerStack({{kPolymer, 400, roughness}, {kOxide, 150, roughness}, {kSilicon, kInfinite, roughness}});
}

Complex slopeOf(const LayerWave& w, double z) { return Complex(0, 1) * w.kz * (w.upAt(z) - w.downAt(z)); }

/// Smooth interfaces: the wave and its slope go through, which is what Fresnel's coefficients stand for.
TEST(Layers, WavesAreContinuous) {
  const LayerStack layers = stack();
  for (const double alpha : {0.05, 0.1, 0.2, 0.9}) {
    const auto waves = layers.waves(kWaveNumber, alpha * kRadiansOfDegree);
    ASSERT_EQ(waves.size(), 4u);
    EXPECT_EQ(waves[0].down, 1.0);
    EXPECT_EQ(waves[3].up, 0.0);
    for (int j = 0; j < 3; ++j) {
      const double z = layers.bottom(j);
      const auto &above = waves[static_cast<std::size_t>(j)], &below = waves[static_cast<std::size_t>(j) + 1];
      EXPECT_LT(std::abs(above.downAt(z) + above.upAt(z) - below.downAt(z) - below.upAt(z)), 1e-12) << j;
      EXPECT_LT(std::abs(slopeOf(above, z) - slopeOf(below, z)), 1e-12 * kWaveNumber) << j;
    }
    EXPECT_LE(std::abs(waves[0].up), 1);
  }
}

/// A film of the substrate's own material, and one without thickness, change nothing.
TEST(Layers, FilmsOfNothing) {
  const double alpha = 0.15 * kRadiansOfDegree;
  const Complex bare = reflection(kSilicon, alpha);
  const LayerStack same({{kSilicon, 300, 0}, {kSilicon, kInfinite, 0}}),
      thin({{kOxide, 1e-9, 0}, {kSilicon, kInfinite, 0}});
  EXPECT_LT(std::abs(same.waves(kWaveNumber, alpha)[0].up - bare), 1e-13);
  EXPECT_LT(std::abs(thin.waves(kWaveNumber, alpha)[0].up - bare), 1e-9);
}

/// Where absorption is complete nothing overflows, and nothing comes back from below.
TEST(Layers, ThickFilmsHideWhatIsBelow) {
  const double alpha = 0.05 * kRadiansOfDegree;
  const LayerStack thick({{kOxide, 1e7, 0}, {kSilicon, kInfinite, 0}});
  const auto waves = thick.waves(kWaveNumber, alpha);
  EXPECT_LT(std::abs(waves[0].up - reflection(kOxide, alpha)), 1e-14);
  EXPECT_EQ(std::abs(waves[2].down), 0);
  EXPECT_TRUE(std::isfinite(std::abs(waves[1].upAt(-100))));
}

/// The factor of Nevot and Croce for one interface: exp(-2 k k' sigma^2).
TEST(Layers, RoughnessWeakensReflection) {
  const double alpha = 0.5 * kRadiansOfDegree, sigma = 6;
  const LayerStack smooth({{kSilicon, kInfinite, 0}}), rough({{kSilicon, kInfinite, sigma}});
  const auto a = smooth.waves(kWaveNumber, alpha), b = rough.waves(kWaveNumber, alpha);
  const Complex factor = std::exp(-2 * sigma * sigma * a[0].kz * a[1].kz);
  EXPECT_LT(std::abs(b[0].up - a[0].up * factor), 1e-15);
  EXPECT_LT(std::abs(factor), 0.85);
  EXPECT_GT(std::abs(b[1].down), std::abs(a[1].down));
}

TEST(Layers, FindsTheLayersOfABody) {
  using Numbers = std::vector<int>;
  const LayerStack layers = stack();
  EXPECT_EQ(layers.layersOf(0, 50), Numbers{0});
  EXPECT_EQ(layers.layersOf(-400, 0), Numbers{1});
  EXPECT_EQ(layers.layersOf(-500, -450), Numbers{2});
  EXPECT_EQ(layers.layersOf(-5000, -550), Numbers{3});
  EXPECT_EQ(layers.layersOf(-10, 10), (Numbers{0, 1}));
  EXPECT_EQ(layers.layersOf(-600, 1e-8), (Numbers{1, 2, 3}));
  EXPECT_EQ(LayerStack().layersOf(-10, 10), Numbers{0});
}

TEST(Layers, SayWhatIsWrong) {
  EXPECT_THROW(LayerStack({{kOxide, 100, 0}}), Error);
  EXPECT_THROW(LayerStack({{kOxide, kInfinite, 0}, {kSilicon, kInfinite, 0}}), Error);
  EXPECT_THROW(LayerStack({{kOxide, -1, 0}, {kSilicon, kInfinite, 0}}), Error);
  EXPECT_THROW(LayerStack({{kSilicon, kInfinite, -1}}), Error);
  EXPECT_THROW(LayerStack({{{0.6, 0}, kInfinite, 0}}), Error);
}

TEST(Contrast, LosesNoDigits) {
  EXPECT_LT(std::abs(contrast({1e-10, 0}, {}) + 2e-10 * (1 - 0.5e-10)), 1e-25);
  EXPECT_EQ(contrast(kOxide, kOxide), 0.0);
  const Complex a(1 - kOxide.delta, kOxide.beta), b(1 - kPolymer.delta, kPolymer.beta);
  EXPECT_LT(std::abs(contrast(kOxide, kPolymer) - (a * a - b * b)), 1e-15);
}

}  // namespace
}  // namespace prophet
