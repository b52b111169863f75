#include "atoms/valence/valence_levels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "atoms/angular/angular.hpp"
#include "atoms/correlation/self_energy.hpp"
#include "atoms/valence/coupled_space.hpp"
#include "atoms/valence/three_electrons.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "test_paths.hpp"
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
  for (int s = 0; s < space.symmetries(); ++s) h.push_back(space.coreField(s));
  return h;
}

/// Sigma_1 between the valence spinors alone.
Eigen::MatrixXd valenceSelfEnergy(const ValenceSpace& space, int symmetry, CorrelationEngine& engine,
                                  ThreadPool& pool) {
  const int count = space.count(symmetry);
  return selfEnergy(space, symmetry, engine, pool).bottomRightCorner(count, count);
}

/// A core with two electrons in one spinor more: second order of that determinant, with the core's spinors
/// and energies, is that of the core, Sigma_1 of both electrons, Sigma_2 between them, and what the two give
/// without the core. Everything is known by brute force but Sigma_2, all terms of which count: rings,
/// exchanges, boxes, two holes. The mean of the factors f and g of both lines of a product is the difference
/// of two second orders, of lines with (1 + f)/2 and with (1 - f)/2.
TEST(CoreScreening, IsWhatIsLeftOfSecondOrderOfDeterminants) {
  struct Case {
    const char* core;
    double z;
    std::vector<std::vector<double>> exponents;
    OneElectronOperator hamiltonian;
    int symmetry;  // of the two electrons' spinor with j = 1/2: 0 s, 1 p
    RankFactors screening{};
  };
  const std::vector<std::vector<double>> beryllium{{30, 5, 1, 0.2}, {2, 0.4}, {0.5}};
  const std::vector<Case> cases = {
      {"1s2", 4, beryllium, OneElectronOperator::Dirac, 0},
      {"1s2", 4, beryllium, OneElectronOperator::Dirac, 1},
      {"1s2", 4, beryllium, OneElectronOperator::Dirac, 1, {0.7, 0.5, 1.2}},
      {"1s2 2s2 2p6", 12, {{60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}}, OneElectronOperator::X2c, 0},
      {"1s2 2s2 2p6", 12, {{60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}}, OneElectronOperator::X2c, 0, {0.7, 0.5}}};
  ThreadPool pool(2);
  for (const Case& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.core, c.hamiltonian);
    const OrbitalSpace orbitals = spaceIn(sharedSet(c.exponents), problem, pool);
    ValenceSpinorRequest request = allSpinors(orbitals.largestL());
    request.screening = c.screening;
    const ValenceSpace space = valenceSpace(orbitals, problem.configuration, request, pool);
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
    const auto wholeWith = [&](const RankFactors& weights) {
      // The core's field, which the spinors are those of, has no factors.
      places.addedCore = [&](std::size_t p, std::size_t q) {
        double left = 0;
        for (const std::size_t k : closed) {
          places.weights = {};
          left += places.repulsion(p, k, q, k);
          places.weights = weights;
          left -= places.repulsion(p, k, q, k);
        }
        return left;
      };
      places.weights = weights;
      return byDeterminants(places, {both}) - byDeterminants(places, {closed});
    };
    RankFactors sums, differences;
    for (const double f : c.screening) {
      sums.push_back(0.5 * (1 + f));
      differences.push_back(0.5 * (1 - f));
    }
    differences.resize(20, 0.0);
    const double whole = wholeWith(sums) - (c.screening.empty() ? 0 : wholeWith(differences));
    // The parts.
    const double energy = space.lowest(c.symmetry);
    const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
    const double sigma1 = valenceSelfEnergy(space, c.symmetry, *engine, pool)(0, 0);
    const PairTable coulomb = coulombTable(space, pool), rings = ringTable(space, pool);
    const HolePairs holes(space, pool);
    const PairSpace pairs(space, 0, false);
    const std::vector<Eigen::MatrixXd> h = fieldEnergies(space);
    const Eigen::MatrixXd bare = pairs.hamiltonian({space, h, {&coulomb}}, pool, true);
    const Eigen::MatrixXd dressed = pairs.hamiltonian({space, h, {&coulomb, &rings}, &holes}, pool, true);
    PairTable screened = coulomb;
    for (int k = 0; k <= screened.largestK(); ++k)
      for (const bool odd : {false, true})
        screened.values(PairTable::number(k, odd)) *= factorOf(c.screening, k);
    const Eigen::MatrixXd weighted = pairs.hamiltonian({space, h, {&screened}}, pool, true);
    Eigen::Index own = 0;
    while (pairs.pairs()[usize(own)].a != space.first[usize(c.symmetry)] ||
           pairs.pairs()[usize(own)].b != space.first[usize(c.symmetry)])
      ++own;
    double valence = 0;
    for (Eigen::Index i = 0; i < pairs.size(); ++i) {
      if (i == own) continue;
      const auto& [a, b] = pairs.pairs()[usize(i)];
      valence += bare(i, own) * weighted(i, own) /
                 (2 * energy - space.spinors[usize(a)].energy - space.spinors[usize(b)].energy);
    }
    const double sigma2 = dressed(own, own) - bare(own, own);
    EXPECT_GT(std::abs(sigma2), 1e-5);
    EXPECT_NEAR(whole, 2 * sigma1 + sigma2 + valence, 1e-11) << c.core << ' ' << c.symmetry;
  }
}

