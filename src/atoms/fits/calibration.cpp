#include "atoms/fits/calibration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "atoms/configurations/term_analysis.hpp"
#include "atoms/levels/angular_tables.hpp"
#include "atoms/levels/kept_matrices.hpp"
#include "atoms/levels/open_electrons.hpp"
#include "atoms/levels/parameter_operators.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kPerHartree = constants::kInverseCentimetresPerHartree;
constexpr double kSigma = 300 / kPerHartree, kPriorWidth = 0.10, kScatterOfFactors = 0.05;
constexpr double kLowestWeight = 30, kLowestWeightStep = 5;
constexpr int kMostGroundTries = 2, kMostSteps = 14, kRounds = 2;
constexpr int kLastAssignment = 8;  // of a round: assignments that alternate do not settle
constexpr int kMostHalvings = 6;
constexpr double kLargestStep = 0.3, kLargestMove = 10000 / kPerHartree, kSettledFactor = 1e-4,
                 kSettledAverage = 1 / kPerHartree;
constexpr Eigen::Index kWholeBlock = 300, kMostForTerms = 800;
constexpr double kAlone = 4.6;                  // costs more than the worst assignment
constexpr double kUnsure = 0.3;                 // of costs
constexpr double kLowest = 2000 / kPerHartree;  // levels below it do not count in relative deviations
constexpr double kFast = 1 / kPerHartree;
constexpr int kDraws = 4;
constexpr double kRaiseMargin = 10 / kPerHartree;  // of a raised configuration
const std::vector<double> kWindows = {30000, 15000, 8000, 5000, 4000};

/// What factors of F, G and R of an ion with an open d shell are above their means over all ions: correlation
/// takes off less with charge and along a row. Fitted to 77 ions (studies/factor-transfer).
double shiftOfFactors(const LevelSpace& space, int z, int charge) {
  constexpr double kAtZero = -0.075, kByCharge = 0.043, kByZ = 0.0115;
  constexpr std::array<std::pair<int, int>, 3> kTransitionRows{{{20, 30}, {37, 48}, {72, 80}}};
  const bool isOpen = std::ranges::any_of(space.configurations, [](const LevelSpace::Part& part) {
    return std::ranges::any_of(part.shells,
                               [](const Shell& s) { return s.l == 2 && s.electrons > 0 && !s.full(); });
  });
  const auto row =
      std::ranges::find_if(kTransitionRows, [&](const auto& r) { return z >= r.first && z <= r.second; });
  return isOpen && row != kTransitionRows.end() ? kAtZero + kByCharge * charge + kByZ * (z - row->first) : 0;
}

/// What is expected of the factor of a kind, from ions that were fitted, docs/theory/levels.md.
double priorOf(const std::string& kind, int charge, double shift) {
  constexpr int kHigh = 4;  // from there on levels lie 12 % too far apart, before 24 %
  if (charge >= kHigh) return kind == "zeta" ? 1.0 : 0.88;
  if (kind.starts_with("F")) return 0.73 + shift;
  if (kind.starts_with("G")) return 0.70 + shift;
  if (kind.starts_with("R")) return 0.65 + shift;
  return kind == "zeta" ? 1.05 : 1.0;
}

/// The classes' operators, each integral in the first class that names it (Fin before F).
std::vector<std::shared_ptr<const ParameterOperator>> operatorsOf(
    const std::vector<std::string>& classes, const LevelSpace& space, const std::vector<Place>& places,
    const std::vector<SlaterParameter>& parameters) {
  std::vector<std::shared_ptr<const ParameterOperator>> operators;
  std::vector<bool> taken(parameters.size());
  for (const std::string& name : classes) {
    const std::vector<std::string> kinds = kindsIn(name, "scale");
    std::vector<std::pair<SlaterParameter, double>> list;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (!taken[i] && isOfKinds(parameters[i], kinds)) {
        taken[i] = true;
        list.emplace_back(parameters[i], parameters[i].value);
      }
    if (kinds.empty() || std::ranges::count(kinds, "h") > 0 || !std::ranges::all_of(kinds, isKind))
      throw FitParameterError(fmt::format(
          "there is no class '{}'; expected scale(...) with some of Fin,F,G,R,zeta, or of one rank as F2",
          name));
    operators.push_back(
        std::make_shared<const ParameterOperator>(space, places, list, SlaterParameter{name, "", 0, 1}));
  }
  return operators;
}

