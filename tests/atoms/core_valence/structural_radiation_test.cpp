#include "atoms/core_valence/structural_radiation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/valence/valence_levels.hpp"
#include "tests/atoms/core_valence/small_core.hpp"
#include "tests/atoms/correlation/determinants.hpp"

namespace prophet {
namespace {

/// The places of a small core, an operator between them, and perturbation theory of determinants of all
/// electrons: what second order in the interaction makes of the operator between two of them.
class PlacesOperator {
 public:
  PlacesOperator(const OrbitalSpace& orbitals, const SpinorOperator& op) : places_(orbitals), rank_(op.rank) {
    for (std::size_t p = 0; p < places_.list.size(); ++p)
      (places_.list[p].isVirtual ? virtual_ : core_).push_back(p);
    const auto& all = orbitals.symmetries();
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = 0; b < all.size(); ++b)
        if (op.couples(all[a].symmetry, all[b].symmetry))
          reduced_[{a, b}] = op.elements(functionsOf(orbitals, static_cast<int>(a), 0, all[a].count()),
                                         functionsOf(orbitals, static_cast<int>(b), 0, all[b].count()));
    for (std::size_t a = 0; a < all.size(); ++a) twoJs_.push_back(all[a].symmetry.twoJ());
  }
  /// The component 0 of the operator.
  double element(std::size_t p, std::size_t q) const {
    const Places::Place &a = places_.list[p], &b = places_.list[q];
    const auto found = reduced_.find({usize(a.symmetry), usize(b.symmetry)});
    return found == reduced_.end() ? 0 : angular(p, q) * found->second(a.column, b.column);
  }
  /// What a reduced element is multiplied by.
  double angular(std::size_t p, std::size_t q) const {
    const Places::Place &a = places_.list[p], &b = places_.list[q];
    const int ja = twoJs_[usize(a.symmetry)], jb = twoJs_[usize(b.symmetry)];
    return minusOneTo((ja - a.twoM) / 2) * wigner3j(ja, 2 * rank_, jb, -a.twoM, 0, b.twoM);
  }
  std::size_t placeOf(int symmetry, Eigen::Index column, int twoM) const {
    for (std::size_t p = 0; p < places_.list.size(); ++p)
      if (places_.list[p].symmetry == symmetry && places_.list[p].twoM == twoM &&
          places_.list[p].column == column)
        return p;
    return places_.list.size();
  }
  double energy(std::size_t p) const { return places_.list[p].energy; }

  /// <v|T|w> in second order of the interaction, between normalised states of the core and v or w.
  double secondOrder(std::size_t v, std::size_t w) {
    const OccupiedPlaces bra = with(v), ket = with(w);
    const Wave ofBra = firstOrder(bra), ofKet = firstOrder(ket);
    double sum = 0, normBra = 0, normKet = 0;
    for (const auto& [d, c] : ofBra) {
      normBra += c * c;
      for (const auto& [e, f] : movedFrom(d)) {
        const auto place = ofKet.find(e);
        if (place != ofKet.end()) sum += c * f * place->second;
      }
    }
    for (const auto& [d, c] : ofKet) normKet += c * c;
    // Elements of velocities are antisymmetric.
    const double transposed = element(v, w) * element(w, v) > 0 ? 1 : -1;
    sum += reached(bra, ket, ofKet) + transposed * reached(ket, bra, ofBra);
    return sum - 0.5 * (normBra + normKet) * element(v, w);
  }

  /// The part of it that the random-phase approximation has.
  double polarisation(std::size_t v, std::size_t w, double omega) {
    std::map<std::pair<std::size_t, std::size_t>, double> first;
    for (const std::size_t a : core_)
      for (const std::size_t n : virtual_) {
        first[{a, n}] = fieldOf(a, n, omega, [&](std::size_t p, std::size_t q) { return element(p, q); });
        first[{n, a}] = fieldOf(n, a, omega, [&](std::size_t p, std::size_t q) { return element(p, q); });
      }
    return fieldOf(v, w, omega, [&](std::size_t p, std::size_t q) { return first.at({p, q}); });
  }

