#include "matter/shape/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "matter/shape/surface_sum.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr double kDegreeOfScene = 3.14159265358979323846 / 180;
const std::string kScenes = std::string(PROPHET_SOURCE_DIR) + "/tests/matter/shape/scenes/";

/// F of each pixel and wave by itself.
template <class Compute>
BodySums each(Compute compute) {
  return [=](const PlacedBody& body, const QRows& q) {
    Eigen::MatrixXcd f(q.waves(), q.pixels());
    for (const RowTile& row : tilesOf(q, q.pixels()))
      for (int pixel = row.first; pixel < row.first + row.count; ++pixel)
        for (int wave = 0; wave < q.waves(); ++wave)
          f(wave, pixel) = compute(body, q.momentum(wave, row.row, pixel));
    return f;
  };
}

BodySums closedForms() {
  return each([](const PlacedBody& b, const Eigen::Vector3cd& q) {
    return q(2).imag() == 0 ? b.formFactor(Eigen::Vector3d(q.real())) : b.formFactor(q);
  });
}

BodySums sumsOverTriangles() {
  return [](const PlacedBody& b, const QRows& q) { return sumOnRows(b.elements(), q, 1); };
}

/// Mean squares of amplitudes.
std::vector<double> squaresOf(const Scene& scene, const Exposure& exposure,
                              const BodySums& sums = closedForms()) {
  const LayerStack layers(scene.films);
  std::vector<double> squares(exposure.alphaF.size());
  for (const PlacedParticle& p : placed(scene, layers)) {
    const FormFactor f = amplitudes(p, layers, exposure, sums);
    for (std::size_t i = 0; i < f.size(); ++i) squares[i] += p.weight * std::norm(f[i]);
  }
  return squares;
}