/// Eigenvectors that each step seeks in a block of so many states, some of whose levels were observed.
Eigen::Index soughtOf(Eigen::Index size, Eigen::Index observed) {
  return std::min(size, std::max({size / 5, kWholeBlock, 4 * observed + 40}));
}

/// The levels of one J and parity.
struct Block {
  int twoJ = 0;
  bool odd = false;
  std::shared_ptr<const LevelBlock> states;
  std::shared_ptr<LevelMatrices> matrices;
  std::vector<TermStates> terms;
  std::vector<std::size_t> observed;  ///< numbers of levels
  Eigen::Index sought = 0;            ///< eigenvectors of a step

  // What the last step found.
  VectorXd values;
};

class Fit {
 public:
  /// `operators`: the Hamiltonian's, and those of the classes.
  Fit(const LevelSpace& space, const CalibrationRequest& request,
      const std::vector<const ElectronOperator*>& operators, const std::vector<Place>& places,
      LevelEngine& engine, KeptMatrices& kept)
      : request_(request),
        factors_(operators.size() - 1),
        pool_(std::max(1, request.threads)),
        assigned_(request.levels.size(), -1),
        unsure_(request.levels.size(), 0) {
    std::map<std::pair<int, bool>, std::vector<std::size_t>> wanted;
    for (std::size_t i = 0; i < request.levels.size(); ++i)
      wanted[{request.levels[i].twoJ, request.levels[i].odd}].push_back(i);
    for (const auto& [key, list] : wanted) {
      Block& b = blocks_.emplace_back();
      b.twoJ = key.first;
      b.odd = key.second;
      b.observed = list;
    }
    // The largest ones first.
    std::map<std::pair<int, bool>, double> sizes;
    for (const LevelCount::Block& b : countLevels(space).blocks) sizes[{b.twoJ, b.odd}] = b.levels;
    std::ranges::stable_sort(blocks_, std::ranges::greater{}, [&](const Block& b) {
      return sizes[{b.twoJ, b.odd}];
    });
    const TermAnalysis analysis(space, places);
    each([&](Block& b) {
      b.states = Phases::of(request.phases, "angular",
                            [&] { return blockOf(request.angular, space, b.twoJ, b.odd); });
      b.matrices = Phases::of(request.phases, "hamiltonian", [&] {
        return kept.of(*b.states, [&] {
          return engine.matricesOf(*b.states, operators, static_cast<int>(space.configurations.size()));
        });
      });
      const bool named =
          std::ranges::any_of(b.observed, [&](std::size_t i) { return !request_.levels[i].term.empty(); });
      if (named && analysis.possible() && b.states->size() <= kMostForTerms) b.terms = analysis.of(*b.states);
    });
    x_ = VectorXd::Zero(static_cast<Eigen::Index>(factors_ + space.configurations.size()));
    prior_ = x_;
    hasLevels_.assign(space.configurations.size(), false);
    for (const KnownLevel& l : request.levels)
      if (l.weight > 0) hasLevels_[usize(l.configuration)] = true;
  }

  VectorXd& x() { return x_; }
  VectorXd& prior() { return prior_; }
  const std::vector<int>& assigned() const { return assigned_; }
  const std::vector<char>& unsure() const { return unsure_; }
  int steps() const { return steps_; }
  bool hasLevels(std::size_t c) const { return hasLevels_[c]; }

  /// Shifts each configuration by the median over J of the lowest observed less the lowest computed energy of
  /// its own states.
  void shift() {
    std::map<std::pair<std::size_t, int>, double> lowest;  // of block and configuration, observed
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (const std::size_t i : blocks_[b].observed) {
        const KnownLevel& l = request_.levels[i];
        if (l.weight <= 0) continue;
        const auto [place, isNew] = lowest.try_emplace({b, l.configuration}, l.energy);
        if (!isNew) place->second = std::min(place->second, l.energy);
      }
    std::map<int, std::vector<double>> shifts;
    for (const auto& [key, energy] : lowest) {
      const auto alone = blocks_[key.first].matrices->lowestOf(x_, key.second);
      if (alone) shifts[key.second].push_back(energy - *alone);
    }
    for (auto& [c, list] : shifts) {
      std::ranges::sort(list);
      average(usize(c)) += list[list.size() / 2];
    }
    placeOthers();
  }

