#include "matter/powder/pattern_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "matter/powder/cylinder_absorption.hpp"
#include "matter/structure/lattices.hpp"

namespace prophet {
namespace {

Structure ball(const std::string& shape) { return cutShape(namedLattice("Au"), parseShape(shape)); }

/// Sums of balls of gold on the grid of a fit, with amplitudes of Waasmaier and Kirfel.
struct Sums {
  Sums(const Eigen::VectorXd& q, const std::vector<std::string>& shapes) {
    double diameter = 0;
    for (const std::string& shape : shapes) diameter = std::max(diameter, particleRange(ball(shape)));
    grid = gridOfFit(q, diameter);
    PowderOptions o;
    o.q = grid;
    o.amplitudes.source = AmplitudeSource::WaasmaierKirfel;
    o.doublePrecision = true;
    const auto engine = hostPairEngine(2);
    for (const std::string& shape : shapes) {
      PatternComponent& c = components.emplace_back();
      const auto frames = framesOf({ball(shape)});
      c.name = shape;
      c.atoms = powderSums(*frames, o, *engine, [&](const FrameSums& f) { c.frames.push_back(f); }).atoms;
    }
  }
  Eigen::VectorXd grid;
  std::vector<PatternComponent> components;
};

/// What powderPattern gives for balls that are strained, at q, in double precision.
Eigen::VectorXd patternOf(const std::string& shape, const Eigen::VectorXd& q, double lattice, double b) {
  Structure s = ball(shape);
  for (auto& p : s.positions) p *= lattice;
  PowderOptions o;
  o.q = q;
  o.method = PowderMethod::Direct;
  o.doublePrecision = true;
  o.amplitudes.source = AmplitudeSource::WaasmaierKirfel;
  if (b > 0) o.bFactors = {{"Au", b}};
  const auto frames = framesOf({s});
  return powderPattern(*frames, o, *hostPairEngine(2)).intensity;
}

/// The mean over a Gaussian of q by brute force.
template <class Pattern>
double broadened(const Pattern& pattern, double q, double width) {
  const double sigma = width / std::sqrt(8 * std::log(2.0));
  double sum = 0, weights = 0;
  const Eigen::VectorXd at = Eigen::VectorXd::LinSpaced(121, q - 5 * sigma, q + 5 * sigma);
  const Eigen::VectorXd values = pattern(at);
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    const double weight = std::exp(-std::pow((at(i) - q) / sigma, 2) / 2);
    sum += weight * values(i);
    weights += weight;
  }
  return sum / weights;
}

/// Adds noise of so many counts; the same numbers on every machine.
MeasuredPattern noisy(const Eigen::VectorXd& x, const Eigen::VectorXd& intensity, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return (random() + 0.5) / 4294967296.0; };
  MeasuredPattern m{x, intensity, intensity.cwiseSqrt()};
  for (Eigen::Index i = 0; i < x.size(); ++i)
    m.intensity(i) += m.sigma(i) * std::sqrt(-2 * std::log(uniform())) * std::cos(2 * M_PI * uniform());
  return m;
}

const FittedPatternParameter& parameter(const PatternFit& fit, const std::string& name) {
  for (const FittedPatternParameter& p : fit.parameters)
    if (p.name == name) return p;
  throw Error("there is no parameter " + name);
}

void expectWithin(const PatternFit& fit, const std::string& name, double value) {
  const FittedPatternParameter& p = parameter(fit, name);
  EXPECT_NEAR(p.value, value, 3 * p.error) << name;
  EXPECT_GT(p.error, 0) << name;
}

