#include <gtest/gtest.h>

#include <cmath>

#include "atoms/subshells/bessel_averages.hpp"
#include "atoms/subshells/compton_profile.hpp"
#include "atoms/subshells/ionisation.hpp"
#include "atoms/subshells/kinetic_energies.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Radial functions in closed form, all with the same small component.
class ClosedForm : public Wavefunction {
 public:
  using Function = std::function<double(double)>;
  ClosedForm(Function large, Function small, double size)
      : ClosedForm(std::vector{std::move(large)}, std::move(small), size) {}
  ClosedForm(std::vector<Function> large, Function small, double size)
      : large_(std::move(large)), small_(std::move(small)), size_(size) {}
  int count() const override { return static_cast<int>(large_.size()); }
  RadialFunctions radial(int index, const Eigen::VectorXd& r) const override {
    return {r.unaryExpr(large_[static_cast<std::size_t>(index)]), r.unaryExpr(small_)};
  }
  double largestRadius() const override { return 60 * size_; }
  double smallestRadius() const override { return 1e-12; }

 private:
  std::vector<Function> large_;
  Function small_;
  double size_;
};

struct Atom {
  AtomProblem problem;
  Result result;
};

Atom atomWith(double z, int n, int kappa, const char* configuration, std::shared_ptr<const Wavefunction> w) {
  Atom a;
  NucleusRequest nucleus;
  nucleus.charge = z;
  a.problem = {makeNucleus(nucleus), parseConfiguration(configuration), {}};
  a.result.status = Status::Converged;
  a.result.wavefunction = std::move(w);
  Spinor s;
  s.symmetry = {kappa};
  s.n = n;
  s.occupation = 1;
  a.result.spinors = {s};
  return a;
}

double gammaOf(double z) { return std::sqrt(1 - std::pow(z / constants::kSpeedOfLight, 2)); }

Atom ground(double z) {
  const double gamma = gammaOf(z),
               norm = std::pow(2 * z, gamma + 0.5) / std::sqrt(std::tgamma(2 * gamma + 1));
  const auto part = [=](double sign) {
    return [=](double r) {
      return sign * norm * std::sqrt((1 + sign * gamma) / 2) * std::pow(r, gamma) * std::exp(-z * r);
    };
  };
  return atomWith(z, 1, -1, "1s1", std::make_shared<ClosedForm>(part(1), part(-1), 1 / z));
}

/// P of 1s, 2s, 2p without relativity.
ClosedForm::Function hydrogenic(double z, int n, int l) {
  return [=](double r) {
    const double x = z * r;
    if (n == 1) return 2 * std::sqrt(z) * x * std::exp(-x);
    return std::sqrt(z) * std::exp(-x / 2) *
           (l == 0 ? x * (1 - x / 2) / std::sqrt(2.0) : x * x / std::sqrt(24.0));
  };
}

double nothing(double) { return 0.0; }

Atom nonrelativistic(double z, int n, int l) {
  Atom a = atomWith(z, n, l == 0 ? -1 : -2,
                    n == 1   ? "1s1"
                    : l == 0 ? "1s0 2s1"
                             : "1s0 2p1",
                    std::make_shared<ClosedForm>(hydrogenic(z, n, l), nothing, n / z));
  a.problem.hamiltonian.oneElectron = OneElectronOperator::Nonrelativistic;
  return a;
}

/// Ten electrons that do not repel each other, without relativity.
Atom tenElectrons(double z) {
  const auto p = hydrogenic(z, 2, 1);
  Atom a = atomWith(z, 1, -1, "1s2 2s2 2p6",
                    std::make_shared<ClosedForm>(std::vector{hydrogenic(z, 1, 0), hydrogenic(z, 2, 0), p, p},
                                                 nothing, 2 / z));
  a.problem.hamiltonian.oneElectron = OneElectronOperator::Nonrelativistic;
  a.result.spinors.clear();
  for (const auto& [n, kappa, electrons] : {std::tuple(1, -1, 2), {2, -1, 2}, {2, 1, 2}, {2, -2, 4}}) {
    Spinor& s = a.result.spinors.emplace_back();
    s.n = n;
    s.symmetry = {kappa};
    s.occupation = electrons;
  }
  return a;
}

class DiracGround : public testing::TestWithParam<double> {};

