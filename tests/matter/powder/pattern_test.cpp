#include "matter/powder/powder_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "matter/structure/lattices.hpp"

namespace prophet {
namespace {

class OneFrame : public Frames {
 public:
  explicit OneFrame(Structure s, int times = 1) : structure_(std::move(s)), times_(times) {}
  std::optional<Structure> next() override {
    return times_-- > 0 ? std::optional<Structure>(structure_) : std::nullopt;
  }

 private:
  Structure structure_;
  int times_;
};

PowderOptions constantOptions(const Eigen::VectorXd& q) {
  PowderOptions o;
  o.q = q;
  o.amplitudes.source = AmplitudeSource::Constant;
  return o;
}

PowderPattern patternOf(const Structure& s, const PowderOptions& options) {
  OneFrame frames(s);
  return powderPattern(frames, options, *hostPairEngine(2));
}

TEST(Pattern, OfTwoAtomsIsAnalytic) {
  Structure s;
  s.add(s.kindNumber("H"), {0, 0, 0});
  s.add(s.kindNumber("O"), {0, 0, 2});
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(50, 0, 20);
  PowderOptions o = constantOptions(q);
  o.amplitudes.dispersion = {{"H", {1, 0}}, {"O", {2, 4}}};  // amplitudes 2 and 3 + 4i
  o.bFactors = {{"H", 0.5}, {"O", 1.0}};
  for (const PowderMethod method : {PowderMethod::Histogram, PowderMethod::Direct}) {
    o.method = method;
    o.doublePrecision = true;
    const PowderPattern p = patternOf(s, o);
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      const double x = 2 * q(k), s2 = std::pow(q(k) / (4 * M_PI), 2);
      EXPECT_NEAR(p.intensity(k), 4 + 25 + 2 * 6 * std::exp(-1.5 * s2) * (k == 0 ? 1 : std::sin(x) / x), 1e-4)
          << q(k);
    }
  }
}

TEST(Pattern, HistogramAndDirectSumAgree) {
  const Structure s = cutShape(namedLattice("CoO"), parseShape("sphere:24"));
  PowderOptions o = constantOptions(Eigen::VectorXd::LinSpaced(100, 0.2, 10));
  o.amplitudes.source = AmplitudeSource::WaasmaierKirfel;
  const PowderPattern fast = patternOf(s, o);
  o.method = PowderMethod::Direct;
  const PowderPattern single = patternOf(s, o);
  o.doublePrecision = true;
  const PowderPattern exact = patternOf(s, o);
  const double forward =
      std::pow(static_cast<double>(s.counts()[0]) * 27 + static_cast<double>(s.counts()[1]) * 8, 2);
  EXPECT_LE((fast.intensity - exact.intensity).cwiseAbs().maxCoeff(), fast.errorBound * forward * 1.01);
  EXPECT_LE(fast.errorBound, 1e-6);
  EXPECT_GT(fast.errorBound, 0);
  // The thesis has 5e-5 for single precision.
  EXPECT_LT((single.intensity - exact.intensity).cwiseQuotient(exact.intensity).cwiseAbs().maxCoeff(), 5e-5);
}

TEST(Pattern, PeaksOfRocksaltAreWhereBraggSays) {
  const Structure s = cutShape(namedLattice("CoO"), parseShape("sphere:40"));
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(801, 2, 6);
  PowderOptions o = constantOptions(q);
  o.amplitudes.source = AmplitudeSource::WaasmaierKirfel;
  const Eigen::VectorXd intensity = patternOf(s, o).intensity;
  for (const int squares : {3, 4, 8, 11, 12}) {  // 111, 200, 220, 311, 222
    const double bragg = 2 * M_PI * std::sqrt(squares) / 4.26;
    const Eigen::Index at = static_cast<Eigen::Index>(std::lround((bragg - 2) / 0.005));
    Eigen::Index highest = 0;
    intensity.segment(at - 20, 41).maxCoeff(&highest);
    // Peaks of a particle of 4 nm are 0.15 wide and lean on each other.
    EXPECT_NEAR(q(at - 20 + highest), bragg, 0.03) << squares;
    EXPECT_GT(highest, 0);
    EXPECT_LT(highest, 40);
  }
}

TEST(Pattern, IsTheMeanOfItsFrames) {
  const Structure s = cutShape(namedLattice("Cu"), parseShape("sphere:12"));
  const PowderOptions o = constantOptions(Eigen::VectorXd::LinSpaced(20, 0.5, 8));
  OneFrame three(s, 3);
  const PowderPattern mean = powderPattern(three, o, *hostPairEngine(1));
  EXPECT_EQ(mean.frames, 3);
  EXPECT_LT((mean.intensity - patternOf(s, o).intensity).cwiseAbs().maxCoeff(), 1e-9);
  OneFrame none(s, 0);
  EXPECT_THROW(powderPattern(none, o, *hostPairEngine(1)), Error);
  PowderOptions wrong = o;
  wrong.bFactors = {{"O", 1}};
  OneFrame once(s);
  EXPECT_THROW(powderPattern(once, wrong, *hostPairEngine(1)), Error);
}

TEST(TwoTheta, EndsWithTheSphereOfReflection) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(2, 4, 20);
  const Eigen::VectorXd angles = twoTheta(q, 1.5406);
  EXPECT_NEAR(1.5406 / (2 * std::sin(angles(0) * M_PI / 360)), 2 * M_PI / 4, 1e-12);
  EXPECT_TRUE(std::isnan(angles(1)));
}

