#include "atoms/fits/level_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "atoms/levels/open_electrons.hpp"
#include "atoms/levels/parameter_operators.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/levenberg_marquardt.hpp"

namespace prophet {
namespace {

constexpr std::size_t kMostParameters = 20;

/// What is added to the Hamiltonian of one ion for one unit of a free parameter: operators with weights, or
/// the states of a configuration.
struct Change {
  std::vector<std::pair<const ParameterOperator*, double>> operators{};
  int configuration = -1;  ///< else of an average

  Eigen::MatrixXd matrixOf(const LevelBlock& block) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(block.size(), block.size());
    for (const auto& [o, weight] : operators) sum += weight * o->matrixOf(block);
    if (configuration >= 0)
      for (Eigen::Index s = 0; s < block.size(); ++s)
        sum(s, s) = block.configurations[usize(s)] == configuration ? 1 : 0;
    return sum;
  }
};

/// A free parameter and what it changes in each ion.
struct Direction {
  FittedParameter parameter;
  std::vector<Change> ofIon;
};

using OperatorsOfIons = std::vector<std::vector<ParameterOperator>>;

/// Throws FitParameterError with the names of what there is.
void refuse(const std::string& name, const std::vector<FittedIon>& ions, const OperatorsOfIons& operators) {
  std::vector<std::string> names;
  if (ions.size() == 1)
    for (const ParameterOperator& o : operators.front()) names.push_back(nameOf(o.parameter()));
  names.emplace_back("scale(...) with some of Fin,F,G,R,h,zeta, or of one rank as F2");
  if (ions.size() > 1) names.emplace_back("slope(...) with the same, as several ions have factors in common");
  throw FitParameterError(
      fmt::format("there is no parameter '{}'; expected {}", name, fmt::join(names, ", ")));
}

/// Operators of "F2(3d,3d)", "scale(F,G)" or "slope(zeta)".
Direction directionOf(const std::string& name, const std::vector<FittedIon>& ions,
                      const OperatorsOfIons& operators) {
  const std::vector<std::string> scaled = kindsIn(name, "scale"), sloped = kindsIn(name, "slope");
  const std::vector<std::string>& kinds = sloped.empty() ? scaled : sloped;
  if (!std::ranges::all_of(kinds, isKind)) refuse(name, ions, operators);
  Direction d{{name, sloped.empty() ? 1.0 : 0.0, sloped.empty() ? 1.0 : 0.0, 0, true}, {}};
  bool found = false;
  for (std::size_t i = 0; i < ions.size(); ++i) {
    Change& change = d.ofIon.emplace_back();
    const double factor = sloped.empty() ? 1 : ions[i].charge - ions.front().charge;
    for (const ParameterOperator& o : operators[i]) {
      const SlaterParameter& p = o.parameter();
      if (isOfKinds(p, kinds)) {
        change.operators.emplace_back(&o, factor * p.value);
      } else if (nameOf(p) == name && ions.size() == 1) {
        change.operators.emplace_back(&o, 1);
        d.parameter = {name, p.value, p.value, 0, false};
      }
    }
    found = found || !change.operators.empty();
  }
  if (!found || (ions.size() == 1 && !sloped.empty())) refuse(name, ions, operators);
  return d;
}

/// Averages of the configurations after the first, in each ion with levels to fit.
void addAverages(const std::vector<FittedIon>& ions, const std::vector<bool>& isFitted,
                 std::vector<Direction>& directions) {
  for (std::size_t i = 0; i < ions.size(); ++i) {
    const auto& configurations = ions[i].space.configurations;
    for (std::size_t c = 1; isFitted[i] && c < configurations.size(); ++c) {
      const std::string ion = ions.size() > 1 ? ions[i].name + ": " : "";
      Direction& average = directions.emplace_back();
      average.parameter.name = "average(" + ion + configurations[c].text + ")";
      average.ofIon.resize(ions.size());
      average.ofIon[i].configuration = static_cast<int>(c);
    }
  }
}

/// A level of experiment and its ion.
struct Datum {
  const ObservedLevel& level;
  std::size_t ion;
};

/// The levels of one ion, J and parity as the fit sees them.
struct FitBlock {
  Eigen::MatrixXd hamiltonian;
  std::vector<Eigen::MatrixXd> directions;
  std::vector<std::size_t> observed;  ///< numbers of data
};

/// Differences whose squares the fit sums. The last parameters are the zeros of the observed energies, one
/// for each ion that has levels to fit.
class Residuals {
 public:
  Residuals(std::vector<FitBlock> blocks, const std::vector<Datum>& data, std::size_t directions,
            const std::vector<bool>& isFitted, const Checkpoint& checkpoint)
      : blocks_(std::move(blocks)), data_(data), directions_(directions), checkpoint_(checkpoint) {
    int next = static_cast<int>(directions);
    for (const bool is : isFitted) zeros_.push_back(is ? next++ : -1);
    inputs_ = next;
  }

