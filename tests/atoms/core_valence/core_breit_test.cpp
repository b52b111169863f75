#include "atoms/core_valence/core_breit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "atoms/angular/angular.hpp"
#include "atoms/core_valence/core_response.hpp"
#include "atoms/levels/spinor_table.hpp"
#include "atoms/valence/isotope_fields.hpp"
#include "atoms/valence/pair_space.hpp"
#include "tests/atoms/core_valence/small_core.hpp"
#include "tests/atoms/correlation/determinants.hpp"

namespace prophet {
namespace {

constexpr TwoElectronOperator kBoth[] = {TwoElectronOperator::CoulombGaunt,
                                         TwoElectronOperator::CoulombBreit};

/// Of the recoil, so that it does as much as the repulsion of large rank.
constexpr double kRecoilFactor = 0.01;

/// All spinors of a space in one table, whose formulas are checked elsewhere. Without a repulsion: the
/// recoil.
class BreitReference {
 public:
  BreitReference(const OrbitalSpace& space, const AtomProblem& problem,
                 std::optional<TwoElectronOperator> repulsion)
      : repulsion_(repulsion), table_(tableOf(space, problem)) {
    const SpinorTable& t = table_;
    for (int a = 0; !repulsion && a < t.count(); ++a) {
      const RadialValues f = t.values(a);
      sloped_.push_back({t.symmetry(a), f.large, f.small, f.largeSlope, f.smallSlope});
    }
    for (const SymmetryOrbitals& o : space.symmetries()) {
      first_.push_back(count_);
      count_ += static_cast<int>(o.count());
    }
  }

  int number(int symmetry, Eigen::Index column) const {
    return first_[usize(symmetry)] + static_cast<int>(column);
  }
  double multipole(int k, int a, int b, int c, int d) const {
    const auto [place, isNew] = kept_.try_emplace({k, a, b, c, d});
    if (isNew)
      place->second =
          (repulsion_ ? table_.breit(k, a, b, c, d, *repulsion_ == TwoElectronOperator::CoulombBreit)
                      : recoil(k, a, b, c, d)) *
          table_.sign(a) * table_.sign(b) * table_.sign(c) * table_.sign(d);
    return place->second;
  }
  /// <pq|g|rs> between places.
  double element(const Places::Place& p, const Places::Place& q, const Places::Place& r,
                 const Places::Place& s) const {
    if (p.twoM + q.twoM != r.twoM + s.twoM) return 0;
    const int a = number(p.symmetry, p.column), b = number(q.symmetry, q.column),
              c = number(r.symmetry, r.column), d = number(s.symmetry, s.column);
    if ((table_.symmetry(a).l() + table_.symmetry(b).l() + table_.symmetry(c).l() + table_.symmetry(d).l()) %
            2 !=
        0)
      return 0;
    const auto w = [&](int bra, int twoMBra, int k, int ket, int twoMKet) {
      const int bj = table_.symmetry(bra).twoJ(), kj = table_.symmetry(ket).twoJ();
      return minusOneTo((bj - twoMBra) / 2) * wigner3j(bj, 2 * k, kj, -twoMBra, twoMBra - twoMKet, twoMKet);
    };
    double sum = 0;
    const int most = std::min(table_.symmetry(a).twoJ() + table_.symmetry(c).twoJ(),
                              table_.symmetry(b).twoJ() + table_.symmetry(d).twoJ()) /
                     2;
    for (int k = 0; k <= most; ++k) {
      const double angular = w(a, p.twoM, k, c, r.twoM) * w(b, q.twoM, k, d, s.twoM);
      if (angular != 0) sum += minusOneTo((p.twoM - r.twoM) / 2) * angular * multipole(k, a, b, c, d);
    }
    return sum;
  }

