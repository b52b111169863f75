#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "atoms.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/error.hpp"
#include "restarts.hpp"

namespace prophet {
namespace {

constexpr double kDiracC = constants::kSpeedOfLight;

/// Dirac's energy of one electron at a point charge, without the rest mass.
double diracEnergy(double z, int n, int kappa) {
  const double k = std::abs(kappa), gamma = std::sqrt(k * k - z * z / (kDiracC * kDiracC));
  const double ratio = z / kDiracC / (n - k + gamma);
  return kDiracC * kDiracC * (1.0 / std::sqrt(1.0 + ratio * ratio) - 1.0);
}

test::TestAtom atomOf(double z, const char* configuration, NuclearModel model, double first, double last,
                      double ratio) {
  test::TestAtom atom;
  atom.nucleus = test::nucleusOf(z, model);
  atom.configuration = parseConfiguration(configuration);
  atom.basis = test::evenTempered(atom.configuration, first, last, ratio);
  return atom;
}

/// Sign changes of a spinor's large component up to its highest peak, where it is not negligible. (In its
/// tail a hole's or open spinor's orthogonality to those above may leave one more.)
int nodes(const BasisSet& basis, const ScfResult& result, int symmetry, int column) {
  const RadialGrid grid = makeGrid(basis, 0.05);
  const Eigen::VectorXd r = grid.radii();
  const Eigen::VectorXd large =
      evaluateOnGrid(basis.symmetries[symmetry], grid).large * result.symmetries[symmetry].large.col(column);
  Eigen::Index peak = 0;
  const double least = 1e-3 * large.cwiseAbs().maxCoeff(&peak);
  int count = 0;
  double last = 0.0;
  for (const double value : large.head(peak + 1)) {
    if (std::abs(value) < least) continue;
    if (value * last < 0.0) ++count;
    last = value;
  }
  return count;
}

/// Interaction of nobody with anybody: every energy is a sum of Dirac's.
struct NoRepulsion : FockBuilder {
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd&, std::vector<BlockMatrix>& p,
             std::vector<BlockMatrix>& q) override {
    const auto zero = [&](int a, BlockMatrix& block) {
      block.resize(spinors[a].large.rows(), spinors[a].large.rows());
      block.setZero();
    };
    const auto open = openSpinors(spinors);
    p.resize(spinors.size());
    q.resize(open.size());
    for (std::size_t a = 0; a < p.size(); ++a) zero(static_cast<int>(a), p[a]);
    for (std::size_t i = 0; i < q.size(); ++i) zero(open[i].symmetry, q[i]);
  }
  std::string name() const override { return "none"; }
};

/// One electron does not repel itself, whatever its place.
TEST(States, OneElectronInAnyPlaceHasDiracsEnergy) {
  const double z = 20;
  struct Row {
    const char* configuration;
    int n, l;
  };
  for (const Row& row :
       {Row{"2s1", 2, 0}, Row{"4s1", 4, 0}, Row{"3p1", 3, 1}, Row{"4p1", 4, 1}, Row{"5d1", 5, 2}}) {
    const auto atom = atomOf(z, row.configuration, NuclearModel::Point, 0.15, 1e13, 1.6);
    const ScfResult result = test::runGrid(atom);
    ASSERT_TRUE(result.converged) << row.configuration;
    const double upper = diracEnergy(z, row.n, -row.l - 1);
    const double exact =
        row.l == 0 ? upper
                   : ((2 * row.l + 2) * upper + 2 * row.l * diracEnergy(z, row.n, row.l)) / (4 * row.l + 2);
    EXPECT_NEAR(result.energy.total / exact, 1.0, 3e-8) << row.configuration;
    EXPECT_EQ(result.symmetries[2 * row.l].places[0].number, row.n - row.l - 1);
    EXPECT_TRUE(result.remarks.empty());
  }
}

TEST(States, WithoutInteractionTheEnergyIsTheSumOfTheOccupiedPlaces) {
  const double z = 30;
  const auto atom = atomOf(z, "1s1 3s2 4s1 2p5 3p1 4p6", NuclearModel::Point, 1.0, 1e14, 1.7);
  NoRepulsion none;
  const ScfResult result = test::run(atom, none);
  ASSERT_TRUE(result.converged);
  const auto p = [&](int n, double electrons) {
    return electrons * (diracEnergy(z, n, 1) + 2.0 * diracEnergy(z, n, -2)) / 3.0;
  };
  const double exact = diracEnergy(z, 1, -1) + 2.0 * diracEnergy(z, 3, -1) + diracEnergy(z, 4, -1) + p(2, 5) +
                       p(3, 1) + p(4, 6);
  EXPECT_NEAR(result.energy.total / exact, 1.0, 3e-8);
}

struct ScfState {
  const char* configuration;
  double z, first;
};

/// Every kind of hole and excitation converges, in DIIS's own time, to spinors with the nodes asked for.
TEST(States, SpinorsHaveTheNodesThatWereAskedFor) {
  for (const ScfState& state :
       {ScfState{"1s1 2s1", 2, 0.01}, ScfState{"1s1 4s1", 2, 0.001}, ScfState{"1s2 3s1", 3, 0.002},
        ScfState{"1s1 2s2", 3, 0.02}, ScfState{"1s1 2s2 2p6", 10, 0.03}, ScfState{"1s2 2s1 2p6", 10, 0.03},
        ScfState{"1s2 2s2 2p5 3p1", 10, 0.005}, ScfState{"1s2 2s2 2p5 4s1", 10, 0.002},
        ScfState{"[Ne] 5s1", 11, 0.0005}, ScfState{"[Ne] 4p1", 11, 0.001},
        ScfState{"1s2 2s1 2p6 3s2 3p6", 18, 0.02}, ScfState{"[Ar] 3d9 4d1", 28, 0.005}}) {
    const auto atom = atomOf(state.z, state.configuration, NuclearModel::Gaussian, state.first, 1e8, 1.9);
    const ScfResult result = test::runGrid(atom);
    ASSERT_TRUE(result.converged) << state.configuration;
    EXPECT_LT(result.iterations.size(), 30u) << state.configuration;
    for (std::size_t a = 0; a < result.symmetries.size(); ++a) {
      const auto& places = result.symmetries[a].places;
      for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(nodes(atom.basis, result, static_cast<int>(a), static_cast<int>(i)), places[i].number)
            << state.configuration << ", symmetry " << a;
        EXPECT_TRUE(result.symmetries[a].bound(static_cast<int>(i))) << state.configuration;
      }
    }
  }
}