  /// Gauss and Newton's method with levels assigned anew at each step.
  void search() {
    steps_ = 0;
    for (int round = 0; round < kRounds; ++round) {
      reduce();
      solve();  // each step then ends with the levels at its x
      for (int step = 0; step < kMostSteps; ++step, ++steps_) {
        pass(request_.checkpoint);
        const double window =
            kWindows[std::min(usize(round * kMostSteps + step), kWindows.size() - 1)] / kPerHartree;
        const bool same = step >= kLastAssignment || assign(window);
        const VectorXd dx = newtonStep(), at = x_;
        const auto factors = static_cast<Eigen::Index>(factors_);
        const double most = dx.head(factors).cwiseAbs().maxCoeff(),
                     moved = dx.tail(x_.size() - factors).cwiseAbs().maxCoeff();
        // A step that does not make the sum of squares less is too long.
        const double before = cost();
        double scale = std::min({1.0, kLargestStep / most, kLargestMove / moved});
        for (int halving = 0; halving < kMostHalvings; ++halving, scale /= 2) {
          x_ = at + scale * dx;
          solve();
          if (cost() <= before) break;
        }
        if (same && most < kSettledFactor && moved < kSettledAverage) break;
      }
    }
    assign(kWindows.back() / kPerHartree);
    equations();
  }

  /// Gives the matrices back as they were, for others.
  void finish() {
    each([&](Block& b) { b.matrices->restrictTo(x_, b.states->size()); });
  }

  /// Whether the level assigned to the observed ground level is the lowest of all these blocks; if not the
  /// weights of the two lowest levels that compete grow.
  bool hasGround() {
    std::size_t ground = request_.levels.size();
    for (std::size_t i = 0; i < request_.levels.size(); ++i)
      if (request_.levels[i].weight > 0 &&
          (ground == request_.levels.size() || request_.levels[i].energy < request_.levels[ground].energy))
        ground = i;
    if (ground == request_.levels.size() || request_.levels[ground].configuration != request_.ground ||
        assigned_[ground] < 0)
      return true;
    const Block* lowest = nullptr;
    double its = 0;
    for (const Block& b : blocks_) {
      if (lowest == nullptr || b.values(0) < lowest->values(0)) lowest = &b;
      if (std::ranges::find(b.observed, ground) != b.observed.end()) its = b.values(assigned_[ground]);
    }
    if (its <= lowest->values(0)) return true;
    lowestWeight_ *= kLowestWeightStep;
    return false;
  }

  struct Row {
    std::size_t level;
    double residual;
    std::optional<double> predicted;
  };
  /// Computed less observed energies of assigned levels, and those of a fit without the levels of their
  /// block, where the configuration has levels in others.
  std::vector<Row> rows() const {
    std::vector<Row> list;
    std::map<int, std::set<const Block*>> where;
    for (const Block& b : blocks_)
      for (const std::size_t i : b.observed)
        if (assigned_[i] >= 0 && weights_[i] > 0) where[request_.levels[i].configuration].insert(&b);
    for (const Block& b : blocks_) {
      std::vector<std::size_t> mine;
      for (const std::size_t i : b.observed) {
        if (assigned_[i] < 0) continue;
        if (weights_[i] > 0 && where[request_.levels[i].configuration].size() > 1)
          mine.push_back(i);
        else
          list.push_back({i, b.values(assigned_[i]) - request_.levels[i].energy, {}});
      }
      const auto n = static_cast<Eigen::Index>(mine.size());
      if (n == 0) continue;
      const MatrixXd jacobian = slopesOf(b, mine);
      VectorXd r(n), w(n);
      for (Eigen::Index k = 0; k < n; ++k) {
        const std::size_t i = mine[usize(k)];
        r(k) = b.values(assigned_[i]) - request_.levels[i].energy;
        w(k) = std::sqrt(weights_[i]);
      }
      const MatrixXd weighted = w.asDiagonal() * jacobian;
      const MatrixXd left = MatrixXd::Identity(n, n) - weighted * inverse_ * weighted.transpose();
      // The residual of a level of weight w without its block: (1 - H)^-1 of the weighted ones, over sqrt(w).
      const VectorXd without = solveSymmetric(left, w.cwiseProduct(r));
      for (Eigen::Index k = 0; k < n; ++k) list.push_back({mine[usize(k)], r(k), without(k) / w(k)});
    }
    std::ranges::sort(list, {}, &Row::level);
    return list;
  }
  const MatrixXd& inverse() const { return inverse_; }
  /// The deviation of a level of weight 1, hartree.
  double sigma() const { return sigma_; }

