#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <random>

#include "atoms/configurations/excitations.hpp"
#include "atoms/levels/lowest_states.hpp"
#include "core/common/constants.hpp"
#include "tests/atoms/levels/excited_atom.hpp"

namespace prophet {
namespace {

double groundOf(double z, const std::string& text, const std::string& virtuals, double c = kLightSpeed) {
  return Excited(z, text, {virtuals, "", 2}, c).with().levels.front().energy;
}

TEST(Virtuals, OfHeliumComeCloseToItsPartialWaves) {
  // Non-relativistic limits of configurations of s, and of s and p: M. W. J. Bromley and J. Mitroy, Int. J.
  // Quantum Chem. 107 (2007) 1150. The speed of light adds 1e-7 hartree here.
  constexpr double kWaveS = -2.8790287667, kWaveP = -2.9005162;
  const double s = groundOf(2, "1s2", "2s 3s 4s 5s 6s", 1e4);
  EXPECT_GT(s, kWaveS - 1e-7);
  EXPECT_NEAR(s, kWaveS, 2e-5);
  const double p = groundOf(2, "1s2", "2s 3s 4s 5s 2p 3p 4p 5p", 1e4);
  EXPECT_GT(p, kWaveP - 1e-7);
  EXPECT_NEAR(p, kWaveP, 1e-4);
}

TEST(Virtuals, LowerTheEnergyAndSayByHowMuch) {
  const Excited helium(2, "1s2", {"2s 2p 3s 3p 3d", "", 2});
  const double without = helium.without().levels.front().energy;
  const LevelResult with = helium.with();
  const Level& ground = with.levels.front();
  EXPECT_LT(ground.energy, groundOf(2, "1s2", "2s 2p"));
  EXPECT_GT(ground.energy, -2.90386);  // without positrons, all correlation
  ASSERT_TRUE(ground.correlation);
  EXPECT_NEAR(*ground.correlation, ground.energy - without, 1e-11);
  EXPECT_EQ(ground.label, "1s2 1S");
  EXPECT_GT(ground.referencePercent, 99);
  EXPECT_LT(ground.referencePercent, 99.5);
  EXPECT_NEAR(with.density.trace(), 2, 1e-12);
}

TEST(Virtuals, AreImprovedByIterations) {
  const ExcitationRequest request{"2p", "", 2};
  const Excited beryllium(4, "1s2 2s2", request);
  const auto energy = [&](int rounds) {
    return beryllium.with(beryllium.natural(request, rounds)).levels.front().energy;
  };
  const double first = energy(0), second = energy(1), third = energy(2);
  EXPECT_LT(second, first - 5e-4);
  EXPECT_LT(third, second);
  EXPECT_GT(third, second - 3e-4);
  // They are better for the ground level than the spinors of the average, in which GRASP has it.
  for (const ReferenceCase& c : referenceCases())
    if (c.name == "Be_2s2+2p2" && c.hamiltonian == "DC") {
      EXPECT_LT(third, c.levels.front().energy);
    }
}

/// Two spinors of a wavefunction mixed by an angle.
class Mixed : public Wavefunction {
 public:
  Mixed(std::shared_ptr<const Wavefunction> of, int a, int b, double angle)
      : of_(std::move(of)), a_(a), b_(b), angle_(angle) {}
  int count() const override { return of_->count(); }
  RadialFunctions radial(int index, const Eigen::VectorXd& r) const override {
    return allRadial(r)[static_cast<std::size_t>(index)];
  }
  std::vector<RadialFunctions> allRadial(const Eigen::VectorXd& r) const override {
    std::vector<RadialFunctions> all = of_->allRadial(r);
    RadialFunctions &a = all[static_cast<std::size_t>(a_)], &b = all[static_cast<std::size_t>(b_)];
    const RadialFunctions x = a, y = b;
    a = {std::cos(angle_) * x.large + std::sin(angle_) * y.large,
         std::cos(angle_) * x.small + std::sin(angle_) * y.small};
    b = {std::cos(angle_) * y.large - std::sin(angle_) * x.large,
         std::cos(angle_) * y.small - std::sin(angle_) * x.small};
    return all;
  }
  double largestRadius() const override { return of_->largestRadius(); }
  double smallestRadius() const override { return of_->smallestRadius(); }