/// The formula of Debye, atom by atom.
Eigen::VectorXd byHand(const Structure& s, const Eigen::VectorXd& q) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(q.size());
  for (const auto& a : s.positions) {
    for (const auto& b : s.positions) {
      const double r = (a - b).norm();
      for (Eigen::Index k = 0; k < q.size(); ++k)
        sum(k) += q(k) * r < 1e-9 ? 1 : std::sin(q(k) * r) / (q(k) * r);
    }
  }
  return sum;
}

Structure randomAtoms(unsigned seed, int count, double edge) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, edge);
  Structure s;
  const int kinds[] = {s.kindNumber("Co"), s.kindNumber("O")};
  for (int i = 0; i < count; ++i) {
    const double x = place(random), y = place(random), z = place(random);
    s.add(kinds[i % 2], {x, y, z});
  }
  return s;
}

// A sum over the pairs of a particle knows no images.
TEST(Pattern, ALatticeIsLeftAsideAndTheResultSaysSo) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(40, 0, 8);
  for (const double edge : {4.0, 30.0}) {
    Structure s = randomAtoms(7, 40, 20);
    s.lattice = Eigen::Matrix3d{{edge, 0, 0}, {0.3 * edge, edge, 0}, {0, 0, edge}};
    const Eigen::VectorXd expected = byHand(s, q);
    PowderOptions o = constantOptions(q);
    for (const PowderMethod method : {PowderMethod::Histogram, PowderMethod::Direct}) {
      o.method = method;
      const PowderPattern p = patternOf(s, o);
      EXPECT_LT((p.intensity - expected).cwiseAbs().maxCoeff(), 2e-6 * 1600) << edge;
      ASSERT_EQ(p.warnings.size(), 1u);
      EXPECT_NE(p.warnings[0].find("40 atoms are taken as one particle"), std::string::npos) << p.warnings[0];
    }
  }
  EXPECT_TRUE(patternOf(randomAtoms(7, 40, 20), constantOptions(q)).warnings.empty());
}

TEST(Pattern, IsNeverNegative) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(200, 0, 12);
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Structure s = randomAtoms(seed, 3 + 10 * static_cast<int>(seed), seed % 2 ? 3.0 : 40.0);
    PowderOptions o = constantOptions(q);
    o.amplitudes.source = seed % 3 ? AmplitudeSource::Constant : AmplitudeSource::WaasmaierKirfel;
    o.bFactors = {{"Co", 0.1 * seed}};
    EXPECT_GE(patternOf(s, o).intensity.minCoeff(), 0) << seed;
  }
  // At its minima a ball scatters less than wide bins err.
  const Structure ball = cutShape(namedLattice("Cu"), parseShape("sphere:24"));
  PowderOptions o = constantOptions(q);
  o.binWidth = 2;
  const PowderPattern p = patternOf(ball, o);
  EXPECT_EQ(p.intensity.minCoeff(), 0);
  ASSERT_FALSE(p.warnings.empty());
  EXPECT_NE(p.warnings[0].find("below 0"), std::string::npos);
}

