#include "atoms/correlation/core_polarisation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/properties/hyperfine_units.hpp"
#include "atoms/properties/spinor_integrals.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"
#include "tests/atoms/correlation/determinants.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

/// Reduced elements between all spinors of two symmetries, by index.
using Elements = std::function<Eigen::MatrixXd(int, int)>;

SpinorFunctions allOf(const OrbitalSpace& space, int symmetry) {
  return functionsOf(space, symmetry, 0, space.symmetries()[static_cast<std::size_t>(symmetry)].count());
}

/// <p|T_0|q> between all places.
Eigen::MatrixXd betweenPlaces(const OrbitalSpace& space, const Places& places, const SpinorOperator& t,
                              const Elements& reduced) {
  const auto n = static_cast<Eigen::Index>(places.list.size());
  std::map<std::pair<int, int>, Eigen::MatrixXd> kept;
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index p = 0; p < n; ++p)
    for (Eigen::Index q = 0; q < n; ++q) {
      const Places::Place &a = places.list[static_cast<std::size_t>(p)],
                          &b = places.list[static_cast<std::size_t>(q)];
      const Symmetry sa = space.symmetries()[static_cast<std::size_t>(a.symmetry)].symmetry,
                     sb = space.symmetries()[static_cast<std::size_t>(b.symmetry)].symmetry;
      if (a.twoM != b.twoM || !t.couples(sa, sb)) continue;
      const auto [own, isNew] = kept.try_emplace({a.symmetry, b.symmetry});
      if (isNew) own->second = reduced(a.symmetry, b.symmetry);
      m(p, q) = ((sa.twoJ() - a.twoM) / 2 % 2 == 0 ? 1 : -1) *
                wigner3j(sa.twoJ(), 2 * t.rank, sb.twoJ(), -a.twoM, 0, b.twoM) *
                own->second(a.column, b.column);
    }
  return m;
}

/// t' of one projection by the equation over all places, whatever the symmetry of t.
Eigen::MatrixXd dressedByPlaces(Places& places, const Eigen::MatrixXd& t, double omega) {
  struct Excitation {
    std::size_t a, n;
  };
  std::vector<Excitation> list;
  for (std::size_t a = 0; a < places.list.size(); ++a)
    for (std::size_t n = 0; n < places.list.size(); ++n)
      if (!places.list[a].isVirtual && places.list[n].isVirtual && places.list[a].twoM == places.list[n].twoM)
        list.push_back({a, n});
  const auto count = static_cast<Eigen::Index>(list.size());
  const auto gap = [&](const Excitation& x) { return places.list[x.a].energy - places.list[x.n].energy; };
  const auto element = [&](std::size_t v, std::size_t w, Eigen::Index i) {
    const Excitation& x = list[static_cast<std::size_t>(i % count)];
    return i < count ? places.repulsion(v, x.n, w, x.a) / (gap(x) - omega)
                     : places.repulsion(v, x.a, w, x.n) / (gap(x) + omega);
  };
  const auto at = [](std::size_t p) { return static_cast<Eigen::Index>(p); };
  Eigen::MatrixXd system = Eigen::MatrixXd::Identity(2 * count, 2 * count);
  Eigen::VectorXd right(2 * count);
  for (Eigen::Index i = 0; i < 2 * count; ++i) {
    const Excitation& x = list[static_cast<std::size_t>(i % count)];
    const std::size_t v = i < count ? x.a : x.n, w = i < count ? x.n : x.a;
    right(i) = t(at(v), at(w));
    for (Eigen::Index j = 0; j < 2 * count; ++j) system(i, j) -= element(v, w, j);
  }
  const Eigen::VectorXd solution = LuFactors(system).solve(right);
  Eigen::MatrixXd dressed = t;
  for (std::size_t v = 0; v < places.list.size(); ++v)
    for (std::size_t w = 0; w < places.list.size(); ++w)
      if (places.list[v].twoM == places.list[w].twoM)
        for (Eigen::Index i = 0; i < 2 * count; ++i) dressed(at(v), at(w)) += element(v, w, i) * solution(i);
  return dressed;
}

/// An operator of any rank and parity whose elements have no symmetry at all.
SpinorOperator lopsided(const OrbitalSpace& space, int rank, bool odd) {
  return {rank, odd, [&space](const SpinorFunctions& a, const SpinorFunctions& b) -> Eigen::MatrixXd {
            const Eigen::VectorXd w = space.weights(), r = space.weights().cwiseProduct(space.radii());
            return (1 + 0.3 * a.symmetry.kappa - 0.2 * b.symmetry.kappa) *
                   (a.large.transpose() * r.asDiagonal() * b.large +
                    20 * a.large.transpose() * w.asDiagonal() * b.small);
          }};
}

