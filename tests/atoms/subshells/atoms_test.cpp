#include <gtest/gtest.h>

#include <cmath>

#include "atoms/breit/breit.hpp"
#include "atoms/properties/properties.hpp"
#include "atoms/qed/qed.hpp"
#include "atoms/scf/gaussian_wavefunction.hpp"
#include "atoms/subshells/bessel_averages.hpp"
#include "atoms/subshells/compton_profile.hpp"
#include "atoms/subshells/kinetic_energies.hpp"
#include "tests/atoms/properties/with_spinors.hpp"

namespace prophet {
namespace {

constexpr const char* kNeon = "$nuc znuc=10 $end";
constexpr const char* kIron = "$nuc znuc=26 $end";
constexpr const char* kCarbon = "$nuc znuc=6 $end";

double kineticSum(const SubshellFunctions& f) {
  const std::vector<KineticEnergies> list = kineticEnergies(f);
  double sum = 0;
  for (int i = 0; i < f.count(); ++i)
    sum += f.spinor(i).occupation * list[static_cast<std::size_t>(i)].kinetic;
  return sum;
}

TEST(Subshells, KineticEnergiesSumToTheKineticPart) {
  for (const test::Computed& c : {test::computed(kIron), test::computedLimit(kNeon)}) {
    const SubshellFunctions f(c.problem, c.result);
    EXPECT_NEAR(kineticSum(f) / c.result.energy.value(EnergyPartId::Kinetic), 1, 1e-10);
    EXPECT_NEAR(f.electrons(), c.problem.configuration.electrons(), 1e-12);
  }
}

TEST(Subshells, GaussiansInMomentumSpaceAreTheTransformOfTheirValues) {
  const test::Computed c = test::computed(kIron);
  const SubshellFunctions f(c.problem, c.result);
  ASSERT_TRUE(f.areGaussians());
  const Eigen::ArrayXd scale = f.momenta().points().array().pow(1.5);
  for (int i = 0; i < f.count(); ++i) {
    const Symmetry s = f.spinor(i).symmetry;
    const Eigen::ArrayXd large = f.transform().waves(s.l(), f.large().col(i)).col(0);
    const Eigen::ArrayXd small = f.transform().waves(s.lSmall(), f.small().col(i)).col(0);
    EXPECT_LT((scale * (large - f.waveLarge().col(i).array())).abs().maxCoeff(), 1e-10)
        << f.spinor(i).label();
    EXPECT_LT((scale * (small - f.waveSmall().col(i).array())).abs().maxCoeff(), 1e-10)
        << f.spinor(i).label();
  }
}

TEST(Subshells, ProfilesHaveTheSumRules) {
  for (const test::Computed& c : {test::computed(kIron), test::computedLimit(kNeon)}) {
    const SubshellFunctions f(c.problem, c.result);
    const LogGrid grid = LogGrid::between(1e-5, 1e5, 1.0 / 64);
    const Eigen::VectorXd p = grid.points().cwiseMin(1e5);
    const Eigen::MatrixXd J = comptonProfiles(f, p);
    const std::vector<KineticEnergies> kinetic = kineticEnergies(f);
    for (int i = 0; i < f.count(); ++i) {
      const double below = 1e-5 * J(0, i);
      const double half = grid.step * (J.col(i).dot(p) - 0.5 * J(0, i) * p[0]) + below;
      EXPECT_NEAR(half, 0.5, 1e-9) << f.spinor(i).label();
      const double square = 6 * grid.step * J.col(i).dot(p.array().cube().matrix());
      const double exact = kinetic[static_cast<std::size_t>(i)].momentumSquare;
      EXPECT_NEAR(square / exact, 1, 2e-5) << f.spinor(i).label();
    }
  }
}

TEST(Subshells, IncoherentScatteringFromItsSlopeToAllElectrons) {
  for (const test::Computed& c :
       {test::computed(kIron), test::computed(kCarbon), test::computedLimit(kNeon)}) {
    const SubshellFunctions f(c.problem, c.result);
    Eigen::VectorXd q(6);
    q << 0, 1e-6, 1e-5, 1, 50, 1000;
    const IncoherentScattering s = incoherentScattering(f, q);
    const double n = f.electrons();
    EXPECT_EQ(s.values[0], 0);
    EXPECT_NEAR(s.values[1] / (1e-12 * s.slope), 1, 1e-10);
    EXPECT_NEAR(s.values[2] / (1e-10 * s.slope), 1, 1e-8);
    EXPECT_NEAR(s.values[5], n, 1e-4);
    for (int i = 1; i < q.size(); ++i) EXPECT_GT(s.values[i], s.values[i - 1]);
  }
}

// Without dipoles between its electrons that of helium is the mean square of the radius, which other
// quadratures have, too.
TEST(Subshells, SlopeOfHelium) {
  for (const test::Computed& c :
       {test::computed("$nuc znuc=2 $end"), test::computedLimit("$nuc znuc=2 $end")}) {
    const double square = momentsOf(SpinorIntegrals(c.problem, c.result)).front().of(2).value();
    const SubshellFunctions f(c.problem, c.result);
    EXPECT_NEAR(incoherentScattering(f, {}).slope / (2 * square / 3), 1, 1e-10);
  }
}

// S = N + sum_ab w_ab (g_a g_b F_a F_b - X_ab) - f^2, of which the other form is made.
TEST(Subshells, IncoherentScatteringIsThatOfTheSumOverPairs) {
  const test::Computed c = test::computed(kCarbon);
  const SubshellFunctions f(c.problem, c.result);
  const Eigen::MatrixXd w = pairProbabilities(c.problem.configuration);
  Eigen::VectorXd q(3);
  q << 0.7, 2, 9;
  const BesselAverages bessel(f, q, 7);
  const Eigen::MatrixXd F = bessel.averages(0, f.densities());
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(3), elastic = sum;
  for (int a = 0; a < f.count(); ++a) {
    elastic += f.spinor(a).occupation * F.col(a);
    for (int b = 0; b < f.count(); ++b) {
      const double both = f.spinor(a).symmetry.degeneracy() * f.spinor(b).symmetry.degeneracy();
      sum += w(a, b) * both * F.col(a).cwiseProduct(F.col(b));
      for (const ExchangeTerm& t : exchangeTerms(f.spinor(a).symmetry, f.spinor(b).symmetry))
        sum -= w(a, b) * both * (2 * t.k + 1) * t.coefficient *
               bessel.averages(t.k, f.density(a, b)).col(0).cwiseAbs2();
    }
  }
  const Eigen::VectorXd direct = f.electrons() + sum.array() - elastic.array().square();
  EXPECT_LT((direct - incoherentScattering(f, q).values).cwiseAbs().maxCoeff(), 1e-11);
}

// Closed subshells are filled with certainty, and the electrons of carbon's 2p have one partner among five
// others.
TEST(Subshells, PairProbabilities) {
  const Eigen::MatrixXd w = pairProbabilities(parseConfiguration("1s2 2s2 2p2"));
  ASSERT_EQ(w.rows(), 4);
  EXPECT_DOUBLE_EQ(w(0, 1), 1);
  EXPECT_DOUBLE_EQ(w(0, 2), 2.0 / 6);
  for (const auto& [a, b] : {std::pair(2, 2), std::pair(2, 3), std::pair(3, 3)})
    EXPECT_NEAR(w(a, b), 2.0 * 1 / (6 * 5), 1e-14);
}

TEST(Subshells, BreitInteractionsOfSpinorsSumToTheEnergy) {
  for (const char* atom : {kCarbon, kIron}) {
    const std::string first = std::string(atom) + " $contrl breit='breit' breitscf=.false. ";
    const test::Computed c = test::computed(first + "$end");
    const StartSpinors& own = *c.result.coefficients;
    std::vector<OccupiedSpinors> spinors;
    for (std::size_t a = 0; a < own.large.size(); ++a) {
      OccupiedSpinors& o = spinors.emplace_back();
      o.large = own.large[a];
      o.small = own.small[a];
      o.occupation.resize(o.large.cols());
      for (int i = 0; i < o.occupation.size(); ++i)
        o.occupation(i) = c.problem.configuration.occupation(static_cast<int>(a), i);
    }
    ThreadPool pool(1);
    const RadialGrid grid = fockGrid(own.basis);
    const BreitInteraction interaction(own.basis, grid, TwoElectronOperator::CoulombBreit);
    const std::vector<double> shifts =
        breitShifts(own.basis, grid, c.problem.configuration, spinors, interaction, pool);
    double sum = 0;
    for (std::size_t i = 0; i < shifts.size(); ++i) sum += 0.5 * c.result.spinors[i].occupation * shifts[i];
    const double energy =
        c.result.energy.value(EnergyPartId::Gaunt) + c.result.energy.value(EnergyPartId::BreitGauge);
    EXPECT_NE(energy, 0);
    EXPECT_NEAR(sum, energy, 1e-9 * std::abs(energy));
    // At the limit each of them is the same.
    const test::Computed limit = test::computed(first + "jobtype='limit' $end");
    for (std::size_t i = 0; i < shifts.size(); ++i)
      EXPECT_NEAR(limit.result.spinors[i].breit.value() / shifts[i], 1, 2e-3)
          << limit.result.spinors[i].label();
  }
}

TEST(Subshells, RadiativeShiftsSumToTheEnergy) {
  const test::Computed c =
      test::computed(std::string(kIron) + " $contrl qedvp='full' qedse='inner' qedscf=.false. $end");
  const Hamiltonian& h = c.problem.hamiltonian;
  ASSERT_TRUE(h.qed.any());
  const SubshellFunctions f(c.problem, c.result);
  const std::vector<double> shifts =
      firstOrderShifts(f, qedOperators(c.problem.nucleus, h.speedOfLight, h.qed));
  double sum = 0, energy = 0;
  for (int i = 0; i < f.count(); ++i) sum += f.spinor(i).occupation * shifts[static_cast<std::size_t>(i)];
  for (const EnergyPart& part : c.result.energy.parts)
    if (isQed(part.id)) energy += part.value;
  EXPECT_NEAR(sum / energy, 1, 1e-8);
}

/// Largest difference of two lists of values over the second, where that is more than `least` of its largest.
double relativeDifference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double least) {
  double largest = 0;
  for (Eigen::Index c = 0; c < b.cols(); ++c)
    for (Eigen::Index r = 0; r < b.rows(); ++r)
      if (std::abs(b(r, c)) > least * b.col(c).cwiseAbs().maxCoeff())
        largest = std::max(largest, std::abs(a(r, c) / b(r, c) - 1));
  return largest;
}

// What tables state of the limit: against one of a mesh with half as many cells again and a residual a
// hundred times smaller.
TEST(Subshells, LimitsAreWithinTheirErrorsOfFinerOnes) {
  for (const char* atom : {"$nuc znuc=4 $end", kNeon, "$nuc znuc=29 $end"}) {
    const test::Computed usual = test::computedLimit(atom);
    Calculation fine = test::calculationFrom(std::string(atom) + " $contrl jobtype='limit' $end");
    LimitMethod& method = std::get<LimitMethod>(fine.method);
    method.density = 1.5;
    method.residualThreshold = 1e-11;
    const Result result = compute(fine);
    ASSERT_TRUE(result.ok());
    const SubshellFunctions a(usual.problem, usual.result), b(fine.problem, result);
    const Eigen::VectorXd p = biggsMomenta();
    EXPECT_LT(relativeDifference(comptonProfiles(a, p), comptonProfiles(b, p), 1e-8), 1e-7) << atom;
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(26, 0, 13);
    EXPECT_LT(relativeDifference(incoherentScattering(a, q.tail(25)).values,
                                 incoherentScattering(b, q.tail(25)).values, 0),
              1e-9)
        << atom;
    const auto first = evenBesselAverages(a, q, 6), second = evenBesselAverages(b, q, 6);
    for (std::size_t k = 0; k < first.size(); ++k)
      EXPECT_LT((first[k] - second[k]).cwiseAbs().maxCoeff(), 1e-9) << atom << " " << k;
    const std::vector<KineticEnergies> x = kineticEnergies(a), y = kineticEnergies(b);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i].kinetic / y[i].kinetic, 1, 1e-9) << atom << " " << i;
      EXPECT_NEAR(usual.result.spinors[i].energy / result.spinors[i].energy, 1, 1e-9) << atom << " " << i;
      for (const int power : {1, 2, 4, 6}) {
        const auto moment = [&](const SubshellFunctions& f) {
          return f.integral(
              f.density(static_cast<int>(i), static_cast<int>(i)).array() * f.r().array().pow(power), power);
        };
        EXPECT_NEAR(moment(a) / moment(b), 1,
                    power > 4   ? 5e-9
                    : power > 2 ? 2e-9
                                : 1e-9)
            << atom << " " << i << " " << power;
      }
    }
  }
}

}  // namespace
}  // namespace prophet