/// All electrons of three in the p3/2 spinor that are not at M = -3/2: second order of that determinant is
/// that of the core, Sigma_1 of each electron, Sigma_2 of each pair, Sigma_3 of all three, and what the three
/// give without the core, all of which have the same denominators.
TEST(ThreeElectronTerms, AreWhatIsLeftOfSecondOrderOfDeterminants) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(14, "1s2 2s2 2p6", OneElectronOperator::X2c);
  const OrbitalSpace orbitals = spaceIn(sharedSet({{90, 12, 1.9, 0.4}, {25, 5, 1, 0.2}}), problem, pool);
  const ValenceSpace space =
      valenceSpace(orbitals, problem.configuration, allSpinors(orbitals.largestL()), pool);
  constexpr int kSymmetry = 2;  // p3/2
  Places places(orbitals);
  std::vector<std::size_t> closed, all;
  for (std::size_t p = 0; p < places.list.size(); ++p) {
    const int core = orbitals.symmetries()[usize(places.list[p].symmetry)].closed;
    if (places.list[p].column < core) closed.push_back(p);
    if (places.list[p].column < core ||
        (places.list[p].symmetry == kSymmetry && places.list[p].column == core && places.list[p].twoM > -3))
      all.push_back(p);
  }
  const double whole = byDeterminants(places, {all}) - byDeterminants(places, {closed});
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  const double sigma1 = valenceSelfEnergy(space, kSymmetry, *engine, pool)(0, 0);
  const PairTable coulomb = coulombTable(space, pool), rings = ringTable(space, pool);
  const HolePairs holes(space, pool);
  const std::vector<Eigen::MatrixXd> h = fieldEnergies(space);
  const PlaceHamiltonian bare({space, h, {&coulomb}}, pool),
      dressed({space, h, {&coulomb, &rings}, &holes}, pool);
  CoupledSpace states(space, 3);
  const int own = space.first[kSymmetry];
  states.add(states.configurationOf({own, own, own}));
  ASSERT_EQ(states.size(), 1);
  const CoupledSpace::Configuration reference = states.configurations().front();
  const double sigma2 = hamiltonianBetween(dressed, reference, reference)(0, 0) -
                        hamiltonianBetween(bare, reference, reference)(0, 0);
  double valence = 0;
  const int spinors = static_cast<int>(space.spinors.size());
  for (int a = 0; a < spinors; ++a)
    for (int b = a; b < spinors; ++b)
      for (int c = b; c < spinors; ++c) {
        const auto& list = space.spinors;
        if ((list[usize(a)].type.l() + list[usize(b)].type.l() + list[usize(c)].type.l()) % 2 == 0) continue;
        const CoupledSpace::Configuration other = states.configurationOf({a, b, c});
        if (other.count() == 0 || (a == own && b == own && c == own)) continue;
        const Eigen::MatrixXd coupled = hamiltonianBetween(bare, other, reference);
        if (coupled.size() > 0)
          valence += coupled.squaredNorm() / (3 * list[usize(own)].energy - list[usize(a)].energy -
                                              list[usize(b)].energy - list[usize(c)].energy);
      }
  const ThreeElectronTerms three(space, bare, 1);
  const double sigma3 = three.expectation(states, Eigen::MatrixXd::Identity(1, 1), 0.5)(0);
  EXPECT_GT(std::abs(sigma3), 1e-6);
  EXPECT_NEAR(whole, 3 * sigma1 + sigma2 + sigma3 + valence, 1e-11);
}

