#pragma once
#include <functional>
#include <string>
#include <vector>

#include "atom/configuration.hpp"
#include "atom/nucleus.hpp"
#include "basis/well_tempered.hpp"
#include "optimise/minimiser.hpp"
#include "service/energy_service.hpp"

namespace prophet {

/// jobtype='bsopt': the well-tempered parameters of one atom's basis, sizes and groups fixed.
struct BsoptTask {
  Nucleus nucleus;
  Configuration configuration;
  double c = 0;
  WellTemperedSpec spec;  ///< where the search starts
  ScfOptions scf;
  std::string fingerprint;  ///< anything else that tells this run from others, one line; may be empty
};

struct BsoptOptions {
  MinimiserOptions minimiser;
  std::string stateFile;  ///< every evaluation, for `resume`; empty: none
  std::string bestFile;   ///< the best set as an input block, after every improvement; empty: none
  bool resume = false;
};

/// One energy evaluation.
struct BsoptStep {
  int evaluation = 0;     ///< from 1
  double energy = 0;      ///< hartree; a large one where there is none
  bool ok = false;        ///< whether the SCF converged
  bool improved = false;  ///< the lowest energy so far
  bool replayed = false;  ///< known from an earlier, interrupted run
  double distance = 0;    ///< from the best point so far, in the variables: shrinks with the trust radius
  std::vector<WellTemperedParameters> groups;
  std::string reason;  ///< why there is no energy
};
using BsoptObserver = std::function<void(const BsoptStep&)>;

struct BsoptResult {
  WellTemperedSpec spec;  ///< with the best parameters
  double startEnergy = 0, energy = 0;
  int evaluations = 0, failures = 0, replayed = 0;
  StopReason reason = StopReason::Converged;
  double seconds = 0;
};

/// Minimises the SCF energy over ln alpha, ln(beta - 1), ln delta, ln gamma of every group that a symmetry
/// uses. An energy that fails (not converged, not a number, more negative than ten times the first one)
/// counts as a large finite value and the search goes on; the first one must converge. Every evaluation is
/// recorded before the next begins; a resumed run replays them and, the minimiser being deterministic, goes
/// on as if it had never stopped. Throws Error for a state file of another run, and for a start without an
/// energy.
BsoptResult runBsopt(const BsoptTask& task, const BsoptOptions& options, EnergyService& service,
                     const BsoptObserver& observer = {});

/// Runs the same search from several starting points at once: as many energies under way as there are
/// points, which keeps a batched service busy. Results in the order of the starts; state and best files get
/// the suffix .0, .1, ...
std::vector<BsoptResult> runBsoptMany(const BsoptTask& task, const std::vector<WellTemperedSpec>& starts,
                                      const BsoptOptions& options, EnergyService& service);

/// `$bas ... $end $wtbs ... $end` of an input file for a well-tempered basis, all digits.
std::string inputBlock(const WellTemperedSpec& spec);

}  // namespace prophet