/// A scene of a text, which is written beside the program's tests.
Scene sceneOf(const std::string& text) {
  const auto path =
      std::filesystem::temp_directory_path() / ("prophet-scene-" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(path) << text;
  try {
    Scene scene = readScene(path.string(), 1.0);
    std::filesystem::remove(path);
    return scene;
  } catch (const Error&) {
    std::filesystem::remove(path);
    throw;
  }
}

std::string refusal(const std::string& text) {
  try {
    sceneOf(text);
  } catch (const Error& e) {
    const std::string message = e.what();
    return message.substr(message.find(".yaml") + 5);
  }
  return "nothing is refused";
}

/// Form factors at complex momenta: on the real axis as ever; off it round bodies as their surfaces have it,
/// and a box as its polyhedron.
TEST(ComplexMomenta, ContinueTheRealOnes) {
  const Eigen::Vector3d real(0.031, -0.047, 0.059);
  for (const Body& body :
       {sphere(40), cylinder(30, 70), box(50, 60, 70), pyramid(60, 40, 20), cone(40, 50)}) {
    const Complex at = body.formFactor(real), there = body.complexFormFactor(real.cast<Complex>());
    EXPECT_LT(std::abs(at - there), 1e-13 * std::abs(body.formFactor({0, 0, 0}))) << body.description;
  }
}

TEST(ComplexMomenta, AgreeWithTheSurface) {
  for (const double size : {0.01, 0.1, 0.4}) {
    const Eigen::Vector3cd q =
        size * Eigen::Vector3cd(Complex(0.5, 0.02), Complex(-0.6, 0.1), Complex(0.62, -0.15));
    const Body exact = box(50, 60, 70), flat = polyhedronBody(exact.surface(12));
    EXPECT_LT(std::abs(exact.complexFormFactor(q) - flat.complexFormFactor(q)), 1e-12 * 210000) << size;
    for (const Body& body : {sphere(40), cylinder(30, 70), cone(40, 50)}) {
      const Complex there = body.complexFormFactor(q),
                    faces = polyhedronBody(body.surface(20000)).complexFormFactor(q);
      EXPECT_LT(std::abs(there - faces), 2e-3 * std::abs(body.formFactor({0, 0, 0})))
          << body.description << " " << size;
      const Complex sum = sumAtPoints(surfaceElements(body.surface(20000)), Eigen::Matrix3Xcd(q), 1).front();
      EXPECT_LT(std::abs(sum - faces), 2e-3 * std::abs(body.formFactor({0, 0, 0}))) << body.description;
    }
  }
}

/// Where q.q is 0 though q is not, the divergence theorem with q itself would divide by zero.
TEST(ComplexMomenta, OfLengthZero) {
  const Eigen::Vector3cd q(0.1, 0, Complex(0, 0.1));
  const Body exact = box(50, 60, 70), flat = polyhedronBody(exact.surface(12));
  EXPECT_LT(std::abs(exact.complexFormFactor(q) - flat.complexFormFactor(q)), 1e-10 * 210000);
  EXPECT_NEAR(std::abs(sphere(40).complexFormFactor(q)), 4 * std::acos(-1.0) / 3 * 64000, 1e-6);
}

TEST(Reach, IsThatOfTheSurface) {
  const Eigen::Vector3d direction = Eigen::Vector3d(0.3, -0.5, 0.8).normalized();
  for (const Body& body : {sphere(40), cylinder(30, 70), box(50, 60, 70), pyramid(60, 40, 20), cone(40, 50)})
    for (const double sign : {1.0, -1.0}) {
      double farthest = -1e300;
      for (const Eigen::Vector3d& v : body.surface(40000).vertices)
        farthest = std::max(farthest, sign * direction.dot(v));
      EXPECT_NEAR(body.reach(sign * direction), farthest, 0.05) << body.description;
    }
}

struct Expected {
  Exposure exposure;
  std::vector<double> crossSections;
};

std::map<std::string, Expected> bornAgain() {
  std::map<std::string, Expected> list;
  std::istringstream in(readFile(kScenes + "cross-sections.csv"));
  for (std::string line; std::getline(in, line);) {
    const auto fields = split(line, ',');
    if (fields.size() != 4 || fields[0] == "scene") continue;
    Expected& e = list[fields[0]];
    e.exposure.waveNumber = 2 * std::acos(-1.0);
    e.exposure.alphaI = 0.2 * kDegreeOfScene;
    e.exposure.alphaF.push_back(numberOf(fields[1]) * kDegreeOfScene);
    e.exposure.twoThetaF.push_back(numberOf(fields[2]) * kDegreeOfScene);
    e.crossSections.push_back(numberOf(fields[3]));
  }
  return list;
}

/// Absolute cross sections on a substrate, in films, in the lower one of two, with rough interfaces, of two
/// bodies together, and of bodies that one or two interfaces cut.
TEST(Scene, AgreesWithBornAgain) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const auto expected = bornAgain();
  EXPECT_EQ(expected.size(), 13u);
  for (const auto& [name, e] : expected) {
    const auto squares = squaresOf(readScene(kScenes + name + ".yaml", 1.0), e.exposure);
    const double factor = crossSectionFactor(e.exposure.waveNumber),
                 largest = *std::max_element(e.crossSections.begin(), e.crossSections.end());
    for (std::size_t i = 0; i < squares.size(); ++i) {
      EXPECT_NEAR(std::sqrt(factor * squares[i]), std::sqrt(e.crossSections[i]), 3e-7 * std::sqrt(largest))
          << name << " " << i;
    }
  }
}

/// A sample that is turned scatters as one whose bodies are turned and moved.
TEST(Scene, TurnsTheSample) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  Exposure e{2 * std::acos(-1.0), 0.2 * kDegreeOfScene, 30 * kDegreeOfScene, {0.01, 0.02}, {0.005, -0.01}};
  const Scene scene = readScene(kScenes + "compound.yaml", 1.0);
  const auto turned = squaresOf(scene, e);
  Scene other = scene;
  other.particles[0].rotation =
      Eigen::AngleAxisd(30 * kDegreeOfScene, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  e.omega = 0;
  const auto expected = squaresOf(other, e), without = squaresOf(scene, e);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(turned[i], expected[i], 1e-10 * expected[i]);
    EXPECT_GT(std::abs(without[i] / expected[i] - 1), 0.01);
  }
}

