#include "atoms/scf/scf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "atoms/scf/fock_mixer.hpp"
#include "atoms/scf/scf_field.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {
namespace {

/// Estimated rounding of an energy from integrals over primitives, hartree: near-dependent functions have
/// large coefficients of alternating sign, whose products with integrals cancel. Measured against the grid
/// for neon in even-tempered sets: right within a factor of two.
double roundingOverPrimitives(const Eigen::MatrixXd& coefficients, double repulsion) {
  if (coefficients.size() == 0) return 0.0;
  const double growth = coefficients.cwiseAbs().colwise().sum().maxCoeff();
  return std::numeric_limits<double>::epsilon() * static_cast<double>(coefficients.rows()) * growth * growth *
         std::abs(repulsion);
}

}  // namespace

void requirePositiveEnergy(const ScfResult& result, double c) {
  for (std::size_t a = 0; a < result.symmetries.size(); ++a) {
    const SymmetrySpinors& s = result.symmetries[a];
    for (Eigen::Index i = 0; i < s.energies.size(); ++i) {
      if (!isDived(s.energies(i), c)) continue;
      throw Error(fmt::format(
          "the energy of {} is {:.1f} hartree, below -2c^2: the nucleus is so strong that the spinor enters "
          "the negative-energy continuum and is no longer bound; lower the nuclear charge",
          spinorLabel(Symmetry::fromIndex(static_cast<int>(a)),
                      s.places[static_cast<std::size_t>(i)].number + 1),
          s.energies(i)));
    }
  }
}

void remarkOnRounding(ScfResult& result) {
  constexpr double kWorthSaying = 1e-11;
  double rounding = 0.0;
  for (const SymmetrySpinors& s : result.symmetries) {
    rounding = std::max(
        rounding, roundingOverPrimitives(s.large, result.energy.value(EnergyPartId::ElectronRepulsion)));
  }
  if (rounding < kWorthSaying * std::abs(result.energy.total)) return;
  result.remarks.push_back(
      {"stored_integrals_rounding",
       fmt::format("the functions are so nearly dependent that stored integrals round the energy by about "
                   "{:.0e} hartree; use fock='grid', which does not",
                   rounding)});
}

namespace {

/// Methods to turn to, one after the other, where DIIS does not converge: from the best spinors so far,
/// damped for some iterations and then DIIS anew; spinors are followed by overlap, not by their place in the
/// spectrum.
struct Fallback {
  double damping, levelShift;  ///< the shift lowers occupied spinors, hartree
  int dampedIterations;
  const char* words;
};
constexpr Fallback kFallbacks[] = {{0.5, 0.0, 6, "damping"}, {0.7, 0.5, 10, "damping and a level shift"}};

/// The iterations of one calculation.
class ScfRun {
 public:
  ScfRun(const ScfProblem& problem, FockBuilder& builder, const ScfOptions& options, ThreadPool& pool)
      : options_(options),
        c_(problem.speedOfLight),
        sumsOverPrimitives_(builder.sumsOverPrimitives()),
        field_(problem, builder, options.dependencyThreshold, pool),
        mixer_(options.extrapolation, options.damping) {
    timings_.setup = field_.setupSeconds();
    const Stopwatch watch;
    if (!problem.start || !field_.startFrom(*problem.start)) field_.guess(problem.nucleus.charge);
    timings_.guess = watch.seconds();
  }

  ScfResult run(const ScfObserver& observer);

 private:
  void measure(ScfIteration& step, ScfResult& result);
  void nextSpinors();
  bool fallBack(ScfResult& result);
  bool rightState(ScfResult& result);