/// Two electrons by determinants are those by coupled pairs, energies and reduced elements.
TEST(CoupledSpace, OfTwoElectronsIsThatOfPairs) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(4, "1s2", OneElectronOperator::Dirac);
  const OrbitalSpace orbitals = spaceIn(sharedSet({{30, 5, 1, 0.2}, {2, 0.4}, {0.5}}), problem, pool);
  const ValenceSpace space =
      valenceSpace(orbitals, problem.configuration, allSpinors(orbitals.largestL()), pool);
  const PairTable coulomb = coulombTable(space, pool), rings = ringTable(space, pool);
  const HolePairs holes(space, pool);
  const std::vector<Eigen::MatrixXd> field = fieldEnergies(space);
  const ValenceHamiltonian h{space, field, {&coulomb, &rings}, &holes};
  const PlaceHamiltonian places(h, pool);
  const SpinorOperator dipole = electricMultipole(orbitals, 1);
  const auto count = static_cast<Eigen::Index>(space.spinors.size());
  Eigen::MatrixXd reduced = Eigen::MatrixXd::Zero(count, count);
  for (int a = 0; a < space.symmetries(); ++a)
    for (int b = 0; b < space.symmetries(); ++b)
      if (dipole.couples(space.type(a), space.type(b)))
        reduced.block(space.first[usize(a)], space.first[usize(b)], space.count(a), space.count(b)) =
            dipole.elements(space.functions[usize(a)], space.functions[usize(b)]);
  struct Both {
    PairSpace pairs;
    PairStates states;
    CoupledSpace space;
    PairStates coupled;
  };
  const auto both = [&](int twoJ, bool odd) {
    PairSpace pairs(space, twoJ, odd);
    PairStates states = lowestPairStates(pairs.hamiltonian(h, pool), 4, pool);
    CoupledSpace made(space, twoJ);
    for (const PairSpace::Pair& p : pairs.pairs()) made.add(made.configurationOf({p.a, p.b}));
    EXPECT_EQ(made.size(), pairs.size());
    PairStates coupled = lowestPairStates(made.hamiltonian(places, pool), 4, pool);
    EXPECT_LT((coupled.values - states.values).cwiseAbs().maxCoeff(), 1e-11) << twoJ << odd;
    return Both{std::move(pairs), std::move(states), std::move(made), std::move(coupled)};
  };
  const Both ground = both(0, false), even = both(4, false), odd = both(2, true);
  for (const Both* other : {&ground, &even}) {
    const Eigen::MatrixXd byPairs = reducedElements(space, 1, reduced, odd.pairs, odd.states.vectors,
                                                    other->pairs, other->states.vectors),
                          byPlaces =
                              reducedElements(places, space, 1, reduced, odd.space, odd.coupled.vectors,
                                              other->space, other->coupled.vectors);
    EXPECT_GT(byPairs.cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LT((byPairs.cwiseAbs() - byPlaces.cwiseAbs()).cwiseAbs().maxCoeff(), 1e-8);
  }
  // A scalar operator of single electrons times states, of which signs are not the same.
  ValenceHamiltonian scalar{space, {}, {}};
  Eigen::MatrixXd between = Eigen::MatrixXd::Zero(count, count);
  for (int s = 0; s < space.symmetries(); ++s) {
    const Eigen::Index own = space.count(s);
    scalar.oneBody.push_back(Eigen::MatrixXd::NullaryExpr(
        own, own, [&](Eigen::Index i, Eigen::Index j) { return 1.0 / static_cast<double>(1 + s + i + j); }));
    between.block(space.first[usize(s)], space.first[usize(s)], own, own) = scalar.oneBody.back();
  }
  for (const Both* b : {&ground, &even, &odd}) {
    const Eigen::MatrixXd byPairs = b->pairs.hamiltonian(scalar, pool) * b->states.vectors,
                          byPlaces = scalarTimes(places, between, b->space, b->coupled.vectors, pool);
    const Eigen::MatrixXd elements = b->states.vectors.transpose() * byPairs;
    EXPECT_GT(std::abs(elements(0, 1)), 1e-3);
    EXPECT_LT((elements.cwiseAbs() - (b->coupled.vectors.transpose() * byPlaces).cwiseAbs()).norm(), 1e-8);
    EXPECT_LT((byPairs.colwise().norm() - byPlaces.colwise().norm()).norm(), 1e-8);
  }
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

/// Spinors of each l, and how many of them are screened, where they differ.
ValenceSpace reduced(const ValenceSpace& space, const std::vector<int>& counts,
                     const std::vector<int>& screened) {
  ValenceSpace made{space.orbitals, {}, {0}, {}, {}, space.holes, {}, space.products};
  for (int s = 0; s < space.symmetries(); ++s) {
    const auto l = usize(space.type(s).l());
    const auto first = space.spinors.begin() + space.first[usize(s)];
    made.spinors.insert(made.spinors.end(), first, first + counts[l]);
    made.first.push_back(static_cast<int>(made.spinors.size()));
    made.screenedCount.push_back(screened[l]);
    ValenceFunctions f = space.functions[usize(s)];
    f.large = f.large.leftCols(counts[l]).eval();
    f.small = f.small.leftCols(counts[l]).eval();
    f.rotation = f.rotation.leftCols(counts[l]).eval();
    made.functions.push_back(std::move(f));
  }
  return made;
}

/// A spinor "3p-" of the reference: its symmetry and number in a space.
std::pair<int, int> spinorOf(const ValenceSpace& space, const std::string& name) {
  const int l = static_cast<int>(std::string("spdf").find(name[1]));
  const Symmetry type{name[2] == '+' ? -l - 1 : l};
  for (std::size_t i = 0; i < space.spinors.size(); ++i) {
    const ValenceSpinor& v = space.spinors[i];
    if (v.n == name[0] - '0' && v.type.kappa == type.kappa)
      return {v.symmetry, static_cast<int>(i) - space.first[usize(v.symmetry)]};
  }
  throw Error("there is no spinor " + name);
}

/// How close two other programs are: without Sigma, with it, and the elements of Sigma_1 (relative).
struct Tolerances {
  double valence, whole, sigma;
};

/// Two electrons in the same few spinors as two other programs, ampsci and one whose terms are checked by
/// brute force. Sigma is at the limit of radial functions here (denser meshes change it by 3e-6); the 40
/// splines of the others leave out some 1e-4 of it.
void compareWithOtherPrograms(const std::string& atom, double z, double rms, const char* core,
                              const std::vector<int>& counts, const std::vector<int>& screened,
                              const Tolerances& within) {
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  const AtomProblem problem = fermi(z, rms, core);
  const OrbitalSpace orbitals = splineSpace(problem, 1, 2, 30, pool);
  ValenceSpinorRequest request;
  request.largestL = 2;
  request.perSymmetry = request.eigenvectors = request.screened = 8;
  const ValenceSpace space =
      reduced(valenceSpace(orbitals, problem.configuration, request, pool), counts, screened);
  const PairTable coulomb = coulombTable(space, pool), rings = ringTable(space, pool);
  const HolePairs holes(space, pool);
  std::vector<Eigen::MatrixXd> sigma;
  const std::vector<Eigen::MatrixXd> field = fieldEnergies(space);
  std::vector<Eigen::MatrixXd> dressed = field;
  for (int s = 0; s < space.symmetries(); ++s)
    dressed[usize(s)] += sigma.emplace_back(valenceSelfEnergy(space, s, *engine, pool));
  const std::map<std::string, ValenceHamiltonian> methods = {
      {"CI", {space, field, {&coulomb}}},
      {"CI+S1", {space, dressed, {&coulomb}}},
      {"CI+S1+S2", {space, dressed, {&coulomb, &rings}, &holes}}};
  std::map<std::string, Eigen::VectorXd> levels;  // by method, J and parity
  int compared = 0;
  for (const CsvRow& row : readCsv(PROPHET_SOURCE_DIR "/tests/atoms/valence/ci_mbpt.csv")) {
    if (row.fields[1] != atom) continue;
    const std::string &method = row.fields[2], &state = row.fields[3];
    const double value = std::stod(row.fields[4]);
    ++compared;
    if (method == "Sigma_1") {
      const auto [s, i] = spinorOf(space, state.substr(0, 3));
      const int j = spinorOf(space, state.substr(4)).second;
      EXPECT_NEAR(sigma[usize(s)](i, j) / value, 1, within.sigma) << row.fields[0] << ' ' << state;
      continue;
    }
    Eigen::VectorXd& values = levels[method + state.substr(0, 2)];
    if (values.size() == 0) {
      const PairSpace pairs(space, 2 * (state[0] - '0'), state[1] == '-');
      values = lowestPairStates(pairs.hamiltonian(methods.at(method), pool), 2, pool).values;
    }
    // Energies of single electrons in ampsci are some 1e-7 off by its grid.
    EXPECT_NEAR(values(state[2] - '0'), value,
                (row.fields[0] == "A" ? 4e-6 : 0) + (method == "CI" ? within.valence : within.whole))
        << row.fields[0] << ' ' << method << ' ' << state;
  }
  EXPECT_GE(compared, 98);
}

TEST(ValenceLevels, OfMagnesiumAreThoseOfOtherPrograms) {
  compareWithOtherPrograms("Mg", 12, 3.0568, "[Ne]", {8, 8, 8}, {2, 2, 2}, {1e-7, 5e-6, 5e-4});
}

TEST(ValenceLevels, OfCalciumAreThoseOfOtherPrograms) {
  compareWithOtherPrograms("Ca", 20, 3.4776, "[Ar]", {7, 7, 8}, {2, 2, 3}, {1e-7, 1.4e-5, 1e-3});
}

/// For the lowest s and p levels of one electron.
ValenceRequest oneElectron(const AtomProblem& problem, const std::string& core) {
  ValenceRequest request;
  request.electrons = 1;
  request.spinors.largestL = 1;
  request.field = {problem.nucleus, problem.hamiltonian.speedOfLight};
  request.core = core;
  request.roots = 1;
  return request;
}

/// One electron above the core of sodium, in second order.
struct Sodium {
  Sodium() { request.iteratedRings = false; }
  ValenceLevels levels() { return valenceLevels(orbitals, problem.configuration, 0, request, *engine, pool); }

  ThreadPool pool{2};
  std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  AtomProblem problem = fermi(11, 2.994, "[Ne]");
  OrbitalSpace orbitals = splineSpace(problem, 0.5, 2, 30, pool);
  ValenceRequest request = oneElectron(problem, "[Ne]");
};

/// A function of d electrons that serves correlation lies high; with its energy in denominators these would
/// have both signs. The core's polarisation binds an electron.
TEST(ValenceSpace, ElectronsInHighFunctionsHaveTheEnergyOfFreeOnes) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(12, "[Ne]", OneElectronOperator::Dirac);
  const OrbitalSpace orbitals =
      spaceIn(sharedSet({{2000, 300, 70, 20, 6, 1.2, 0.15}, {40, 10, 3, 0.8, 0.15}, {6}}), problem, pool);
  const ValenceSpace space = valenceSpace(orbitals, problem.configuration, allSpinors(2), pool);
  const auto engine = hostCorrelationEngine();
  for (int s = 0; s < space.symmetries(); ++s) {
    const SymmetryOrbitals& o = orbitals.symmetries()[usize(s)];
    const bool high = o.symmetry.l() == 2;
    EXPECT_EQ(o.energies(o.closed) > 5, high);
    EXPECT_EQ(space.lowest(s), high ? 0 : o.energies(o.closed));
    EXPECT_LT(valenceSelfEnergy(space, s, *engine, pool)(0, 0), 0) << o.symmetry.kappa;
  }
}