 private:
  OccupiedPlaces with(std::size_t v) const {
    OccupiedPlaces d = core_;
    d.push_back(v);
    std::sort(d.begin(), d.end());
    return d;
  }
  double energyOf(const OccupiedPlaces& d) const {
    double sum = 0;
    for (const std::size_t p : d) sum += energy(p);
    return sum;
  }
  Wave firstOrder(const OccupiedPlaces& d) { return firstOrderOf(places_, d, {d}, false); }
  /// <v|T R V R V|w>, R the resolvent at w's energy.
  double reached(const OccupiedPlaces& bra, const OccupiedPlaces& ket, const Wave& ofKet) {
    double sum = 0;
    for (const auto& [d, t] : movedFrom(bra)) {
      if (d == ket) continue;
      double interaction = 0;
      for (const auto& [e, c] : ofKet) interaction += c * (perturbation(d, e) - (d == e ? mean(ket) : 0));
      sum += t * interaction / (energyOf(ket) - energyOf(d));
    }
    return sum;
  }
  /// Elements of the operator between a determinant and all.
  Wave movedFrom(const OccupiedPlaces& d) const {
    Wave moved;
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t q = 0; q < places_.list.size(); ++q) {
        const double t = element(d[i], q);
        if (t == 0 || (q != d[i] && std::find(d.begin(), d.end(), q) != d.end())) continue;
        OccupiedPlaces to = d;
        to[i] = q;
        const double sign = ordered(to);
        moved[to] += sign * t;
      }
    return moved;
  }
  double mean(const OccupiedPlaces& d) { return perturbation(d, d); }
  /// <d|H - F|e> by the rules of Slater and Condon.
  double perturbation(const OccupiedPlaces& d, const OccupiedPlaces& e) {
    OccupiedPlaces left, right, common;
    for (const std::size_t p : d) (std::find(e.begin(), e.end(), p) == e.end() ? left : common).push_back(p);
    for (const std::size_t p : e)
      if (std::find(d.begin(), d.end(), p) == d.end()) right.push_back(p);
    if (left.size() > 2) return 0;
    OccupiedPlaces aligned = e;
    for (std::size_t i = 0; i < left.size(); ++i)
      *std::find(aligned.begin(), aligned.end(), right[i]) = left[i];
    const double sign = ordered(aligned);
    if (left.size() == 2) return sign * places_.repulsion(left[0], left[1], right[0], right[1]);
    if (left.size() == 1) {
      double sum = places_.core(left[0], right[0]);
      for (const std::size_t k : common) sum += places_.repulsion(left[0], k, right[0], k);
      // The field of the core is diagonal.
      return sign * sum;
    }
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      sum += places_.core(d[i], d[i]) - energy(d[i]);
      for (std::size_t j = 0; j < i; ++j) sum += places_.repulsion(d[i], d[j], d[i], d[j]);
    }
    return sum;
  }
  template <typename Elements>
  double fieldOf(std::size_t v, std::size_t w, double omega, const Elements& t) {
    double sum = 0;
    for (const std::size_t a : core_)
      for (const std::size_t n : virtual_) {
        const double gap = energy(a) - energy(n);
        if (const double x = t(a, n); x != 0) sum += places_.repulsion(v, n, w, a) * x / (gap - omega);
        if (const double x = t(n, a); x != 0) sum += places_.repulsion(v, a, w, n) * x / (gap + omega);
      }
    return sum;
  }

  Places places_;
  int rank_;
  std::vector<int> twoJs_;
  std::map<std::pair<std::size_t, std::size_t>, Eigen::MatrixXd> reduced_;
  std::vector<std::size_t> core_, virtual_;
};