 private:
  std::shared_ptr<const Wavefunction> of_;
  int a_, b_;
  double angle_;
};

TEST(Virtuals, OfOneElectronLowerTheEnergyToo) {
  const Excited carbon(6, "1s2 2s2 2p2", {"3s 3p 3d", "2p", 1});
  const double gained = carbon.with().levels.front().energy - carbon.without().levels.front().energy;
  EXPECT_LT(gained, -1e-6);
  EXPECT_GT(gained, -0.05);
}

TEST(Virtuals, MayBeMixedAmongThemselves) {
  // With all excitations nothing changes when two virtual spinors, or an occupied and a virtual one, mix.
  const Excited helium(2, "1s2", {"2s 3s 2p", "", 2});
  const auto place = [&](int n) {
    for (const LevelSpinor& s : helium.space.open)
      if (s.n == n && s.symmetry.l() == 0) return s.index;
    return -1;
  };
  const auto mixed = [&](int a, int b, double angle) {
    Result result = helium.result;
    result.wavefunction = std::make_shared<Mixed>(helium.result.wavefunction, place(a), place(b), angle);
    return helium.with(result).levels.front().energy;
  };
  const double energy = mixed(2, 3, 0);
  EXPECT_NEAR(mixed(2, 3, 0.7), energy, 1e-11);
  EXPECT_NEAR(mixed(1, 3, 0.4), energy, 1e-11);
  EXPECT_NEAR(helium.with().levels.front().energy, energy, 1e-9);
}

TEST(Virtuals, AreTheSameAsTheirConfigurationsInTheSameSpinors) {
  const Excited beryllium(4, "1s2 2s2", {"2p", "", 2});
  const LevelResult named =
      computeLevels(levelSpace("1s2 2s2 | 1s2 2p2"), beryllium.result, beryllium.hamiltonian);
  const Level ground = beryllium.with().levels.front();
  EXPECT_NEAR(ground.energy, named.levels.front().energy, 1e-12);
  EXPECT_NEAR(ground.meanSquareRadius, named.levels.front().meanSquareRadius, 1e-11);
  EXPECT_EQ(ground.twoJ, 0);
}

TEST(Virtuals, InTheSpinorsOfTheirAverageAreThoseOfGrasp) {
  const LevelSpace space = levelSpace(excitedConfigurations("1s2 2s2", {"2p", "", 2}).text);
  int compared = 0;
  for (const ReferenceCase& c : referenceCases()) {
    if (c.name != "Be_2s2+2p2") continue;
    LevelHamiltonian hamiltonian{{c.nucleus(), kLightSpeed, {}}};
    if (c.hamiltonian != "DC") hamiltonian.electrons = TwoElectronOperator::CoulombBreit;
    LevelOptions options;
    options.wanted = {1, 3};
    const LevelResult found = computeLevels(space, limitOf(space, c.nucleus()), hamiltonian, options);
    ASSERT_EQ(found.levels.size(), 3U);  // of J = 0 and even parity, as 2s2 has
    for (const ReferenceLevel& l : c.levels) {
      if (l.twoJ != 0 || l.odd) continue;
      ++compared;
      const Level* level = levelNamed(found, l);
      ASSERT_NE(level, nullptr);
      EXPECT_NEAR(level->energy, l.energy, 1e-10);
    }
  }
  EXPECT_EQ(compared, 6);
}

TEST(Virtuals, BringTermsOfCarbonCloserToExperiment) {
  // NIST Atomic Spectra Database: 1D2 and 1S0 above 3P0, 1/cm.
  const std::vector<std::pair<std::string, double>> known = {{"1D", 10192.66}, {"1S", 21648.03}};
  const Excited carbon(6, "1s2 2s2 2p2", {"3s 3p 3d", "", 2});
  const LevelResult with = carbon.with(), without = carbon.without();
  ASSERT_EQ(with.levels.size(), without.levels.size());
  for (const auto& [term, energy] : known)
    for (std::size_t i = 0; i < with.levels.size(); ++i) {
      if (with.levels[i].label != "2s2 2p2 " + term) continue;
      const auto off = [&, wanted = energy](const LevelResult& r) {
        return std::abs(r.levels[i].excitation * constants::kInverseCentimetresPerHartree - wanted);
      };
      EXPECT_EQ(with.levels[i].twoJ, without.levels[i].twoJ);
      EXPECT_LT(off(with), 0.75 * off(without)) << term;
    }
}

TEST(LowestStates, AreThoseOfTheDenseMatrix) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  const LevelSpace space = levelSpace(excitedConfigurations("[He] 2s2 2p2", {"3s 3p", "", 2}).text);
  for (const int twoJ : {0, 2, 4}) {
    const LevelBlock block = blockOf(space, twoJ, false);
    const auto size = static_cast<Eigen::Index>(block.determinants.size());
    std::vector<Eigen::Triplet<double>> elements;
    for (Eigen::Index i = 0; i < size; ++i) {
      elements.emplace_back(i, i, 0.05 * static_cast<double>(i) + number(random));
      for (Eigen::Index j = 0; j < i; ++j)
        if (number(random) > 0.9) elements.emplace_back(j, i, 0.2 * number(random));
    }
    SparseMatrix upper(size, size);
    upper.setFromTriplets(elements.begin(), elements.end());
    const SparseMatrix whole = upper.selfadjointView<Eigen::Upper>();
    const Eigen::MatrixXd determinants = whole;
    const Eigen::MatrixXd states = block.states;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> dense(states.transpose() * determinants * states);
    const CoupledHamiltonian hamiltonian(block, upper);
    const LowestStates lowest = lowestStates(hamiltonian, 4, 2);
    ASSERT_EQ(lowest.values.size(), 4);
    for (Eigen::Index i = 0; i < 4; ++i) {
      EXPECT_NEAR(lowest.values(i), dense.eigenvalues()(i), 1e-10) << twoJ;
      EXPECT_NEAR(std::abs(lowest.vectors.col(i).dot(dense.eigenvectors().col(i))), 1, 1e-10) << twoJ;
    }
    EXPECT_TRUE(
        hamiltonian.diagonal().isApprox((states.transpose() * determinants * states).diagonal(), 1e-13));
  }
}

TEST(Virtuals, OfTooManyStatesAreRefusedWithAnEstimate) {
  const ExcitedConfigurations made = excitedConfigurations("[Xe] 4f7 5d5 6s1", {"6p 5f 6d 7s 7p", "", 2});
  try {
    requireMemory(levelSpace(made.text), {made.references, 0});
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("GB of memory"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("virtual"), std::string::npos) << error.what();
  }
}

TEST(Virtuals, AreEstimatedBeforeTheyAreComputed) {
  // Oxygen with these shells has 1658 coupled states of J = 2 in 5165 determinants, and 113 elements in the
  // upper triangle of each row: 14 MB, with room to grow twice that.
  const ExcitedConfigurations made = excitedConfigurations("1s2 2s2 2p4", {"3s 3p 3d 4s 4p 4d 4f", "", 2});
  const LevelCount count = countLevels(levelSpace(made.text), {made.references, 0});
  EXPECT_EQ(count.largest.levels, 1658);
  EXPECT_EQ(count.largest.twoJ, 4);
  EXPECT_EQ(count.largest.references, 2);
  EXPECT_EQ(count.largest.determinants, 5175);
  EXPECT_GT(count.bytes, 1.4e7);
  EXPECT_LT(count.bytes, 6e7);
}

TEST(Virtuals, OfTooManyPlacesAreRefusedWithTheirNumber) {
  const std::string text = excitedConfigurations("1s2", {"2s 2p 3s 3p 3d 4s 4p 4d 4f 5s 5p", "", 2}).text;
  try {
    levelSpace(text);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("68 places"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace prophet