/// Hyperfine constants of one electron: those of the Brueckner orbital, in which there are spinors of the
/// core too. Without these the constants of 3s and 3p would be 1.2 and 2.7 % smaller.
TEST(ValenceLevels, OfOneElectronHaveHyperfineConstantsOfBruecknerOrbitals) {
  Sodium sodium;
  const OrbitalSpace& orbitals = sodium.orbitals;
  sodium.request.spinors.perSymmetry = sodium.request.spinors.eigenvectors = 100;
  const ValenceLevels r = sodium.levels();
  CorrelationOptions options;
  options.pool = &sodium.pool;
  options.bruecknerRange = 1e9;
  const SpinorOperator field = hyperfineDipole(orbitals);
  ASSERT_GE(r.levels.size(), 3U);
  for (const ValenceState& v :
       valenceStates(orbitals, sodium.problem.configuration, parseShells("3s1 3p1"), options)) {
    const SymmetryOrbitals& o = orbitals.symmetries()[usize(v.symmetry)];
    const SpinorFunctions own = functionsOf(orbitals, v.symmetry, 0, v.bruecknerSpinor.size());
    const SpinorFunctions brueckner{own.symmetry, own.large * v.bruecknerSpinor,
                                    own.small * v.bruecknerSpinor};
    const double known = hyperfineA(o.symmetry, field.elements(brueckner, brueckner)(0, 0));
    EXPECT_NEAR(r.levels[usize(v.symmetry)].hyperfineA / known, 1, 1e-3) << v.label;
  }
}

