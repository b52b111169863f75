#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/frozen/trial_gatherer.hpp"
#include "atoms/service/energy_service.hpp"
#include "bases/optimise/ladder_fit.hpp"
#include "bases/optimise/state_lines.hpp"

namespace prophet {

/// One atom whose smallest basis is wanted.
struct ChainTask {
  AtomProblem problem;
  std::optional<double> limit;  ///< numerical energy where known, hartree; else it is computed
  int threads = 1;              ///< for computing it
  Checkpoint checkpoint{};      ///< while computing it; while fitting, that of the minimiser's options
};

struct ChainOptions {
  double threshold = 5e-9;     ///< largest (energy - limit)/|limit| of the final set
  double referenceBeta = 1.6;  ///< ratio of the even-tempered reference set
  bool byGradient = true;      ///< ladders by searchLadder; else, and in a Fermi nucleus's field, by `fit`
  MinimiserOptions fit{MinimiserMethod::Newuoa, 0.4, 1e-3, 400, {}};
  int sideBySide = 1;   ///< symmetries whose ladders are optimised at once; the result does not depend on it
  TrialMeans trials{};  ///< who measures the bases
  int fitPasses = 3;    ///< most often that the minimiser starts, from its result, with full steps
  std::string stateFile;  ///< finished work, for `resume`; empty: none
  bool resume = false;
};

/// Lines of the log, without line ends; one at a time, from any thread.
using ChainLog = std::function<void(const std::string&)>;

struct ChainResult {
  bool met = false;                   ///< whether the threshold is met and the energy is not below the limit
  std::vector<FittedLadder> ladders;  ///< one for each symmetry; runChain only
  WellTemperedSpec spec;              ///< the set; of runChain one group for each symmetry
  double energy = 0;                  ///< SCF energy of the final set, hartree
  double limit = 0;                   ///< numerical energy
  double error = 0;                   ///< (energy - limit)/|limit|
  int fits = 0, evaluations = 0;      ///< optimisations, and bases measured in them
  int scfRuns = 0;
  double seconds = 0;
};

/// The smallest set of an atom within the threshold: the size reduction of Hennessey (2018), section 2.1,
/// with a ladder of its own for each symmetry, so that dropping a function at the tight and at the diffuse
/// end and re-optimising are one search. Highest angular momentum first, the size of each symmetry is found
/// by secant steps on the logarithm of the error (which falls by a nearly constant factor for each function)
/// to its share of the threshold; then functions are taken away one by one where that costs least, each size
/// re-optimised, while the sum of errors stays within the threshold. Bases are measured in the frozen field
/// of a reference solution (TabulatedField); the result is checked by an SCF through `service`, and
/// where that misses the threshold the search goes on with a smaller one.
///
/// Restartable: every finished optimisation is a line of the state file, and a resumed run takes the same
/// path over them to the same final set. Throws Error if the reference or the numerical limit does not
/// converge, or for another Hamiltonian than Dirac's.
ChainResult runChain(const ChainTask& task, const ChainOptions& options, EnergyService& service,
                     const ChainLog& log = {});

/// The numerical energy that a chain compares with, hartree: given, or recorded by an earlier run, or
/// computed and recorded now. Throws Error if the computation does not converge.
double chainLimit(const ChainTask& task, FinishedPieces& record);

/// Throws Error for a limit (hartree) that is so far from the energy of a large basis that it belongs to
/// another atom or is no energy at all: a search for sets near it would have no end.
void requireSensibleLimit(double limit, double energy);

/// "33s+ 30p- 27p+".
std::string sizesText(const std::vector<int>& functions);

}  // namespace prophet
