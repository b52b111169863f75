#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "atoms/limit/radial_basis.hpp"
#include "atoms/lines/lines.hpp"
#include "tests/atoms/lines/lines_of.hpp"

namespace prophet {
namespace {

constexpr double kLight = 137.03599976;

/// Oscillator strengths from 1s of a hydrogen-like ion to all p1/2 and p3/2 that splines hold, in long waves.
struct SumsOfStrengths {
  double positive = 0, all = 0;  ///< energies above and on both sides of -c^2
};

Eigen::MatrixXd valuesOf(const limit::RadialBasis& basis, Symmetry s, const Eigen::MatrixXd& coefficients) {
  Eigen::MatrixXd values(2 * basis.points, coefficients.cols());
  values.topRows(basis.points) = basis.largeValues(s, coefficients);
  values.bottomRows(basis.points) = basis.smallValues(coefficients.bottomRows(basis.smallCount()));
  return values;
}

SumsOfStrengths strengthsOfOneElectron(double z) {
  Nucleus nucleus;
  nucleus.charge = z;
  const Result ground = limitOf(levelSpace("1s1"), nucleus, kLight);
  const auto& splines = dynamic_cast<const LimitWavefunction&>(*ground.wavefunction).largeSpace();
  const limit::RadialBasis basis({splines.breaks(), splines.multiplicity()}, splines.order(),
                                 splines.order() + 4);
  const Eigen::VectorXd potential = basis.r.unaryExpr([&](double r) { return nucleus.potential(r); });
  struct Solved {
    Eigen::VectorXd energies;
    Eigen::MatrixXd values;
  };
  const auto solved = [&](Symmetry s) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
        basis.kineticMatrix(s, kLight) + basis.localMatrix(s, potential), basis.overlapMatrix(s));
    return Solved{solver.eigenvalues(), valuesOf(basis, s, solver.eigenvectors())};
  };
  const Symmetry sOne{-1};
  const Solved s = solved(sOne);
  Eigen::Index lowest = 0;
  while (s.energies(lowest) < -kLight * kLight) ++lowest;
  Eigen::VectorXd radius(2 * basis.points);
  radius << basis.weight.cwiseProduct(basis.r), basis.weight.cwiseProduct(basis.r);
  SumsOfStrengths sums;
  for (const Symmetry symmetry : {Symmetry{1}, Symmetry{-2}}) {
    const Solved p = solved(symmetry);
    const double angular = reducedC(sOne, 1, symmetry);
    const Eigen::VectorXd elements =
        angular * p.values.transpose() * radius.cwiseProduct(s.values.col(lowest));
    for (Eigen::Index i = 0; i < elements.size(); ++i) {
      const Line line{1, 0, {}, p.energies(i) - s.energies(lowest)};
      const double f = ratesOf(line, elements(i) * elements(i), symmetry.twoJ(), kLight).gf / 2;
      sums.all += f;
      if (p.energies(i) > -kLight * kLight) sums.positive += f;
    }
  }
  return sums;
}

/// With all solutions of the Dirac equation the sum of Thomas, Reiche and Kuhn vanishes, because its operator
/// of kinetic energy is linear in the momentum; without those of negative energy it is 1 - (5/6) <p^2>/c^2 to
/// first order (J. S. Levinger, M. L. Rustgi, K. Okamoto, Phys. Rev. 106 (1957) 1191).
TEST(SumRules, OfThomasReicheKuhnWithAndWithoutNegativeEnergies) {
  for (const double z : {1.0, 2.0, 4.0}) {
    const SumsOfStrengths sums = strengthsOfOneElectron(z);
    const double square = z * z / (kLight * kLight);
    EXPECT_NEAR(sums.all, 0, 1e-8) << z;
    EXPECT_NEAR(sums.positive, 1 - 5.0 / 6 * square, 3 * square * square + 1e-8) << z;
  }
}

/// Orthonormal functions r^(l+1) (1, r, r^2, ...) exp(-r) of s, p and d, small components in kinetic balance.
class ExponentialFunctions : public Wavefunction {
 public:
  ExponentialFunctions(const std::vector<Spinor>& spinors, double c) : c_(c) {
    for (const Spinor& s : spinors) {
      const int l = s.symmetry.l(), number = s.n - l - 1, count = number + 1, first = l == 0 ? 1 : l + 1;
      Eigen::MatrixXd overlap(count, count);
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          overlap(i, j) = std::tgamma(2 * first + i + j + 1) / std::pow(2, 2 * first + i + j + 1);
      const Eigen::LLT<Eigen::MatrixXd> factors(overlap);
      functions_.push_back({s.symmetry.kappa, first,
                            factors.matrixU().solve(Eigen::VectorXd(Eigen::VectorXd::Unit(count, number)))});
    }
  }
  int count() const override { return static_cast<int>(functions_.size()); }
  RadialFunctions radial(int index, const Eigen::VectorXd& r) const override {
    const Function& f = functions_[static_cast<std::size_t>(index)];
    RadialFunctions values{Eigen::VectorXd::Zero(r.size()), Eigen::VectorXd::Zero(r.size())};
    for (Eigen::Index i = 0; i < f.coefficients.size(); ++i) {
      const double power = f.first + static_cast<double>(i);
      const Eigen::ArrayXd part = f.coefficients(i) * r.array().pow(power) * (-r.array()).exp();
      values.large += part.matrix();
      values.small += (part * ((power + f.kappa) / r.array() - 1) / (2 * c_)).matrix();
    }
    return values;
  }
  double largestRadius() const override { return 60; }
  double smallestRadius() const override { return 1e-6; }

