#pragma once
#include <string>
#include <vector>

#include "atoms/correlation/open_groups.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/second_order.hpp"

namespace prophet {

/// A spinor whose electrons are correlated.
struct ActiveSpinor {
  int symmetry = 0, column = 0;  ///< of OrbitalSpace::symmetries()
  int group = OpenGroups::kNone;
  double energy = 0;
  std::string label;
  bool sameAs(const ActiveSpinor& other) const {
    return symmetry == other.symmetry && column == other.column;
  }
};

/// All occupied spinors but the frozen ones, by symmetry. Throws Error for frozen shells that are open, or
/// that hold no electrons.
std::vector<ActiveSpinor> activeSpinors(const OrbitalSpace& space, const OpenGroups& groups,
                                        const std::vector<Shell>& frozen);

/// Potentials of rank k of one spinor's products with the targets of all symmetries.
class SpinorPotentials {
 public:
  SpinorPotentials(const OrbitalSpace& space, int symmetry, Eigen::Index column, ThreadPool& pool);
  /// OrbitalSpace::potentials, a column for each target; of ranks that parity and triangle allow.
  const Eigen::MatrixXd& of(int symmetry, int k) const;

 private:
  std::vector<std::vector<Eigen::MatrixXd>> values_;  ///< [symmetry][k - least]
  std::vector<int> least_;
};

/// Adds single excitations from and within the mean field of open shells: of the mean square of their matrix
/// elements over all determinants of the configuration.
void addSingles(const OrbitalSpace& space, const OpenGroups& groups, const std::vector<ActiveSpinor>& active,
                SecondOrder& result);

}  // namespace prophet
