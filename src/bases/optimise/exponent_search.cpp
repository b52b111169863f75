#include "bases/optimise/exponent_search.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "atoms/frozen/trial_gatherer.hpp"
#include "atoms/gradient/energy_gradient.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

constexpr double kProlapseReferenceRatio = 1.45;

FrozenField fieldOf(const AtomProblem& problem, Configuration configuration) {
  configuration.symmetries.resize(configuration.occupiedSymmetries());
  const WellTemperedSpec spec = universalSpec(problem.nucleus, configuration, kProlapseReferenceRatio);
  return {makeWellTempered(spec), problem.nucleus, configuration, problem.hamiltonian.speedOfLight};
}

}  // namespace

class SearchFields {
 public:
  struct Field {
    Field(const AtomProblem& problem, const Configuration& configuration)
        : frozen(fieldOf(problem, configuration)), trials(frozen, {}, true) {}
    FrozenField frozen;
    TabulatedField trials;
  };
  explicit SearchFields(AtomProblem problem) : problem_(std::move(problem)) {}
  const Field& atom() { return made(atom_, problem_.configuration); }
  const Field& valence(const Configuration& configuration) { return made(valence_, configuration); }

 private:
  const Field& made(std::unique_ptr<Field>& field, const Configuration& configuration) {
    if (!field) field = std::make_unique<Field>(problem_, configuration);
    return *field;
  }
  AtomProblem problem_;
  std::unique_ptr<Field> atom_, valence_;
};

std::shared_ptr<SearchFields> searchFieldsOf(const AtomProblem& problem) {
  return std::make_shared<SearchFields>(problem);
}

/// Keeps the prolapse of a set (as a small-component defect, docs/theory/dirac-hartree-fock.md) below a share
/// of its error against the complete basis, as an augmented Lagrangian: with g = prolapse - share e, hartree,
/// e the error where the bound came into play (that of the least energy: a bound that grew with the error
/// would reward poor sets), what is minimised is
///   E + (max(0, mu + rho g)^2 - mu^2) / (2 rho),
/// whose minimum for the right multiplier mu has g <= 0. Source: M. J. D. Powell, in Optimization, ed. R.
/// Fletcher (1969), p. 283. The limit is the energy of the frozen field's reference.
class ProlapseBound {
 public:
  /// Throws Error as FrozenField does. `valenceField`: the configuration in whose field the valence rises.
  ProlapseBound(std::shared_ptr<SearchFields> fields, double share, const std::vector<Shell>& valence,
                const std::optional<Configuration>& valenceField);

  /// Adds the bound's part to a value and to its derivatives with respect to ln zeta (those of the energy).
  /// `slope`: the derivatives of g times the square root of rho where the bound acts, whose square is most of
  /// the bound's part of the second derivatives; else empty.
  void add(const BasisSet& basis, double& value, std::vector<Eigen::VectorXd>& gradient,
           std::vector<Eigen::VectorXd>& slope);
  /// Adds `weight` times the prolapse and `ofValence` times the rise of the valence to a value, and their
  /// derivatives to those of the value.
  void addWeighted(const BasisSet& basis, double weight, double ofValence, double& value,
                   std::vector<Eigen::VectorXd>& gradient);
  /// The energy in the frozen field, hartree: the reference's and what the symmetries of the set raise it by;
  /// `gradient`: with respect to ln zeta. Throws Error as FrozenField::defectSlopes does.
  double frozenEnergy(const BasisSet& basis, std::vector<Eigen::VectorXd>& gradient);
  /// Measures the prolapse of all symmetries and sets the multiplier for what comes next; whether the bound
  /// is kept.
  bool settle(const BasisSet& basis, double energy);

  double limit() const { return field_.frozen.referenceEnergy(); }
  double prolapse() const { return prolapse_; }  ///< at the last settle
  double multiplier() const { return multiplier_; }

 private:
  struct Measured : DefectSlopes {
    std::vector<double> exponents;
  };
  double measure(const BasisSet& basis, const std::vector<int>& symmetries,
                 std::vector<Eigen::VectorXd>& gradient);
  const Measured& measureOne(int symmetry, const std::vector<double>& exponents);