/// Sums over triangles in a film, where momenta are complex.
TEST(Scene, SumsTrianglesInFilms) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  Exposure e{2 * std::acos(-1.0), 0.2 * kDegreeOfScene, 0, {0.003, 0.01}, {0.005, -0.01}};
  Scene scene = readScene(kScenes + "tilted_cylinder.yaml", 1.0);
  const auto closed = squaresOf(scene, e);
  SceneBody& body = scene.particles[0].bodies[0];
  body.elements = surfaceElements(body.body.surface(20000));
  const auto summed = squaresOf(scene, e, sumsOverTriangles());
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(summed[i], closed[i], 1e-2 * closed[i]);
}

/// An interface between two layers of one material changes nothing, whatever it cuts: spheres of many sizes,
/// an upright and a tilted cylinder, a cone upside down, a surface; by closed forms and by sums.
TEST(Scene, PartsInEqualLayersAreTheBody) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const Exposure e{2 * std::acos(-1.0), 0.2 * kDegreeOfScene, 0, {0.003, 0.01, 0.02}, {0.005, -0.01, 0.0}};
  const std::string materials =
      "materials: {a: {delta: 1e-5, beta: 1e-6}, b: {delta: 2e-6, beta: 1e-8}, c: {delta: 3e-6}}\n";
  const std::string whole = "layers: [{material: b, thickness: 500}, {material: c}]\n";
  const std::string divided =
      "layers: [{material: b, thickness: 270}, {material: b, thickness: 10}, {material: b, thickness: 220}, "
      "{material: c}]\n";
  for (const auto& [body, tolerance] : {std::pair{"sphere: 50, size: {sigma: 0.1, points: 9}", 1e-12},
                                        {"cylinder: [40, 100]", 1e-12},
                                        {"cylinder: [40, 100], rotate: {x: 40}", 1e-6},
                                        {"cone: [40, 60], rotate: {x: 180}", 1e-12},
                                        {"box: [60, 70, 80], rotate: [{x: 20}, {y: 30}]", 1e-12}}) {
    const std::string particles = std::string("particles: [{") + body + ", material: a, bottom: -325}]\n";
    const Scene one = sceneOf(materials + whole + particles),
                three = sceneOf(materials + divided + particles);
    const LayerStack layers(three.films);
    ASSERT_EQ(placed(three, layers).front().bodies.size(), 3u) << body;
    const auto expected = squaresOf(one, e), parts = squaresOf(three, e);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(parts[i], expected[i], tolerance * expected[0]) << body;
    Scene triangles = three;
    SceneBody& first = triangles.particles[0].bodies[0];
    first.elements = surfaceElements(first.body.surface(20000));
    const auto summed = squaresOf(triangles, e, sumsOverTriangles());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(summed[i], expected[i], 1e-2 * expected[0]) << body;
  }
}

/// Areas without corners cannot be cut.
TEST(Scene, RefusesToCutAreas) {
  Scene scene;
  scene.films = {{{1e-6, 0}}};
  SceneBody body;
  body.elements = surfaceElements(sphere(10).surface(100));
  scene.particles.resize(1);
  scene.particles[0].bodies = {body};
  scene.particles[0].bottom = -5;
  try {
    placed(scene, LayerStack(scene.films));
    FAIL() << "nothing is refused";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("cannot be cut at an interface: it has no corners"));
  }
}

