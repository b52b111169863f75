#include "atoms/limit/mean_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "atoms/limit/radial_basis.hpp"
#include "core/common/csv.hpp"
#include "test_paths.hpp"

namespace prophet::limit {
namespace {

constexpr double kSpectrumC = 137.03599976;

// Energy without rest mass, in a form that keeps all digits: E/c^2 + 1 = (1 + x^2)^(-1/2).
double dirac(double charge, int kappa, int number) {
  const double gamma = std::sqrt(kappa * kappa - charge * charge / (kSpectrumC * kSpectrumC));
  const int radial = number - 1 + (kappa > 0 ? 1 : 0);
  const double x = charge / kSpectrumC / (radial + gamma), root = std::sqrt(1 + x * x);
  return -kSpectrumC * kSpectrumC * x * x / (root * (1 + root));
}

// Lowest `count` energies of one symmetry in the field of a point nucleus.
Eigen::VectorXd energies(double charge, Symmetry symmetry, int count) {
  Nucleus nucleus;
  nucleus.charge = charge;
  const double decay = charge / (count + symmetry.l());
  const RadialBasis basis(makeMesh({nucleus, kSpectrumC, 45 / decay, decay, 1.6, 10}), 10, 10);
  const Eigen::MatrixXd overlap = basis.overlapMatrix(symmetry);
  const Eigen::VectorXd potential = -charge * basis.r.cwiseInverse();
  const Eigen::MatrixXd fock =
      basis.kineticMatrix(symmetry, kSpectrumC) + basis.localMatrix(symmetry, potential);
  return lowestSolutions(fock, overlap, choleskyFactor(overlap), gapShift(charge, kSpectrumC), count)
      .energies;
}

// Every hydrogen-like 1s energy, to rounding: the worst error found is the assertion.
TEST(Spectrum, HydrogenLikeGroundStates) {
  double worst = 0;
  for (int z = 1; z <= 118; ++z) {
    worst = std::max(worst, std::abs(energies(z, Symmetry{-1}, 1)[0] / dirac(z, -1, 1) - 1));
  }
  EXPECT_LT(worst, 1e-13);
}

// Spurious states would appear first among these, for kappa > 0 above all.
TEST(Spectrum, ExcitedHydrogenLikeStates) {
  double worst = 0;
  for (double z : {1.0, 26.0, 80.0, 118.0}) {
    for (int kappa : {-1, 1, -2, 2, -3, 3, -4, 4, -5}) {
      const Eigen::VectorXd found = energies(z, Symmetry{kappa}, 4);
      for (int n = 1; n <= 4; ++n) worst = std::max(worst, std::abs(found[n - 1] / dirac(z, kappa, n) - 1));
    }
  }
  EXPECT_LT(worst, 3e-13);
}

/// One electron with the equation of Koelling and Harmon: koelling_harmon.py integrates it outwards and
/// inwards.
TEST(Spectrum, KoellingHarmonStatesAreThoseOfShooting) {
  int compared = 0;
  for (const CsvRow& row :
       readCsv(std::string(PROPHET_SOURCE_DIR) + "/tests/atoms/limit/koelling_harmon.csv")) {
    if (row.fields[0] == "Z") continue;
    const double c = 137.035999, charge = std::stod(row.fields[0]), exact = std::stod(row.fields[3]);
    const int n = std::stoi(row.fields[1]), l = std::stoi(row.fields[2]);
    Nucleus nucleus;
    nucleus.charge = charge;
    const double decay = charge / n;
    const RadialBasis basis(makeMesh({nucleus, c, 45 / decay, decay, 1.6, 10}), 10, 10,
                            Components::LargeAndSmallOfBothJ);
    const Symmetry s{-l - 1};
    const Eigen::MatrixXd overlap = basis.overlapMatrix(s);
    const Eigen::MatrixXd fock =
        basis.kineticMatrix(s, c) + basis.localMatrix(s, -charge * basis.r.cwiseInverse());
    const Solutions found =
        lowestSolutions(fock, overlap, choleskyFactor(overlap), gapShift(charge, c), n - l);
    EXPECT_NEAR(found.energies[n - l - 1] / exact, 1, 2e-11) << charge << " " << n << " " << l;
    const Eigen::MatrixXd dense = basis.densityOrbitals(s, found.vectors);
    EXPECT_NEAR(basis.largeValues(s, dense).col(0).cwiseAbs2().dot(basis.weight), 1, 1e-12);
    ++compared;
  }
  EXPECT_EQ(compared, 18);
}

}  // namespace
}  // namespace prophet::limit