/// Structural radiation of the quadrupole constant is small, with particles of splines that are not powers of
/// r next to the nucleus: 2.724(30) MHz were measured of 3p3/2 of 23Na, of which Q is 0.104 barn (W. Yei, A.
/// Sieradzan and M. D. Havey, Phys. Rev. A 48 (1993) 1909).
TEST(ValenceLevels, OfOneElectronHaveQuadrupoleConstantsOfExperiment) {
  Sodium sodium;
  sodium.request.corePolarisation = true;
  const auto quadrupole = [&] {
    const std::vector<Level> levels = sodium.levels().levels;
    const auto level = std::ranges::find_if(levels, [](const Level& l) { return l.twoJ == 3 && l.odd; });
    return 0.104 * level->hyperfineB;
  };
  const double polarised = quadrupole();
  sodium.request.structuralRadiation = true;
  const double radiating = quadrupole();
  EXPECT_NEAR(radiating / polarised, 0.94, 0.04);
  EXPECT_NEAR(radiating, 2.724, 0.15);
}

/// A fit gives the energies that it is asked for, and leaves other symmetries alone; factors of 1 are none.
TEST(ValenceLevels, AFittedFactorGivesItsEnergy) {
  Sodium sodium;
  ValenceRequest& request = sodium.request;
  const auto energyOf = [](const ValenceLevels& r, int twoJ, bool odd) {
    const auto level =
        std::ranges::find_if(r.levels, [&](const Level& l) { return l.twoJ == twoJ && l.odd == odd; });
    return level->energy;
  };
  const ValenceLevels none = sodium.levels();
  request.factors = {{Symmetry{-1}, 1}, {Symmetry{1}, 1}};
  request.spinors.screening = {1, 1, 1, 1};
  const ValenceLevels ones = sodium.levels();
  ASSERT_EQ(none.levels.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(ones.levels[i].energy, none.levels[i].energy, 1e-12) << i;
  request.spinors.screening = {};
  const double wanted = energyOf(none, 1, true) + 2e-4;
  request.factors = {{Symmetry{1}, 1, wanted}};
  const ValenceLevels fitted = sodium.levels();
  EXPECT_NEAR(energyOf(fitted, 1, true), wanted, 1e-9);
  EXPECT_NEAR(energyOf(fitted, 1, false), energyOf(none, 1, false), 1e-12);
  EXPECT_NEAR(energyOf(fitted, 3, true), energyOf(none, 3, true), 1e-12);
  ASSERT_EQ(fitted.factors.size(), 1U);
  EXPECT_LT(fitted.factors[0].factor, 0.95);
  EXPECT_GT(fitted.factors[0].factor, 0.5);
  // The factor alone does the same.
  request.factors = {{Symmetry{1}, fitted.factors[0].factor}};
  EXPECT_NEAR(energyOf(sodium.levels(), 1, true), wanted, 1e-9);
  request.factors = {{Symmetry{1}, 1, -5.0}};
  EXPECT_THROW(sodium.levels(), NotConvergedError);
}

/// The random-phase approximation has one strength in both gauges where the core answers to light of the
/// line's frequency; in a static field that of velocities would be a fifth larger.
TEST(ValenceLevels, LinesHaveTheResponseAtTheirFrequency) {
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  const AtomProblem problem = fermi(30, 3.9283, "[Ar] 3d10");
  const OrbitalSpace orbitals = splineSpace(problem, 1, 3, 30, pool);
  ValenceRequest request = oneElectron(problem, "[Ar] 3d10");
  request.ionCharge = 2;
  request.corePolarisation = true;
  request.multipoles = {{1, false}};
  const ValenceLevels r = valenceLevels(orbitals, problem.configuration, 0, request, *engine, pool);
  ASSERT_EQ(r.lines.lines.size(), 2U);
  for (const Line& line : r.lines.lines) EXPECT_NEAR(line.velocityStrength / line.strength, 1, 0.01);
}

/// Leaves the threads to others while it sums, as a GPU does.
class ThreadlessEngine : public CorrelationEngine {
 public:
  std::string name() const override { return host_->name(); }
  std::unique_ptr<PairSums> sums(const PairExcitations& excitations) override {
    return host_->sums(excitations);
  }
  std::unique_ptr<SigmaSums> sums(const SelfEnergyTerms& terms) override { return host_->sums(terms); }

 private:
  std::unique_ptr<CorrelationEngine> host_ = hostCorrelationEngine();
};

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
  // While a GPU sums the self-energy, the processors do the rest.
  ThreadlessEngine other;
  const ValenceLevels beside = valenceLevels(orbitals, problem.configuration, -199.15, request, other, pool);
  ASSERT_EQ(beside.levels.size(), r.levels.size());
  for (std::size_t i = 0; i < r.levels.size(); ++i)
    EXPECT_EQ(beside.levels[i].energy, r.levels[i].energy) << r.levels[i].label;
}

