#include "core/linalg/levenberg_marquardt.hpp"

#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

namespace prophet {
namespace {

/// The sum as Eigen asks for it.
struct Evaluated {
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  using Scalar = double;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const SquareSum* sum;

  int inputs() const { return static_cast<int>(sum->unknowns); }
  int values() const { return static_cast<int>(sum->differences); }
  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& f) const {
    sum->evaluate(x, f);
    return 0;
  }
};

struct Differentiated : Eigen::NumericalDiff<Evaluated, Eigen::Central> {
  explicit Differentiated(const SquareSum& s) : NumericalDiff(Evaluated{&s}, s.step * s.step) {}
  int df(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) const {
    if (!sum->differentiate) return NumericalDiff::df(x, jacobian);
    sum->differentiate(x, jacobian);
    return 0;
  }
};

}  // namespace

bool minimiseSquareSum(const SquareSum& sum, const SearchLimits& limits, Eigen::VectorXd& x) {
  Differentiated differentiated(sum);
  Eigen::LevenbergMarquardt<Differentiated> search(differentiated);
  search.parameters.xtol = limits.change;
  search.parameters.ftol = limits.decrease;
  search.parameters.factor = limits.reach;
  const auto status = search.minimize(x);
  return status > 0 && status != Eigen::LevenbergMarquardtSpace::TooManyFunctionEvaluation;
}

}  // namespace prophet
