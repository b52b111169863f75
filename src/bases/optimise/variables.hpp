#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "core/common/names.hpp"

namespace prophet {

/// Parameters of ladders as the optimiser's variables: ln alpha, ln(beta - 1), ln delta, ln gamma, group
/// after group. Any real numbers give parameters in range, and equal steps are comparable changes. delta and
/// gamma below 1e-6 count as 1e-6 (their logarithm would not be finite).
std::vector<double> toVariables(const std::vector<WellTemperedParameters>& groups);

/// Inverse of toVariables. Variables so extreme that a parameter would overflow are cut at +-300.
std::vector<WellTemperedParameters> fromVariables(const std::vector<double>& x);

/// " alpha beta delta gamma" of every group, shortest exact digits: as state files have them.
std::string parametersText(const std::vector<WellTemperedParameters>& groups);

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

/// Least and largest ratio of neighbouring exponents of a list.
struct RatioBounds {
  double least = 1.2, most = 30.0;
};

/// Lists of ascending exponents as variables that any real numbers are: for each list ln of its first
/// exponent, then for each ratio to the next v = ln((x - a)/(b - x)), x = ln ratio between the bounds a and
/// b. Exponents stay in order and apart whatever a minimiser tries, and the energy stays smooth.
class RatioVariables {
 public:
  /// Throws Error unless 1 < least < most.
  explicit RatioVariables(RatioBounds bounds);
  /// Ratios on or beyond a bound are moved inside, by a hundredth of the interval.
  Eigen::VectorXd toVariables(const std::vector<std::vector<double>>& lists) const;
  /// `shape` gives the lengths of the lists.
  std::vector<std::vector<double>> toLists(const Eigen::VectorXd& v,
                                           const std::vector<std::vector<double>>& shape) const;
  /// dE/dv from dE/d ln zeta, list after list.
  Eigen::VectorXd gradient(const Eigen::VectorXd& v, const Eigen::VectorXd& byExponents,
                           const std::vector<std::vector<double>>& shape) const;

 private:
  double low_, high_;  ///< ln of the bounds
};

/// A basis set as a smooth function of variables that may be any real numbers: what a search by gradients
/// moves in.
class BasisVariables {
 public:
  virtual ~BasisVariables() = default;
  virtual Eigen::VectorXd start() const = 0;
  /// Throws Error where a set cannot be made (exponents that overflow).
  virtual BasisSet basis(const Eigen::VectorXd& v) const = 0;
  /// dE/dv from dE/d ln zeta of each symmetry, in the order of basis(v).
  virtual Eigen::VectorXd gradient(const Eigen::VectorXd& v,
                                   const std::vector<Eigen::VectorXd>& byExponents) const = 0;
  /// The derivatives that vanish at a minimum, in natural variables.
  virtual Eigen::VectorXd natural(const Eigen::VectorXd& v,
                                  const std::vector<Eigen::VectorXd>& byExponents) const = 0;
};

/// All exponents of shared lists, or those of one of them while the others stay; natural: ln zeta of each.
class ListVariables : public BasisVariables {
 public:
  ListVariables(ExponentLists lists, RatioBounds bounds, std::optional<std::size_t> only = {});
  Eigen::VectorXd start() const override { return ratios_.toVariables(moving_); }
  BasisSet basis(const Eigen::VectorXd& v) const override { return lists(v).basis(); }
  Eigen::VectorXd gradient(const Eigen::VectorXd& v,
                           const std::vector<Eigen::VectorXd>& byExponents) const override;
  Eigen::VectorXd natural(const Eigen::VectorXd& v,
                          const std::vector<Eigen::VectorXd>& byExponents) const override;
  ExponentLists lists(const Eigen::VectorXd& v) const;

 private:
  ExponentLists lists_;
  RatioVariables ratios_;
  std::size_t first_;  ///< of the lists that move
  std::vector<std::vector<double>> moving_;
};

/// The parameters of ladders: ln alpha, ln(beta - 1), ln delta, ln gamma of each group, which are natural
/// too.
class LadderVariables : public BasisVariables {
 public:
  explicit LadderVariables(WellTemperedSpec spec) : spec_(std::move(spec)) {}
  Eigen::VectorXd start() const override;
  BasisSet basis(const Eigen::VectorXd& v) const override { return makeWellTempered(spec(v)); }
  Eigen::VectorXd gradient(const Eigen::VectorXd& v,
                           const std::vector<Eigen::VectorXd>& byExponents) const override;
  Eigen::VectorXd natural(const Eigen::VectorXd& v,
                          const std::vector<Eigen::VectorXd>& byExponents) const override {
    return gradient(v, byExponents);
  }
  WellTemperedSpec spec(const Eigen::VectorXd& v) const;

 private:
  WellTemperedSpec spec_;
};

}  // namespace prophet
