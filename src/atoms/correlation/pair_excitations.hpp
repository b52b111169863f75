#pragma once
#include <vector>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/open_groups.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/second_order.hpp"
#include "core/common/index.hpp"

namespace prophet {

/// Which excitations of pairs of electrons there are and what they weigh, the same for every engine. a and b
/// are active spinors, r and s symmetries, i and j places among their targets.
class PairExcitations {
 public:
  /// All of them live as long as this.
  PairExcitations(const OrbitalSpace& space, const OpenGroups& groups,
                  const std::vector<ActiveSpinor>& active, const CorrelationOptions& options)
      : space_(space), groups_(groups), active_(active), options_(options) {}

  const OrbitalSpace& space() const { return space_; }
  const std::vector<ActiveSpinor>& active() const { return active_; }
  const CorrelationOptions& options() const { return options_; }
  int symmetries() const { return static_cast<int>(space_.symmetries().size()); }
  const SymmetryOrbitals& of(int symmetry) const { return space_.symmetries()[usize(symmetry)]; }

  bool counts(const ActiveSpinor& a, const ActiveSpinor& b) const { return !(a.inner && b.inner); }
  /// Whether electrons go to these symmetries, r not after s.
  bool reaches(int r, int s) const;
  /// How often a sum over all r and s of symmetries r not after s counts, with the 1/4 of the formula.
  static double multiplicity(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s) {
    return (a.sameAs(b) ? 0.25 : 0.5) * (r == s ? 1 : 2);
  }
  /// How probable it is that both electrons are there and both places empty; 0 where the excitation does not
  /// count.
  double weight(const ActiveSpinor& a, const ActiveSpinor& b, int r, Eigen::Index i, int s,
                Eigen::Index j) const;
  /// Operations (multiplications and additions) of all products that make integrals.
  double operations() const;

 private:
  const OrbitalSpace& space_;
  const OpenGroups& groups_;
  const std::vector<ActiveSpinor>& active_;
  const CorrelationOptions& options_;
};

}  // namespace prophet
