#include "atoms/core_valence/core_response.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/correlation/core_polarisation.hpp"
#include "atoms/valence/pair_space.hpp"
#include "core/linalg/decompositions.hpp"
#include "tests/atoms/core_valence/small_core.hpp"
#include "tests/atoms/correlation/determinants.hpp"

namespace prophet {
namespace {

/// In all excitations of a small set the modes give the response that the equations of one operator give.
TEST(CoreResponse, HasThePolarisabilitiesOfTheRandomPhaseApproximation) {
  ThreadPool pool(2);
  const test::SmallCore core(6, "1s2 2s2", {{60, 9, 1.6, 0.3}, {8, 2, 0.5}, {3, 0.5}}, pool);
  const CoreExcitations excitations =
      coreExcitations(core.orbitals, core.space.factors(), excitedSpinors(core.space, pool), pool);
  const CoreResponse response(core.space, excitations, pool);
  for (const int k : {1, 2}) {
    const CorePolarisation known(core.orbitals, electricMultipole(core.orbitals, k), 0, pool);
    EXPECT_GT(known.susceptibility(), 1e-3);
    EXPECT_NEAR(response.polarisability(k), known.susceptibility(), 1e-9 * known.susceptibility()) << k;
  }
}

/// The modes of all excitations between places, and what they are worth to an electron outside.
class PlacesResponse {
 public:
  PlacesResponse(const OrbitalSpace& orbitals, Places& places) : places_(places) {
    for (std::size_t p = 0; p < places.list.size(); ++p)
      (places.list[p].column < orbitals.symmetries()[usize(places.list[p].symmetry)].closed ? core_
                                                                                            : virtual_)
          .push_back(p);
    for (const std::size_t a : core_)
      for (const std::size_t n : virtual_) excitations_.emplace_back(a, n);
    const auto size = static_cast<Eigen::Index>(excitations_.size());
    Eigen::MatrixXd sum(size, size), difference(size, size);
    gaps_.resize(size);
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j) {
        const auto [a, n] = excitations_[usize(i)];
        const auto [b, m] = excitations_[usize(j)];
        const double direct = places.repulsion(n, b, a, m), backward = places.repulsion(n, m, a, b);
        if (i == j) gaps_(i) = places.list[n].energy - places.list[a].energy;
        sum(i, j) = (i == j ? gaps_(i) : 0) + direct + backward;
        difference(i, j) = (i == j ? gaps_(i) : 0) + direct - backward;
      }
    const SymmetricEigen root(difference);
    const Eigen::MatrixXd half =
        root.eigenvectors() * root.eigenvalues().cwiseSqrt().asDiagonal() * root.eigenvectors().transpose();
    const SymmetricEigen modes(half * sum * half);
    modes_ = modes.eigenvalues().cwiseSqrt();
    const Eigen::MatrixXd added =
        half * modes.eigenvectors() * modes_.cwiseSqrt().cwiseInverse().asDiagonal();
    const Eigen::MatrixXd subtracted = sum * added * modes_.cwiseInverse().asDiagonal();
    forward_ = 0.5 * (added + subtracted);
    backward_ = 0.5 * (added - subtracted);
  }

  double sigma(std::size_t v) const {
    double total = 0;
    const double energy = places_.list[v].energy;
    for (const std::size_t m : virtual_)
      total += change(terms(m, v, false), terms(m, v, true), energy - places_.list[m].energy, -1);
    for (const std::size_t b : core_)
      total += change(terms(v, b, false), terms(v, b, true), energy - places_.list[b].energy, 1);
    return total;
  }

  double interaction(std::size_t v, std::size_t w, std::size_t x, std::size_t y) const {
    const auto mean = [&](bool first) {
      const Terms one = terms(v, x, first), other = terms(w, y, !first);
      return change(one, {other.absorbed, other.emitted}, 0, -1) +
             change({one.absorbed, one.emitted}, other, 0, -1);
    };
    return 0.5 * (mean(true) + mean(false));
  }