/// Delta-SCF against experiment: what Hartree-Fock lacks there is correlation, a few millihartree.
TEST(States, ExcitationAndIonisationEnergies) {
  const auto energy = [](double z, const char* configuration) {
    const ScfResult result = test::runGrid(atomOf(z, configuration, NuclearModel::Gaussian, 0.002, 1e9, 1.8));
    EXPECT_TRUE(result.converged) << configuration;
    return result.energy.total;
  };
  // NIST Atomic Spectra Database: Li 3s is bound by 16281.1 cm^-1, Na 3p (mean) by 24482 cm^-1.
  EXPECT_NEAR(energy(3, "1s2") - energy(3, "1s2 3s1"), 0.07418, 1e-3);
  EXPECT_NEAR(energy(11, "[Ne]") - energy(11, "[Ne] 3p1"), 0.11155, 3e-3);
  // The 1s level of neon: 870.2 eV (K. Siegbahn et al., ESCA applied to free molecules, 1969).
  EXPECT_NEAR(energy(10, "1s1 2s2 2p6") - energy(10, "[Ne]"), 870.2 / 27.2114, 0.06);
}

/// Koopmans: without relaxation a 1s electron costs minus its energy; relaxation makes it cheaper.
TEST(States, RelaxationLowersAHole) {
  const auto neutral = test::runGrid(atomOf(10, "[Ne]", NuclearModel::Gaussian, 0.02, 1e8, 1.9));
  const auto hole = test::runGrid(atomOf(10, "1s1 2s2 2p6", NuclearModel::Gaussian, 0.02, 1e8, 1.9));
  const double relaxation = -neutral.symmetries[0].energies(0) - (hole.energy.total - neutral.energy.total);
  EXPECT_GT(relaxation, 0.5);
  EXPECT_LT(relaxation, 1.2);
}

/// Stored integrals and the grid agree for several open spinors of one symmetry.
TEST(States, GridAndStoredIntegralsAgree) {
  const auto atom = atomOf(10, "1s1 2s2 2p5 3p1", NuclearModel::Gaussian, 0.02, 1e6, 3.0);
  StoredFockBuilder builder(atom.basis, 2);
  const ScfResult stored = test::run(atom, builder), grid = test::runGrid(atom);
  ASSERT_TRUE(stored.converged && grid.converged);
  EXPECT_NEAR(grid.energy.total / stored.energy.total, 1.0, 1e-11);
}

