#pragma once
#include "calculation/stored_solver.hpp"

namespace prophet::cuda {

/// A calculation with stored integrals, for libcudaprophet_cuda_solver.so.
struct SolverRequest {
  const AtomProblem& problem;
  const BasisMethod& method;
  const StoredSettings& settings;
  const ScfObserver& observer;
  StoredReport* report;
  int device;
};

/// The entry cudaprophetSolveStored; throws what runStoredScf throws.
using SolverEntry = void (*)(const SolverRequest& request, ScfResult& result);

}  // namespace prophet::cuda