TEST(PatternFit, FindsStrainMotionAndShiftOfTwoSizes) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(500, 2, 8);
  const auto shifted = [](const Eigen::VectorXd& x) -> Eigen::VectorXd { return x.array() - 0.004; };
  const Eigen::VectorXd clean = 0.002 * patternOf("sphere:16", shifted(q), 0.996, 0.7) +
                                0.0005 * patternOf("sphere:24", shifted(q), 0.996, 0.7) +
                                (50 - 10 * (2 * (q.array() - 2) / 6 - 1)).matrix();
  const Sums sums(q, {"sphere:16", "sphere:20", "sphere:24"});
  PatternFitOptions o;
  o.background = 1;
  o.refined = {kLattice, kB, kZero};
  const PatternFit fit = fitPattern(noisy(q, clean, 1), sums.grid, sums.components, o);
  EXPECT_TRUE(fit.converged);
  expectWithin(fit, "lattice", 0.996);
  expectWithin(fit, "b", 0.7);
  expectWithin(fit, "zero", 0.004);
  expectWithin(fit, "scale(sphere:16)", 0.002);
  expectWithin(fit, "scale(sphere:24)", 0.0005);
  EXPECT_LT(parameter(fit, "scale(sphere:20)").value, 1e-4);
  EXPECT_GE(parameter(fit, "scale(sphere:20)").value, 0);
  expectWithin(fit, "background0", 50);
  expectWithin(fit, "background1", -10);
  EXPECT_NEAR(fit.chiSquared, 1, 0.2);
}

TEST(PatternFit, WithoutNoiseIsTheModelItself) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(100, 2, 8);
  const Eigen::VectorXd clean = 2 * patternOf("sphere:16", q, 1.003, 0.4);
  const Sums sums(q, {"sphere:16"});
  PatternFitOptions o;
  o.background = -1;
  o.refined = {kLattice, kB};
  const PatternFit fit = fitPattern({q, clean, Eigen::VectorXd::Ones(100)}, sums.grid, sums.components, o);
  EXPECT_NEAR(parameter(fit, "lattice").value, 1.003, 1e-6);
  EXPECT_NEAR(parameter(fit, "b").value, 0.4, 1e-4);
  EXPECT_NEAR(parameter(fit, "scale").value, 2, 1e-4);
  EXPECT_LT(fit.rWeighted, 1e-4);
}

TEST(PatternFit, FindsTheResolutionInAngles) {
  constexpr double kWavelength = 1.5406, kTurn = M_PI / 180;
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(300, 30, 120);
  Eigen::VectorXd clean(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double theta = x(i) * kTurn / 2, tangent = std::tan(theta);
    const double width = std::sqrt(0.6 * tangent * tangent - 0.3 * tangent + 0.4);  // degrees
    const double q = 4 * M_PI / kWavelength * std::sin(theta);
    const double dq = 2 * M_PI / kWavelength * std::cos(theta) * width * kTurn;
    const double a = std::pow(std::cos(26.4 * kTurn), 2);
    const double polarised = (1 + a * std::pow(std::cos(2 * theta), 2)) / (1 + a);
    const auto pattern = [](const Eigen::VectorXd& at) { return patternOf("sphere:20", at, 1, 0); };
    clean(i) = 0.01 * polarised * broadened(pattern, q, dq) + 20;
  }
  const Sums sums(4 * M_PI / kWavelength * (x.array() * kTurn / 2).sin(), {"sphere:20"});
  PatternFitOptions o;
  o.axis = PatternAxis::TwoTheta;
  o.wavelength = kWavelength;
  o.polarisation = Polarisation::Unpolarised;
  o.monochromator = 26.4;
  o.background = 0;
  o.refined = {kU, kV, kW};
  o.start(kU) = o.start(kW) = 0.2;
  const PatternFit exact =
      fitPattern({x, clean, Eigen::VectorXd::Ones(x.size())}, sums.grid, sums.components, o);
  EXPECT_NEAR(parameter(exact, "u").value, 0.6, 0.01);
  EXPECT_NEAR(parameter(exact, "v").value, -0.3, 0.01);
  EXPECT_NEAR(parameter(exact, "w").value, 0.4, 0.01);
  EXPECT_NEAR(parameter(exact, "scale").value, 0.01, 1e-5);
  const PatternFit fit = fitPattern(noisy(x, clean, 2), sums.grid, sums.components, o);
  expectWithin(fit, "u", 0.6);
  expectWithin(fit, "v", -0.3);
  expectWithin(fit, "w", 0.4);
  expectWithin(fit, "background0", 20);
  EXPECT_EQ(fit.withoutWidth, 0);
  o.refined.clear();
  o.start(kU) = 0.1;
  o.start(kW) = -0.04;  // H^2 is negative up to tan theta = 0.632, that is 2 theta = 64.62 degrees
  EXPECT_EQ(fitPattern(noisy(x, clean, 2), sums.grid, sums.components, o).withoutWidth,
            (x.array() < 64.62).count());
}