  std::shared_ptr<SearchFields> fields_;
  const SearchFields::Field& field_;
  const SearchFields::Field* valenceField_;  ///< nullptr: the same
  std::vector<Eigen::VectorXd> isValence_;   ///< of each symmetry's spinors: 1 or 0
  /// The last two of each symmetry: a search that moves one exponent, or one l, leaves the others as they
  /// were.
  std::vector<std::array<Measured, 2>> known_;
  double share_;
  double most_ = 0;  ///< share e; 0 before the bound came into play
  bool settled_ = false;
  double prolapse_ = 0, multiplier_ = 0, stiffness_ = 0;
  std::vector<int> acting_;  ///< symmetries whose prolapse counts; empty: the bound is far
  double resting_ = 0;       ///< prolapse of the others
};

namespace {

constexpr double kAimOfBound = 0.9;   // of the bound: what the search goes for
constexpr double kFar = 0.1;          // of the bound: prolapse below it is not followed
constexpr double kNegligible = 1e-3;  // of the bound, for one symmetry
constexpr double kResolution = 1e-9;  // of the energy: errors below cannot be told from rounding
constexpr double kStiffness = 3.0;    // times the bound in hartree

/// Each symmetry's spinors have 1 where they are of these shells, else 0.
std::vector<Eigen::VectorXd> spinorsOf(const std::vector<Shell>& shells, const FrozenField& field) {
  std::vector<Eigen::VectorXd> are;
  for (int a = 0; a < field.symmetries(); ++a) {
    const int l = Symmetry::fromIndex(a).l();
    are.push_back(Eigen::VectorXd::Zero(field.occupied(a)));
    for (const Shell& shell : shells)
      if (shell.l == l && shell.n - l <= field.occupied(a)) are.back()(shell.n - l - 1) = 1.0;
  }
  return are;
}

}  // namespace

ProlapseBound::ProlapseBound(std::shared_ptr<SearchFields> fields, double share,
                             const std::vector<Shell>& valence,
                             const std::optional<Configuration>& valenceField)
    : fields_(std::move(fields)),
      field_(fields_->atom()),
      valenceField_(valenceField ? &fields_->valence(*valenceField) : nullptr),
      isValence_(spinorsOf(valence, (valenceField_ ? *valenceField_ : field_).frozen)),
      known_(static_cast<std::size_t>(field_.frozen.symmetries())),
      share_(share) {}

const ProlapseBound::Measured& ProlapseBound::measureOne(int symmetry, const std::vector<double>& exponents) {
  auto& [last, before] = known_[symmetry];
  if (last.exponents == exponents) return last;
  std::swap(last, before);
  if (last.exponents == exponents) return last;
  const Eigen::VectorXd& valence = isValence_[symmetry];
  Measured now{field_.trials.defectSlopes(symmetry, exponents, valenceField_ ? Eigen::VectorXd() : valence),
               exponents};
  if (valenceField_) {
    const DefectSlopes other = valenceField_->trials.defectSlopes(symmetry, exponents, valence, false);
    now.weighted = other.weighted;
    now.ofWeighted = other.ofWeighted;
  }
  last = std::move(now);
  return last;
}

double ProlapseBound::measure(const BasisSet& basis, const std::vector<int>& symmetries,
                              std::vector<Eigen::VectorXd>& gradient) {
  double sum = 0.0;
  gradient.clear();
  for (const SymmetryBasis& s : basis.symmetries) gradient.push_back(Eigen::VectorXd::Zero(s.size()));
  for (const int a : symmetries) {
    if (field_.frozen.occupied(a) == 0) continue;
    const Measured& part = measureOne(a, basis.symmetries[a].exponents);
    gradient[a] = part.ofDefect;
    sum += part.defect;
  }
  return sum;
}

void ProlapseBound::add(const BasisSet& basis, double& value, std::vector<Eigen::VectorXd>& gradient,
                        std::vector<Eigen::VectorXd>& slope) {
  slope.clear();
  if (acting_.empty()) return;
  const double force =
      multiplier_ + stiffness_ * (measure(basis, acting_, slope) + resting_ - kAimOfBound * most_);
  value += 0.5 * (std::pow(std::max(0.0, force), 2) - multiplier_ * multiplier_) / stiffness_;
  if (force <= 0.0) {
    slope.clear();
    return;
  }
  for (std::size_t a = 0; a < gradient.size(); ++a) {
    gradient[a] += force * slope[a];
    slope[a] *= std::sqrt(stiffness_);
  }
}