OrbitalSpace neonLike(ThreadPool& pool) {
  return spaceIn(sharedSet({{500, 60, 9, 1.6}, {20, 4, 0.8}, {2}}),
                 atomOf(11, "1s2 2s2 2p6", OneElectronOperator::Dirac), pool);
}

TEST(CorePolarisation, IsTheEquationOverAllProjections) {
  ThreadPool pool(2);
  const OrbitalSpace space = neonLike(pool);
  Places places(space);
  for (const auto& [rank, odd] : {std::pair{1, true}, {1, false}, {2, false}, {2, true}}) {
    const SpinorOperator t = lopsided(space, rank, odd);
    const double omega = 0.2;
    const CorePolarisation response(space, t, omega, pool);
    const Eigen::MatrixXd bare = betweenPlaces(
        space, places, t, [&](int a, int b) { return t.elements(allOf(space, a), allOf(space, b)); });
    const Eigen::MatrixXd dressed = betweenPlaces(
        space, places, t, [&](int a, int b) { return response.dressed(allOf(space, a), allOf(space, b)); });
    const Eigen::MatrixXd expected = dressedByPlaces(places, bare, omega);
    EXPECT_GT((expected - bare).cwiseAbs().maxCoeff(), 1e-2);
    EXPECT_LT((expected - dressed).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff())
        << rank << ' ' << odd;
  }
}

/// The Fock matrix of closed shells over places in a static field added to their Hamiltonian.
Eigen::MatrixXd fockInField(Places& places, const Eigen::MatrixXd& field) {
  const auto n = static_cast<Eigen::Index>(places.list.size());
  const auto at = [](Eigen::Index p) { return static_cast<std::size_t>(p); };
  std::vector<double> repulsion;
  for (Eigen::Index p = 0; p < n; ++p)
    for (Eigen::Index r = 0; r < n; ++r)
      for (Eigen::Index q = 0; q < n; ++q)
        for (Eigen::Index s = 0; s < n; ++s)
          repulsion.push_back(places.repulsion(at(p), at(r), at(q), at(s)));
  Eigen::MatrixXd density = Eigen::MatrixXd::Zero(n, n), fock(n, n);
  Eigen::Index electrons = 0;
  for (Eigen::Index p = 0; p < n; ++p)
    if (!places.list[at(p)].isVirtual) density(p, p) = 1, ++electrons;
  for (int round = 0; round < 60; ++round) {
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = 0; q < n; ++q) {
        fock(p, q) = places.core(at(p), at(q)) + field(p, q);
        for (Eigen::Index r = 0; r < n; ++r)
          for (Eigen::Index s = 0; s < n; ++s)
            fock(p, q) += density(r, s) * repulsion[at(((p * n + r) * n + q) * n + s)];
      }
    const Eigen::MatrixXd occupied = SymmetricEigen(fock).eigenvectors().leftCols(electrons);
    density = occupied * occupied.transpose();
  }
  return fock;
}

TEST(CorePolarisation, IsTheDerivativeOfTheFieldInAnExternalOne) {
  ThreadPool pool(2);
  const OrbitalSpace space = spaceIn(sharedSet({{80, 12, 2, 0.4, 0.1}, {2, 0.4}}),
                                     atomOf(6, "1s2 2s2", OneElectronOperator::Dirac), pool);
  Places places(space);
  for (const SpinorOperator& t : {electricMultipole(space, 1), hyperfineDipole(space)}) {
    const CorePolarisation response(space, t, 0, pool);
    const Eigen::MatrixXd bare = betweenPlaces(
        space, places, t, [&](int a, int b) { return t.elements(allOf(space, a), allOf(space, b)); });
    const Eigen::MatrixXd dressed = betweenPlaces(
        space, places, t, [&](int a, int b) { return response.dressed(allOf(space, a), allOf(space, b)); });
    const double step = 1e-4 / bare.cwiseAbs().maxCoeff();
    const Eigen::MatrixXd derivative =
        (fockInField(places, step * bare) - fockInField(places, -step * bare)) / (2 * step);
    const double scale = dressed.cwiseAbs().maxCoeff();
    EXPECT_GT((dressed - bare).cwiseAbs().maxCoeff(), 1e-3 * scale) << t.rank << t.odd;
    EXPECT_LT((dressed - derivative).cwiseAbs().maxCoeff(), 1e-6 * scale) << t.rank << t.odd;
  }
}