  const ScfOptions& options_;
  const double c_;
  const bool sumsOverPrimitives_;
  ScfField field_;
  FockMixer mixer_;
  ScfTimings timings_;
  ConvergenceWatch watch_;
  std::vector<Eigen::MatrixXd> best_;  ///< spinors of the smallest gradient
  std::size_t fallbacks_ = 0;          ///< of kFallbacks in use
  int dampedLeft_ = 0, corrections_ = 0;
  bool follow_ = false;  ///< spinors by overlap with the last ones
};

void ScfRun::measure(ScfIteration& step, ScfResult& result) {
  const double previous = result.energy.total;
  step.number = static_cast<int>(result.iterations.size()) + 1;
  result.energy = field_.energy();
  step.energy = result.energy.total;
  step.energyChange = step.number == 1 ? step.energy : step.energy - previous;
  field_.densityChange(step);
  for (const Eigen::MatrixXd& g : field_.gradient()) {
    if (g.size() > 0) step.diisError = std::max(step.diisError, g.cwiseAbs().maxCoeff());
  }
  watch_.see(std::isfinite(step.energy) ? step.diisError : std::numeric_limits<double>::infinity());
}

void ScfRun::nextSpinors() {
  if (fallbacks_ > 0) {
    field_.lowerOccupied(kFallbacks[fallbacks_ - 1].levelShift);
    if (dampedLeft_ > 0 && --dampedLeft_ == 0) mixer_ = FockMixer(Extrapolation::Diis, 0.0);
  }
  mixer_.mix(field_.fock(), field_.gradient());
  field_.diagonalise(follow_);
}

/// Goes back to the best spinors and on with the next method; false where there is none.
bool ScfRun::fallBack(ScfResult& result) {
  if (options_.extrapolation != Extrapolation::Diis || best_.empty() || fallbacks_ == std::size(kFallbacks))
    return false;
  const Fallback& next = kFallbacks[fallbacks_++];
  field_.setCoefficients(best_);
  follow_ = true;
  dampedLeft_ = next.dampedIterations;
  mixer_ = FockMixer(Extrapolation::None, next.damping);
  watch_.beginAgain();
  result.remarks.push_back(
      {"scf_fallback", fmt::format("DIIS made no progress in iteration {}: continued with {}",
                                   result.iterations.size(), next.words)});
  return true;
}

/// Whether the spinors are those that the configuration names. Where not, they are taken instead, to iterate
/// again.
bool ScfRun::rightState(ScfResult& result) {
  constexpr int kMostCorrections = 2;
  if (!follow_ && field_.isAufbau()) return true;  // chosen by number in every iteration
  const std::string wrong = field_.takePlaces();
  if (wrong.empty()) return true;
  if (++corrections_ > kMostCorrections)
    throw NotConvergedError(
        fmt::format("the iterations collapse into another state: {} does not keep its position among the "
                    "spinors of its symmetry; the configuration may have no state of its own in this basis",
                    wrong));
  mixer_ = FockMixer(options_.extrapolation, options_.damping);
  watch_.beginAgain();
  follow_ = false;
  result.remarks.push_back(
      {"scf_other_state", fmt::format("iteration {} reached another state: {} was returned to its position",
                                      result.iterations.size(), wrong)});
  return false;
}

ScfResult ScfRun::run(const ScfObserver& observer) {
  ScfResult result;
  const Stopwatch whole;
  while (static_cast<int>(result.iterations.size()) < options_.maxIterations) {
    const Stopwatch fockWatch;
    field_.buildFock();
    timings_.fock += fockWatch.seconds();
    ScfIteration step;
    measure(step, result);
    result.iterations.push_back(step);
    if (observer) observer(step);
    const Stopwatch eigenWatch;
    if (isConverged(step, options_)) {
      result.converged = rightState(result);
      if (result.converged) break;
      continue;
    }
    if (watch_.improved()) best_ = field_.coefficients();
    const bool finite = std::isfinite(step.energy);
    if (!finite || watch_.stalled()) {
      if (isAtRounding(step)) {
        result.converged = rightState(result);
        if (!result.converged) continue;
        result.remarks.push_back(
            {"scf_rounding", fmt::format("rounding keeps density-matrix elements changing by {:.0e} (LL): no "
                                         "iteration brings the functions, some nearly dependent, closer",
                                         step.densityChangeLL)});
        break;
      }
      if (fallBack(result)) continue;
      if (!finite) break;
    }
    nextSpinors();
    timings_.eigen += eigenWatch.seconds();
  }
  field_.finish(result);
  if (result.converged) requirePositiveEnergy(result, c_);
  if (sumsOverPrimitives_) remarkOnRounding(result);
  result.timings = timings_;
  result.timings.rest = whole.seconds() - timings_.fock - timings_.eigen;
  return result;
}

}  // namespace

bool isConverged(const ScfIteration& step, const ScfOptions& options) {
  return step.densityChangeLL < options.thresholdLL && step.densityChangeSL < options.thresholdSL &&
         step.densityChangeSS < options.thresholdSS &&
         std::abs(step.energyChange) < options.energyThreshold * std::abs(step.energy) &&
         isSmallGradient(step.diisError, step.energy);
}

bool isAtRounding(const ScfIteration& step) {
  constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
  return std::abs(step.energyChange) < kRounding * std::abs(step.energy) &&
         isSmallGradient(step.diisError, step.energy);
}

ScfResult runScf(const ScfProblem& problem, FockBuilder& builder, const ScfOptions& options, ThreadPool& pool,
                 const ScfObserver& observer) {
  return ScfRun(problem, builder, options, pool).run(observer);
}

std::vector<OccupiedSpinors> occupiedSpinors(const ScfResult& result) {
  std::vector<OccupiedSpinors> list;
  for (const SymmetrySpinors& s : result.symmetries) {
    OccupiedSpinors& spinors = list.emplace_back();
    spinors.large = s.large;
    spinors.small = s.small;
    spinors.occupation = s.occupations;
    for (int i = 0; i < static_cast<int>(s.places.size()); ++i)
      if (s.places[i].open) spinors.open.push_back(i);
  }
  return list;
}

}  // namespace prophet