 private:
  template <class Task>
  void each(Task task) {
    pool_.forEach(static_cast<int>(blocks_.size()), [&](int b, int) { task(blocks_[usize(b)]); });
  }
  template <class Task>
  void each(const char* phase, Task task) {
    each([&](Block& b) { Phases::of(request_.phases, phase, [&] { task(b); }); });
  }
  double& average(std::size_t c) { return x_(static_cast<Eigen::Index>(factors_ + c)); }

  /// Configurations without levels, relative to the ground configuration, in the middle of what is expected.
  void placeOthers() {
    for (std::size_t c = 0; c < hasLevels_.size(); ++c) {
      if (hasLevels_[c] || c == usize(request_.ground)) continue;
      average(c) = average(usize(request_.ground)) + expected(c);
    }
  }
  /// The difference of the averages of a configuration and of the ground configuration.
  double expected(std::size_t c) const {
    return c < request_.averages.size() ? request_.averages[c].value_or(0) : 0;
  }

  void reduce() {
    each("fit_subspaces", [&](Block& b) {
      const Eigen::Index n = b.states->size();
      const auto observed = static_cast<Eigen::Index>(b.observed.size());
      b.sought = soughtOf(n, observed);
      if (b.sought < n) b.matrices->restrictTo(x_, b.sought);
    });
  }

  void solve() {
    each("fit_eigenvectors", [&](Block& b) { b.values = b.matrices->solve(x_, b.sought); });
  }

  /// Share of a term in the levels of a block; empty where it is not known.
  VectorXd termSharesOf(const Block& b, const KnownLevel& l) const {
    if (l.term.empty() || b.terms.empty()) return {};
    const TermStates& t = b.terms[usize(l.configuration)];
    std::vector<Eigen::Index> columns;
    for (std::size_t k = 0; k < t.names.size(); ++k)
      if (t.names[k].substr(0, t.names[k].find('o')) == l.term)
        columns.push_back(static_cast<Eigen::Index>(k));
    if (columns.empty()) return VectorXd::Zero(b.values.size());
    return b.matrices->overlaps(t.states, t.vectors(Eigen::all, columns)).colwise().squaredNorm().transpose();
  }

  /// Whether the assignment is the same as before.
  bool assign(double window) {
    const std::vector<int> before = assigned_;
    each("fit_assignment", [&](Block& b) {
      const auto n = static_cast<Eigen::Index>(b.observed.size()), m = b.values.size();
      MatrixXd costs = MatrixXd::Constant(n, m + n, kAlone);
      const MatrixXd shares = b.matrices->shares();
      std::map<std::pair<int, std::string>, VectorXd> known;
      for (Eigen::Index k = 0; k < n; ++k) {
        const KnownLevel& l = request_.levels[b.observed[usize(k)]];
        const auto [place, isNew] = known.try_emplace({l.configuration, l.term});
        if (isNew) place->second = termSharesOf(b, l);
        const VectorXd& term = place->second;
        for (Eigen::Index j = 0; j < m; ++j)
          costs(k, j) = std::min(std::abs(b.values(j) - l.energy) / window, 3.0) + 1 -
                        shares(l.configuration, j) + (term.size() > 0 ? 0.5 * (1 - term(j)) : 0);
      }
      const std::vector<int> columns = leastAssignment(costs);
      for (Eigen::Index k = 0; k < n; ++k) {
        const int j = columns[usize(k)];
        assigned_[b.observed[usize(k)]] = j < m ? j : -1;
        double second = kAlone;
        for (Eigen::Index o = 0; o < m; ++o)
          if (o != j) second = std::min(second, costs(k, o));
        unsure_[b.observed[usize(k)]] = j < m && second - costs(k, j) < kUnsure;
      }
    });
    return before == assigned_;
  }