void ProlapseBound::addWeighted(const BasisSet& basis, double weight, double ofValence, double& value,
                                std::vector<Eigen::VectorXd>& gradient) {
  for (int a = 0; a < std::min(static_cast<int>(basis.symmetries.size()), field_.frozen.symmetries()); ++a) {
    if (field_.frozen.occupied(a) == 0) continue;
    const Measured& part = measureOne(a, basis.symmetries[a].exponents);
    value += weight * part.defect + ofValence * part.weighted;
    gradient[a] += weight * part.ofDefect + ofValence * part.ofWeighted;
  }
}

double ProlapseBound::frozenEnergy(const BasisSet& basis, std::vector<Eigen::VectorXd>& gradient) {
  double energy = limit();
  gradient.clear();
  for (int a = 0; a < static_cast<int>(basis.symmetries.size()); ++a) {
    gradient.push_back(Eigen::VectorXd::Zero(basis.symmetries[a].size()));
    if (a >= field_.frozen.symmetries() || field_.frozen.occupied(a) == 0) continue;
    const Measured& part = measureOne(a, basis.symmetries[a].exponents);
    gradient[a] = part.ofRise;
    energy += part.rise;
  }
  return energy;
}

bool ProlapseBound::settle(const BasisSet& basis, double energy) {
  std::vector<Eigen::VectorXd> slope;
  const double error = energy - limit();
  if (most_ == 0.0) {
    most_ = share_ * std::max(std::abs(error), kResolution * std::abs(energy));
    stiffness_ = kStiffness / most_;
  }
  acting_.clear();
  resting_ = prolapse_ = 0.0;
  const bool first = !settled_;
  settled_ = true;
  for (int a = 0; a < field_.frozen.symmetries(); ++a) {
    const double part = measure(basis, {a}, slope);
    prolapse_ += part;
    if (part > kNegligible * most_) {
      acting_.push_back(a);
    } else {
      resting_ += part;
    }
  }
  if (!first) multiplier_ = std::max(0.0, multiplier_ + stiffness_ * (prolapse_ - kAimOfBound * most_));
  if (multiplier_ == 0.0 && prolapse_ < kFar * most_) acting_.clear();
  return prolapse_ <= share_ * error;
}

namespace {

constexpr int kMostRounds = 12;
constexpr int kEvaluationsPerRound = 60;
constexpr double kCurvatureStep = 1e-3;  // in the variables
constexpr double kNearby = 1e-4;         // derivative, hartree, where the bound comes into play
// Derivative, in tolerances, and in hartree where that is more:
constexpr double kClose = 1000, kCloseHartree = 1e-3;      // where Newton's steps are tried
constexpr double kHandOver = 30, kHandOverHartree = 3e-5;  // where they take over,
constexpr double kLater = 0.1;      // and times this after each round that they did not finish
constexpr double kGoodRound = 0.1;  // a round that makes derivatives smaller by this knows the curvature
constexpr double kFrozenTolerance = 1e-5, kFrozenShare = 0.1;  // derivative: a search in the frozen field
constexpr int kFrozenRounds = 4;
constexpr int kPoorRounds = 3;
constexpr double kNothing = 1e-3;     // of the tolerance, hartree: what a round of it has to gain
constexpr double kLongestStep = 0.5;  // the first one of a round, in the variables

/// What is known at one set of exponents.
struct Point {
  Eigen::VectorXd v;
  bool ok = false;
  double energy = 0;
  double value = 0;          ///< of what is minimised
  Eigen::VectorXd gradient;  ///< its derivatives
  Eigen::VectorXd ofEnergy;  ///< those without the bound's part
  Eigen::VectorXd ofBound;   ///< ProlapseBound's slope in the variables; empty where the bound does not act
  double largest = 0;        ///< of those that vanish at a minimum
};

class Search {
 public:
  Search(const AtomProblem& problem, const BasisVariables& variables, const ExponentSearchOptions& options,
         const ExponentSearchObserver& observer)
      : problem_(problem),
        variables_(variables),
        options_(options),
        observer_(observer),
        pool_(1),
        inFrozenField_(options.frozenField),
        tolerance_(options.tolerance) {
    scf_ = tightThresholds();
    scf_.maxIterations = options.maxIterations;
    if (options.prolapse || weighted() || options.frozenField) makeBound();
  }
  ExponentSearchResult run();