/// A capillary that absorbs passes more at large angles, which looks like atoms at rest: with its factor the
/// motion and the scale are found, without it they are not.
TEST(PatternFit, KnowsAbsorptionInACapillary) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(300, 1.5, 7);
  Eigen::VectorXd clean = patternOf("sphere:20", q, 1, 0.8);
  const CylinderAbsorption factor(1.5);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double sine = q(i) * 1.54 / (4 * M_PI);
    clean(i) = 0.01 * factor.at(1 - 2 * sine * sine) * clean(i) + 5;
  }
  const Sums sums(q, {"sphere:20"});
  PatternFitOptions o;
  o.background = 0;
  o.refined = {kB};
  const MeasuredPattern measured{q, clean, Eigen::VectorXd::Ones(q.size())};
  EXPECT_GT(std::abs(parameter(fitPattern(measured, sums.grid, sums.components, o), "b").value - 0.8), 0.2);
  o.absorption = 1.5;
  EXPECT_THROW(fitPattern(measured, sums.grid, sums.components, o), Error);
  o.wavelength = 1.54;
  const PatternFit fit = fitPattern(measured, sums.grid, sums.components, o);
  EXPECT_NEAR(parameter(fit, "b").value, 0.8, 1e-3);
  EXPECT_NEAR(parameter(fit, "scale").value, 0.01, 1e-5);
}

TEST(PatternFit, DoesNotDependOnTheUnitOfIntensities) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(150, 2, 8);
  const Eigen::VectorXd clean = patternOf("sphere:16", q, 1.002, 0.4);
  const Sums sums(q, {"sphere:16"});
  PatternFitOptions o;
  o.background = 0;
  o.refined = {kLattice, kB};
  for (const double unit : {1e-30, 1e-6, 1.0, 1e5, 1e12, 1e30, 1e60})
    for (const bool counts : {true, false}) {
      const Eigen::VectorXd intensity = unit * clean;
      const MeasuredPattern m{
          q, intensity, counts ? sigmaOfCounts(intensity) : Eigen::VectorXd(Eigen::VectorXd::Ones(150))};
      const PatternFit fit = fitPattern(m, sums.grid, sums.components, o);
      EXPECT_TRUE(fit.converged) << unit;
      EXPECT_NEAR(parameter(fit, "lattice").value, 1.002, 1e-6) << unit << counts;
      EXPECT_NEAR(parameter(fit, "b").value, 0.4, 1e-3) << unit << counts;
      EXPECT_NEAR(parameter(fit, "scale").value / unit, 1, 1e-4) << unit << counts;
      EXPECT_LT(fit.rWeighted, 1e-4) << unit << counts;
    }
}

TEST(PatternFit, FactorsAreThoseOfTheirFormulas) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(200, 2, 8);
  const Sums sums(q, {"sphere:16"});
  PatternFitOptions o;
  o.background = 2;
  o.refined = {kB};
  const MeasuredPattern m =
      noisy(q, 0.002 * patternOf("sphere:16", q, 1, 0.5) + Eigen::VectorXd::Constant(200, 9), 3);
  const PatternFit fit = fitPattern(m, sums.grid, sums.components, o);
  double squares = 0, all = 0, net = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double weight = 1 / (m.sigma(i) * m.sigma(i));
    squares += weight * std::pow(m.intensity(i) - fit.computed(i), 2);
    all += weight * std::pow(m.intensity(i), 2);
    net += weight * std::pow(m.intensity(i) - fit.background(i), 2);
  }
  const double freedom = 200 - 5;  // b, scale, three of the background
  EXPECT_NEAR(fit.rWeighted, std::sqrt(squares / all), 1e-12);
  EXPECT_NEAR(fit.rExpected, std::sqrt(freedom / all), 1e-12);
  EXPECT_NEAR(fit.rWithoutBackground, std::sqrt(squares / net), 1e-12);
  EXPECT_NEAR(fit.chiSquared, squares / freedom, 1e-12);
  EXPECT_NEAR(fit.chiSquared, std::pow(fit.rWeighted / fit.rExpected, 2), 1e-10);
}

