#include "matter/shape/q_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"
#include "matter/shape/scene.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

constexpr double kDegree = 3.14159265358979323846 / 180;

Detector smallDetector() { return {1.0, 0.2, {0, 1.5, 7}, {-1, 1, 5}}; }

FormFactor of(const Body& body, const QPoints& q) {
  FormFactor f;
  for (Eigen::Index i = 0; i < q.cols(); ++i) f.push_back(body.formFactor(q.col(i)));
  return f;
}

/// A body that stands on a substrate.
FormFactor distortedWave(const Detector& detector, const Medium& substrate, const Body& body) {
  Scene scene;
  Film film;
  film.medium = substrate;
  scene.films = {film};
  SceneBody sceneBody;
  sceneBody.body = body;
  scene.particles.emplace_back();
  scene.particles.front().bodies = {sceneBody};
  const LayerStack layers(scene.films);
  const BodySums sums = [](const PlacedBody& b, const QRows& q) {
    Eigen::MatrixXcd f(q.waves(), q.pixels());
    for (const RowTile& row : tilesOf(q, q.pixels()))
      for (int pixel = row.first; pixel < row.first + row.count; ++pixel)
        for (int wave = 0; wave < q.waves(); ++wave)
          f(wave, pixel) = b.formFactor(Eigen::Vector3d(q.momentum(wave, row.row, pixel).real()));
    return f;
  };
  return amplitudes(placed(scene, layers).front(), layers, exposureOf(detector, 0), sums);
}

TEST(Detector, ScattersElastically) {
  const Detector d = smallDetector();
  const QPoints q = momentaOf(d);
  ASSERT_EQ(q.cols(), 35);
  const double k = d.waveNumber();
  const Eigen::Vector3d in = k * Eigen::Vector3d(std::cos(0.2 * kDegree), 0, -std::sin(0.2 * kDegree));
  for (Eigen::Index i = 0; i < q.cols(); ++i) EXPECT_NEAR((q.col(i) + in).norm(), k, 1e-12);
  // Straight on at the angle of the beam: along z alone.
  const QPoints mirror = momentaOf({1.0, 0.2, {0.2, 0.2, 1}, {0, 0, 1}});
  EXPECT_NEAR(mirror(0, 0), 0, 1e-14);
  EXPECT_NEAR(mirror(1, 0), 0, 1e-14);
  EXPECT_NEAR(mirror(2, 0), 2 * k * std::sin(0.2 * kDegree), 1e-14);
  EXPECT_EQ(momentaOf(d.rows(2, 3)), q.middleCols(10, 15));
}

TEST(Detector, SaysWhatIsWrong) {
  Detector d = smallDetector();
  d.wavelength = 0;
  EXPECT_THROW(check(d), Error);
  d = smallDetector();
  d.alphaI = -1;
  EXPECT_THROW(check(d), Error);
  d = smallDetector();
  d.twoThetaF = {-90, 1, 3};
  EXPECT_THROW(check(d), Error);
}

TEST(Reflection, IsFresnels) {
  const Medium s{6e-6, 1e-7};
  EXPECT_LT(std::abs(reflection(s, 0) + 1.0), 1e-12);
  EXPECT_EQ(reflection({}, 0.01), 0.0);
  // Below the critical angle almost all comes back, far above delta/(2 sin^2).
  EXPECT_GT(std::abs(reflection(s, 0.5 * std::sqrt(2 * s.delta))), 0.97);
  EXPECT_NEAR(reflection({6e-6, 0}, 0.1).real(), 6e-6 / 2 / std::pow(std::sin(0.1), 2), 1e-6);
  // As the textbook has it, where that loses few digits.
  const Complex n(1 - 0.1, 0.02);
  const double alpha = 0.7;
  const Complex below = std::sqrt(n * n - std::pow(std::cos(alpha), 2));
  EXPECT_LT(std::abs(reflection({0.1, 0.02}, alpha) - (std::sin(alpha) - below) / (std::sin(alpha) + below)),
            1e-15);
}