/// A small change is not convergence where the change was damped.
TEST(Convergence, DampingEndsAtTheSameEnergy) {
  const test::TestAtom atom = test::libraryAtom(2);
  const double diis = test::runGrid(atom).energy.total;
  for (const Extrapolation kind : {Extrapolation::None, Extrapolation::Fock}) {
    for (const double damping : {0.0, 0.9, 0.99}) {
      ScfOptions options;
      options.extrapolation = kind;
      options.damping = damping;
      options.maxIterations = 10000;
      const ScfResult result = test::runGrid(atom, options);
      EXPECT_TRUE(result.converged) << damping;
      EXPECT_NEAR(result.energy.total / diis, 1.0, 1e-11) << damping;
    }
  }
}

/// One function, or two that are one: the electronic solution is that of positive energy.
TEST(FewFunctions, OneFunctionGivesItsOwnEnergy) {
  test::TestAtom atom;
  atom.nucleus = test::nucleusOf(2, NuclearModel::Point);
  atom.configuration = parseConfiguration("1s2");
  for (const std::vector<double>& exponents : {std::vector<double>{1.0}, {1.0, 1.000000001}}) {
    atom.basis = {{{Symmetry{-1}, exponents}}, ""};
    const ScfResult result = test::runGrid(atom);
    ASSERT_TRUE(result.converged);
    // Non-relativistic, zeta = 1: 2 (3/2 - 2 Z sqrt(2/pi)) + 2/sqrt(pi).
    EXPECT_NEAR(result.energy.total, 3.0 - 8.0 * std::sqrt(2.0 / M_PI) + 2.0 / std::sqrt(M_PI), 1e-3);
  }
  atom.configuration = parseConfiguration("1s2 2s2 2p1");
  atom.nucleus = test::nucleusOf(5, NuclearModel::Gaussian);
  atom.basis = test::evenTempered(atom.configuration, 0.05, 1e6, 2.5);
  atom.basis.symmetries[1].exponents = atom.basis.symmetries[2].exponents = {0.3};
  const double energy = test::runGrid(atom).energy.total;
  EXPECT_GT(energy, -24.54);
  EXPECT_LT(energy, -24.0);
}

/// Integrals over near-dependent primitives lose digits, which the result says; the grid does not lose them.
TEST(NearDependence, StoredIntegralsSayWhatTheyLose) {
  for (const double ratio : {1.2, 1.25, 2.0}) {
    const auto atom = atomOf(10, "[Ne]", NuclearModel::Gaussian, 0.1, ratio < 1.5 ? 2000.0 : 1e6, ratio);
    StoredFockBuilder builder(atom.basis, 2);
    const ScfResult stored = test::run(atom, builder), grid = test::runGrid(atom);
    ASSERT_TRUE(grid.converged);
    const double difference = std::abs(stored.energy.total - grid.energy.total);
    const bool said = std::any_of(stored.remarks.begin(), stored.remarks.end(), [](const ScfRemark& remark) {
      return remark.id == "stored_integrals_rounding";
    });
    EXPECT_EQ(said, difference > 1e-8) << ratio << ' ' << difference;
    EXPECT_TRUE(grid.remarks.empty());
  }
}

TEST(FewFunctions, ExponentsOutOfRangeAreNamed) {
  const BasisSet tooSmall{{{Symmetry{-1}, {1.0, 1e-307}}}, ""}, tooLarge{{{Symmetry{-1}, {1e300}}}, ""};
  for (const BasisSet& basis : {tooSmall, tooLarge}) {
    EXPECT_THROW(fockGrid(basis), Error);
    EXPECT_THROW(StoredFockBuilder(basis, 1), Error);
  }
  try {
    fockGrid(tooSmall);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("1e-307"), std::string::npos) << error.what();
  }
}

/// Where the 1s spinor dives into the negative-energy continuum there is no number to give.
TEST(FewFunctions, NoEnergyBelowTheGap) {
  NucleusRequest request;
  request.charge = 178;
  request.model = NuclearModel::Gaussian;
  request.massNumber = 340;
  test::TestAtom atom;
  atom.nucleus = makeNucleus(request);
  atom.configuration = parseConfiguration("1s1");
  atom.basis = test::evenTempered(atom.configuration, 10.0, 1e12, 1.8);
  EXPECT_THROW(test::runGrid(atom), Error);
}

TEST(Restarts, PerturbedSpinorsLeadToTheSameState) {
  for (const int z : {3, 6, 24, 29, 41}) test::expectSameAfterPerturbation(z, 3);
}

}  // namespace
}  // namespace prophet
