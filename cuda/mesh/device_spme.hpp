#pragma once
#include <memory>

#include "madelung/spme.hpp"

namespace prophet::cuda {

/// The particle-mesh Ewald sum on the GPU: energy, potentials and fields (the virial is the host's alone and
/// stays zero). Sites stay on the device between calls of `run`.
class DeviceSpme {
 public:
  /// Sorts the sites on the host. `run` throws CudaError for orders other than 4, 6 and 8 (with Filter also
  /// 12).
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