// A stray atom far away makes bins wide.
TEST(Pattern, HoldsItsToleranceWhereAtomsAreFar) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(31, 0, 3);
  for (const double far : {1e3, 1e5, 1e6, 1e7, 1e8, 1e9}) {
    Structure s = cutShape(namedLattice("CoO"), parseShape("sphere:12"));
    s.add(s.kindNumber("Co"), {far, 0.3 * far, 0});
    const double forward = std::pow(static_cast<double>(s.size()), 2);
    const Eigen::VectorXd expected = byHand(s, q);
    PowderOptions o = constantOptions(q);
    for (const bool doublePrecision : {false, true}) {
      o.doublePrecision = doublePrecision;
      o.method = PowderMethod::Histogram;
      const PowderPattern p = patternOf(s, o);
      EXPECT_LE(p.errorBound, o.tolerance) << far;
      EXPECT_TRUE(p.warnings.empty()) << far;
      EXPECT_NEAR(p.intensity(0), forward, 1e-6 * forward) << far;
      EXPECT_LT((p.intensity - expected).cwiseAbs().maxCoeff(), 1e-6 * forward) << far;
      o.method = PowderMethod::Direct;
      const PowderPattern direct = patternOf(s, o);
      EXPECT_LT((direct.intensity - expected).cwiseAbs().maxCoeff(), 1e-6 * forward) << far;
      EXPECT_EQ(direct.doublePrecision, doublePrecision || far >= 1e7) << far;
    }
  }
}

TEST(Pattern, SaysWhatItReachedWhereItCannotHoldTheTolerance) {
  Structure s = cutShape(namedLattice("CoO"), parseShape("sphere:40"));
  s.add(s.kindNumber("Co"), {1e6, 0, 0});
  PowderOptions o = constantOptions(Eigen::VectorXd::LinSpaced(20000, 0, 10));
  const PowderPattern p = patternOf(s, o);  // too many pairs and momenta to be summed one by one
  EXPECT_GT(p.errorBound, o.tolerance);
  ASSERT_FALSE(p.warnings.empty());
  EXPECT_NE(p.warnings[0].find("the error is below"), std::string::npos) << p.warnings[0];
}

/// Loses a pair.
class LossyEngine : public PairEngine {
 public:
  std::string name() const override { return "lossy"; }
  PairHistogram histogram(const Structure& s, const HistogramRequest& r) override {
    PairHistogram h = pairHistogram(s, r);
    for (auto& count : h.counts) {
      if (count > 0) {
        --count;
        break;
      }
    }
    return h;
  }
  DebyeSums direct(const Structure& s, const DebyeRequest& r) override { return debyeSums(s, r); }
  DebyeSums transform(const PairHistogram& h, const Eigen::VectorXd& q) override {
    return debyeTransform(h, q, 1);
  }
  Eigen::VectorXd sincSum(const std::vector<double>& r, const Eigen::VectorXd& q) override {
    return prophet::sincSum(r, q, 1);
  }
};

TEST(Pattern, RefusesAHistogramThatHasLostPairs) {
  OneFrame frames(randomAtoms(1, 20, 9));
  LossyEngine engine;
  EXPECT_THROW(powderPattern(frames, constantOptions(Eigen::VectorXd::LinSpaced(3, 0, 2)), engine), Error);
}

TEST(Pattern, RefusesFactorsAndBinsThatMakeNoSense) {
  const Structure s = randomAtoms(1, 20, 9);
  for (const double b : {-1.0, -1e300, 1e300, std::nan("")}) {
    PowderOptions o = constantOptions(Eigen::VectorXd::LinSpaced(3, 0, 2));
    o.bFactors = {{"Co", b}};
    EXPECT_THROW(patternOf(s, o), Error) << b;
  }
  for (const double width : {-1.0, 1e300, std::nan("")}) {
    PowderOptions o = constantOptions(Eigen::VectorXd::LinSpaced(3, 0, 2));
    o.binWidth = width;
    EXPECT_THROW(patternOf(s, o), Error) << width;
  }
}

}  // namespace
}  // namespace prophet