/// Names, g factors and fine structure of three and of four electrons: boron and carbon in few spinors.
TEST(ValenceLevels, OfThreeAndFourElectronsHaveTermsAndFineStructure) {
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  struct Known {
    const char* label;
    int twoJ;
    double g, nist, tolerance;  // cm^-1
  };
  struct Case {
    double z, rms;
    int electrons;
    std::vector<const char*> configurations;
    std::vector<Known> levels;
  };
  const std::vector<Case> cases = {{5,
                                    2.4,
                                    3,
                                    {"1s2 2s2 2p1", "1s2 2s1 2p2"},
                                    {{"2s2 2p1 2Po", 1, 2.0 / 3, 0, 0},
                                     {"2s2 2p1 2Po", 3, 4.0 / 3, 15.29, 3},
                                     {"2s1 2p2 4P", 1, 8.0 / 3, 28652, 900},
                                     {"2s1 2p2 4P", 3, 26.0 / 15, 28656, 900},
                                     {"2s1 2p2 4P", 5, 8.0 / 5, 28662, 900}}},
                                   {6,
                                    2.47,
                                    4,
                                    {"1s2 2s2 2p2"},
                                    {{"2s2 2p2 3P", 0, 0, 0, 0},
                                     {"2s2 2p2 3P", 2, 1.5, 16.4, 4},
                                     {"2s2 2p2 3P", 4, 1.5, 43.4, 8},
                                     {"2s2 2p2 1D", 4, 1, 10192.6, 2000},
                                     {"2s2 2p2 1S", 0, 0, 21648, 3000}}}};
  for (const Case& c : cases) {
    AtomProblem problem = fermi(c.z, c.rms, "[He]");
    problem.hamiltonian.repulsion = TwoElectronOperator::CoulombBreit;
    problem.hamiltonian.breitTreatment = Treatment::SelfConsistent;
    const OrbitalSpace orbitals = splineSpace(problem, 0.5, 2, 20, pool);
    ValenceRequest request;
    request.electrons = c.electrons;
    request.spinors.perSymmetry = request.spinors.screened = 4;
    request.spinors.eigenvectors = 2;
    request.spinors.largestL = 2;
    request.field = {problem.nucleus, problem.hamiltonian.speedOfLight};
    request.core = "[He]";
    for (const char* text : c.configurations) {
      LevelSpace::Part part;
      part.text = text;
      part.shells = parseShells(text);
      int l = 0;
      for (const Shell& s : part.shells) l += s.l * s.electrons;
      part.odd = l % 2 != 0;
      request.configurations.push_back(part);
    }
    const std::vector<Shell>& first = request.configurations.front().shells;
    request.spinors.inField.assign(first.begin() + 1, first.end());
    const ValenceLevels r = valenceLevels(orbitals, problem.configuration, 0, request, *engine, pool);
    ASSERT_GE(r.levels.size(), c.levels.size());
    for (std::size_t i = 0; i < c.levels.size(); ++i) {
      EXPECT_EQ(r.levels[i].label, c.levels[i].label);
      EXPECT_EQ(r.levels[i].twoJ, c.levels[i].twoJ);
      EXPECT_NEAR(r.levels[i].g, c.levels[i].g, 2e-3) << c.levels[i].label;
      EXPECT_NEAR(r.levels[i].excitation * constants::kInverseCentimetresPerHartree, c.levels[i].nist,
                  c.levels[i].tolerance)
          << c.levels[i].label;
    }
  }
}

