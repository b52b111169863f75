#include "atoms/levels/level_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <unsupported/Eigen/NonLinearOptimization>

#include "atoms/levels/open_electrons.hpp"
#include "atoms/levels/parameter_operators.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr std::size_t kMostParameters = 20;

/// What is added to a Hamiltonian for one unit of a free parameter: operators with weights, or the states of
/// a configuration.
struct Direction {
  FittedParameter parameter;
  std::vector<std::pair<const ParameterOperator*, double>> operators{};
  int configuration = -1;  ///< else of an average

  Eigen::MatrixXd matrixOf(const LevelBlock& block) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(block.size(), block.size());
    for (const auto& [o, weight] : operators) sum += weight * o->matrixOf(block);
    if (configuration >= 0)
      for (Eigen::Index s = 0; s < block.size(); ++s)
        sum(s, s) = block.configurations[static_cast<std::size_t>(s)] == configuration ? 1 : 0;
    return sum;
  }
};

/// Operators of "F2(3d,3d)" or "scale(F,G)".
Direction directionOf(const std::string& name, const std::vector<ParameterOperator>& operators) {
  Direction d{{name, 1, 1, 0}};
  const bool isScale = name.starts_with("scale(") && name.ends_with(")");
  const std::vector<std::string> kinds =
      isScale ? split(name.substr(6, name.size() - 7), ',') : std::vector<std::string>{};
  for (const ParameterOperator& o : operators) {
    const SlaterParameter& p = o.parameter();
    if (isScale && std::find(kinds.begin(), kinds.end(), p.integral) != kinds.end()) {
      d.operators.emplace_back(&o, p.value);
    } else if (nameOf(p) == name) {
      d.operators.emplace_back(&o, 1);
      d.parameter.computed = d.parameter.fitted = p.value;
    }
  }
  if (d.operators.empty()) {
    std::vector<std::string> names;
    for (const ParameterOperator& o : operators) names.push_back(nameOf(o.parameter()));
    throw Error(fmt::format("there is no parameter '{}'; expected {}, or scale(...) with some of F,G,R,zeta",
                            name, fmt::join(names, ", ")));
  }
  return d;
}

/// The levels of one J and parity as the fit sees them.
struct FitBlock {
  Eigen::MatrixXd hamiltonian;
  std::vector<Eigen::MatrixXd> directions;
  std::vector<std::size_t> observed;  ///< numbers of observed levels
};

/// Residuals for Eigen's Levenberg-Marquardt. The last parameter is the zero of the observed energies.
class Residuals {
 public:
  Residuals(std::vector<FitBlock> blocks, const std::vector<ObservedLevel>& observed, std::size_t directions,
            const Checkpoint& checkpoint)
      : blocks_(std::move(blocks)), observed_(observed), directions_(directions), checkpoint_(checkpoint) {}

  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  using Scalar = double;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };
  int inputs() const { return static_cast<int>(directions_) + 1; }
  int values() const { return static_cast<int>(observed_.size()); }

  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& f) const {
    f = weights().cwiseProduct(differences(x));
    return 0;
  }
  int df(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) const {
    jacobian.resize(values(), inputs());
    solve(x, [&](std::size_t i, double, const FitBlock& block, const Eigen::VectorXd& vector) {
      const auto row = static_cast<Eigen::Index>(i);
      for (std::size_t p = 0; p < directions_; ++p)
        jacobian(row, static_cast<Eigen::Index>(p)) = vector.dot(block.directions[p] * vector);
      jacobian(row, inputs() - 1) = 1;
    });
    jacobian = weights().asDiagonal() * jacobian;
    return 0;
  }
  /// Computed less observed energies, hartree.
  Eigen::VectorXd differences(const Eigen::VectorXd& x) const {
    Eigen::VectorXd f(values());
    solve(x, [&](std::size_t i, double energy, const FitBlock&, const Eigen::VectorXd&) {
      f(static_cast<Eigen::Index>(i)) = energy + x(inputs() - 1) - observed_[i].energy;
    });
    return f;
  }
  /// Square roots of the weights.
  Eigen::VectorXd weights() const {
    Eigen::VectorXd w(values());
    for (std::size_t i = 0; i < observed_.size(); ++i)
      w(static_cast<Eigen::Index>(i)) = std::sqrt(observed_[i].weight);
    return w;
  }

 private:
  template <class Take>
  void solve(const Eigen::VectorXd& x, Take take) const {
    pass(checkpoint_);
    for (const FitBlock& block : blocks_) {
      Eigen::MatrixXd h = block.hamiltonian;
      for (std::size_t p = 0; p < directions_; ++p)
        h += x(static_cast<Eigen::Index>(p)) * block.directions[p];
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(h);
      for (const std::size_t i : block.observed)
        take(i, solver.eigenvalues()(observed_[i].index - 1), block,
             solver.eigenvectors().col(observed_[i].index - 1));
    }
  }

  std::vector<FitBlock> blocks_;
  const std::vector<ObservedLevel>& observed_;
  std::size_t directions_;
  const Checkpoint& checkpoint_;
};

