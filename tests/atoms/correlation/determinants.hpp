#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "atoms/correlation/natural_spinors.hpp"
#include "atoms/correlation/open_groups.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/pair_angles.hpp"

namespace prophet {

/// Every place of every spinor, and the integrals between them.
class Places {
 public:
  struct Place {
    int symmetry = 0;
    Eigen::Index column = 0;
    int twoM = 0;
    double energy = 0;
    bool isVirtual = false;
  };
  explicit Places(const OrbitalSpace& space) : space_(space) {
    for (std::size_t a = 0; a < space.symmetries().size(); ++a) {
      const SymmetryOrbitals& s = space.symmetries()[a];
      for (Eigen::Index i = 0; i < s.count(); ++i)
        for (int m = -s.symmetry.twoJ(); m <= s.symmetry.twoJ(); m += 2)
          list.push_back({static_cast<int>(a), i, m, s.energies(i), i >= s.occupied()});
    }
  }

  double core(std::size_t p, std::size_t q) const {
    if (list[p].symmetry != list[q].symmetry || list[p].twoM != list[q].twoM) return 0;
    return symmetry(p).coreHamiltonian(list[p].column, list[q].column) + (addedCore ? addedCore(p, q) : 0);
  }
  /// <pq||rs>.
  double repulsion(std::size_t p, std::size_t q, std::size_t r, std::size_t s) {
    return direct(p, q, r, s) - direct(p, q, s, r);
  }
  /// <pq|rs>.
  double direct(std::size_t p, std::size_t q, std::size_t r, std::size_t s) {
    const Place &a = list[p], &b = list[q], &c = list[r], &d = list[s];
    if (a.twoM + b.twoM != c.twoM + d.twoM) return 0;
    const PairSymmetries pair{symmetry(p).symmetry, symmetry(q).symmetry, symmetry(r).symmetry,
                              symmetry(s).symmetry};
    const PairElements& factors =
        factors_.try_emplace({pair.a.kappa, pair.b.kappa, pair.r.kappa, pair.s.kappa}, pair, tensors_)
            .first->second;
    double sum = 0;
    for (Eigen::Index k = 0; k < factors.count(); ++k)
      sum += factorOf(weights, factors.ranks()[static_cast<std::size_t>(k)]) *
             factors(k, a.twoM, b.twoM, c.twoM, d.twoM) *
             radial(factors.ranks()[static_cast<std::size_t>(k)], a, b, c, d);
    return added ? sum + added(p, q, r, s) : sum;
  }

  std::vector<Place> list;
  RankFactors weights;  ///< of the repulsion's ranks
  /// What is added to <pq|rs> and to the Hamiltonian of one electron, where it is set.
  std::function<double(std::size_t, std::size_t, std::size_t, std::size_t)> added;
  std::function<double(std::size_t, std::size_t)> addedCore;

 private:
  const SymmetryOrbitals& symmetry(std::size_t p) const {
    return space_.symmetries()[static_cast<std::size_t>(list[p].symmetry)];
  }
  double radial(int k, const Place& a, const Place& b, const Place& c, const Place& d) {
    const std::vector<Eigen::Index> key = {k,          a.symmetry, a.column,   b.symmetry, b.column,
                                           c.symmetry, c.column,   d.symmetry, d.column};
    const auto [place, isNew] = kept_.try_emplace(key);
    if (isNew) {
      const Eigen::MatrixXd first = space_.densities(a.symmetry, a.column, c.symmetry, c.column, 1);
      const Eigen::MatrixXd second = space_.densities(b.symmetry, b.column, d.symmetry, d.column, 1);
      place->second = (second.transpose() * space_.potentials(k, first))(0, 0);
    }
    return place->second;
  }