 private:
  struct Function {
    int kappa = 0, first = 0;
    Eigen::VectorXd coefficients;
  };
  std::vector<Function> functions_;
  double c_;
};

/// Sum of omega S over all lines of 1s in such functions, for each of its two states.
double weightedStrengths(const std::string& configurations, Multipole multipole, double c) {
  const LevelSpace space = levelSpace(configurations);
  Result result;
  result.spinors.resize(space.open.size());
  for (const LevelSpinor& s : space.open) {
    result.spinors[static_cast<std::size_t>(s.index)].symmetry = s.symmetry;
    result.spinors[static_cast<std::size_t>(s.index)].n = s.n;
  }
  result.wavefunction = std::make_shared<ExponentialFunctions>(result.spinors, c);
  Nucleus nucleus;
  nucleus.charge = 1;
  LineOptions options;
  options.multipoles = {multipole};
  const Computed computed = linesOf(space, result, {{nucleus, c, {}}}, options);
  double sum = 0;
  for (const Line& l : computed.lines)
    if (l.lower == 0) sum += l.energy * l.strength / 2;
  return sum;
}

/// Sums of omega S are complete where the functions hold r^k times the ground state, which is exp(-r) here:
/// k(2k+1)/2 <r^(2k-2)>, for k = 1 that of Thomas, Reiche and Kuhn. In the limit of a large speed of light.
TEST(SumRules, HoldBetweenComputedLevels) {
  const auto limit = [](const std::string& configurations, Multipole multipole) {
    constexpr double kFast = 3e3;  // deviations go with its inverse square
    const double once = weightedStrengths(configurations, multipole, kFast),
                 twice = weightedStrengths(configurations, multipole, 2 * kFast);
    EXPECT_GT(std::abs(once - twice), 1e-9) << "nothing to extrapolate";
    return (4 * twice - once) / 3;
  };
  EXPECT_NEAR(limit("1s | 2p", {1, false}), 1.5, 1e-10);
  EXPECT_NEAR(limit("1s | 2p | 3p | 4p | 5p | 6p", {1, false}), 1.5, 1e-10);
  EXPECT_NEAR(limit("1s | 3d | 4d | 5d", {2, false}), 15, 1e-9);
}

/// All lines from one level, where the electron that jumps has no equivalent one, add up to the level's 2J+1
/// times what one state of that electron has, whatever the coupling (Cowan, chapter 14).
TEST(SumRules, OfLevelsInAnArray) {
  constexpr double kSlowLight = 1e6;  // no retardation, radial functions that do not depend on j
  Nucleus nucleus;
  nucleus.charge = 7;
  const LevelSpace space = levelSpace("1s2 2s2 2p1 3s1 | 1s2 2s2 2p1 3p1");
  const Result limit = limitOf(space, nucleus, kSlowLight);
  const LevelHamiltonian hamiltonian{{nucleus, kSlowLight, {}}};
  LineOptions options;
  options.multipoles = {{1, false}};
  const Computed c = linesOf(space, limit, hamiltonian, options);
  const SpinorTable spinors(limit, hamiltonian.field, 0);
  double one = 0;
  for (const LevelSpinor& s : space.open)
    for (const LevelSpinor& p : space.open)
      if (s.symmetry.l() == 0 && p.symmetry.l() == 1 && p.n == 3) {
        const double element =
            reducedC(s.symmetry, 1, p.symmetry) * spinors.density(s.index, p.index, spinors.radii());
        one += element * element;
      }
  std::vector<double> sums(c.levels.levels.size(), 0.0);
  for (const Line& l : c.lines) {
    sums[static_cast<std::size_t>(l.upper)] += l.strength;
    sums[static_cast<std::size_t>(l.lower)] += l.strength;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Level& level = c.levels.levels[i];
    const double states = level.odd ? 2 : 6;  // of 3s and of 3p
    EXPECT_NEAR(sums[i], (level.twoJ + 1) * one / states, 1e-9 * one) << level.label;
  }
}

}  // namespace
}  // namespace prophet
