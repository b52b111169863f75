#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/basis/well_tempered.hpp"
#include "bases/optimise/exponent_lists.hpp"
#include "bases/optimise/ratio_variables.hpp"

namespace prophet {

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

/// All exponents of shared lists; natural: ln zeta of each exponent of a list.
class ListVariables : public BasisVariables {
 public:
  ListVariables(ExponentLists lists, RatioBounds bounds) : lists_(std::move(lists)), ratios_(bounds) {}
  Eigen::VectorXd start() const override { return ratios_.toVariables(lists_.lists); }
  BasisSet basis(const Eigen::VectorXd& v) const override { return lists(v).basis(); }
  Eigen::VectorXd gradient(const Eigen::VectorXd& v,
                           const std::vector<Eigen::VectorXd>& byExponents) const override;
  Eigen::VectorXd natural(const Eigen::VectorXd& v,
                          const std::vector<Eigen::VectorXd>& byExponents) const override;
  ExponentLists lists(const Eigen::VectorXd& v) const;

 private:
  ExponentLists lists_;
  RatioVariables ratios_;
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
