#pragma once
#include <memory>
#include <vector>

#include "backend/cuda_plugin.hpp"

namespace prophet::cuda {

/// A calculation with stored integrals.
struct SolverRequest {
  const AtomProblem& problem;
  const BasisMethod& method;
  const StoredSettings& settings;
  const ScfObserver& observer;
  StoredReport* report;
  int device;
};

/// What needs cuBLAS, cuSOLVER or cuFFT: in libcudaprophet_cuda_solver.so, so that everything else starts
/// without these large libraries. Throws what runStoredScf and the engines throw.
class LibraryParts {
 public:
  virtual ~LibraryParts() = default;
  virtual ScfResult solve(const SolverRequest& request) const = 0;
  virtual std::unique_ptr<SpmeEngine> makeSpmeEngine(const std::vector<int>& devices) const = 0;
  virtual std::unique_ptr<ShapeEngine> makeShapeEngine(const std::vector<int>& devices) const = 0;
};

/// The entry cudaprophetLibraryParts; what it returns lives as long as the library.
using LibraryPartsEntry = const LibraryParts* (*)();

}  // namespace prophet::cuda
