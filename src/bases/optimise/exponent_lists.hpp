#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "core/common/names.hpp"

namespace prophet {

/// Which symmetries have the same exponents: both j of an l; none; or d those of a stretch of the s list, f
/// of a stretch of the p list, and both j of an l.
enum class Sharing { ByL, ByJ, ByFamily };
/// "l", "j", "family".
template <>
const Names<Sharing>& namesOf();
/// The sharing of a name. Throws Error with the list for another name.
inline Sharing sharingOf(const std::string& name) {
  return requireNamed<Sharing>(name, "sharing of exponents");
}

/// Lists of exponents, ascending, and the stretch of a list that each symmetry has.
struct ExponentLists {
  struct Place {
    int list = 0, first = 0, count = 0;
  };
  std::vector<std::vector<double>> lists;
  std::vector<Place> places;  ///< of each symmetry s+, p-, p+, ...

  int size() const;  ///< exponents of all lists together
  BasisSet basis() const;
  /// Sums of a symmetry-by-symmetry gradient (entries in the order of basis()) over what shares an exponent:
  /// one entry for each exponent, list after list.
  Eigen::VectorXd gather(const std::vector<Eigen::VectorXd>& gradient) const;
};

/// Lists for the first `symmetries` symmetries of a basis. Where symmetries that share differ, the longest of
/// their lists serves all, of equally long ones the geometric means; in a family d and f have the stretch of
/// the s and p lists that is nearest to their exponents in ln zeta, which they take over. Throws Error where
/// a symmetry has no functions, one exponent twice, or d more functions than s.
ExponentLists shareExponents(const BasisSet& basis, int symmetries, Sharing sharing);

}  // namespace prophet