  /// Derivatives of the energies of the levels assigned to those of a list by the parameters, a row each.
  MatrixXd slopesOf(const Block& b, const std::vector<std::size_t>& list) const {
    std::vector<int> levels;
    for (const std::size_t i : list) levels.push_back(assigned_[i]);
    return b.matrices->slopes(levels);
  }

  /// The normal equations: weights of the levels over sigma^2 first.
  void equations() {
    const std::size_t count = request_.levels.size();
    std::vector<double> residuals(count, 0);
    std::vector<Eigen::RowVectorXd> jacobian(count);
    pool_.forEach(static_cast<int>(blocks_.size()), [&](int n, int) {
      const Block& b = blocks_[usize(n)];
      std::vector<std::size_t> used;
      for (const std::size_t i : b.observed)
        if (assigned_[i] >= 0 && request_.levels[i].weight > 0) used.push_back(i);
      if (used.empty()) return;
      const MatrixXd slopes = Phases::of(request_.phases, "fit_slopes", [&] { return slopesOf(b, used); });
      for (std::size_t k = 0; k < used.size(); ++k) {
        residuals[used[k]] = b.values(assigned_[used[k]]) - request_.levels[used[k]].energy;
        jacobian[used[k]] = slopes.row(static_cast<Eigen::Index>(k));
      }
    });
    std::vector<double> sizes;
    for (std::size_t i = 0; i < count; ++i)
      if (jacobian[i].size() > 0) sizes.push_back(std::abs(residuals[i]));
    std::ranges::sort(sizes);
    // Where the levels fit badly their factors are more like those of other ions.
    const double usual = sizes.empty() ? 0 : 1.48 * sizes[sizes.size() / 2], scale = 3 * usual,
                 sigma = std::max(kSigma, usual);
    sigma_ = sigma;
    weights_.assign(count, 0);
    std::map<int, std::size_t> lowest;
    for (std::size_t i = 0; i < count; ++i) {
      if (jacobian[i].size() == 0) continue;
      weights_[i] = request_.levels[i].weight / (sigma * sigma);
      if (scale > 0) weights_[i] /= std::max(1.0, std::abs(residuals[i]) / scale);
      const auto [place, isNew] = lowest.try_emplace(request_.levels[i].configuration, i);
      if (!isNew && request_.levels[i].energy < request_.levels[place->second].energy) place->second = i;
    }
    for (const auto& [c, i] : lowest)
      weights_[i] = lowestWeight_ * request_.levels[i].weight / (sigma * sigma);
    const Eigen::Index size = x_.size(), factors = static_cast<Eigen::Index>(factors_);
    normal_ = MatrixXd::Zero(size, size);
    gradient_ = VectorXd::Zero(size);
    for (std::size_t i = 0; i < count; ++i) {
      if (weights_[i] == 0) continue;
      normal_ += weights_[i] * jacobian[i].transpose() * jacobian[i];
      gradient_ += weights_[i] * residuals[i] * jacobian[i].transpose();
    }
    for (Eigen::Index p = 0; p < factors; ++p) {
      constexpr double w = 1 / (kPriorWidth * kPriorWidth);
      normal_(p, p) += w;
      gradient_(p) += w * (x_(p) - prior_(p));
    }
    const Eigen::Index ground = factors + request_.ground;
    for (std::size_t c = 0; c < hasLevels_.size(); ++c) {
      const Eigen::Index at = factors + static_cast<Eigen::Index>(c);
      if (hasLevels_[c]) continue;
      if (at == ground) {  // nothing else fixes the zero
        const double w = 1 / (kSigma * kSigma);
        normal_(at, at) += w;
        gradient_(at) += w * x_(at);
        continue;
      }
      // Fast to what is expected: levels that mix with it would draw it far away to mend what else they lack.
      constexpr double w = 1 / (kFast * kFast);
      const double difference = x_(at) - x_(ground) - expected(c);
      normal_(at, at) += w;
      normal_(ground, ground) += w;
      normal_(at, ground) -= w;
      normal_(ground, at) -= w;
      gradient_(at) += w * difference;
      gradient_(ground) -= w * difference;
    }
    inverse_ = inverseOf(normal_);
  }