TEST(Medium, FollowsFromScatteringFactors) {
  // Silicon at 8.048 keV: delta 7.6e-6, beta 1.7e-7 (CXRO's tables, f1 = 14.26, f2 = 0.33).
  const Medium s = mediumOf(14.26, 0.33, 2.33, 28.085, 1.5406);
  EXPECT_NEAR(s.delta, 7.57e-6, 0.05e-6);
  EXPECT_NEAR(s.beta, 1.75e-7, 0.03e-7);
  EXPECT_THROW(mediumOf(14, 0.3, 0, 28, 1.5), Error);
}

TEST(DistortedWave, IsBornsWithoutSubstrate) {
  const Body body = cylinder(20, 30);
  const FormFactor waves = distortedWave(smallDetector(), {}, body),
                   born = of(body, momentaOf(smallDetector()));
  for (std::size_t i = 0; i < born.size(); ++i)
    EXPECT_NEAR(std::abs(waves[i]), std::abs(born[i]), 1e-12 * 40000);
}

/// Where r is -1 (a perfect mirror, at grazing exit) the four terms cancel; with weak reflection they tend to
/// Born's linearly.
TEST(DistortedWave, HasItsFourTerms) {
  const Body body = box(20, 30, 40);
  const Detector d = smallDetector();
  const FormFactor horizon = distortedWave({1, 0.2, {0, 0, 1}, {-1, 1, 5}}, {6e-6, 1e-7}, body);
  for (const Complex f : horizon) EXPECT_LT(std::abs(f), 1e-6 * 24000);
  const FormFactor born = distortedWave(d, {}, body), weak = distortedWave(d, {1e-12, 0}, body),
                   weaker = distortedWave(d, {5e-13, 0}, body);
  for (std::size_t i = 5; i < born.size(); ++i)
    EXPECT_NEAR(std::abs(weak[i] - born[i]) / std::abs(weaker[i] - born[i]), 2, 0.02) << i;
  EXPECT_THROW(distortedWave({1, 0.2, {-1, 1, 3}, {0, 0, 1}}, {6e-6, 0}, body), Error);
}

/// Against the integral of two standing waves over the box, wave functions as they are (time as exp(-i omega
/// t)): psi_i = exp(i k_i.r) and its reflection, and the same of the reversed outgoing wave.
TEST(DistortedWave, IsTheIntegralOfStandingWaves) {
  const double x = 20, y = 30, z = 40;
  const Body body = box(x, y, z);
  const Detector d = smallDetector();
  const Medium s{8e-6, 1e-6};
  const FormFactor f = distortedWave(d, s, body);
  const QPoints q = momentaOf(d);
  const double in = d.waveNumber() * std::sin(0.2 * kDegree);
  const auto wave = [&](double k, Complex r, double height) {
    return std::polar(1.0, -k * height) + r * std::polar(1.0, k * height);
  };
  const auto across = [](double momentum, double length) {
    return std::abs(momentum) < 1e-12 ? length : 2 * std::sin(0.5 * momentum * length) / momentum;
  };
  for (std::size_t i = 0; i < f.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double alpha = d.alphaF[static_cast<int>(i / 5)] * kDegree, out = q(2, k) - in;
    Complex sum = 0;
    constexpr int kSteps = 400;  // Simpson
    for (int step = 0; step <= kSteps; ++step) {
      const double weight = (step == 0 || step == kSteps ? 1
                             : step % 2                  ? 4
                                                         : 2) *
                            z / (3.0 * kSteps),
                   height = z * step / kSteps;
      sum +=
          weight * wave(in, reflection(s, 0.2 * kDegree), height) * wave(out, reflection(s, alpha), height);
    }
    sum *= across(q(0, k), x) * across(q(1, k), y);
    EXPECT_NEAR(std::abs(f[i]), std::abs(sum), 1e-9 * 24000) << i;
  }
}

}  // namespace
}  // namespace prophet
