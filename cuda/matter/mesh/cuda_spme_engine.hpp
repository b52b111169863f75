#pragma once
#include <memory>
#include <vector>

#include "cuda/matter/mesh/device_spme.hpp"

namespace prophet::cuda {

/// Particle-mesh sums on one GPU, all in double precision. Mesh, transforms and memory are kept as long as
/// mesh, order and assignment stay, whatever becomes of places, charges and cells.
class CudaSpmeEngine : public SpmeEngine {
 public:
  /// `devices`: the first one is taken; empty: GPU 0. Throws Error for one that is not there.
  explicit CudaSpmeEngine(const std::vector<int>& devices);
  std::string name() const override;
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                         SpmeTimes* times) override;

 private:
  int device_;
  std::unique_ptr<DeviceSpme> kept_;
};

}  // namespace prophet::cuda