 private:
  void makeBound() {
    bound_.emplace(options_.fields ? options_.fields : searchFieldsOf(problem_),
                   options_.prolapse.value_or(1.0), options_.valence, options_.valenceField);
  }
  Point evaluate(const Eigen::VectorXd& v, bool curvature);
  ExponentGradient addEnergy(const BasisSet& basis, Point& point);
  ScfResult scfOf(const ScfProblem& problem, GridFockBuilder& builder);
  void measureCurvature(const Point& at);
  Eigen::VectorXd frozenGradient(const Eigen::VectorXd& v);
  void learnCurvature(const Point& from, const Point& to);
  Eigen::MatrixXd scaling(const Point& at) const;
  Point searchFrom(const Point& start);
  Point polished(Point point);
  bool bounding() const { return options_.prolapse && !weighted(); }
  bool weighted() const { return options_.prolapseWeight != 0.0 || options_.valenceWeight != 0.0; }
  bool spent() const { return result_.evaluations >= options_.maxEvaluations; }
  bool finished(const Point& point);
  Point searchRounds(Point point, int mostRounds);
  Point fromFrozenField(const Point& start);

  const AtomProblem& problem_;
  const BasisVariables& variables_;
  const ExponentSearchOptions& options_;
  const ExponentSearchObserver& observer_;
  ThreadPool pool_;
  ScfOptions scf_;
  std::optional<ProlapseBound> bound_;
  bool bounded_ = false;  ///< whether the bound is in play
  bool inFrozenField_;    ///< what energies are now
  double tolerance_;      ///< of the derivatives now
  double handOver_ = 0;
  std::optional<StartSpinors> spinors_;
  Eigen::MatrixXd curvature_;  ///< second derivatives in the variables
  bool stale_ = true;          ///< whether they are to be measured anew
  int poorRounds_ = 0;         ///< of SCFs, whose fresh second derivatives helped little
  ExponentSearchResult result_;
};

ScfResult Search::scfOf(const ScfProblem& problem, GridFockBuilder& builder) {
  if (spinors_) {
    try {
      ScfProblem warm = problem;
      warm.start = &*spinors_;
      ScfResult result = runScf(warm, builder, scf_, pool_);
      result_.scfIterations += static_cast<int>(result.iterations.size());
      if (result.converged) return result;
    } catch (const Error&) {
      // The default guess says what is wrong, if something is.
    }
  }
  ScfResult result = runScf(problem, builder, scf_, pool_);
  result_.scfIterations += static_cast<int>(result.iterations.size());
  return result;
}

ExponentGradient Search::addEnergy(const BasisSet& basis, Point& point) {
  if (inFrozenField_) {
    ExponentGradient gradient;
    point.energy = point.value = bound_->frozenEnergy(basis, gradient);
    return gradient;
  }
  const ScfProblem problem{basis, problem_.nucleus, problem_.configuration,
                           problem_.hamiltonian.speedOfLight};
  const auto builder = makeGridBuilder(basis, fockGrid(basis), TwoElectronOperator::Coulomb, pool_);
  const ScfResult scf = scfOf(problem, *builder);
  if (!scf.converged) throw NotConvergedError("the SCF did not converge");
  point.energy = point.value = scf.energy.total;
  spinors_ = startSpinors(basis, scf);
  return energyGradient(problem, scf, *builder);
}

/// A point without energy has no gradient either.
Point Search::evaluate(const Eigen::VectorXd& v, bool curvature) {
  pass(options_.checkpoint);
  Point point;
  point.v = v;
  ExponentSearchStep step;
  step.evaluation = ++result_.evaluations;
  step.curvature = curvature;
  try {
    const BasisSet basis = variables_.basis(v);
    ExponentGradient byExponents = addEnergy(basis, point);
    if (weighted())
      bound_->addWeighted(basis, options_.prolapseWeight, options_.valenceWeight, point.value, byExponents);
    point.ofEnergy = variables_.gradient(v, byExponents);
    ExponentGradient slope;
    if (bounded_ && !curvature) bound_->add(basis, point.value, byExponents, slope);
    if (!slope.empty()) point.ofBound = variables_.gradient(v, slope);
    point.gradient = variables_.gradient(v, byExponents);
    point.largest = variables_.natural(v, byExponents).cwiseAbs().maxCoeff();
    point.ok = std::isfinite(point.value) && point.gradient.allFinite();
  } catch (const Error& error) {
    step.reason = error.what();
  }
  if (!point.ok) ++result_.failures;
  step.ok = point.ok;
  step.energy = point.energy;
  step.gradient = point.largest;
  if (observer_) observer_(step);
  return point;
}

/// That of what is minimised, without the bound's part, in the frozen field.
Eigen::VectorXd Search::frozenGradient(const Eigen::VectorXd& v) {
  const BasisSet basis = variables_.basis(v);
  ExponentGradient byExponents;
  double value = bound_->frozenEnergy(basis, byExponents);
  if (weighted())
    bound_->addWeighted(basis, options_.prolapseWeight, options_.valenceWeight, value, byExponents);
  return variables_.gradient(v, byExponents);
}

/// Second derivatives of the energy by differences of gradients, and the largest part of the bound's. Where
/// the search came from a minimum in the frozen field they are those in it, until rounds do not profit from
/// them: a step then costs a trial of one l instead of an SCF, and what the SCF's differ by is learnt from
/// its gradients.
void Search::measureCurvature(const Point& at) {
  const Eigen::Index n = at.v.size();
  curvature_.resize(n, n);
  const std::optional<StartSpinors> spinors = spinors_;
  const bool frozen = inFrozenField_ || (weighted() && poorRounds_ < kPoorRounds);
  const Eigen::VectorXd here = frozen ? frozenGradient(at.v) : at.ofEnergy;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::VectorXd v = at.v;
    v(k) += kCurvatureStep;
    curvature_.col(k) = Eigen::VectorXd::Unit(n, k);
    if (frozen) {
      try {
        curvature_.col(k) = (frozenGradient(v) - here) / kCurvatureStep;
      } catch (const Error&) {
        // Nothing is known of this direction.
      }
      continue;
    }
    spinors_ = spinors;  // nearer than those of the step before
    const Point moved = evaluate(v, true);
    if (moved.ok) curvature_.col(k) = (moved.ofEnergy - here) / kCurvatureStep;
  }
  spinors_ = spinors;
  curvature_ = (0.5 * (curvature_ + curvature_.transpose())).eval();
  if (at.ofBound.size() > 0) curvature_ += at.ofBound * at.ofBound.transpose();
}

