#include "atoms/valence/valence_levels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "core/common/constants.hpp"
#include "tests/atoms/correlation/determinants.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

/// All virtual spinors of a space as the valence electrons'.
ValenceSpinorRequest allSpinors(int largestL) {
  ValenceSpinorRequest request;
  request.largestL = largestL;
  request.perSymmetry = request.eigenvectors = request.screened = 1000;
  return request;
}

std::vector<Eigen::MatrixXd> fieldEnergies(const ValenceSpace& space) {
  std::vector<Eigen::MatrixXd> h;
  for (int s = 0; s < space.symmetries(); ++s) {
    Eigen::VectorXd energies(space.count(s));
    for (int i = 0; i < space.count(s); ++i)
      energies(i) = space.spinors[usize(space.first[usize(s)] + i)].energy;
    h.emplace_back(energies.asDiagonal());
  }
  return h;
}

/// A core with two electrons in one spinor more: second order of that determinant, with the core's spinors
/// and energies, is that of the core, Sigma_1 of both electrons, Sigma_2 between them, and what the two give
/// without the core. Everything is known by brute force but Sigma_2, all terms of which count: rings,
/// exchanges, boxes, two holes.
TEST(CoreScreening, IsWhatIsLeftOfSecondOrderOfDeterminants) {
  struct Case {
    const char* core;
    double z;
    std::vector<std::vector<double>> exponents;
    OneElectronOperator hamiltonian;
    int symmetry;  // of the two electrons' spinor with j = 1/2: 0 s, 1 p
  };
  const std::vector<Case> cases = {
      {"1s2", 4, {{30, 5, 1, 0.2}, {2, 0.4}, {0.5}}, OneElectronOperator::Dirac, 0},
      {"1s2", 4, {{30, 5, 1, 0.2}, {2, 0.4}, {0.5}}, OneElectronOperator::Dirac, 1},
      {"1s2 2s2 2p6", 12, {{60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}}, OneElectronOperator::X2c, 0}};
  ThreadPool pool(2);
  for (const Case& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.core, c.hamiltonian);
    const OrbitalSpace orbitals = spaceIn(sharedSet(c.exponents), problem, pool);
    const ValenceSpace space =
        valenceSpace(orbitals, problem.configuration, allSpinors(orbitals.largestL()), pool);
    // By determinants, with both places of the lowest spinor of the symmetry.
    Places places(orbitals);
    std::vector<std::size_t> closed, both;
    for (std::size_t p = 0; p < places.list.size(); ++p) {
      const int core = orbitals.symmetries()[usize(places.list[p].symmetry)].closed;
      if (places.list[p].column < core ||
          (places.list[p].symmetry == c.symmetry && places.list[p].column == core))
        both.push_back(p);
      if (places.list[p].column < core) closed.push_back(p);
    }
    const double whole = byDeterminants(places, {both}) - byDeterminants(places, {closed});
    // The parts.
    const double energy = space.lowest(c.symmetry);
    const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
    const double sigma1 = selfEnergy(space, c.symmetry, *engine, pool)(0, 0);
    const PairTable coulomb = coulombTable(space, pool), rings = ringTable(space, pool);
    const HolePairs holes(space, pool);
    const PairSpace pairs(space, 0, false);
    const std::vector<Eigen::MatrixXd> h = fieldEnergies(space);
    const Eigen::MatrixXd bare = pairs.hamiltonian({space, h, {&coulomb}}, pool, true);
    const Eigen::MatrixXd dressed = pairs.hamiltonian({space, h, {&coulomb, &rings}, &holes}, pool, true);
    Eigen::Index own = 0;
    while (pairs.pairs()[usize(own)].a != space.first[usize(c.symmetry)] ||
           pairs.pairs()[usize(own)].b != space.first[usize(c.symmetry)])
      ++own;
    double valence = 0;
    for (Eigen::Index i = 0; i < pairs.size(); ++i) {
      if (i == own) continue;
      const auto& [a, b] = pairs.pairs()[usize(i)];
      valence += bare(i, own) * bare(i, own) /
                 (2 * energy - space.spinors[usize(a)].energy - space.spinors[usize(b)].energy);
    }
    const double sigma2 = dressed(own, own) - bare(own, own);
    EXPECT_GT(std::abs(sigma2), 1e-5);
    EXPECT_NEAR(whole, 2 * sigma1 + sigma2 + valence, 1e-11) << c.core << ' ' << c.symmetry;
  }
}

ValenceRequest setQ(int screened) {
  ValenceRequest r;
  r.spinors.largestL = 2;
  r.spinors.perSymmetry = r.spinors.eigenvectors = 8;
  r.spinors.screened = screened;
  return r;
}

AtomProblem fermi(double z, double rms, const char* core) {
  AtomProblem problem = atomOf(z, core, OneElectronOperator::Dirac);
  NucleusRequest nucleus;
  nucleus.model = NuclearModel::Fermi;
  nucleus.charge = z;
  nucleus.rmsFemtometres = rms;
  nucleus.skinFemtometres = 2.3;
  problem.nucleus = makeNucleus(nucleus);
  problem.hamiltonian.speedOfLight = 137.035999177;
  return problem;
}