std::vector<FitBlock> blocksOf(const LevelSpace& space, const OpenElectrons& electrons,
                               const std::vector<Direction>& directions,
                               const std::vector<ObservedLevel>& observed) {
  std::map<std::pair<int, bool>, std::vector<std::size_t>> wanted;
  for (std::size_t i = 0; i < observed.size(); ++i) wanted[{observed[i].twoJ, observed[i].odd}].push_back(i);
  std::vector<FitBlock> blocks;
  for (const auto& [key, list] : wanted) {
    const LevelBlock block = blockOf(space, key.first, key.second);
    for (const std::size_t i : list)
      if (observed[i].index < 1 || observed[i].index > block.size())
        throw Error(fmt::format("the configurations have {} levels of J = {} and parity {}; found number {}",
                                block.size(), halves(key.first), key.second ? '-' : '+', observed[i].index));
    FitBlock& made = blocks.emplace_back();
    made.observed = list;
    made.hamiltonian = electrons.matrixOf(block);
    for (const Direction& d : directions) made.directions.push_back(d.matrixOf(block));
  }
  return blocks;
}

/// Weighted root mean square of the levels that are (not) held out, less their mean where that is asked for.
double rms(const Eigen::VectorXd& differences, const std::vector<ObservedLevel>& observed, bool heldOut,
           double zero) {
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if ((observed[i].weight == 0) != heldOut) continue;
    const double w = heldOut ? 1 : observed[i].weight, d = differences(static_cast<Eigen::Index>(i)) - zero;
    sum += w * d * d;
    weights += w;
  }
  return weights > 0 ? std::sqrt(sum / weights) : 0;
}

/// Standard errors from the derivatives at the end. Throws Error for parameters without effect.
Eigen::MatrixXd covarianceOf(const Eigen::MatrixXd& jacobian, double squares, Eigen::Index levels,
                             const std::vector<Direction>& directions) {
  const Eigen::VectorXd norms = jacobian.colwise().norm();
  const auto undetermined = [&](Eigen::Index p) {
    throw Error("the levels given do not determine '" +
                (p < static_cast<Eigen::Index>(directions.size())
                     ? directions[static_cast<std::size_t>(p)].parameter.name
                     : std::string("the zero of energy")) +
                "'; give more of them, or fit fewer parameters");
  };
  for (Eigen::Index p = 0; p < norms.size(); ++p)
    if (norms(p) < 1e-10) undetermined(p);
  const Eigen::MatrixXd scaled = jacobian * norms.cwiseInverse().asDiagonal();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
  qr.setThreshold(1e-8);
  if (qr.rank() < scaled.cols()) undetermined(qr.colsPermutation().indices()(qr.rank()));
  const Eigen::MatrixXd inverse = (scaled.transpose() * scaled).inverse();
  const double variance = levels > scaled.cols() ? squares / static_cast<double>(levels - scaled.cols()) : 0;
  return variance * norms.cwiseInverse().asDiagonal() * inverse * norms.cwiseInverse().asDiagonal();
}

}  // namespace