TEST_P(DiracGround, HasTheClosedFormsOfItsWaves) {
  const double z = GetParam(), gamma = gammaOf(z);
  const Atom a = ground(z);
  const SubshellFunctions f(a.problem, a.result);
  const double K = std::sqrt(2 / M_PI * std::pow(2 * z, 2 * gamma + 1) / std::tgamma(2 * gamma + 1));
  const Eigen::VectorXd p = f.momenta().points();
  for (int i = 0; i < p.size(); i += 7) {
    const double m = z * z + p[i] * p[i], theta = std::atan(p[i] / z);
    const double large = K * std::sqrt((1 + gamma) / 2) * std::tgamma(gamma + 1) *
                         std::sin((gamma + 1) * theta) / (p[i] * std::pow(m, (gamma + 1) / 2));
    EXPECT_NEAR(std::pow(p[i], 1.5) * f.waveLarge()(i, 0), std::pow(p[i], 1.5) * large, 1e-12) << p[i];
    if (p[i] < 1e-2 * z) continue;  // the formula cancels there
    const double small =
        -K * std::sqrt((1 - gamma) / 2) *
        (std::tgamma(gamma) * std::sin(gamma * theta) / (p[i] * p[i] * std::pow(m, gamma / 2)) -
         std::tgamma(gamma + 1) * std::cos((gamma + 1) * theta) / (p[i] * std::pow(m, (gamma + 1) / 2)));
    EXPECT_NEAR(std::pow(p[i], 1.5) * f.waveSmall()(i, 0), std::pow(p[i], 1.5) * small, 1e-12) << p[i];
  }
}

TEST_P(DiracGround, HasThoseOfItsFormFactorAndEnergies) {
  const double z = GetParam(), gamma = gammaOf(z);
  const Atom a = ground(z);
  const SubshellFunctions f(a.problem, a.result);
  Eigen::VectorXd q(7);
  q << 0, 1e-3 * z, 0.1 * z, z, 5 * z, 40 * z, 1000 * z;
  const Eigen::VectorXd average = evenBesselAverages(f, q, 0)[0].col(0);
  EXPECT_NEAR(average[0], 1, 1e-12);
  for (int i = 1; i < q.size(); ++i) {
    const double exact = std::pow(2 * z, 2 * gamma + 1) * std::tgamma(2 * gamma) /
                         std::tgamma(2 * gamma + 1) * std::sin(2 * gamma * std::atan(q[i] / (2 * z))) /
                         (q[i] * std::pow(4 * z * z + q[i] * q[i], gamma));
    EXPECT_NEAR(average[i], exact, 1e-12) << q[i];
  }
  const KineticEnergies e = kineticEnergies(f)[0];
  const double kinetic = z * z / gamma - z * z / (1 + gamma);  // the second is c^2 (1 - gamma)
  EXPECT_NEAR(e.kinetic / kinetic, 1, 1e-12);
  EXPECT_NEAR(e.halfVelocity / (0.5 * z * z / gamma), 1, 1e-12);
  const IncoherentScattering s = incoherentScattering(f, q);
  for (int i = 0; i < q.size(); ++i) EXPECT_NEAR(s.values[i], 1 - average[i] * average[i], 1e-12) << q[i];
}