 private:
  /// As RecoilOperator::specific, times kRecoilFactor.
  double recoil(int k, int a, int b, int c, int d) const {
    const RecoilElements elements(table_.radii(), table_.lengths(), table_.field());
    const auto of = [&](auto member, int i, int j) {
      const Eigen::MatrixXd found = (elements.*member)(sloped_[usize(i)], sloped_[usize(j)]);
      return found.size() > 0 ? found(0) : 0.0;
    };
    if (k != 1) return 0;
    const double p1 = of(&RecoilElements::momentum, a, c), p2 = of(&RecoilElements::momentum, b, d),
                 d1 = of(&RecoilElements::photon, a, c), d2 = of(&RecoilElements::photon, b, d);
    return kRecoilFactor * (0.5 * (d1 * p2 + p1 * d2) - p1 * p2);
  }
  static SpinorTable tableOf(const OrbitalSpace& space, const AtomProblem& problem) {
    std::vector<Symmetry> symmetries;
    Eigen::Index count = 0;
    for (const SymmetryOrbitals& o : space.symmetries()) count += o.count();
    RadialTable functions{Eigen::MatrixXd(space.points(), count), Eigen::MatrixXd(space.points(), count)};
    int most = 0;
    count = 0;
    for (const SymmetryOrbitals& o : space.symmetries()) {
      symmetries.insert(symmetries.end(), usize(o.count()), o.symmetry);
      functions.large.middleCols(count, o.count()) = o.large;
      functions.small.middleCols(count, o.count()) = o.small;
      count += o.count();
      most = std::max(most, o.symmetry.twoJ());
    }
    return {space.mesh(), symmetries, functions, {problem.nucleus, problem.hamiltonian.speedOfLight}, most};
  }