/// Both gauges are one in the random-phase approximation where virtual pairs vanish, as they do for a large
/// speed of light; in the field alone, which has exchange, they are not.
TEST(CorePolarisation, MakesLengthAndVelocityAgree) {
  ThreadPool pool(2);
  AtomProblem problem = atomOf(3, "1s2", OneElectronOperator::Dirac);
  problem.hamiltonian.speedOfLight = 5000;
  const OrbitalSpace space = splineSpace(problem, 1, 2, 60, pool);
  const auto& all = space.symmetries();
  for (const int p : {1, 2, 3, 4}) {  // of p and d
    const int rank = (p + 1) / 2;
    const double omega = all[static_cast<std::size_t>(p)].energies(0) - all[0].energies(1);
    const SpinorFunctions upper = functionsOf(space, p, 0, 1), lower = functionsOf(space, 0, 1, 1);
    const SpinorOperator length = electricMultipole(space, rank),
                         velocity = electricVelocity(space, rank, 5000);
    const auto both = [&](const SpinorOperator& t) {
      return std::pair{t.elements(upper, lower)(0, 0),
                       CorePolarisation(space, t, omega, pool).dressed(upper, lower)(0, 0)};
    };
    const auto [bareLength, dressedLength] = both(length);
    const auto [bareVelocity, dressedVelocity] = both(velocity);
    EXPECT_GT(std::abs(bareVelocity / omega / bareLength - 1), rank == 1 ? 1e-3 : 5e-5);
    EXPECT_NEAR(dressedVelocity / omega / dressedLength, 1, 2e-8) << p;
    EXPECT_NEAR(dressedLength / bareLength, 1, 0.02);
  }
}

/// W. R. Johnson, D. Kolb and K.-N. Huang, At. Data Nucl. Data Tables 28, 333 (1983): relativistic
/// random-phase approximation, bohr^3.
TEST(CorePolarisation, HasThePublishedPolarisabilities) {
  ThreadPool pool(2);
  for (const auto& [z, configuration, published, digit] :
       {std::tuple{2.0, "1s2", 1.322, 1e-3}, {11.0, "1s2 2s2 2p6", 0.9457, 1e-4}}) {
    const OrbitalSpace space =
        splineSpace(atomOf(z, configuration, OneElectronOperator::Dirac), 1, 2, 30, pool);
    const CorePolarisation response(space, electricMultipole(space, 1), 0, pool);
    EXPECT_FALSE(response.isTruncated());
    EXPECT_NEAR(response.susceptibility(), published, digit) << configuration;
  }
}

TEST(SpinorOperators, HaveTheHyperfineConstantsOfProperties) {
  ThreadPool pool(1);
  const AtomProblem problem = atomOf(11, "1s2 2s2 2p6", OneElectronOperator::Dirac);
  const BasisSet basis = sharedSet({{5000, 500, 60, 9, 1.6, 0.3}, {200, 20, 4, 0.8}});
  const Result field = fieldIn(basis, problem);
  const OrbitalSpace space = spaceIn(basis, problem, pool);
  const SpinorIntegrals integrals(problem, field);
  for (int i = 0; i < integrals.count(); ++i) {
    const Spinor& s = integrals.spinor(i);
    const SpinorFunctions own = functionsOf(space, s.symmetry.index(), s.n - s.symmetry.l() - 1, 1);
    const double j = 0.5 * s.symmetry.twoJ();
    const double a = 2 * kMegahertzOfDipole * s.symmetry.kappa / (j * (j + 1)) * integrals.product(i, -2);
    EXPECT_NEAR(hyperfineA(s.symmetry, hyperfineDipole(space).elements(own, own)(0, 0)), a,
                1e-7 * std::abs(a))
        << s.label();
    if (s.symmetry.twoJ() == 1) continue;
    const double b = 0.5 * kMegahertzOfQuadrupole * (2 * j - 1) / (2 * j + 2) *
                     integrals.density(i, integrals.powerWeight(-3));
    EXPECT_NEAR(hyperfineB(s.symmetry, hyperfineQuadrupole(space).elements(own, own)(0, 0)), b,
                1e-7 * std::abs(b))
        << s.label();
  }
}

TEST(CorePolarisation, RefusesWhatHasNone) {
  ThreadPool pool(1);
  const OrbitalSpace open =
      spaceIn(sharedSet({{30, 5, 1, 0.2}, {1}}), atomOf(3, "1s2 2s1", OneElectronOperator::Dirac), pool);
  EXPECT_THROW(CorePolarisation(open, electricMultipole(open, 1), 0, pool), Error);
  const OrbitalSpace onlyS =
      spaceIn(sharedSet({{30, 5, 1, 0.2}}), atomOf(3, "1s2", OneElectronOperator::Dirac), pool);
  EXPECT_THROW(CorePolarisation(onlyS, electricMultipole(onlyS, 1), 0, pool), Error);
  const OrbitalSpace neon = neonLike(pool);
  EXPECT_THROW(CorePolarisation(neon, electricMultipole(neon, 1), 100, pool), Error);
  EXPECT_TRUE(CorePolarisation(neon, electricMultipole(neon, 2), 0, pool).isTruncated());
}

}  // namespace
}  // namespace prophet
