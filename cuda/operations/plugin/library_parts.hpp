#pragma once
#include <memory>
#include <vector>

#include "cuda/core/common/memory.hpp"
#include "operations/backend/cuda_plugin.hpp"

namespace prophet::cuda {

/// What needs cuBLAS, cuSOLVER or cuFFT: in libcudaprophet_cuda_solver.so, so that everything else starts
/// without these large libraries. Throws what the solver and the engines throw.
class LibraryParts {
 public:
  virtual ~LibraryParts() = default;
  /// Engines made from now on share their spare memory with those of the library that opens this one.
  virtual void shareSpareMemory(SpareMemory& memory) const = 0;
  /// Keeps what its calculations share, memory above all, as long as it lives; one at a time runs.
  virtual std::unique_ptr<StoredSolver> makeStoredSolver(int device) const = 0;
  virtual std::unique_ptr<SpmeEngine> makeSpmeEngine(const std::vector<int>& devices) const = 0;
  virtual std::unique_ptr<ShapeEngine> makeShapeEngine(const std::vector<int>& devices) const = 0;
  virtual std::unique_ptr<LevelEngine> makeLevelEngine(const std::vector<int>& devices) const = 0;
  virtual std::unique_ptr<CorrelationEngine> makeCorrelationEngine(const std::vector<int>& devices) const = 0;
};

/// The entry cudaprophetLibraryParts; what it returns lives as long as the library.
using LibraryPartsEntry = const LibraryParts* (*)();

}  // namespace prophet::cuda