  const OrbitalSpace& space_;
  std::map<std::vector<Eigen::Index>, double> kept_;
  TensorElements tensors_;
  std::map<std::array<int, 4>, PairElements> factors_;
};

/// Mean of second order over determinants that are lists of occupied places, with all singly and doubly
/// excited determinants that are not among them; or of those alone whose electrons go to virtual places.
inline double byDeterminants(Places& places, const std::vector<std::vector<std::size_t>>& determinants,
                             bool virtualOnly = false) {
  double sum = 0;
  const std::size_t all = places.list.size();
  for (const std::vector<std::size_t>& d : determinants) {
    const auto holds = [&](std::size_t p) { return std::find(d.begin(), d.end(), p) != d.end(); };
    const auto isNew = [&](std::vector<std::size_t> excited) {
      std::sort(excited.begin(), excited.end());
      return std::find(determinants.begin(), determinants.end(), excited) == determinants.end();
    };
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t a = 0; a < all; ++a) {
        if (holds(a) || (virtualOnly && !places.list[a].isVirtual)) continue;
        std::vector<std::size_t> single = d;
        single[i] = a;
        double element = places.core(d[i], a);
        for (const std::size_t k : d) element += places.repulsion(d[i], k, a, k);
        if (std::abs(element) > 1e-14 && isNew(single))
          sum += element * element / (places.list[d[i]].energy - places.list[a].energy);
        for (std::size_t j = i + 1; j < d.size(); ++j)
          for (std::size_t b = a + 1; b < all; ++b) {
            if (holds(b) || (virtualOnly && !places.list[b].isVirtual)) continue;
            const double pair = places.repulsion(d[i], d[j], a, b);
            if (std::abs(pair) < 1e-14) continue;
            std::vector<std::size_t> twice = single;
            twice[j] = b;
            if (isNew(twice))
              sum += pair * pair /
                     (places.list[d[i]].energy + places.list[d[j]].energy - places.list[a].energy -
                      places.list[b].energy);
          }
      }
  }
  return sum / static_cast<double>(determinants.size());
}

/// All determinants of a configuration in these places, ascending.
inline std::vector<std::vector<std::size_t>> determinantsOf(const Places& places, const OrbitalSpace& space,
                                                            const OpenGroups& groups) {
  std::vector<std::vector<std::size_t>> list(1);
  std::vector<int> electrons(static_cast<std::size_t>(groups.count()));
  std::vector<std::vector<std::size_t>> open(electrons.size());
  for (std::size_t p = 0; p < places.list.size(); ++p) {
    const SymmetryOrbitals& s = space.symmetries()[static_cast<std::size_t>(places.list[p].symmetry)];
    const Eigen::Index column = places.list[p].column;
    if (column < s.closed) list.front().push_back(p);
    if (column >= s.closed && column < s.occupied())
      open[static_cast<std::size_t>(groups.groupOf(s.symmetry, s.n[static_cast<std::size_t>(column)]))]
          .push_back(p);
  }
  for (std::size_t g = 0; g < open.size(); ++g) {
    std::vector<std::vector<std::size_t>> next;
    const int wanted = groups.shell(static_cast<int>(g)).electrons;
    for (const auto& d : list)
      for (unsigned bits = 0; bits < 1u << open[g].size(); ++bits) {
        if (__builtin_popcount(bits) != wanted) continue;
        next.push_back(d);
        for (std::size_t i = 0; i < open[g].size(); ++i)
          if ((bits >> i & 1u) != 0) next.back().push_back(open[g][i]);
      }
    list = std::move(next);
  }
  for (auto& d : list) std::sort(d.begin(), d.end());
  return list;
}

/// A determinant as ascending places, and coefficients of determinants.
using OccupiedPlaces = std::vector<std::size_t>;
using Wave = std::map<OccupiedPlaces, double>;

/// Puts places in order; the sign of their permutation.
inline double ordered(OccupiedPlaces& d) {
  double sign = 1;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (std::size_t j = i + 1; j < d.size(); ++j)
      if (d[j] < d[i]) std::swap(d[i], d[j]), sign = -sign;
  return sign;
}