TEST_P(DiracGround, ScatteringBeginsWithTheMeanSquareOfTheRadius) {
  const double z = GetParam(), gamma = gammaOf(z);
  const Atom a = ground(z);
  const double slope = incoherentScattering(SubshellFunctions(a.problem, a.result), {}).slope;
  EXPECT_NEAR(slope / ((2 * gamma + 1) * (2 * gamma + 2) / (12 * z * z)), 1, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Charges, DiracGround, testing::Values(1.0, 26.0, 92.0));

TEST(ClosedForms, OfProfilesWithoutRelativity) {
  for (const double z : {1.0, 20.0}) {
    Eigen::VectorXd p(8);
    p << 0, 1e-5, 0.01, 0.3, 1, 3, 10, 30;
    p *= z;
    const Eigen::ArrayXd u = 1 + 4 * p.array().square() / (z * z);
    const Eigen::ArrayXd exact[] = {8 * std::pow(z, 5) / (3 * M_PI * (z * z + p.array().square()).cube()),
                                    64 / (M_PI * z) * (1 / (3 * u.cube()) - u.pow(-4) + 0.8 * u.pow(-5)),
                                    256 / (3 * M_PI * z) * (0.25 * u.pow(-4) - 0.2 * u.pow(-5))};
    const int quantum[][2] = {{1, 0}, {2, 0}, {2, 1}};
    for (int i = 0; i < 3; ++i) {
      const Atom a = nonrelativistic(z, quantum[i][0], quantum[i][1]);
      const SubshellFunctions f(a.problem, a.result);
      const Eigen::ArrayXd J = comptonProfiles(f, p).col(0);
      for (int k = 0; k < p.size(); ++k)
        EXPECT_NEAR(J[k] / exact[i][k], 1, p[k] > 5 * z ? 1e-9 : 1e-12) << z << " " << i << " " << p[k];
      const KineticEnergies e = kineticEnergies(f)[0];
      EXPECT_NEAR(e.kinetic / (0.5 * z * z / (quantum[i][0] * quantum[i][0])), 1, 1e-12);
      EXPECT_NEAR(e.momentumSquare, 2 * e.kinetic, 1e-12 * z * z);
    }
  }
}

// S/q^2 -> [sum of <r^2> - sum over pairs of |<i|r|j>|^2]/3; between 1s and 2p <r>^2 is 2^15/3^9/Z^2, between
// 2s and 2p 27/Z^2.
TEST(ClosedForms, ScatteringBeginsWithTheFluctuationOfTheDipole) {
  for (const double z : {1.0, 10.0, 80.0}) {
    const Atom a = tenElectrons(z);
    const double exact =
        (2 * 3 + 2 * 42 + 6 * 30 - 4 * (std::pow(2, 15) / std::pow(3, 9) + 27)) / (3 * z * z);
    Eigen::VectorXd q(3);
    q << 1e-7 * z, 1e-6 * z, 1e-5 * z;
    const IncoherentScattering s = incoherentScattering(SubshellFunctions(a.problem, a.result), q);
    EXPECT_NEAR(s.slope / exact, 1, 1e-10) << z;
    EXPECT_NEAR(s.values[0] / (q[0] * q[0] * exact), 1, 1e-10) << z;
    EXPECT_NEAR(s.values[1] / (q[1] * q[1] * exact), 1, 1e-10) << z;
    EXPECT_NEAR(s.values[2] / (q[2] * q[2] * exact), 1, 1e-8) << z;
  }
}

TEST(ClosedForms, CoarseGridsAreNearly) {
  const Atom a = ground(26);
  Eigen::VectorXd p(4);
  p << 0, 3, 30, 300;
  const Eigen::MatrixXd fine = comptonProfiles(SubshellFunctions(a.problem, a.result), p);
  const Eigen::MatrixXd coarse =
      comptonProfiles(SubshellFunctions(a.problem, a.result, GridSpacing::Coarse), p);
  EXPECT_LT((coarse - fine).cwiseQuotient(fine).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(ClosedForms, RefuseMomentaBeyondTheGrid) {
  const Atom a = ground(1);
  const SubshellFunctions f(a.problem, a.result);
  Eigen::VectorXd far(1);
  far << 2e5;
  EXPECT_THROW(comptonProfiles(f, far), Error);
  EXPECT_THROW(comptonProfiles(f, -far), Error);
  EXPECT_THROW(incoherentScattering(f, far), Error);
}

TEST(ClosedForms, CrossSectionsOfIonisation) {
  // He with the measured B and U of Kim and Rudd: 0.367 angstrom^2 at 100 eV.
  const double hartree = constants::kElectronvoltsPerHartree;
  const BinaryEncounterShell he{24.587 / hartree, 39.51 / hartree, 2};
  const double square = std::pow(constants::kAngstromsPerBohr, 2);
  EXPECT_NEAR(square * bebCrossSection(he, 100 / hartree), 0.367, 5e-4);
  EXPECT_EQ(bebCrossSection(he, 24 / hartree), 0);
  for (const auto& [energy, ratio] : {std::pair(100.0, 1.00005), std::pair(1e4, 1.0255)})
    EXPECT_NEAR(relativisticBebCrossSection(he, energy / hartree, constants::kSpeedOfLight) /
                    bebCrossSection(he, energy / hartree),
                ratio, 2e-4);
}

}  // namespace
}  // namespace prophet