/// Two electrons in the same few spinors as two other programs, one of them ampsci with the phase of its
/// boxes corrected, agree within 5e-6 hartree (J, parity, levels of CI + Sigma_1 + Sigma_2, of CI).
TEST(ValenceLevels, AreThoseOfOtherProgramsInOneBasis) {
  struct Reference {
    double z, rms;
    const char* core;
    struct Row {
      int twoJ;
      bool odd;
      std::vector<double> whole, valence;
    };
    std::vector<Row> rows;
    double tolerance;
  };
  const std::vector<Reference> references = {
      {12,
       3.0568,
       "[Ne]",
       {{0, false, {-0.82950036, -0.63271419}, {-0.81715870, -0.62328730}},
        {2, false, {-0.64330982, -0.61035788}, {-0.63388426, -0.60159468}},
        {4, false, {-0.61801440, -0.61035673}, {}},
        {0, true, {-0.73095225, -0.61284652}, {}},
        {2, true, {-0.73085493, -0.67010509}, {}},
        {4, true, {-0.73065982, -0.61279740}, {}},
        {6, true, {-0.46509307, -0.44872719}, {}}},
       5e-6}};
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  for (const Reference& reference : references) {
    const AtomProblem problem = fermi(reference.z, reference.rms, reference.core);
    const OrbitalSpace orbitals = splineSpace(problem, 1, 2, 30, pool);
    const ValenceSpace space = valenceSpace(orbitals, problem.configuration, setQ(2).spinors, pool);
    const PairTable coulomb = coulombTable(space, pool), rings = ringTable(space, pool);
    const HolePairs holes(space, pool);
    const std::vector<Eigen::MatrixXd> field = fieldEnergies(space);
    std::vector<Eigen::MatrixXd> dressed = field;
    for (int s = 0; s < space.symmetries(); ++s) dressed[usize(s)] += selfEnergy(space, s, *engine, pool);
    for (const Reference::Row& row : reference.rows) {
      const PairSpace pairs(space, row.twoJ, row.odd);
      const PairStates plain = lowestPairStates(pairs.hamiltonian({space, field, {&coulomb}}, pool), 2, pool);
      for (std::size_t i = 0; i < row.valence.size(); ++i)
        EXPECT_NEAR(plain.values(static_cast<Eigen::Index>(i)), row.valence[i], 1e-7);
      const PairStates whole =
          lowestPairStates(pairs.hamiltonian({space, dressed, {&coulomb, &rings}, &holes}, pool), 2, pool);
      for (std::size_t i = 0; i < row.whole.size(); ++i)
        EXPECT_NEAR(whole.values(static_cast<Eigen::Index>(i)), row.whole[i], reference.tolerance)
            << row.twoJ << row.odd;
    }
  }
}

/// Names, g factors and order of the lowest levels of magnesium.
TEST(ValenceLevels, OfMagnesiumHaveTermsAndLandeFactors) {
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  const AtomProblem problem = fermi(12, 3.0568, "[Ne]");
  const OrbitalSpace orbitals = splineSpace(problem, 0.5, 3, 30, pool);
  ValenceRequest request;
  request.spinors.perSymmetry = request.spinors.screened = 7;
  request.spinors.largestL = 2;
  request.field = {problem.nucleus, problem.hamiltonian.speedOfLight};
  request.core = "[Ne]";
  const ValenceLevels r = valenceLevels(orbitals, problem.configuration, -199.15, request, *engine, pool);
  ASSERT_GT(r.levels.size(), 9U);
  struct Known {
    const char* label;
    int twoJ;
    double g, nist;  // cm^-1
  };
  const std::vector<Known> known = {{"3s2 1S", 0, 0, 0},
                                    {"3s1 3p1 3Po", 0, 0, 21850.4},
                                    {"3s1 3p1 3Po", 2, 1.5, 21870.5},
                                    {"3s1 3p1 3Po", 4, 1.5, 21911.2},
                                    {"3s1 3p1 1Po", 2, 1, 35051.3},
                                    {"3s1 4s1 3S", 2, 2, 41197.4},
                                    {"3s1 4s1 1S", 0, 0, 43503.3},
                                    {"3s1 3d1 1D", 4, 1, 46403.1}};
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(r.levels[i].label, known[i].label);
    EXPECT_EQ(r.levels[i].twoJ, known[i].twoJ);
    EXPECT_NEAR(r.levels[i].g, known[i].g, 2e-4) << known[i].label;
    EXPECT_NEAR(r.levels[i].excitation * constants::kInverseCentimetresPerHartree, known[i].nist,
                0.02 * known[i].nist)
        << known[i].label;
    EXPECT_GT(r.details[i].shift, -0.03);
    EXPECT_LT(r.details[i].shift, -0.005);
  }
}

/// jj and LS coupling of two electrons are orthogonal transformations of each other.
TEST(ValenceLevels, CouplingsOfTwoElectronsAreOrthogonal) {
  const std::vector<Symmetry> p = {{1}, {-2}}, d = {{2}, {-3}};
  for (int twoJ = 0; twoJ <= 6; twoJ += 2)
    for (const Symmetry& a : p)
      for (const Symmetry& b : d) {
        if (twoJ > a.twoJ() + b.twoJ() || twoJ < std::abs(a.twoJ() - b.twoJ())) continue;
        double sum = 0;
        for (int s = 0; s <= 1; ++s)
          for (int l = 1; l <= 3; ++l) sum += std::pow(couplingOfLS(a, b, l, s, twoJ), 2);
        EXPECT_NEAR(sum, 1, 1e-13);
      }
}

TEST(ValenceLevels, NeedAClosedCore) {
  ThreadPool pool(1);
  const AtomProblem problem = atomOf(6, "1s2 2s2 2p2", OneElectronOperator::Dirac);
  const OrbitalSpace orbitals = spaceIn(sharedSet({{60, 9, 1.6, 0.4}, {2.5, 0.5}}), problem, pool);
  EXPECT_THROW(valenceSpace(orbitals, problem.configuration, {}, pool), Error);
}

}  // namespace
}  // namespace prophet
