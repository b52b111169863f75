#pragma once
#include <memory>

#include "matter/madelung/spme.hpp"

namespace prophet::cuda {

/// The particle-mesh Ewald sum on the GPU. Sites stay on the device between calls of `run`.
class DeviceSpme {
 public:
  /// Sorts the sites on the host. Throws Error for parameters that the host's Spme refuses, CudaError if the
  /// device's memory does not suffice.
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
