#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bases/optimise/bsopt.hpp"

namespace prophet {

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