  /// What the search makes least, with the weights and assignments of the last equations.
  double cost() const {
    double sum = 0;
    for (const Block& b : blocks_)
      for (const std::size_t i : b.observed)
        if (weights_[i] > 0)
          sum += weights_[i] * std::pow(b.values(assigned_[i]) - request_.levels[i].energy, 2);
    for (std::size_t p = 0; p < factors_; ++p) {
      const auto at = static_cast<Eigen::Index>(p);
      sum += std::pow((x_(at) - prior_(at)) / kPriorWidth, 2);
    }
    return sum;
  }

  VectorXd newtonStep() {
    equations();
    return -solveSymmetric(normal_, gradient_);
  }

  const CalibrationRequest& request_;
  std::size_t factors_;
  ThreadPool pool_;
  std::vector<Block> blocks_;
  VectorXd x_, prior_, gradient_;
  MatrixXd normal_, inverse_;
  std::vector<bool> hasLevels_;
  std::vector<int> assigned_;  ///< places among the levels of their blocks; -1: none
  std::vector<char> unsure_;   ///< one byte each, as blocks are written side by side
  std::vector<double> weights_;
  double lowestWeight_ = kLowestWeight;
  double sigma_ = kSigma;
  int steps_ = 0;
};

void add(CalibrationDeviations& d, double deviation, double energy, int& relative) {
  ++d.levels;
  d.mean += std::abs(deviation);
  if (energy < kLowest) return;
  ++relative;
  d.share += std::abs(deviation) / energy;
}

}  // namespace

double shareOfFit(const LevelCount& count) {
  // Subspaces of large blocks in each round, and eigenvectors there at nearly all steps and halvings.
  constexpr double kSubspaces = 1.2, kSteps = 30;
  double fit = 0, levels = 0;
  for (const LevelCount::Block& b : count.blocks) {
    const auto sought = static_cast<double>(soughtOf(static_cast<Eigen::Index>(b.levels), 0));
    if (sought < b.levels) fit += kSubspaces * std::pow(b.levels, 3);
    fit += kSteps * std::pow(sought, 3);
    levels += std::pow(b.levels, 3);
  }
  return fit / levels;
}

std::vector<int> leastAssignment(const MatrixXd& costs) {
  // Shortest augmenting paths with potentials; row and column 0 are auxiliary.
  const auto n = usize(costs.rows()), m = usize(costs.cols());
  std::vector<double> u(n + 1, 0), v(m + 1, 0);
  std::vector<std::size_t> row(m + 1, 0), way(m + 1, 0);
  for (std::size_t i = 1; i <= n; ++i) {
    row[0] = i;
    std::size_t column = 0;
    std::vector<double> least(m + 1, std::numeric_limits<double>::infinity());
    std::vector<char> used(m + 1, 0);
    do {
      used[column] = 1;
      const std::size_t r = row[column];
      double delta = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t j = 1; j <= m; ++j) {
        if (used[j]) continue;
        const double reduced =
            costs(static_cast<Eigen::Index>(r - 1), static_cast<Eigen::Index>(j - 1)) - u[r] - v[j];
        if (reduced < least[j]) {
          least[j] = reduced;
          way[j] = column;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= m; ++j) {
        if (used[j]) {
          u[row[j]] += delta;
          v[j] -= delta;
        } else {
          least[j] -= delta;
        }
      }
      column = next;
    } while (row[column] != 0);
    while (column != 0) {
      row[column] = row[way[column]];
      column = way[column];
    }
  }
  std::vector<int> columns(n, -1);
  for (std::size_t j = 1; j <= m; ++j)
    if (row[j] > 0) columns[row[j] - 1] = static_cast<int>(j - 1);
  return columns;
}

std::vector<double> averageEnergies(const LevelSpace& space, const Result& result,
                                    const LevelHamiltonian& hamiltonian) {
  const OpenElectrons electrons(space, result, hamiltonian, placesOf(space));
  std::vector<double> energies;
  for (const LevelSpace::Part& part : space.configurations) energies.push_back(electrons.averageOf(part));
  return energies;
}