  int inputs() const { return inputs_; }
  int values() const { return static_cast<int>(data_.size()); }
  /// The parameter that is the zero of an ion; negative where it has none.
  int zeroOf(std::size_t ion) const { return zeros_[ion]; }

  void evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& f) const {
    f = weights().cwiseProduct(differences(x));
  }
  void differentiate(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) const {
    jacobian = Eigen::MatrixXd::Zero(values(), inputs());
    solve(x, [&](std::size_t i, double, const FitBlock& block, const Eigen::VectorXd& vector) {
      const auto row = static_cast<Eigen::Index>(i);
      for (std::size_t p = 0; p < directions_; ++p)
        jacobian(row, static_cast<Eigen::Index>(p)) = vector.dot(block.directions[p] * vector);
      if (const int zero = zeroOf(data_[i].ion); zero >= 0) jacobian(row, zero) = 1;
    });
    jacobian = weights().asDiagonal() * jacobian;
  }
  /// Computed less observed energies, hartree.
  Eigen::VectorXd differences(const Eigen::VectorXd& x) const {
    Eigen::VectorXd f(values());
    solve(x, [&](std::size_t i, double energy, const FitBlock&, const Eigen::VectorXd&) {
      const int zero = zeroOf(data_[i].ion);
      f(static_cast<Eigen::Index>(i)) = energy + (zero >= 0 ? x(zero) : 0) - data_[i].level.energy;
    });
    return f;
  }
  /// Square roots of the weights.
  Eigen::VectorXd weights() const {
    Eigen::VectorXd w(values());
    for (std::size_t i = 0; i < data_.size(); ++i)
      w(static_cast<Eigen::Index>(i)) = std::sqrt(data_[i].level.weight);
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
      const SymmetricEigen solver(h);
      for (const std::size_t i : block.observed)
        take(i, solver.eigenvalues()(data_[i].level.index - 1), block,
             solver.eigenvectors().col(data_[i].level.index - 1));
    }
  }

  std::vector<FitBlock> blocks_;
  const std::vector<Datum>& data_;
  std::size_t directions_;
  std::vector<int> zeros_;
  int inputs_ = 0;
  const Checkpoint& checkpoint_;
};

/// Adds the blocks that one ion has levels of.
void addBlocks(const FittedIon& ion, std::size_t number, const std::vector<Place>& places,
               const std::vector<Direction>& directions, const std::vector<Datum>& data,
               std::vector<FitBlock>& blocks) {
  const OpenElectrons electrons(ion.space, ion.result, ion.hamiltonian, places);
  std::map<std::pair<int, bool>, std::vector<std::size_t>> wanted;
  for (std::size_t i = 0; i < data.size(); ++i)
    if (data[i].ion == number) wanted[{data[i].level.twoJ, data[i].level.odd}].push_back(i);
  for (const auto& [key, list] : wanted) {
    const LevelBlock block = blockOf(ion.space, key.first, key.second);
    for (const std::size_t i : list)
      if (const int index = data[i].level.index; index < 1 || index > block.size())
        throw Error(
            fmt::format("the configurations of {} have {} levels of J = {} and parity {}; found number {}",
                        ion.name, block.size(), halves(key.first), key.second ? '-' : '+', index));
    FitBlock& made = blocks.emplace_back();
    made.observed = list;
    made.hamiltonian = electrons.matrixOf(block);
    for (const Direction& d : directions) made.directions.push_back(d.ofIon[number].matrixOf(block));
  }
}

