#pragma once
#include <memory>

#include "madelung/spme.hpp"

namespace prophet::cuda {

/// The particle-mesh Ewald sum on the GPU: energy, potentials and fields (the virial is the host's alone and
/// stays zero). Sites stay on the device between calls of `run`.
class DeviceSpme {
 public:
  /// Sorts the sites on the host. Throws CudaError, and Error for wrong parameters; orders 4, 5, 6, 8,
  /// 10, 12.
  DeviceSpme(const ChargedCell& cell, const SpmeParameters& parameters);
  ~DeviceSpme();

  /// Computes once; the times are the device's.
  SpmeTimes run();
  /// What the last run gave.
  Electrostatics result() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace prophet::cuda