MatrixXd Calibration::draws() const {
  const Eigen::Index size = changes_.size(), factors = static_cast<Eigen::Index>(factors_);
  MatrixXd c = covariance;
  for (Eigen::Index p = 0; p < size; ++p)
    c(p, p) += p < factors ? (levels.empty() ? 0 : kScatterOfFactors * kScatterOfFactors)
                           : std::pow(scatter[usize(p - factors)], 2);
  const SymmetricEigen parts(c);
  // Signs of which those of any four parameters in a row are orthogonal, so that means over the columns are
  // those of independent parts.
  MatrixXd signs(size, kDraws);
  for (Eigen::Index p = 0; p < size; ++p)
    for (int k = 0; k < kDraws; ++k) {
      const bool odd = std::popcount(static_cast<unsigned>(p % kDraws) & static_cast<unsigned>(k)) % 2 != 0;
      signs(p, k) = (odd != (p / kDraws % 2 != 0 && k == kDraws - 1)) ? -1 : 1;
    }
  const VectorXd roots = parts.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return parts.eigenvectors() * roots.asDiagonal() * signs;
}

LevelParameters Calibration::parametersOfLevels(bool moved) const {
  LevelParameters made{{}, changes_, moved ? draws() : MatrixXd(), kept_.get()};
  for (const auto& o : operators_) made.operators.push_back(&o->electrons());
  return made;
}

Calibration::Differences Calibration::differencesOf(const std::vector<Level>& list) const {
  const SymmetricEigen parts(covariance);
  const MatrixXd root =
      parts.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal() * parts.eigenvectors().transpose();
  Differences d;
  d.roots_.resize(root.rows(), static_cast<Eigen::Index>(list.size()));
  d.scatter_ = VectorXd::Zero(d.roots_.cols());
  for (Eigen::Index i = 0; i < d.roots_.cols(); ++i) {
    const std::vector<double>& slopes = list[usize(i)].slopes;
    d.roots_.col(i) = root * Eigen::Map<const VectorXd>(slopes.data(), root.cols());
    for (std::size_t c = 0; c < scatter.size(); ++c)
      d.scatter_(i) += std::max(0.0, slopes[factors_ + c]) * scatter[c] * scatter[c];
  }
  return d;
}

std::vector<double> Calibration::errorsOf(const std::vector<Level>& list) const {
  const Differences d = differencesOf(list);
  std::vector<double> errors(list.size(), 0);
  for (std::size_t i = 1; i < list.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    errors[i] = std::sqrt((d.roots_.col(at) - d.roots_.col(0)).squaredNorm() + d.scatter_(at) +
                          lowestResidual * lowestResidual);
  }
  return errors;
}

bool Calibration::keepGround(const std::vector<Level>& list, int ground) {
  std::map<int, double> lowest;
  for (const Level& l : list) lowest.try_emplace(l.configuration, l.excitation);
  if (!lowest.contains(ground) || list.front().configuration == ground) return false;
  bool raised = false;
  for (const auto& [c, energy] : lowest) {
    if (c == ground || energy > lowest[ground]) continue;
    const double by = lowest[ground] - energy + kRaiseMargin;
    changes_(static_cast<Eigen::Index>(factors_) + c) += by;
    parameters[factors_ + usize(c)].fitted += by;
    raised = true;
  }
  return raised;
}

