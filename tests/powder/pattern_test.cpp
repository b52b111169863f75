#include "powder/pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "powder/powder_run.hpp"
#include "structure/lattices.hpp"
#include "structure/shapes.hpp"

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

}  // namespace
}  // namespace prophet