/// Structural radiation and normalisation of three electrons: they leave g factors alone, which are almost
/// those of angular momenta, and change hyperfine constants.
TEST(ValenceLevels, OfThreeElectronsHaveStructuralRadiation) {
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  const AtomProblem problem = fermi(5, 2.4, "[He]");
  const OrbitalSpace orbitals = splineSpace(problem, 0.5, 2, 20, pool);
  ValenceRequest request;
  request.electrons = 3;
  request.spinors.perSymmetry = request.spinors.screened = 2;
  request.spinors.eigenvectors = 2;
  request.spinors.largestL = 1;
  request.spinors.inField = {{2, 0, 0, 2}, {2, 1, 0, 1}};
  request.field = {problem.nucleus, problem.hamiltonian.speedOfLight};
  request.core = "[He]";
  request.roots = 1;
  request.iteratedRings = false;
  request.corePolarisation = true;
  const auto levels = [&] {
    return valenceLevels(orbitals, problem.configuration, 0, request, *engine, pool).levels;
  };
  const std::vector<Level> polarised = levels();
  request.structuralRadiation = true;
  const std::vector<Level> radiating = levels();
  ASSERT_EQ(radiating.size(), polarised.size());
  ASSERT_GT(radiating.size(), 3U);
  for (std::size_t i = 0; i < radiating.size(); ++i) {
    EXPECT_EQ(radiating[i].energy, polarised[i].energy);
    EXPECT_NEAR(radiating[i].g, polarised[i].g, 2e-6) << radiating[i].label;
    EXPECT_GT(std::abs(radiating[i].hyperfineA / polarised[i].hyperfineA - 1), 1e-4) << radiating[i].label;
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