TEST(PatternFit, NamesWhatThePatternDoesNotDetermine) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(200, 2, 8);
  const Sums twice(q, {"sphere:16", "sphere:16"});
  PatternFitOptions o;
  o.refined = {kB};
  const MeasuredPattern m = noisy(q, 0.002 * patternOf("sphere:16", q, 1, 0.5), 4);
  const PatternFit fit = fitPattern(m, twice.grid, twice.components, o);
  ASSERT_EQ(fit.undetermined.size(), 1u);
  EXPECT_EQ(fit.undetermined[0], "scale(sphere:16)");
  EXPECT_EQ(fit.correlation.rows(), static_cast<Eigen::Index>(fit.free.size()));
}

TEST(PatternFit, RefusesWhatCannotBeFitted) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(6, 2, 8);
  const Sums sums(q, {"sphere:8"});
  const MeasuredPattern m{q, Eigen::VectorXd::Ones(6), Eigen::VectorXd::Ones(6)};
  PatternFitOptions o;
  o.refined = {kLattice, kB};
  EXPECT_THROW(fitPattern(m, sums.grid, sums.components, o), Error);  // 7 parameters
  o.refined.clear();
  o.axis = PatternAxis::TwoTheta;
  EXPECT_THROW(fitPattern(m, sums.grid, sums.components, o), Error);  // no wavelength
  EXPECT_THROW(gridOfFit(q, 1e6), Error);
}

/// A file in a folder of its own.
class MeasuredFile : public testing::Test {
 protected:
  std::string written(const std::string& text) {
    const auto path = std::filesystem::path(testing::TempDir()) / "measured_pattern_test.dat";
    std::ofstream(path) << text;
    return path.string();
  }
  /// The message without the name of the file.
  std::string refusal(const std::string& text) {
    const std::string path = written(text);
    try {
      readMeasuredPattern(path);
    } catch (const Error& e) {
      return std::string(e.what()).substr(path.size());
    }
    return "";
  }
};

