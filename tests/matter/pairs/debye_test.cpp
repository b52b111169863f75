#include "matter/pairs/debye_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "matter/pairs/sine_turns.hpp"
#include "matter/structure/lattices.hpp"
#include "random_structure.hpp"
#include "tests/matter/pairs/references.hpp"

namespace prophet {
namespace {

using test::randomStructure;

DebyeRequest request(const Eigen::VectorXd& q, bool doublePrecision, int threads = 1) {
  DebyeRequest r;
  r.q = q;
  r.doublePrecision = doublePrecision;
  r.threads = threads;
  return r;
}

TEST(SineOfTurns, IsTheSine) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> turn(-0.5, 0.5);
  for (int i = 0; i < 20000; ++i) {
    const double t = i == 0 ? 0.5 : i == 1 ? 0.25 : i == 2 ? -0.25 : turn(random);
    EXPECT_NEAR(sineOfTurns(t), std::sin(2 * M_PI * t), 6e-16);
    const float f = static_cast<float>(t);
    EXPECT_NEAR(sineOfTurns(f), std::sin(2 * M_PI * f), 2.5e-7);
  }
}

TEST(DebyeSums, TwoAtomsAreAnalytic) {
  Structure s;
  s.add(s.kindNumber("H"), {0, 0, 0});
  s.add(0, {1, 2, 2});
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(101, 0, 25);
  for (const bool doublePrecision : {true, false}) {
    const DebyeSums direct = debyeSums(s, request(q, doublePrecision));
    for (Eigen::Index k = 0; k < q.size(); ++k)
      EXPECT_NEAR(direct.values(k, 0), k == 0 ? 1 : std::sin(3 * q(k)) / (3 * q(k)),
                  doublePrecision ? 1e-14 : 2e-6);
  }
}

TEST(DebyeSums, TheFastOneIsTheSimpleOne) {
  for (const int kinds : {1, 2, 3}) {
    const Structure s = randomStructure(10 + kinds, 300, kinds, 20.0, false);
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(41, 0, 20);
    const DebyeSums simple = referenceDebyeSums(s, request(q, true));
    const DebyeSums exact = debyeSums(s, request(q, true, 2)), single = debyeSums(s, request(q, false, 2));
    EXPECT_EQ(simple.terms, exact.terms);
    EXPECT_LT((exact.values - simple.values).cwiseAbs().maxCoeff(), 1e-10);
    // 45,000 pairs, errors of 1e-7 or less each and of either sign.
    EXPECT_LT((single.values - simple.values).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_GT((single.values - simple.values).cwiseAbs().maxCoeff(), 0);
  }
}

TEST(DebyeSums, PartsAddUp) {
  const Structure s = randomStructure(3, 200, 2, 10.0, false);
  DebyeRequest r = request(Eigen::VectorXd::LinSpaced(7, 0, 6), true);
  const Eigen::MatrixXd whole = debyeSums(s, r).values;
  Eigen::MatrixXd sum = 0 * whole;
  r.parts = 3;
  for (r.part = 0; r.part < 3; ++r.part) sum += debyeSums(s, r).values;
  EXPECT_LT((sum - whole).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(DebyeSums, AtomsAtOnePlaceScatterAsOne) {
  Structure s;
  s.add(s.kindNumber("H"), {1, 1, 1});
  s.add(0, {1, 1, 1});
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(5, 0, 8);
  EXPECT_LT((debyeSums(s, request(q, true)).values.array() - 1).abs().maxCoeff(), 1e-15);
}

/// Histogram against direct sum, for a crystal, a displaced crystal (a random gas) and a rod.
TEST(DebyeTransform, StaysBelowItsBound) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(120, 0, 20);
  Structure particles[] = {cutShape(namedLattice("CoO"), parseShape("sphere:26")),
                           randomStructure(8, 900, 2, 25, false),
                           cutShape(namedLattice("Si"), parseShape("rod:14:60"))};
  for (const Structure& s : particles) {
    const Eigen::MatrixXd exact = debyeSums(s, request(q, true, 2)).values;
    for (const double width : {0.05, 0.01, 0.002}) {
      for (const bool doublePrecision : {true, false}) {
        HistogramRequest r;
        r.width = width;
        r.bins = static_cast<int>(largestDistance(s) / width) + 2;
        r.doublePrecision = doublePrecision;
        const PairHistogram h = pairHistogram(s, r);
        ASSERT_EQ(h.total(), static_cast<double>(s.size()) * static_cast<double>(s.size() - 1) / 2);
        const Eigen::MatrixXd error = (debyeTransform(h, q, 2).values - exact).cwiseAbs();
        const Eigen::MatrixXd bound = debyeErrorBound(h, q);
        EXPECT_LE((error - bound).maxCoeff(), 1e-9) << s.title << " " << width;
        EXPECT_GT(bound.maxCoeff(), 0);
      }
    }
  }
}

TEST(DebyeTransform, TheWidthForAToleranceKeepsIt) {
  const Structure s = cutShape(namedLattice("CoO"), parseShape("sphere:40"));
  const double atoms = static_cast<double>(s.size());
  for (const double tolerance : {1e-4, 1e-6}) {
    HistogramRequest r;
    r.width = widthForTolerance(tolerance, 15, largestDistance(s));
    r.bins = static_cast<int>(largestDistance(s) / r.width) + 2;
    r.doublePrecision = true;
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(31, 0, 15);
    EXPECT_LE(debyeErrorBound(pairHistogram(s, r), q).rowwise().sum().maxCoeff(),
              tolerance * atoms * atoms / 2);
  }
}

// The form factor of a sphere, 9 (sin x - x cos x)^2/x^6, in the small-angle range (figure 4.8 of Reiten's
// thesis).
TEST(DebyeTransform, ASphereInTheSmallAngleRange) {
  const Structure s = cutShape(namedLattice("fcc:Co:3"), parseShape("sphere:60"));
  const double atoms = static_cast<double>(s.size());
  // The radius of a ball with the atoms' volume.
  const double radius = std::cbrt(3 * atoms * 27.0 / 4 / (4 * M_PI));
  HistogramRequest r;
  r.width = 0.01;
  r.bins = static_cast<int>(largestDistance(s) / r.width) + 2;
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(40, 0.005, 0.2);
  const Eigen::MatrixXd sums = debyeTransform(pairHistogram(s, r), q, 2).values;
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    const double x = q(k) * radius, amplitude = 3 * (std::sin(x) - x * std::cos(x)) / (x * x * x);
    EXPECT_NEAR((atoms + 2 * sums(k, 0)) / (atoms * atoms), amplitude * amplitude, 3e-4) << q(k);
  }
}

}  // namespace
}  // namespace prophet