/// All of the second order of the interaction that an operator has between two determinants is, besides the
/// polarisation of the core and what Sigma_1 mixes into either spinor, structural radiation and
/// normalisation: static operators and one with the frequency of its line, of the bare operator here.
TEST(StructuralRadiation, IsWhatIsLeftOfOperatorsBetweenDeterminants) {
  ThreadPool pool(2);
  const test::SmallCore core(4, "1s2", {{30, 5, 1, 0.2}, {2, 0.4}, {0.5}}, pool);
  const ValenceSpace& space = core.space;
  const CoreExcitations excitations =
      coreExcitations(core.orbitals, space.factors(), excitedSpinors(space, pool), pool);
  const StructuralRadiation radiation(space, StructuralRadiation::valenceOf(space), excitations, pool);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  std::vector<Eigen::MatrixXd> sigma;
  for (int s = 0; s < space.symmetries(); ++s) sigma.push_back(selfEnergy(space, s, *engine, pool));
  struct Case {
    SpinorOperator operation;
    int bra, ket;
    const char* name;
  };
  const std::vector<Case> cases = {
      {hyperfineDipole(core.orbitals), 0, 0, "A of s"},
      {hyperfineDipole(core.orbitals), 1, 1, "A of p1/2"},
      {hyperfineDipole(core.orbitals), 2, 2, "A of p3/2"},
      {hyperfineDipole(core.orbitals), 1, 2, "A between p1/2 and p3/2"},
      {hyperfineQuadrupole(core.orbitals), 2, 2, "B of p3/2"},
      {magneticDipole(core.orbitals, core.problem.hamiltonian.speedOfLight), 1, 2, "M1"},
      {electricMultipole(core.orbitals, 1), 1, 0, "E1 of p1/2"},
      {electricMultipole(core.orbitals, 1), 2, 0, "E1 of p3/2"},
      {electricMultipole(core.orbitals, 1), 4, 1, "E1 of d5/2 or d3/2"},
      {electricVelocity(core.orbitals, 1, core.problem.hamiltonian.speedOfLight), 1, 0, "velocity"}};
  for (const Case& c : cases) {
    PlacesOperator places(core.orbitals, c.operation);
    const auto& all = core.orbitals.symmetries();
    if (!c.operation.couples(all[usize(c.bra)].symmetry, all[usize(c.ket)].symmetry)) continue;
    const Eigen::Index braCore = all[usize(c.bra)].closed, ketCore = all[usize(c.ket)].closed;
    const std::size_t v = places.placeOf(c.bra, braCore, 1), w = places.placeOf(c.ket, ketCore, 1);
    const double omega = space.lowest(c.bra) - space.lowest(c.ket);
    const Eigen::MatrixXd t = c.operation.elements(space.withCore(c.bra), space.withCore(c.ket));
    // Signs of valence spinors need not be those of the orbitals.
    const double sign =
        space.functions[usize(c.bra)].rotation(0, 0) * space.functions[usize(c.ket)].rotation(0, 0);
    double mixed = 0;
    for (Eigen::Index r = 0; r < t.rows(); ++r)
      if (r != braCore)
        mixed += sigma[usize(c.bra)](braCore, r) * t(r, ketCore) /
                 (space.lowest(c.bra) - all[usize(c.bra)].energies(r));
    for (Eigen::Index r = 0; r < t.cols(); ++r)
      if (r != ketCore)
        mixed += t(braCore, r) * sigma[usize(c.ket)](r, ketCore) /
                 (space.lowest(c.ket) - all[usize(c.ket)].energies(r));
    const double lost = -0.5 * t(braCore, ketCore) *
                        (radiation.lost(usize(c.bra))(0, 0) + radiation.lost(usize(c.ket))(0, 0));
    const double radiated = radiation.of({{c.operation, omega}})[0][usize(c.bra)][usize(c.ket)](0, 0);
    const double angular = sign * places.angular(v, w);
    const double whole = places.secondOrder(v, w) / angular,
                 polarised = places.polarisation(v, w, omega) / angular;
    EXPECT_GT(std::abs(radiated), 1e-6 * std::abs(t(braCore, ketCore))) << c.name;
    EXPECT_NEAR(whole - polarised - mixed, radiated + lost, 1e-10 * std::max(1.0, std::abs(whole)))
        << c.name << ": whole " << whole << ", polarised " << polarised << ", mixed " << mixed << ", lost "
        << lost << ", radiated " << radiated;
  }
}

