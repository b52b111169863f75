#pragma once
#include <vector>

#include "matter/madelung/spme.hpp"

namespace prophet::cuda {

/// Particle-mesh sums on one GPU, all in double precision.
class CudaSpmeEngine : public SpmeEngine {
 public:
  /// `devices`: the first one is taken; empty: GPU 0. Throws Error for one that is not there.
  explicit CudaSpmeEngine(const std::vector<int>& devices);
  std::string name() const override;
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                         SpmeTimes* times) override;

 private:
  int device_;
};

}  // namespace prophet::cuda