/// The symmetric change of rank one that makes the curvature right along a step.
void Search::learnCurvature(const Point& from, const Point& to) {
  constexpr double kSafe = 1e-6;
  const Eigen::VectorXd step = to.v - from.v, miss = to.gradient - from.gradient - curvature_ * step;
  const double along = miss.dot(step);
  if (std::abs(along) > kSafe * step.norm() * miss.norm()) curvature_ += miss * miss.transpose() / along;
}

/// Columns: directions in which the second derivative is one. Where it is small or negative, the length of
/// Newton's step is bounded instead.
Eigen::MatrixXd Search::scaling(const Point& at) const {
  const SymmetricEigen eigen(curvature_);
  const Eigen::VectorXd along = eigen.eigenvectors().transpose() * at.gradient;
  const double least = 1e-12 * std::max(eigen.eigenvalues().cwiseAbs().maxCoeff(), 1e-30);
  const Eigen::VectorXd curvature =
      eigen.eigenvalues().cwiseAbs().cwiseMax(along.cwiseAbs() / kLongestStep).cwiseMax(least);
  return eigen.eigenvectors() * curvature.cwiseSqrt().cwiseInverse().asDiagonal();
}

/// One round of NLopt's method in scaled coordinates; the best point that it found.
Point Search::searchFrom(const Point& start) {
  const Eigen::MatrixXd scale = scaling(start);
  Point best = start, last = start;
  MinimiserOptions minimiser;
  minimiser.method = options_.method;
  minimiser.maxEvaluations = kEvaluationsPerRound;
  const auto f = [&](const Eigen::VectorXd& y, Eigen::VectorXd& gradient, bool& done) {
    const Point point = y.isZero(0.0) ? start : evaluate(start.v + scale * y, false);
    if (!point.ok) {  // a bowl that leads back to where energies are
      const Eigen::VectorXd back = y - solveFullyPivoted(scale, best.v - start.v);
      gradient = 2.0 * back;
      return best.value - start.value + 1.0 + back.squaredNorm();
    }
    learnCurvature(last, point);
    last = point;
    const double enough = bounding() && !bounded_ ? std::max(tolerance_, kNearby) : tolerance_;
    if (point.value < best.value || point.largest < std::max(enough, handOver_)) best = point;
    done = point.largest < std::max(enough, handOver_) || spent();
    gradient = scale.transpose() * point.gradient;
    return point.value - start.value;
  };
  minimiseWithGradient(f, std::vector<double>(static_cast<std::size_t>(start.v.size()), 0.0), minimiser);
  return best;
}