/// The wave function of first order of one determinant, whose excitations lead to none of `determinants`.
inline Wave firstOrderOf(Places& places, const OccupiedPlaces& d,
                         const std::vector<OccupiedPlaces>& determinants, bool virtualOnly) {
  Wave wave;
  const std::size_t all = places.list.size();
  const auto isTarget = [&](std::size_t p) {
    return std::find(d.begin(), d.end(), p) == d.end() && (!virtualOnly || places.list[p].isVirtual);
  };
  const auto add = [&](OccupiedPlaces excited, double element, double energy) {
    if (std::abs(element) < 1e-14) return;
    const double sign = ordered(excited);
    if (std::find(determinants.begin(), determinants.end(), excited) == determinants.end())
      wave[excited] += sign * element / energy;
  };
  const auto energy = [&](std::size_t p) { return places.list[p].energy; };
  for (std::size_t i = 0; i < d.size(); ++i)
    for (std::size_t a = 0; a < all; ++a) {
      if (!isTarget(a)) continue;
      OccupiedPlaces single = d;
      single[i] = a;
      double element = places.core(d[i], a);
      for (const std::size_t k : d) element += places.repulsion(d[i], k, a, k);
      add(single, element, energy(d[i]) - energy(a));
      for (std::size_t j = i + 1; j < d.size(); ++j)
        for (std::size_t b = a + 1; b < all; ++b) {
          if (!isTarget(b)) continue;
          OccupiedPlaces twice = single;
          twice[j] = b;
          add(twice, places.repulsion(d[i], d[j], a, b), energy(d[i]) + energy(d[j]) - energy(a) - energy(b));
        }
    }
  return wave;
}

/// <wave|a+_p a_q|wave> for all coefficients, less those of d in which the wave function would stay.
inline double densityOf(const Wave& wave, const OccupiedPlaces& d, std::size_t p, std::size_t q) {
  const auto holds = [](const OccupiedPlaces& x, std::size_t at) {
    return std::find(x.begin(), x.end(), at) != x.end();
  };
  double sum = 0;
  for (const auto& [t, coefficient] : wave) {
    if (p == q && holds(d, p)) sum -= coefficient * coefficient;
    if (!holds(t, q) || (p != q && holds(t, p))) continue;
    OccupiedPlaces moved = t;
    *std::find(moved.begin(), moved.end(), q) = p;
    const double sign = ordered(moved);
    const auto other = wave.find(moved);
    if (other != wave.end()) sum += sign * coefficient * other->second;
  }
  return sum;
}

/// secondOrderDensity from all these wave functions.
inline std::vector<SymmetryDensity> densityByDeterminants(Places& places, const OrbitalSpace& space,
                                                          const std::vector<OccupiedPlaces>& determinants,
                                                          bool virtualOnly = false) {
  std::vector<SymmetryDensity> densities;
  for (const SymmetryOrbitals& s : space.symmetries())
    densities.push_back({Eigen::MatrixXd::Zero(s.closed, s.closed), Eigen::VectorXd::Zero(s.open),
                         Eigen::MatrixXd::Zero(s.virtuals(), s.virtuals())});
  for (const OccupiedPlaces& d : determinants) {
    const Wave wave = firstOrderOf(places, d, determinants, virtualOnly);
    for (std::size_t p = 0; p < places.list.size(); ++p)
      for (std::size_t q = 0; q < places.list.size(); ++q) {
        const Places::Place &x = places.list[p], &y = places.list[q];
        if (x.symmetry != y.symmetry || x.twoM != y.twoM) continue;
        const SymmetryOrbitals& s = space.symmetries()[static_cast<std::size_t>(x.symmetry)];
        SymmetryDensity& density = densities[static_cast<std::size_t>(x.symmetry)];
        const double weight = 1.0 / (s.symmetry.degeneracy() * static_cast<double>(determinants.size()));
        if (x.column < s.closed && y.column < s.closed)
          density.closed(x.column, y.column) += weight * densityOf(wave, d, p, q);
        if (x.isVirtual && y.isVirtual)
          density.virtuals(x.column - s.occupied(), y.column - s.occupied()) +=
              weight * densityOf(wave, d, p, q);
        if (p == q && x.column >= s.closed && !x.isVirtual)
          density.open(x.column - s.closed) += weight * densityOf(wave, d, p, q);
      }
  }
  return densities;
}

}  // namespace prophet