/// Guinier's law of a distribution of spheres: the mean square at q = 0 is the mean of V^2, <s^6> for
/// spheres.
TEST(Scene, AveragesSizes) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const Exposure forward{1, 0, 0, {0.0}, {0.0}};
  const double volume = 4 * std::acos(-1.0) / 3 * 1000;
  const Scene gaussian = sceneOf("particles:\n  - {sphere: 10, size: {sigma: 0.1}}\n"),
              lognormal = sceneOf(
                  "particles:\n  - {sphere: 10, size: {sigma: 0.1, distribution: lognormal, points: 101}}\n"),
              mixed = sceneOf("particles:\n  - {sphere: 10, weight: 3}\n  - {sphere: 20}\n");
  // <s^6> = 1 + 15 sigma^2 + 45 sigma^4 + 15 sigma^6, and exp(18 sigma^2); four widths cut off a little.
  EXPECT_NEAR(squaresOf(gaussian, forward)[0] / (volume * volume), 1 + 0.15 + 0.0045 + 1.5e-5, 2e-4);
  EXPECT_NEAR(squaresOf(lognormal, forward)[0] / (volume * volume), std::exp(0.18), 4e-4);
  EXPECT_NEAR(squaresOf(mixed, forward)[0] / (volume * volume), (3 + 64) / 4.0, 1e-10);
}

/// Intensities go with s^6, whose distribution lies 6 sigma^2 above that of sizes: <s^6> is exp(18 sigma^2)
/// of lognormal ones, and a polynomial of sigma for Gaussian ones.
TEST(Scene, NoTailOfSizesIsCutThatMatters) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const Exposure forward{1, 0, 0, {0.0}, {0.0}};
  const double volume = 4 * std::acos(-1.0) / 3;
  const auto intensity = [&](const std::string& size) {
    return squaresOf(sceneOf("particles:\n  - {sphere: 1, size: " + size + "}\n"), forward)[0] /
           (volume * volume);
  };
  for (const double s : {0.05, 0.3, 0.6, 1.0, 1.2})
    for (const char* points : {"", ", points: 15", ", points: 1000"})
      EXPECT_NEAR(intensity(fmt::format("{{distribution: lognormal, sigma: {}{}}}", s, points)) /
                      std::exp(18 * s * s),
                  1, 1e-4)
          << s << points;
  for (const double s : {0.1, 0.24})
    EXPECT_NEAR(intensity(fmt::format("{{sigma: {}}}", s)) /
                    (1 + 15 * s * s + 45 * std::pow(s, 4) + 15 * std::pow(s, 6)),
                1, 1e-4)
        << s;
  const auto refused = [](const std::string& size) {
    return refusal("particles:\n  - {sphere: 1, size: " + size + "}\n");
  };
  EXPECT_THAT(refused("{distribution: lognormal, sigma: 1.3}"), HasSubstr(":2:5: sigma of a lognormal"));
  EXPECT_THAT(refused("{distribution: lognormal, sigma: 1e300}"), HasSubstr("sigma of a lognormal"));
  EXPECT_THAT(refused("{sigma: 0.1, points: 4}"), HasSubstr("with sigma 0.1 takes 8 to 1000 points"));
}

/// Triangles stand where the closed form stands: on the lowest point of the body, not of their centres.
TEST(Scene, TrianglesStandAsTheBody) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  Scene scene = sceneOf("particles:\n  - {box: [60, 60, 100], rotate: {x: 20}}\n");
  const Exposure exposure{5, 0.004, 0, {0.02, 0.05}, {0.01, 0.03}};
  const LayerStack bare(scene.films);
  const std::vector<PlacedParticle> closed = placed(scene, bare);
  SceneBody& body = scene.particles[0].bodies[0];
  body.elements = surfaceElements(body.body.surface(1000));
  const std::vector<PlacedParticle> triangles = placed(scene, bare);
  EXPECT_DOUBLE_EQ(triangles[0].bodies[0].position(2), closed[0].bodies[0].position(2));
  // Of a turned box: half of 100 cos 20 + 60 sin 20.
  EXPECT_NEAR(closed[0].bodies[0].position(2), 57.2452353, 1e-6);
}