/// Takes the zero of an ion from the differences: the mean with the weights of the fit, or of all levels
/// where all are held out. Gives it.
double centre(const std::vector<Datum>& data, std::size_t ion, bool isFitted, Eigen::VectorXd& differences) {
  double sum = 0, weights = 0;
  const auto each = [&](const auto& take) {
    for (std::size_t i = 0; i < data.size(); ++i)
      if (data[i].ion == ion)
        take(isFitted ? data[i].level.weight : 1, differences(static_cast<Eigen::Index>(i)));
  };
  each([&](double w, double d) {
    sum += w * d;
    weights += w;
  });
  const double zero = weights > 0 ? sum / weights : 0;
  each([&](double, double& d) { d -= zero; });
  return zero;
}

/// Weighted root mean squares of the levels of one ion, or of all where it is not given.
FitDeviations deviationsOf(const std::vector<Datum>& data, std::optional<std::size_t> ion,
                           const Eigen::VectorXd& start, const Eigen::VectorXd& end) {
  FitDeviations all;
  double weights = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (ion && data[i].ion != *ion) continue;
    const double w = data[i].level.weight;
    const double a = start(static_cast<Eigen::Index>(i)), b = end(static_cast<Eigen::Index>(i));
    ++(w > 0 ? all.fittedLevels : all.heldOutLevels);
    weights += w;
    (w > 0 ? all.before : all.heldOutBefore) += (w > 0 ? w : 1) * a * a;
    (w > 0 ? all.after : all.heldOutAfter) += (w > 0 ? w : 1) * b * b;
  }
  const auto root = [](double& sum, double count) { sum = count > 0 ? std::sqrt(sum / count) : 0; };
  root(all.before, weights);
  root(all.after, weights);
  root(all.heldOutBefore, all.heldOutLevels);
  root(all.heldOutAfter, all.heldOutLevels);
  return all;
}

/// Standard errors from the derivatives at the end. Throws Error for parameters without effect.
Eigen::MatrixXd covarianceOf(const Eigen::MatrixXd& jacobian, double squares, Eigen::Index levels,
                             const std::vector<Direction>& directions) {
  const Eigen::VectorXd norms = jacobian.colwise().norm();
  const auto undetermined = [&](Eigen::Index p) {
    throw Error("the levels given do not determine '" +
                (p < static_cast<Eigen::Index>(directions.size()) ? directions[usize(p)].parameter.name
                                                                  : std::string("a zero of energy")) +
                "'; give more of them, or fit fewer parameters");
  };
  for (Eigen::Index p = 0; p < norms.size(); ++p)
    if (norms(p) < 1e-10) undetermined(p);
  const Eigen::MatrixXd scaled = jacobian * norms.cwiseInverse().asDiagonal();
  const ColumnOrder order = columnOrder(scaled, 1e-8);
  if (order.rank < scaled.cols()) undetermined(order.columns[usize(order.rank)]);
  const Eigen::MatrixXd inverse = inverseOf(scaled.transpose() * scaled);
  // As many levels as parameters leave nothing to judge them by.
  const double variance = levels > scaled.cols() ? squares / static_cast<double>(levels - scaled.cols())
                                                 : std::numeric_limits<double>::quiet_NaN();
  return variance * norms.cwiseInverse().asDiagonal() * inverse * norms.cwiseInverse().asDiagonal();
}

}  // namespace

std::vector<std::string> kindsIn(const std::string& name, const std::string& function) {
  if (!name.starts_with(function + "(") || !name.ends_with(")")) return {};
  try {
    return listedWords(std::string_view(name).substr(function.size() + 1, name.size() - function.size() - 2));
  } catch (const Error& e) {
    throw FitParameterError(e.what());
  }
}

bool isKind(const std::string& kind) {
  const bool hasRank = kind.size() == 2 && isDigit(kind[1]);
  const std::string name = hasRank ? kind.substr(0, 1) : kind;
  return name == "F" || name == "G" || name == "R" ||
         (!hasRank && (name == "Fin" || name == "zeta" || name == "h"));
}

bool isOfKinds(const SlaterParameter& parameter, const std::vector<std::string>& kinds) {
  const std::vector<std::string> shells = split(parameter.shells, ',');
  return std::ranges::any_of(kinds, [&](const std::string& kind) {
    if (kind == "Fin") return parameter.integral == "F" && shells.front() == shells.back();
    return kind == parameter.integral || kind == fmt::format("{}{}", parameter.integral, parameter.k);
  });
}