Calibration calibrate(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                      const CalibrationRequest& request) {
  const std::vector<Place> places = placesOf(space);
  const OpenElectrons electrons(space, result, hamiltonian, places);
  Calibration made;
  made.factors_ = request.classes.size();
  made.operators_ = operatorsOf(request.classes, space, places,
                                openParameters(space, slaterParameters(space, result, hamiltonian, {})));
  std::vector<const ElectronOperator*> matrices{&electrons.electrons()};
  for (const auto& o : made.operators_) matrices.push_back(&o->electrons());
  const std::unique_ptr<LevelEngine> own = request.engine ? nullptr : hostLevelEngine();
  made.kept_ = std::make_shared<KeptMatrices>(matrices.size());
  Fit fit(space, request, matrices, places, request.engine ? *request.engine : *own, *made.kept_);
  const auto factors = static_cast<Eigen::Index>(made.factors_);
  const double shift = shiftOfFactors(space, request.z, request.charge);
  for (Eigen::Index p = 0; p < factors; ++p) {
    const std::vector<std::string> kinds = kindsIn(request.classes[usize(p)], "scale");
    double sum = 0;
    for (const std::string& kind : kinds) sum += priorOf(kind, request.charge, shift);
    fit.x()(p) = fit.prior()(p) = sum / static_cast<double>(kinds.size()) - 1;
  }
  fit.shift();
  do {
    fit.search();
  } while (!fit.hasGround() && made.steps++ < kMostGroundTries);
  made.steps = fit.steps();
  made.changes_ = fit.x();

  // What the fit made of the observed levels.
  double squares = 0;
  int fittedShare = 0, predictedShare = 0, heldOutShare = 0;
  std::vector<std::vector<double>> ofConfiguration(space.configurations.size());
  std::vector<double> all;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Fit::Row& row : fit.rows()) {
    const KnownLevel& l = request.levels[row.level];
    made.levels.push_back(
        {l, fit.assigned()[row.level] + 1, l.energy + row.residual, {}, fit.unsure()[row.level] != 0});
    if (row.predicted) made.levels.back().predicted = l.energy + *row.predicted;
    if (l.weight > 0) {
      add(made.fitted, row.residual, l.energy, fittedShare);
      if (row.predicted) add(made.predicted, *row.predicted, l.energy, predictedShare);
      squares += row.residual * row.residual;
    } else {
      add(made.heldOut, row.residual, l.energy, heldOutShare);
    }
    const double off = row.predicted.value_or(row.residual);
    ofConfiguration[usize(l.configuration)].push_back(off * off);
    all.push_back(off * off);
    if (l.weight > 0 && l.energy < lowest) {
      lowest = l.energy;
      made.lowestResidual = row.residual;
    }
  }
  fit.finish();
  made.unassigned = static_cast<int>(request.levels.size() - made.levels.size());
  const auto finish = [](CalibrationDeviations& d, int relative) {
    if (d.levels > 0) d.mean /= d.levels;
    if (relative > 0) d.share /= relative;
  };
  finish(made.fitted, fittedShare);
  finish(made.predicted, predictedShare);
  finish(made.heldOut, heldOutShare);
  const auto root = [](const std::vector<double>& list) {
    return list.empty()
               ? 0.0
               : std::sqrt(std::accumulate(list.begin(), list.end(), 0.0) / static_cast<double>(list.size()));
  };
  constexpr std::size_t kEnough = 5;
  for (std::size_t c = 0; c < ofConfiguration.size(); ++c) {
    const std::vector<double>& list = ofConfiguration[c];
    made.scatter.push_back(list.size() >= kEnough  ? root(list)
                           : all.size() >= kEnough ? root(all)
                           : all.empty()           ? 0
                                                   : kSigma);
  }
  const int free = made.fitted.levels - static_cast<int>(fit.x().size());
  const double variance = free > 0 ? squares / free / (fit.sigma() * fit.sigma()) : 1;
  made.covariance = std::max(1.0, variance) * fit.inverse();
  for (std::size_t c = 0; c < space.configurations.size(); ++c)
    if (const Eigen::Index at = factors + static_cast<Eigen::Index>(c);
        !fit.hasLevels(c) && at != factors + request.ground)
      made.covariance(at, at) += request.averageScatter * request.averageScatter;

  for (std::size_t p = 0; p < made.factors_; ++p) {
    const auto at = static_cast<Eigen::Index>(p);
    made.parameters.push_back(
        {request.classes[p], 1, 1 + made.changes_(at), std::sqrt(made.covariance(at, at)), true});
  }
  // The zero of energies is that of the ground configuration's average.
  const double zero = made.changes_(factors + request.ground);
  for (std::size_t c = 0; c < space.configurations.size(); ++c) {
    const Eigen::Index at = factors + static_cast<Eigen::Index>(c), ground = factors + request.ground;
    made.changes_(at) -= zero;
    const double square =
        made.covariance(at, at) + made.covariance(ground, ground) - 2 * made.covariance(at, ground);
    made.parameters.push_back({"average(" + space.configurations[c].text + ")", 0, made.changes_(at),
                               std::sqrt(std::max(0.0, square)), false});
  }
  return made;
}

}  // namespace prophet
