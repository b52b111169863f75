#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/service/energy_service.hpp"
#include "bases/optimise/minimiser.hpp"
#include "core/common/error.hpp"

namespace prophet {

/// jobtype='bsopt': the well-tempered parameters of one atom's basis, sizes and groups fixed.
struct BsoptTask {
  AtomProblem problem;
  WellTemperedSpec spec;  ///< where the search starts
  ScfOptions scf;
  std::string fingerprint;  ///< anything else that tells this run from others, one line; may be empty
};

struct BsoptOptions {
  MinimiserOptions minimiser;
  std::string stateFile;  ///< every evaluation, for `resume`; empty: none
  std::string bestFile;   ///< the best set as an input block, after every improvement; empty: none
  bool resume = false;
  bool warmStarts = true;          ///< each SCF from the spinors of the best set so far; same energies
  std::optional<double> target{};  ///< stop at the first energy of this or less, hartree
  /// The numerical limit, hartree: an energy below it (prolapse) counts as that much above it.
  std::optional<double> floor{};
};

/// One energy evaluation.
struct BsoptStep {
  int evaluation = 0;     ///< from 1
  double energy = 0;      ///< hartree; a large value if there is none
  bool ok = false;        ///< whether the SCF converged
  bool improved = false;  ///< the lowest energy so far
  bool replayed = false;  ///< known from an earlier, interrupted run
  int scfIterations = 0;  ///< 0 if replayed
  double distance = 0;    ///< from the best point so far, in the variables: shrinks with the trust radius
  std::vector<WellTemperedParameters> groups;
  std::string reason;  ///< why there is no energy
};
using BsoptObserver = std::function<void(const BsoptStep&)>;

struct BsoptResult {
  WellTemperedSpec spec;  ///< with the best parameters
  double startEnergy = 0, energy = 0;
  int evaluations = 0, failures = 0, replayed = 0;
  int bestEvaluation = 0;  ///< which one the best set was
  int scfIterations = 0;   ///< of the evaluations that were not replayed
  StopReason reason = StopReason::Converged;
  double seconds = 0;
};

/// Why a set that an optimisation was to start from has no energy.
class NoStartEnergy : public Error {
 public:
  using Error::Error;
};

/// Minimises the SCF energy over ln alpha, ln(beta - 1), ln delta, ln gamma of every group that a symmetry
/// uses. An energy that fails (not converged, not a number, more negative than ten times the first one)
/// counts as a large finite value and the search goes on; the first one must converge (NoStartEnergy). Every
/// evaluation is recorded before the next begins; a resumed run replays them and, the minimiser being
/// deterministic, goes on as if it had never stopped: it repeats the SCFs of the improvements (where the
/// service keeps spinors), each from the spinors of the one before, so that its warm starts are those of an
/// uninterrupted run, bit for bit. Throws Error for a state file of another run.
BsoptResult runBsopt(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
                     const BsoptObserver& observer = {});

/// `$nuc ... $end` of an input file for a nucleus: charge, model and what gives its size, all digits.
std::string inputBlock(const Nucleus& nucleus);
/// `$bas ... $end $wtbs ... $end` of an input file for a well-tempered basis, all digits.
std::string inputBlock(const WellTemperedSpec& spec);
/// `$bas ... $end` with all exponents (bastype='rdin').
std::string inputBlock(const BasisSet& basis);

/// What the best file holds: the input blocks of the nucleus and of the set below a comment with the energy.
std::string bestSetText(const Nucleus& nucleus, const BsoptResult& result);

/// The set itself and count - 1 others around it: ln alpha, ln(beta - 1), ln delta and ln gamma of every
/// group moved by up to `spread` either way, evenly distributed. Always the same sets for the same arguments.
std::vector<WellTemperedSpec> scatteredStarts(const WellTemperedSpec& spec, int count, double spread);

/// What became of one starting point.
struct BsoptStartResult {
  BsoptResult result;
  std::string failure;  ///< why it has no energy; empty if it ran
};

struct BsoptManyResult {
  std::vector<BsoptStartResult> starts;  ///< in the order of the starting points
  std::size_t best = 0;                  ///< the one with the lowest energy
  int evaluations = 0;                   ///< of all, without replayed ones
  double seconds = 0;
};

/// Called from the searches' threads, one at a time.
using BsoptManyObserver = std::function<void(std::size_t start, const BsoptStep&)>;

/// Runs the same search from several starting points at once, with one thread and one energy in progress for
/// each, which keeps a batched service busy. State files get the suffix .0, .1, ...; the best file is that of
/// the best start so far. A start without an energy fails alone; throws NoStartEnergy if all do, Error as
/// runBsopt does, and Error if the system does not provide so many threads.
BsoptManyResult runBsoptMany(const BsoptTask& task, const std::vector<WellTemperedSpec>& starts,
                             const BsoptOptions& options, EnergyService& service,
                             const BsoptManyObserver& observer = {});

/// Throws Error where the state files beside `stateFile` belong to a run with more starting points, or to one
/// with a single point and no suffix: to go on with fewer would forget their best set.
void refuseOtherStarts(const std::string& stateFile, std::size_t starts);

}  // namespace prophet