TEST(Scene, RefusesWhatItCannotTake) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  EXPECT_THAT(refusal("particles:\n  - {sphere: 10}\n---\nparticles:\n  - {sphere: 20}\n"),
              HasSubstr("a second document begins"));
  EXPECT_THAT(refusal("particles:\n  - {sphere: 1e12}\n"),
              EndsWith("above 0 and below 1e9 (angstrom); found 1e+12"));
  EXPECT_THAT(refusal("particles:\n  - {sphere: 1, bottom: 1e300}\n"),
              HasSubstr(":2:25: 1e+300 is beyond 1e9"));
  EXPECT_THAT(refusal("layers: [{material: vacuum, roughness: 1e300}]\nparticles:\n  - {sphere: 1}\n"),
              HasSubstr("the roughness of layer 1"));
  EXPECT_THAT(
      refusal("materials: {a: {f1: 1e300, f2: 0, density: 2, mass: 28}}\nparticles:\n  - {sphere: 1}\n"),
      HasSubstr("delta and beta are below 0.5"));
  const Scene rough = sceneOf(
      "materials: {a: {delta: 1e-6}}\nlayers: [{material: a, roughness: 1e8}]\n"
      "particles:\n  - {sphere: 1, material: a}\n");
  EXPECT_THROW(squaresOf(rough, {1, 0.01, 0, {0.01}, {0.0}}), Error);
}

TEST(Scene, SaysWhatIsWrongAndWhere) {
  if (!hasScenes()) GTEST_SKIP() << "built without yaml-cpp";
  const std::string film = "materials: {a: {delta: 1e-6}}\nlayers: [{material: a}]\n";
  EXPECT_EQ(refusal("particles:\n  - {spher: 10}\n"),
            ":2:6: a particle has no key 'spher'; did you mean 'sphere'?");
  EXPECT_EQ(refusal("particles:\n  - {sphere: ten}\n"), ":2:14: 'ten' is not a number");
  EXPECT_EQ(refusal("particles:\n  - {sphere: 1, sphere: 2}\n"), ":2:17: 'sphere' stands twice");
  EXPECT_THAT(refusal("particles:\n  - {weight: 2}\n"), HasSubstr(":2:5: a body is one of file, sphere"));
  EXPECT_THAT(refusal("particles:\n  - {box: [1, 2]}\n"), EndsWith("found 2 numbers; expected 3"));
  EXPECT_THAT(refusal("particles: [\n"), HasSubstr(":2:1: "));
  EXPECT_THAT(refusal("layers: []\n"), EndsWith("the list of particles is missing"));
  EXPECT_EQ(refusal(film + "particles:\n  - {sphere: 10, material: b}\n"),
            ":4:28: there is no material 'b'; expected a, vacuum");
  EXPECT_THAT(refusal(film + "particles:\n  - {sphere: 10, bottom: -50}\n"), HasSubstr("need a material"));
  EXPECT_THAT(refusal(film + "particles:\n  - {sphere: 9}\n  - {sphere: 10, material: a}\n"),
              HasSubstr("give all or none one"));
  EXPECT_THAT(refusal("particles:\n  - {sphere: 10, rotate: {x: 1, z: 2}}\n"), HasSubstr("about one axis"));
  EXPECT_THAT(refusal("particles:\n  - {sphere: 10, size: {sigma: 0.3}}\n"),
              HasSubstr("take a lognormal one"));
  EXPECT_THAT(
      refusal(
          "materials: {a: {delta: 1e-6}}\nlayers: [{material: a, thickness: 5}]\nparticles: [{sphere: 1}]\n"),
      HasSubstr("the last layer is the substrate"));
}

}  // namespace
}  // namespace prophet
