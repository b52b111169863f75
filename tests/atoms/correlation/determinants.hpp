#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

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
    return symmetry(p).coreHamiltonian(list[p].column, list[q].column);
  }
  /// <pq||rs>.
  double repulsion(std::size_t p, std::size_t q, std::size_t r, std::size_t s) {
    return direct(p, q, r, s) - direct(p, q, s, r);
  }

  std::vector<Place> list;

 private:
  const SymmetryOrbitals& symmetry(std::size_t p) const {
    return space_.symmetries()[static_cast<std::size_t>(list[p].symmetry)];
  }
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
      sum += factors(k, a.twoM, b.twoM, c.twoM, d.twoM) *
             radial(factors.ranks()[static_cast<std::size_t>(k)], a, b, c, d);
    return sum;
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

}  // namespace prophet