TEST_F(MeasuredFile, HasColumnsHeadingsAndComments) {
  const MeasuredPattern two =
      readMeasuredPattern(written("[PDF]\nwavelength = 0.18\n#L q I\n1 5\n\n2\t6\r\n! x\n3 , 0\n"));
  EXPECT_EQ(two.x, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(two.intensity, Eigen::Vector3d(5, 6, 0));
  EXPECT_EQ(two.sigma.size(), 0);
  EXPECT_EQ(sigmaOfCounts(two.intensity), Eigen::Vector3d(std::sqrt(5), std::sqrt(6), std::sqrt(5)));
  const MeasuredPattern part =
      readMeasuredPattern(written("q,I,s\n1,5,1\n2,6,2\n3,-1,1e-3\n4,1,1\n"), 1, 2.5);
  EXPECT_EQ(part.x, Eigen::Vector2d(1, 2));
  EXPECT_EQ(part.sigma, Eigen::Vector2d(1, 2));
}

TEST_F(MeasuredFile, HasItsColumnsInOrder) {
  for (const char* text : {"# I q\n5 1\n6 2\n", "sigma,q,I\n1,5,1\n2,6,1\n", "q,sigma,I\n1,5,1\n2,6,1\n",
                           "# q (1/nm) I (counts)\n1 5\n2 6\n", "# Q in 1/nm\n1 5\n2 6\n", "d,I\n1,5\n2,6\n",
                           "energy (keV),counts\n1,5\n2,6\n"})
    EXPECT_THROW(readMeasuredPattern(written(text)), Error) << text;
  const MeasuredPattern angle = readMeasuredPattern(written("# 2theta (deg)  I\n1 5\n2 6\n"));
  EXPECT_THROW(requireAxis(angle, true), Error);
  EXPECT_NO_THROW(requireAxis(angle, false));
  const MeasuredPattern q = readMeasuredPattern(written("q (1/A), I\n1,5\n2,6\n"));
  EXPECT_THROW(requireAxis(q, false), Error);
  EXPECT_NO_THROW(requireAxis(q, true));
  EXPECT_NO_THROW(requireAxis(readMeasuredPattern(written("# from 10nm particles\n1 5\n2 6\n")), true));
  // What names the columns is understood whole, or refused.
  for (const char* text :
       {"angle counts\n1 5\n2 6\n", "# q [1/m]  I\n1 5\n2 6\n", "q_nm^-1 I\n1 5\n2 6\n", "s I\n1 5\n2 6\n",
        "q (1/cm), intensity\n1,5\n2,6\n", "2theta (rad) I\n1 5\n2 6\n", "q,I,background\n1,5,1\n2,6,1\n",
        "a.chi\nq (nm^-1)\nIntensity\n 2\n 1 5\n 2 6\n", "wavelength counts\n1 5\n2 6\n"})
    EXPECT_THROW(readMeasuredPattern(written(text)), Error) << text;
  for (const char* text :
       {"Q(A-1) I(Q)\n1 5\n2 6\n", "q (1/angstrom), intensity (a.u.), sigma\n1,5,1\n2,6,1\n",
        "# q_A^-1 I sigma\n1 5 1\n2 6 1\n", "x y\n1 5\n2 6\n"})
    EXPECT_NO_THROW(requireAxis(readMeasuredPattern(written(text)), true)) << text;
  const MeasuredPattern chi =
      readMeasuredPattern(written("a.tif\n2-Theta Angle (Degrees)\nIntensity\n 2\n 1 5\n 2 6\n"));
  EXPECT_THROW(requireAxis(chi, true), Error);
  EXPECT_NO_THROW(requireAxis(chi, false));
}

TEST_F(MeasuredFile, MayHaveRemarksBehindItsNumbers) {
  const MeasuredPattern p = readMeasuredPattern(written("q I\n1 5 # low\n2 6\t! a remark\n3 7\n"));
  EXPECT_EQ(p.intensity, Eigen::Vector3d(5, 6, 7));
}

TEST_F(MeasuredFile, MayBeOfGsas) {
  const MeasuredPattern free = readMeasuredPattern(written(
      "a title\nBANK 1 3 3 CONST 1000.0 2.0 0 0 FXYE\n 1000.0 5.0 1.0\n 1002.0 6.0 2.0\n 1004.0 7.0 3.0\n"));
  EXPECT_NEAR((free.x - Eigen::Vector3d(10, 10.02, 10.04)).norm(), 0, 1e-12);
  EXPECT_EQ(free.sigma, Eigen::Vector3d(1, 2, 3));
  EXPECT_THROW(requireAxis(free, true), Error);
  const MeasuredPattern pairs = readMeasuredPattern(
      written("t\nBANK 1 3 1 CONST 500 5 0 0 ESD\n     5.0     1.0     6.0     2.0     7.0     3.0\n"));
  EXPECT_NEAR((pairs.x - Eigen::Vector3d(5, 5.05, 5.1)).norm(), 0, 1e-12);
  EXPECT_EQ(pairs.intensity, Eigen::Vector3d(5, 6, 7));
  EXPECT_EQ(pairs.sigma, Eigen::Vector3d(1, 2, 3));
  const MeasuredPattern counts =
      readMeasuredPattern(written("t\nBANK 1 3 1 CONST 500 5 0 0 STD\n 4   100     400     900\n"));
  EXPECT_EQ(counts.intensity, Eigen::Vector3d(100, 400, 900));
  EXPECT_NEAR((counts.sigma - Eigen::Vector3d(5, 20, 30)).norm(), 0, 1e-12);
  for (const char* text :
       {"t\nBANK 1 2 1 SLOG 500 5 0 0 FXYE\n1 2 3\n", "t\nBANK 1 3 1 CONST 500 5 0 0 FXYE\n1 2 3\n",
        "t\nBANK 1 2 2 CONST 1 1 0 0 ALT\n1 2 3\n2 3 4\n"})
    EXPECT_THROW(readMeasuredPattern(written(text)), Error) << text;
}

TEST_F(MeasuredFile, HasOneSeparatorInALine) {
  for (const std::string text :
       {"1 10\n2 20\n", "1\t10\n2\t20\n", "1,10\n2,20\n", "1 ; 10\n2 ; 20\n", "1, 10\n2 ,20\n",
        "1.0D+00 +10\n2d0 2.0E1\n", " 1.0  1.D1 \r\n 2.0  20. \r\n"}) {
    const MeasuredPattern p = readMeasuredPattern(written(text));
    EXPECT_EQ(p.x, Eigen::Vector2d(1, 2)) << text;
    EXPECT_EQ(p.intensity, Eigen::Vector2d(10, 20)) << text;
  }
  for (const std::string text : {"1,0\t1001\n2,0\t1002\n", "1,5 1001\n", "1,5;1001,25\n", "1,0 1001,0\n",
                                 "1;2 3\n", "1.0, 1001 5\n", "1 nan\n", "1,,2\n"}) {
    EXPECT_NE(refusal("q I\n" + text).find("decimal commas are not read"), std::string::npos) << text;
    EXPECT_EQ(refusal("q I\n" + text).rfind(":2: found '", 0), 0u) << text;
  }
}

TEST_F(MeasuredFile, ADamagedFirstRowIsNoHeading) {
  for (const std::string row : {"0.5 1'000", "0.5 1_000", "0.5 0x3E8", "0.5 1000*", "0.5x 1000", "0.5 --",
                                "0.5 n/a", "0.5,NA,3", "0.5;12:30", "0.5 10 \u00b15"}) {
    EXPECT_EQ(refusal(row + "\n1 10\n2 20\n"),
              ":1: found '" + row + "'; expected numbers, or a heading that begins with a word or #");
    EXPECT_EQ(refusal("q I\n" + row + "\n1 10\n2 20\n").rfind(":2: found", 0), 0u) << row;
  }
  for (const std::string heading : {"2 theta I", "30 points", "1.5406 angstrom", "2024-05-06 12:30"})
    EXPECT_EQ(readMeasuredPattern(written(heading + "\n1 10\n2 20\n")).x, Eigen::Vector2d(1, 2)) << heading;
}

/// The files of Fit2D have a title, two labels and the number of points before the columns.
TEST_F(MeasuredFile, MayHaveTheNumberOfItsRows) {
  const MeasuredPattern p =
      readMeasuredPattern(written("a.tif\n2-Theta Angle (Degrees)\nIntensity\n       3\n"
                                  "  1.0  5.0\n  2.0  6.0\n  3.0  7.0\n"));
  EXPECT_EQ(p.intensity, Eigen::Vector3d(5, 6, 7));
  EXPECT_NE(
      refusal("a.tif\n  4\n 1 5\n 2 6\n").find(":2: found 4; expected the number of rows that follow, 2"),
      std::string::npos)
      << refusal("a.tif\n  4\n 1 5\n 2 6\n");
}

TEST_F(MeasuredFile, IsRefusedWithItsLine) {
  EXPECT_EQ(
      refusal("1 2 3 4\n"),
      ":1: found 4 columns; expected q or 2 theta, the intensity and, if known, its standard deviation");
  EXPECT_EQ(refusal("1 2\n2 3 4\n"), ":2: found 3 columns; expected 2 as in the rows before");
  EXPECT_EQ(refusal("1\n2\n"),
            ":1: found 1 column; expected q or 2 theta, the intensity and, if known, its standard deviation");
  EXPECT_EQ(refusal("# x\n1 2\n1 3\n"),
            ":3: found 1 after 1 in the first column; expected values that ascend");
  EXPECT_EQ(refusal("1 2\n2 -3\n"), ":2: found the intensity -3; expected 0 or more");
  EXPECT_EQ(refusal("1 2 1\n2 3 0\n"), ":2: found the standard deviation 0; expected a number above 0");
  EXPECT_EQ(refusal("1 2\n2 x\n"), ":2: found '2 x'; expected numbers");
  EXPECT_EQ(refusal("1 2\n"), ": has 1 row in the range asked for; expected at least 2");
  EXPECT_EQ(refusal("no numbers\n"), ": has no rows of numbers; expected 2 to 3 columns");
  EXPECT_THROW(sigmaOfCounts(Eigen::Vector2d(0, 0)), Error);
}

}  // namespace
}  // namespace prophet