LevelFit fitLevels(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                   const std::vector<ObservedLevel>& observed, const std::vector<std::string>& parameters,
                   const Checkpoint& checkpoint) {
  if (parameters.empty() || parameters.size() > kMostParameters)
    throw Error(fmt::format("found {} parameters; expected 1 to {}", parameters.size(), kMostParameters));
  const std::vector<Place> places = placesOf(space);
  const OpenElectrons electrons(space, result, hamiltonian, places);
  const auto operators = std::make_shared<const std::vector<ParameterOperator>>(
      parameterOperators(space, places, slaterParameters(space, result, hamiltonian, {})));
  std::vector<Direction> directions;
  for (const std::string& name : parameters) directions.push_back(directionOf(name, *operators));
  for (std::size_t c = 1; c < space.configurations.size(); ++c) {
    Direction average{{"average(" + space.configurations[c].text + ")", 0, 0, 0}};
    average.configuration = static_cast<int>(c);
    directions.push_back(average);
  }
  LevelFit fit;
  for (const ObservedLevel& l : observed) ++(l.weight == 0 ? fit.heldOutLevels : fit.fittedLevels);
  const auto unknowns = static_cast<Eigen::Index>(directions.size()) + 1;
  if (fit.fittedLevels < unknowns)
    throw Error(
        fmt::format("found {} levels to fit; expected at least {}, one for each parameter, for the average "
                    "of each configuration after the first, and for the zero of energy",
                    fit.fittedLevels, unknowns));
  Residuals residuals(blocksOf(space, electrons, directions, observed), observed, directions.size(),
                      checkpoint);

  Eigen::VectorXd x = Eigen::VectorXd::Zero(unknowns);
  const Eigen::VectorXd start = residuals.differences(x), weights = residuals.weights().array().square();
  const double zero = weights.dot(start) / weights.sum();
  fit.before = rms(start, observed, false, zero);
  fit.heldOutBefore = rms(start, observed, true, zero);
  x(unknowns - 1) = -zero;
  Eigen::LevenbergMarquardt<Residuals> search(residuals);
  search.parameters.xtol = search.parameters.ftol = 1e-12;
  search.minimize(x);

  const Eigen::VectorXd end = residuals.differences(x);
  Eigen::MatrixXd jacobian;
  residuals.df(x, jacobian);
  fit.covariance = covarianceOf(jacobian, weights.dot(end.cwiseAbs2()), fit.fittedLevels, directions)
                       .topLeftCorner(unknowns - 1, unknowns - 1);
  fit.after = rms(end, observed, false, 0);
  fit.heldOutAfter = rms(end, observed, true, 0);
  for (std::size_t i = 0; i < observed.size(); ++i) {
    fit.computedEnergies.push_back(observed[i].energy + start(static_cast<Eigen::Index>(i)) - zero);
    fit.fittedEnergies.push_back(observed[i].energy + end(static_cast<Eigen::Index>(i)));
  }
  for (std::size_t p = 0; p < directions.size(); ++p) {
    const auto at = static_cast<Eigen::Index>(p);
    fit.parameters.push_back(directions[p].parameter);
    fit.parameters.back().fitted += x(at);
    fit.parameters.back().error = std::sqrt(fit.covariance(at, at));
  }
  fit.correction = [operators, directions, x](const LevelBlock& block, Eigen::MatrixXd& h) {
    for (std::size_t p = 0; p < directions.size(); ++p)
      h += x(static_cast<Eigen::Index>(p)) * directions[p].matrixOf(block);
  };
  return fit;
}

}  // namespace prophet