/// The total angular momentum commutes with everything: what it has of excitations is what the electron alone
/// has less, with all kinds of lines in a core of several shells.
TEST(StructuralRadiation, OfAngularMomentumIsLostByNormalisation) {
  ThreadPool pool(2);
  const test::SmallCore core(12, "1s2 2s2 2p6", {{60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}, {0.5}}, pool);
  const Eigen::VectorXd weights = core.orbitals.weights();
  const SpinorOperator momentum{1, false, [&](const SpinorFunctions& a, const SpinorFunctions& b) {
                                  Eigen::MatrixXd overlap = Eigen::MatrixXd::Zero(a.count(), b.count());
                                  if (a.symmetry.kappa != b.symmetry.kappa) return overlap;
                                  const double j = 0.5 * a.symmetry.twoJ();
                                  overlap = a.large.transpose() * weights.asDiagonal() * b.large +
                                            a.small.transpose() * weights.asDiagonal() * b.small;
                                  return Eigen::MatrixXd(std::sqrt(j * (j + 1) * (2 * j + 1)) * overlap);
                                }};
  const CoreExcitations excitations =
      coreExcitations(core.orbitals, core.space.factors(), excitedSpinors(core.space, pool), pool);
  const StructuralRadiation radiation(core.space, StructuralRadiation::valenceOf(core.space), excitations,
                                      pool);
  const StructuralRadiation::Elements made = radiation.of({{momentum, 0}});
  for (int s = 0; s < core.space.symmetries(); ++s) {
    const double j = 0.5 * core.space.type(s).twoJ();
    const Eigen::MatrixXd& lost = radiation.lost(usize(s));
    EXPECT_GT(lost(0, 0), 1e-6) << s;
    EXPECT_LT((made[0][usize(s)][usize(s)] - std::sqrt(j * (j + 1) * (2 * j + 1)) * lost).norm(),
              1e-9 * lost.norm())
        << core.space.type(s).label();
  }
}

/// Levels of two electrons keep their g factors, which are almost those of angular momenta, and have other
/// hyperfine constants.
TEST(StructuralRadiation, LeavesGFactorsOfTwoElectronsAlone) {
  ThreadPool pool(2);
  const std::unique_ptr<CorrelationEngine> engine = hostCorrelationEngine();
  const test::SmallCore core(4, "1s2", {{60, 12, 2.4, 0.5, 0.15, 0.05}, {3, 0.7, 0.2, 0.06}, {0.4}}, pool);
  ValenceRequest request;
  request.spinors.largestL = core.orbitals.largestL();
  request.spinors.eigenvectors = 3;
  request.field = {core.problem.nucleus, core.problem.hamiltonian.speedOfLight, {}};
  request.core = "[He]";
  request.corePolarisation = true;
  const auto levels = [&] {
    return valenceLevels(core.orbitals, core.problem.configuration, 0, request, *engine, pool).levels;
  };
  const std::vector<Level> without = levels();
  request.structuralRadiation = true;
  const std::vector<Level> with = levels();
  ASSERT_EQ(with.size(), without.size());
  int compared = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].energy, without[i].energy);
    if (with[i].twoJ == 0) continue;
    EXPECT_NEAR(with[i].g, without[i].g, 2e-6) << with[i].label;
    EXPECT_GT(std::abs(with[i].hyperfineA / without[i].hyperfineA - 1), 1e-4) << with[i].label;
    ++compared;
  }
  EXPECT_GT(compared, 2);
}

}  // namespace
}  // namespace prophet
