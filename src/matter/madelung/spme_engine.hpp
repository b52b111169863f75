#pragma once
#include <memory>
#include <string>

#include "matter/madelung/spme.hpp"

namespace prophet {

/// Where particle-mesh sums are formed: the processor, or a GPU.
class SpmeEngine {
 public:
  virtual ~SpmeEngine() = default;
  /// "CPU, 2 threads", "NVIDIA H200".
  virtual std::string name() const = 0;
  /// Computes once; the cell is one that check() has passed. `times` may be null. Throws Error.
  virtual Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                                 SpmeTimes* times) = 0;
};

/// The processor.
std::unique_ptr<SpmeEngine> hostSpmeEngine(int threads);

}  // namespace prophet