 private:
  /// <pn|qa> and <pa|qn> of each excitation.
  struct Terms {
    Eigen::VectorXd emitted, absorbed;
  };
  Terms terms(std::size_t p, std::size_t q, bool exchange) const {
    Terms t{Eigen::VectorXd(gaps_.size()), Eigen::VectorXd(gaps_.size())};
    for (Eigen::Index i = 0; i < gaps_.size(); ++i) {
      const auto [a, n] = excitations_[usize(i)];
      t.emitted(i) = exchange ? places_.repulsion(p, n, q, a) : places_.direct(p, n, q, a);
      t.absorbed(i) = exchange ? places_.repulsion(p, a, q, n) : places_.direct(p, a, q, n);
    }
    return t;
  }
  Eigen::VectorXd amplitudes(const Terms& t) const {
    return forward_.transpose() * t.emitted + backward_.transpose() * t.absorbed;
  }
  double change(const Terms& a, const Terms& b, double energy, double sign) const {
    const Eigen::ArrayXd ofA = amplitudes(a), ofB = amplitudes(b);
    return (ofA * ofB / (energy + sign * modes_.array())).sum() -
           (a.emitted.array() * b.emitted.array() / (energy + sign * gaps_.array())).sum();
  }

  Places& places_;
  std::vector<std::size_t> core_, virtual_;
  std::vector<std::pair<std::size_t, std::size_t>> excitations_;
  Eigen::VectorXd gaps_, modes_;
  Eigen::MatrixXd forward_, backward_;
};

/// Sigma_1 and Sigma_2 of electrons above 1s2, by the sums over all places.
TEST(CoreResponse, AddsToSigmaWhatModesOfAllPlacesDo) {
  ThreadPool pool(2);
  const test::SmallCore core(4, "1s2", {{30, 5, 1, 0.2}, {2, 0.4}}, pool);
  Places places(core.orbitals);
  const PlacesResponse known(core.orbitals, places);
  const CoreExcitations excitations =
      coreExcitations(core.orbitals, core.space.factors(), excitedSpinors(core.space, pool), pool);
  const CoreResponse response(core.space, excitations, pool);
  const auto lowest = [&](int symmetry, int twoM) {
    for (std::size_t p = 0; p < places.list.size(); ++p)
      if (places.list[p].symmetry == symmetry && places.list[p].twoM == twoM &&
          places.list[p].column == core.orbitals.symmetries()[usize(symmetry)].closed)
        return p;
    return places.list.size();
  };
  for (const int symmetry : {0, 1, 2}) {
    const double change = known.sigma(lowest(symmetry, 1));
    EXPECT_GT(std::abs(change), 1e-7);
    const int closed = core.orbitals.symmetries()[usize(symmetry)].closed;
    EXPECT_NEAR(response.selfEnergy(symmetry)(closed, closed), change, 1e-11) << symmetry;
  }
  std::vector<int> counts;
  for (int s = 0; s < core.space.symmetries(); ++s) counts.push_back(core.space.screened(s));
  PairTable rings(core.space, counts, PairTable::Kind::Multipoles);
  for (int n = 0; n < rings.numbers(); ++n)
    rings.values(n) = Eigen::MatrixXd::Zero(rings.size(n), rings.size(n));
  response.addTo(rings);
  std::vector<Eigen::MatrixXd> none;
  for (int s = 0; s < core.space.symmetries(); ++s)
    none.emplace_back(Eigen::MatrixXd::Zero(core.space.count(s), core.space.count(s)));
  const PairSpace pairs(core.space, 0, false);
  const Eigen::MatrixXd h = pairs.hamiltonian({core.space, none, {&rings}}, pool, true);
  for (Eigen::Index i = 0; i < pairs.size(); ++i)
    for (const int symmetry : {0, 1}) {
      const int first = core.space.first[usize(symmetry)];
      if (pairs.pairs()[usize(i)].a != first || pairs.pairs()[usize(i)].b != first) continue;
      const std::size_t up = lowest(symmetry, 1), down = lowest(symmetry, -1);
      const double change = known.interaction(up, down, up, down) - known.interaction(up, down, down, up);
      EXPECT_GT(std::abs(change), 1e-7);
      EXPECT_NEAR(h(i, i), change, 1e-11) << symmetry;
    }
}

}  // namespace
}  // namespace prophet
