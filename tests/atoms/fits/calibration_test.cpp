#include "atoms/fits/calibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "tests/atoms/levels/reference_cases.hpp"

namespace prophet {
namespace {

constexpr double kCentimetre = 1 / constants::kInverseCentimetresPerHartree;

struct CalibratedCase {
  LevelSpace space;
  Result limit;
  LevelHamiltonian hamiltonian;
};

CalibratedCase calibratedCase(const std::string& configurations, double z) {
  Nucleus nucleus;
  nucleus.charge = z;
  CalibratedCase made{levelSpace(configurations), {}, {}};
  made.limit = limitOf(made.space, nucleus, 137.03599976);
  made.hamiltonian.field = {nucleus, 137.03599976, {}};
  return made;
}

/// A second configuration 0.05 hartree below where it was computed, and factors of their kinds.
Calibration displaced(const CalibratedCase& c) {
  CalibrationRequest request;
  request.averages = {std::nullopt, -0.05};
  request.averageScatter = 2000 * kCentimetre;
  return calibrate(c.space, c.limit, c.hamiltonian, request);
}

/// Levels of an atom whose averages and factors are those of `with`, as experiment would know them.
std::vector<KnownLevel> knownOf(const CalibratedCase& c, const Calibration& with, double noise = 0) {
  LevelOptions options;
  const LevelParameters parameters = with.parametersOfLevels(false);
  options.parameters = &parameters;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<KnownLevel> list;
  for (const Level& l : computeLevels(c.space, c.limit, c.hamiltonian, options).levels)
    list.push_back({l.twoJ, l.odd, l.configuration, l.excitation + noise * normal(random),
                    l.terms.front().name.substr(0, 2)});
  return list;
}

TEST(Calibration, AssignmentsAreTheBestOfAll) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(0, 1);
  for (int trial = 0; trial < 50; ++trial) {
    Eigen::MatrixXd costs(4, 6);
    for (double& cost : costs.reshaped()) cost = number(random);
    const std::vector<int> found = leastAssignment(costs);
    double own = 0;
    for (int i = 0; i < 4; ++i) own += costs(i, found[static_cast<std::size_t>(i)]);
    std::vector<int> order(6);
    std::iota(order.begin(), order.end(), 0);
    double least = 1e9;
    do {
      double sum = 0;
      for (int i = 0; i < 4; ++i) sum += costs(i, order[static_cast<std::size_t>(i)]);
      least = std::min(least, sum);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_NEAR(own, least, 1e-14);
  }
}

TEST(Calibration, AveragesAreMeansOverAllStates) {
  const CalibratedCase c = calibratedCase("[Ar] 3d3", 24);
  const LevelResult r = computeLevels(c.space, c.limit, c.hamiltonian);
  EXPECT_NEAR(averageEnergies(c.space, c.limit, c.hamiltonian).front(), r.average, 1e-9);
}

// A second atom that differs in its averages and factors alone is found, though levels are not numbered.
TEST(Calibration, FindsTheParametersThatLevelsWereMadeWith) {
  const CalibratedCase c = calibratedCase("[Ar] 3d3 | [Ar] 3d2 4s1", 23);
  CalibrationRequest request;
  const Calibration truth = displaced(c);
  request.levels = knownOf(c, truth);
  request.ground = request.levels.front().configuration;
  const Calibration found = calibrate(c.space, c.limit, c.hamiltonian, request);
  ASSERT_EQ(found.levels.size(), request.levels.size());
  EXPECT_EQ(found.unassigned, 0);
  EXPECT_LT(found.fitted.mean, 1 * kCentimetre);
  for (std::size_t p = 0; p < 2; ++p)
    EXPECT_NEAR(found.parameters[p].fitted, truth.parameters[p].fitted, 1e-3);
  EXPECT_NEAR(found.parameters[3].fitted - found.parameters[2].fitted,
              truth.parameters[3].fitted - truth.parameters[2].fitted, 5 * kCentimetre);
}

// What is said of a level from the others is what a fit without its J and parity makes of it.
TEST(Calibration, PredictionsAreThoseOfFitsWithoutTheLevels) {
  const CalibratedCase c = calibratedCase("[Ar] 3d3 | [Ar] 3d2 4s1", 23);
  CalibrationRequest request;
  const Calibration truth = displaced(c);
  request.levels = knownOf(c, truth, 200 * kCentimetre);
  request.ground = request.levels.front().configuration;
  const Calibration all = calibrate(c.space, c.limit, c.hamiltonian, request);
  for (KnownLevel& l : request.levels)
    if (l.twoJ == 5) l.weight = 0;
  const Calibration without = calibrate(c.space, c.limit, c.hamiltonian, request);
  EXPECT_GT(without.heldOut.levels, 5);
  int compared = 0;
  for (std::size_t i = 0; i < all.levels.size(); ++i) {
    if (all.levels[i].known.twoJ != 5 || !all.levels[i].predicted) continue;
    const double predicted = *all.levels[i].predicted - all.levels[i].known.energy;
    const double made = without.levels[i].energy - without.levels[i].known.energy;
    // Robust weights of the two fits differ.
    EXPECT_NEAR(predicted, made, 40 * kCentimetre + 0.1 * std::abs(made));
    ++compared;
  }
  EXPECT_EQ(compared, without.heldOut.levels);
}

TEST(Calibration, WithoutLevelsItIsWhatIsExpected) {
  const CalibratedCase c = calibratedCase("[Ar] 3d3 | [Ar] 3d2 4s1", 23);
  CalibrationRequest request;
  request.averages = {std::nullopt, 0.02};
  request.averageScatter = 2500 * kCentimetre;
  Calibration made = calibrate(c.space, c.limit, c.hamiltonian, request);
  ASSERT_EQ(made.parameters.size(), 4u);
  EXPECT_NEAR(made.parameters[0].fitted, (0.73 + 0.70 + 0.65) / 3, 1e-12);
  EXPECT_NEAR(made.parameters[1].fitted, 1.05, 1e-12);
  EXPECT_NEAR(made.parameters[3].fitted, 0.02, 1e-12);
  LevelOptions options;
  LevelParameters parameters = made.parametersOfLevels(true);
  options.parameters = &parameters;
  options.vectors = true;
  const LevelResult r = computeLevels(c.space, c.limit, c.hamiltonian, options);
  const std::vector<double> errors = made.errorsOf(r.levels);
  EXPECT_EQ(errors.front(), 0);
  const Calibration::Differences differences = made.differencesOf(r.levels);
  const auto between = [&](const Level& a, const Level& b) {
    Eigen::VectorXd v(made.covariance.rows());
    double scatter = 0;
    for (Eigen::Index p = 0; p < v.size(); ++p) {
      const double first = a.slopes[static_cast<std::size_t>(p)],
                   second = b.slopes[static_cast<std::size_t>(p)];
      v(p) = first - second;
      const Eigen::Index at = p - v.size() + static_cast<Eigen::Index>(made.scatter.size());
      if (at >= 0)
        scatter += (std::max(0.0, first) + std::max(0.0, second)) *
                   std::pow(made.scatter[static_cast<std::size_t>(at)], 2);
    }
    return std::sqrt(v.dot(made.covariance * v) + scatter);
  };
  for (std::size_t i = 0; i < r.levels.size(); ++i) {
    const Level& other = r.levels[i / 2];
    EXPECT_NEAR(differences.errorBetween(static_cast<int>(i), static_cast<int>(i / 2)),
                between(r.levels[i], other), 1e-12);
    // A level of the other configuration has the scatter of its average, those of its own have not.
    if (r.levels[i].configuration != r.levels.front().configuration)
      EXPECT_GT(errors[i], 0.8 * request.averageScatter);
    else
      EXPECT_LT(errors[i], 0.8 * request.averageScatter + 0.2 * r.levels[i].excitation);
    EXPECT_NEAR(differences.errorBetween(static_cast<int>(i), 0), errors[i], 1e-12);
  }
  // The vectors of other Hamiltonians: of length one, and those of the level itself but for some mixing.
  for (const LevelVectors& v : r.vectors) {
    ASSERT_EQ(v.kept->moved().size(), 4u);
    for (const Eigen::MatrixXd& m : v.kept->moved())
      for (Eigen::Index i = 0; i < m.cols(); ++i) {
        EXPECT_NEAR(m.col(i).norm(), 1, 1e-12);
        EXPECT_GT(std::abs(m.col(i).dot(v.vectors().col(i))), 0.7);
      }
  }
  // The ground configuration is held below the others.
  const int other = 1 - r.levels.front().configuration;
  EXPECT_FALSE(made.keepGround(r.levels, r.levels.front().configuration));
  EXPECT_TRUE(made.keepGround(r.levels, other));
  parameters = made.parametersOfLevels(true);
  EXPECT_EQ(computeLevels(c.space, c.limit, c.hamiltonian, options).levels.front().configuration, other);
}

// docs/theory/levels.md, "Calibration".
TEST(Calibration, ExpectedFactorsGrowWithChargeAndAlongARow) {
  const double mean = (0.73 + 0.70 + 0.65) / 3;
  const auto factorOf = [](const std::string& configurations, int z, int charge) {
    const CalibratedCase c = calibratedCase(configurations, z);
    CalibrationRequest request;
    request.z = z;
    request.charge = charge;
    const Calibration made = calibrate(c.space, c.limit, c.hamiltonian, request);
    EXPECT_NEAR(made.parameters[0].error, 0.10, 1e-12);
    return made.parameters[0].fitted;
  };
  EXPECT_NEAR(factorOf("[Ar] 3d3 | [Ar] 3d2 4s1", 23, 2), mean - 0.075 + 2 * 0.043 + 3 * 0.0115, 1e-12);
  EXPECT_NEAR(factorOf("[Kr] 4d9", 46, 1), mean - 0.075 + 0.043 + 9 * 0.0115, 1e-12);
  // No d shell is open; beyond charge 3 other ions tell.
  EXPECT_NEAR(factorOf("[Xe] 4f2", 59, 3), mean, 1e-12);
  EXPECT_NEAR(factorOf("[Ar] 4s1 4p1", 20, 0), mean, 1e-12);
  EXPECT_NEAR(factorOf("[Ar] 3d2", 24, 4), 0.88, 1e-12);
}

TEST(Calibration, RefusesClassesThatThereAreNot) {
  const CalibratedCase c = calibratedCase("[Ar] 3d3", 24);
  CalibrationRequest request;
  for (const char* name : {"F", "scale()", "slope(F)"}) {
    request.classes = {name};
    EXPECT_THROW(calibrate(c.space, c.limit, c.hamiltonian, request), FitParameterError) << name;
  }
}

}  // namespace
}  // namespace prophet