/// Newton's steps by the gradient alone: close to a minimum differences of energies are lost in rounding, and
/// a line search with them.
Point Search::polished(Point point) {
  constexpr int kMostSteps = 6;
  const double close = std::max(kClose * tolerance_, kCloseHartree);
  for (int i = 0; i < kMostSteps && !spent(); ++i) {
    if (point.largest < tolerance_ || point.largest > close) break;
    const Eigen::MatrixXd scale = scaling(point);
    const Point next = evaluate(point.v - scale * (scale.transpose() * point.gradient), false);
    if (!next.ok || next.largest >= point.largest) break;
    learnCurvature(point, next);
    point = next;
  }
  return point;
}

/// The bound comes into play when the energy alone is nearly at its minimum: far from there the prolapse of a
/// poor set says nothing about the one looked for.
bool Search::finished(const Point& point) {
  const bool stationary = point.largest < tolerance_;
  if (!bounding()) return stationary;
  if (!bounded_ && point.largest > std::max(options_.tolerance, kNearby)) return false;
  bounded_ = true;
  return bound_->settle(variables_.basis(point.v), point.energy) && stationary;
}

/// Rounds until the point is finished. In a frozen field, whose energies have the rounding of weighted
/// prolapses, also until a round of a fresh curvature finds nothing lower.
Point Search::searchRounds(Point point, int mostRounds) {
  handOver_ = std::max(kHandOver * tolerance_, kHandOverHartree);
  for (int round = 0; !(result_.converged = finished(point)) && round < mostRounds && !spent(); ++round) {
    ++result_.rounds;
    if (bounded_) point = evaluate(point.v, false);  // the bound may have changed what is minimised
    const bool fresh = stale_, close = point.largest < handOver_;
    if (stale_) measureCurvature(point);
    const Point found = polished(searchFrom(point));
    const bool nothing = fresh && !close && point.value - found.value < kNothing * tolerance_;
    stale_ = found.largest > kGoodRound * point.largest;
    if (fresh && stale_ && !inFrozenField_) ++poorRounds_;
    handOver_ *= kLater;
    point = found;
    if (inFrozenField_ && nothing) break;
  }
  return point;
}

/// Where SCFs begin: at the minimum in the frozen field, which differs from theirs by what is of second order
/// in the lack; nothing gained where that is no better.
Point Search::fromFrozenField(const Point& start) {
  inFrozenField_ = true;
  tolerance_ = std::max(options_.tolerance, std::min(kFrozenTolerance, kFrozenShare * start.largest));
  const Point frozen = evaluate(start.v, false);
  const Point found = frozen.ok ? searchRounds(frozen, kFrozenRounds) : start;
  inFrozenField_ = false;
  tolerance_ = options_.tolerance;
  const Point point = evaluate(found.v, false);
  if (point.ok && point.value < start.value) return point;
  stale_ = true;
  return start;
}

ExponentSearchResult Search::run() {
  const Stopwatch watch;
  const Eigen::VectorXd first = variables_.start();
  Point point = evaluate(first, false);
  if (!point.ok) {
    addEnergy(variables_.basis(first), point);  // throws what is wrong
    throw Error("the set that the optimisation starts from has no energy");
  }
  result_.startEnergy = point.energy;
  if (weighted() && !options_.frozenField && !finished(point)) point = fromFrozenField(point);
  point = searchRounds(point, kMostRounds);
  result_.variables = point.v;
  result_.basis = variables_.basis(point.v);
  result_.energy = point.energy;
  result_.gradient = point.largest;
  if (!bound_ && problem_.configuration.isAufbau()) makeBound();
  if (bound_) {
    if (!bounded_) bound_->settle(result_.basis, point.energy);
    result_.error = point.energy - bound_->limit();
    result_.prolapse = bound_->prolapse();
    if (bounded_) result_.multiplier = bound_->multiplier();
  }
  result_.seconds = watch.seconds();
  return result_;
}

}  // namespace

ExponentSearchResult searchExponents(const AtomProblem& problem, const BasisVariables& variables,
                                     const ExponentSearchOptions& options,
                                     const ExponentSearchObserver& observer) {
  if (!problem.hamiltonian.isFourComponent())
    throw Error("gradients of the energy are those of hamiltonian='dirac'; found hamiltonian='" +
                nameOf(problem.hamiltonian.oneElectron) +
                "', for which methods without derivatives can be used");
  return Search(problem, variables, options, observer).run();
}

}  // namespace prophet
