#pragma once
#include <string>
#include <vector>

#include "atoms/correlation/correlation_engine.hpp"

namespace prophet::cuda {

/// Second order with all radial integrals as products of matrices by cuBLAS on one GPU, in double precision;
/// no integral outlives the products of one spinor with the others. For one caller at a time.
class CudaCorrelationEngine : public CorrelationEngine {
 public:
  /// `devices`: the first one is taken; empty: GPU 0. Throws Error for one that is not there.
  explicit CudaCorrelationEngine(const std::vector<int>& devices);

  std::string name() const override;
  std::unique_ptr<PairSums> sums(const PairExcitations& excitations) override;
  std::unique_ptr<SigmaSums> sums(const SelfEnergyTerms& terms) override;

 private:
  int device_;
};

}  // namespace prophet::cuda
