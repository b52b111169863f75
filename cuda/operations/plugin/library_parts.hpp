#pragma once
#include <memory>
#include <vector>

#include "cuda/core/common/memory.hpp"
#include "operations/backend/cuda_plugin.hpp"

namespace prophet::cuda {

/// What needs cuBLAS, cuSOLVER or cuFFT: in libcudaprophet_cuda_solver.so, so that everything else starts
/// without these large libraries. Throws what the solver and the engines throw.
class LibraryParts : public EngineMakers<SpmeEngine, ShapeEngine, LevelEngine, CorrelationEngine> {
 public:
  /// Engines made from now on share their spare memory with those of the library that opens this one.
  virtual void shareSpareMemory(SpareMemory& memory) = 0;
  /// Keeps what its calculations share, memory above all, as long as it lives; one at a time runs.
  virtual std::unique_ptr<StoredSolver> makeStoredSolver(int device) = 0;
};

/// The entry cudaprophetLibraryParts; what it returns lives as long as the library.
using LibraryPartsEntry = LibraryParts* (*)();

}  // namespace prophet::cuda