LevelFit fitLevels(const std::vector<FittedIon>& ions, const std::vector<std::string>& parameters,
                   const Checkpoint& checkpoint) {
  if (parameters.empty() || parameters.size() > kMostParameters)
    throw FitParameterError(
        fmt::format("found {} parameters; expected 1 to {}", parameters.size(), kMostParameters));
  for (auto p = parameters.begin(); p != parameters.end(); ++p)
    if (std::find(parameters.begin(), p, *p) != p)
      throw FitParameterError(fmt::format("'{}' is named twice", *p));
  OperatorsOfIons made;
  std::vector<std::vector<Place>> places;
  std::vector<Datum> data;
  std::vector<bool> isFitted;
  for (const FittedIon& ion : ions) {
    places.push_back(placesOf(ion.space));
    made.push_back(parameterOperators(ion.space, places.back(),
                                      slaterParameters(ion.space, ion.result, ion.hamiltonian, {})));
    isFitted.push_back(std::ranges::any_of(ion.observed, [](const auto& l) { return l.weight > 0; }));
    for (const ObservedLevel& l : ion.observed) data.push_back({l, places.size() - 1});
  }
  const auto operators = std::make_shared<const OperatorsOfIons>(std::move(made));
  std::vector<Direction> directions;
  for (const std::string& name : parameters) directions.push_back(directionOf(name, ions, *operators));
  addAverages(ions, isFitted, directions);
  std::vector<FitBlock> blocks;
  for (std::size_t i = 0; i < ions.size(); ++i) addBlocks(ions[i], i, places[i], directions, data, blocks);
  Residuals residuals(std::move(blocks), data, directions.size(), isFitted, checkpoint);
  const auto unknowns = static_cast<Eigen::Index>(residuals.inputs());
  const auto fitted = std::ranges::count_if(data, [](const Datum& d) { return d.level.weight > 0; });
  if (fitted < unknowns)
    throw Error(
        fmt::format("found {} levels to fit; expected at least {}, one for each parameter, for the average "
                    "of each configuration after the first, and for the zero of energy{}",
                    fitted, unknowns, ions.size() > 1 ? " of each ion" : ""));

  Eigen::VectorXd x = Eigen::VectorXd::Zero(unknowns), start = residuals.differences(x);
  for (std::size_t i = 0; i < ions.size(); ++i) {
    const double zero = centre(data, i, isFitted[i], start);
    if (isFitted[i]) x(residuals.zeroOf(i)) = -zero;
  }
  minimiseSquareSum(
      {residuals.inputs(), residuals.values(),
       [&](const Eigen::VectorXd& at, Eigen::VectorXd& f) { residuals.evaluate(at, f); },
       [&](const Eigen::VectorXd& at, Eigen::MatrixXd& jacobian) { residuals.differentiate(at, jacobian); }},
      {.change = 1e-12, .decrease = 1e-12}, x);

  Eigen::VectorXd end = residuals.differences(x);
  Eigen::MatrixXd jacobian;
  residuals.differentiate(x, jacobian);
  const auto count = static_cast<Eigen::Index>(directions.size());
  const double squares = residuals.weights().cwiseProduct(end).squaredNorm();
  LevelFit fit;
  fit.covariance = covarianceOf(jacobian, squares, fitted, directions).topLeftCorner(count, count);
  for (std::size_t i = 0; i < ions.size(); ++i)
    if (!isFitted[i]) centre(data, i, false, end);
  fit.deviations = deviationsOf(data, std::nullopt, start, end);
  for (std::size_t i = 0; i < ions.size(); ++i) {
    IonFit& ion = fit.ions.emplace_back();
    ion.deviations = deviationsOf(data, i, start, end);
    ion.correction = [i, operators, directions, x](const LevelBlock& block, Eigen::MatrixXd& h) {
      for (std::size_t p = 0; p < directions.size(); ++p)
        h += x(static_cast<Eigen::Index>(p)) * directions[p].ofIon[i].matrixOf(block);
    };
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    IonFit& ion = fit.ions[data[i].ion];
    ion.computedEnergies.push_back(data[i].level.energy + start(static_cast<Eigen::Index>(i)));
    ion.fittedEnergies.push_back(data[i].level.energy + end(static_cast<Eigen::Index>(i)));
  }
  for (std::size_t p = 0; p < directions.size(); ++p) {
    const auto at = static_cast<Eigen::Index>(p);
    fit.parameters.push_back(directions[p].parameter);
    fit.parameters.back().fitted += x(at);
    fit.parameters.back().error = std::sqrt(fit.covariance(at, at));
  }
  return fit;
}

}  // namespace prophet