  std::optional<TwoElectronOperator> repulsion_;
  SpinorTable table_;
  std::vector<SlopedFunctions> sloped_;
  std::vector<int> first_;
  int count_ = 0;
  mutable std::map<std::tuple<int, int, int, int, int>, double> kept_;
};

/// At the points of products the multipoles are those of integrals over the mesh.
TEST(CoreBreit, HasTheMultipolesOfIntegralsOverTheMesh) {
  ThreadPool pool(2);
  const test::SmallCore core(12, "1s2 2s2 2p6", {{60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}, {1, 0.2}, {0.5}},
                             pool);
  std::vector<SpinorFunctions> all;
  for (std::size_t s = 0; s < core.orbitals.symmetries().size(); ++s)
    all.push_back(functionsOf(core.orbitals, static_cast<int>(s), 0, core.orbitals.symmetries()[s].count()));
  for (const TwoElectronOperator repulsion : kBoth) {
    const BreitReference known(core.orbitals, core.problem, repulsion);
    const BreitPoints points(core.orbitals, all, {}, repulsion, 5, pool);
    EXPECT_LT(points.points.size(), usize(core.orbitals.points()) / 2);
    double largest = 0, difference = 0;
    int odd = 0;
    const auto symmetries = static_cast<int>(all.size());
    for (int a = 0; a < symmetries; ++a)
      for (int c = 0; c < symmetries; ++c)
        for (int b = 0; b < symmetries; ++b)
          for (int d = 0; d < symmetries; ++d) {
            const auto typeOf = [&](int s) { return all[usize(s)].symmetry; };
            const bool isOdd = (typeOf(a).l() + typeOf(c).l()) % 2 != 0;
            if (((typeOf(b).l() + typeOf(d).l()) % 2 != 0) != isOdd) continue;
            for (int k = 0; k <= 5; ++k) {
              if (!triangle(typeOf(a), k, typeOf(c)) || !triangle(typeOf(b), k, typeOf(d))) continue;
              const auto values = [&](int s) { return points.valuesOf(all[usize(s)]); };
              const Eigen::MatrixXd first = points.sources(k, values(a), values(c)),
                                    second = points.sources(k, values(b), values(d));
              const Eigen::MatrixXd made =
                  first.size() > 0 && second.size() > 0
                      ? Eigen::MatrixXd(first.transpose() * points.potentials(k, isOdd, second))
                      : Eigen::MatrixXd::Zero(all[usize(a)].count() * all[usize(c)].count(),
                                              all[usize(b)].count() * all[usize(d)].count());
              // One spinor of each, another one every time.
              const Eigen::Index i = (a + k) % all[usize(a)].count(), j = (c + b) % all[usize(c)].count(),
                                 p = (b + d) % all[usize(b)].count(), q = (d + a) % all[usize(d)].count();
              const double wanted = known.multipole(k, known.number(a, i), known.number(b, p),
                                                    known.number(c, j), known.number(d, q));
              const double found = made(i + all[usize(a)].count() * j, p + all[usize(b)].count() * q);
              largest = std::max(largest, std::abs(wanted));
              difference = std::max(difference, std::abs(wanted - found));
              if (isOdd != (k % 2 != 0) && std::abs(wanted) > 1e-8) ++odd;
            }
          }
    EXPECT_GT(largest, 1e-3);
    EXPECT_GT(odd, 100);
    EXPECT_LT(difference, 1e-9 * largest);
  }
}

/// Second order of determinants with one and two electrons above a core, with Coulomb's and Breit's
/// repulsion, or the recoil of the nucleus, in all places but the field: Sigma_1, Sigma_2 and the
/// interaction of both are all of it.
TEST(CoreBreit, IsWhatSecondOrderOfDeterminantsHasOfIt) {
  struct Case {
    const char* core;
    double z;
    std::vector<std::vector<double>> exponents;
    int symmetry;  // of the electrons' spinor with j = 1/2: 0 s, 1 p
  };
  const std::vector<Case> cases = {{"1s2", 4, {{30, 5, 1, 0.2}, {2, 0.4}, {0.5}}, 0},
                                   {"1s2", 4, {{30, 5, 1, 0.2}, {2, 0.4}, {0.5}}, 1},
                                   {"1s2 2s2 2p6", 12, {{40, 9, 1.6, 0.3}, {10, 2, 0.3}}, 1}};
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  for (const Case& c : cases)
    for (const std::optional<TwoElectronOperator> repulsion :
         {std::optional(kBoth[0]), std::optional(kBoth[1]), std::optional<TwoElectronOperator>()}) {
      const test::SmallCore core(c.z, c.core, c.exponents, pool);
      const ValenceSpace& space = core.space;
      Places places(core.orbitals);
      std::vector<std::size_t> closed, one, both;
      for (std::size_t p = 0; p < places.list.size(); ++p) {
        const int held = core.orbitals.symmetries()[usize(places.list[p].symmetry)].closed;
        const bool isValence = places.list[p].symmetry == c.symmetry && places.list[p].column == held;
        if (places.list[p].column < held) closed.push_back(p);
        if (places.list[p].column < held || isValence) both.push_back(p);
        if (places.list[p].column < held || (isValence && places.list[p].twoM == 1)) one.push_back(p);
      }
      const auto secondOrder = [&] {
        const double core2 = byDeterminants(places, {closed});
        return std::pair{byDeterminants(places, {one}) - core2, byDeterminants(places, {both}) - core2};
      };
      const auto [coulombOne, coulombBoth] = secondOrder();
      const BreitReference known(core.orbitals, core.problem, repulsion);
      places.added = [&](std::size_t p, std::size_t q, std::size_t r, std::size_t s) {
        return known.element(places.list[p], places.list[q], places.list[r], places.list[s]);
      };
      // The field of the core stays Coulomb's.
      places.addedCore = [&](std::size_t p, std::size_t q) {
        double sum = 0;
        for (const std::size_t k : closed) sum -= places.added(p, k, q, k) - places.added(p, k, k, q);
        return sum;
      };
      const auto [wholeOne, wholeBoth] = secondOrder();

      const std::vector<ExcitedSpinors> excited = excitedSpinors(space, pool);
      const LevelField field{core.problem.nucleus, core.problem.hamiltonian.speedOfLight, {}};
      const CoreBreit breit =
          repulsion
              ? CoreBreit(space, excited, *repulsion, pool)
              : CoreBreit(space, excited,
                          std::make_unique<RecoilInteraction>(core.orbitals, field, kRecoilFactor), pool);
      const int place = core.orbitals.symmetries()[usize(c.symmetry)].closed;
      const double sigma = selfEnergy(space, c.symmetry, *engine, pool)(place, place),
                   ofBreit = breit.selfEnergy(c.symmetry)(place, place);
      EXPECT_GT(std::abs(wholeOne - coulombOne), 1e-9);
      EXPECT_NEAR(coulombOne, sigma, 1e-11);
      EXPECT_NEAR(wholeOne - coulombOne, ofBreit, 2e-5 * std::abs(ofBreit)) << c.core << ' ' << c.symmetry;
      EXPECT_NEAR(wholeOne, sigma + ofBreit, 1e-11) << c.core << ' ' << c.symmetry;

      const PairTable coulomb = coulombTable(space, pool), rings = ringTable(space, pool),
                      breitRings = breit.rings();
      const HolePairs holes(space, pool), breitHoles(space, pool, {&breit});
      std::vector<Eigen::MatrixXd> h;
      for (int s = 0; s < space.symmetries(); ++s) h.push_back(space.coreField(s));
      const PairSpace pairs(space, 0, false);
      Eigen::Index own = 0;
      while (pairs.pairs()[usize(own)].a != space.first[usize(c.symmetry)] ||
             pairs.pairs()[usize(own)].b != space.first[usize(c.symmetry)])
        ++own;
      // Sigma_2 and what the pair has without the core.
      const auto ofPair = [&](const std::vector<const PairTable*>& bareTables,
                              const std::vector<const PairTable*>& tables, const HolePairs& ofHoles) {
        const Eigen::MatrixXd bare = pairs.hamiltonian({space, h, bareTables}, pool, true),
                              dressed = pairs.hamiltonian({space, h, tables, &ofHoles}, pool, true);
        double sum = dressed(own, own) - bare(own, own);
        for (Eigen::Index i = 0; i < pairs.size(); ++i) {
          const auto& [a, b] = pairs.pairs()[usize(i)];
          if (i != own)
            sum += bare(i, own) * bare(i, own) /
                   (2 * space.lowest(c.symmetry) - space.spinors[usize(a)].energy -
                    space.spinors[usize(b)].energy);
        }
        return sum;
      };
      const double plain = ofPair({&coulomb}, {&coulomb, &rings}, holes),
                   whole = ofPair({&coulomb, &breit.interaction()},
                                  {&coulomb, &breit.interaction(), &rings, &breitRings}, breitHoles);
      EXPECT_GT(std::abs(whole - plain), 1e-8);
      EXPECT_NEAR(coulombBoth, 2 * sigma + plain, 3e-11);
      EXPECT_NEAR(wholeBoth, 2 * (sigma + ofBreit) + whole, 3e-11) << c.core << ' ' << c.symmetry;
    }
}

/// It is of the order of 1/c^2.
TEST(CoreBreit, VanishesWithAnInfiniteSpeedOfLight) {
  ThreadPool pool(2);
  std::array<double, 2> interaction{}, sigma{}, rings{};
  for (const int i : {0, 1}) {
    const test::SmallCore core(4, "1s2", {{30, 5, 1, 0.2}, {2, 0.4}, {0.5}}, pool,
                               kReferenceLightSpeed * (i == 0 ? 1 : 100));
    const CoreBreit breit(core.space, excitedSpinors(core.space, pool), TwoElectronOperator::CoulombBreit,
                          pool);
    const PairTable ofRings = breit.rings();
    for (int n = 0; n < ofRings.numbers(); ++n)
      if (ofRings.size(n) > 0) {
        interaction[usize(i)] =
            std::max(interaction[usize(i)], breit.interaction().values(n).cwiseAbs().maxCoeff());
        rings[usize(i)] = std::max(rings[usize(i)], ofRings.values(n).cwiseAbs().maxCoeff());
      }
    sigma[usize(i)] = breit.selfEnergy(0).cwiseAbs().maxCoeff();
  }
  for (const auto& values : {interaction, sigma, rings}) {
    EXPECT_GT(values[0], 1e-9);
    EXPECT_NEAR(values[1] / values[0], 1e-4, 1e-5);
  }
}

/// The field that virtual spinors are solved in is that of the limit, with the Breit interaction in it.
TEST(CoreBreit, IsInTheFieldOfTheSpinors) {
  ThreadPool pool(2);
  for (const TwoElectronOperator repulsion : kBoth) {
    AtomProblem problem = atomOf(36, "1s2 2s2 2p6 3s2 3p6 3d10 4s2 4p6", OneElectronOperator::Dirac);
    const OrbitalSpace coulomb = splineSpace(problem, 0.5, 2, 20, pool);
    problem.hamiltonian.repulsion = repulsion;
    problem.hamiltonian.breitTreatment = Treatment::SelfConsistent;
    const OrbitalSpace space = splineSpace(problem, 0.5, 2, 20, pool);
    EXPECT_EQ(coulomb.repulsion(), TwoElectronOperator::Coulomb);
    EXPECT_EQ(space.repulsion(), repulsion);
    for (std::size_t s = 0; s < space.symmetries().size(); ++s) {
      const SymmetryOrbitals &o = space.symmetries()[s], &before = coulomb.symmetries()[s];
      for (int i = 0; i < o.closed; ++i) {
        EXPECT_GT(std::abs(o.energies(i) - before.energies(i)), 1e-5) << o.label(i);
        EXPECT_NEAR(o.energies(i), o.ownEnergies(i), 1e-9 * std::abs(o.energies(i))) << o.label(i);
      }
    }
  }
}

}  // namespace
}  // namespace prophet
