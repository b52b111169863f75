#pragma once
#include <memory>

#include "matter/madelung/spme.hpp"

namespace prophet::cuda {

/// Particle-mesh Ewald sums on the current device: what the host gives are places and charges in the caller's
/// order, and everything else is made on the device. Keeps the mesh, its transforms, memory for sites and
/// page-locked memory for copies between calls. For one thread. After an exception only the destructor may
/// follow.
class DeviceSpme {
 public:
  /// Mesh, order and assignment count. Throws Error for parameters that the host's Spme refuses, DeviceError
  /// for what the device cannot do.
  explicit DeviceSpme(const SpmeParameters& parameters);
  ~DeviceSpme();

  /// Whether sums with these parameters can be had from this object.
  bool serves(const SpmeParameters& parameters) const;
  /// As SpmeEngine; finds the nearest distance where it is within the cutoff. With `times` parts run one
  /// after the other instead of side by side, and the times are the device's.
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters, SpmeTimes* times);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace prophet::cuda
