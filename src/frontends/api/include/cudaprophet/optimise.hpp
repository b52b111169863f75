#pragma once
#include <functional>
#include <string>

#include "cudaprophet/compute.hpp"

namespace cudaprophet {

struct OptimiserSettings {
  std::string method = "newuoa";  ///< or "bobyqa", "nelder-mead", "sbplx"; by gradients "lbfgs", "slsqp"
  double firstStep = 0.1;         ///< in the logarithms of the parameters
  double lastStep = 1e-4;
  int maxEvaluations = 500;
  /// Called after each evaluation: its number and energy (not a number where there is none), and the lowest
  /// energy so far. An exception ends the search.
  std::function<void(int evaluation, double energy, double best)> progress{};
  /// Beginning of the names of its files, STATE.best, the best set, and STATE.bsopt, from which `resume`
  /// continues (not by gradients); empty: none.
  std::string state{};
  bool resume = false;
};

struct Optimised {
  Ladder ladder;
  double startEnergy = 0, energy = 0;  ///< hartree
  int evaluations = 0;
  std::string stopped;  ///< why
};

/// Minimises the energy of an atom over the parameters of a well-tempered set, sizes and groups fixed. Throws
/// Error if the start has no energy.
CUDAPROPHET_API Optimised optimise(const Atom& atom, const Ladder& start, const OptimiserSettings& how = {},
                                   const Settings& settings = {});

}  // namespace cudaprophet
