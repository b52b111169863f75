#pragma once
#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "atoms/correlation/pair_excitations.hpp"
#include "atoms/correlation/self_energy_terms.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// The excitations of two spinors' electrons add this to the sums.
struct PairPart {
  double gap = std::numeric_limits<double>::infinity();  ///< smallest energy of an excitation
  double integrals = 0;
  std::vector<double> waves;
};

/// Sums over the excitations of one PairExcitations, which outlives them.
class PairSums {
 public:
  virtual ~PairSums() = default;
  /// Sums over the pairs of an electron of active spinor a and one of spinor a, a + 1, ... to the last, in
  /// this order.
  virtual std::vector<PairPart> pairsOf(std::size_t a) = 0;
};

/// One hole adds this to the self-energy.
struct SigmaPart {
  Eigen::MatrixXd matrix;     ///< between the columns of the terms, or their combinations
  std::vector<double> waves;  ///< of the diagonal element of the valence spinor
  double gap = std::numeric_limits<double>::infinity();  ///< smallest energy that it was divided by
};

/// Sums over the terms of one self-energy, which outlives them.
class SigmaSums {
 public:
  virtual ~SigmaSums() = default;
  /// Sums the terms of hole a with two particles, and those of one particle with the holes a and b for every
  /// b >= a.
  virtual SigmaPart partOf(std::size_t a) = 0;
};

/// Adds what all holes give to a part that holds as many waves.
void addHoles(SigmaSums& sums, std::size_t holes, const Checkpoint& checkpoint, SigmaPart& sum);

/// A processor or a GPU that computes sums of second order.
class CorrelationEngine {
 public:
  virtual ~CorrelationEngine() = default;
  /// "NVIDIA H200", "CPU".
  virtual std::string name() const = 0;
  /// Whether it computes on the threads of what it sums, which else are free meanwhile.
  virtual bool takesThreads() const { return false; }
  virtual std::unique_ptr<PairSums> sums(const PairExcitations& excitations) = 0;
  virtual std::unique_ptr<SigmaSums> sums(const SelfEnergyTerms& terms) = 0;
};

/// Computes on the threads of the options.
std::unique_ptr<CorrelationEngine> hostCorrelationEngine();

}  // namespace prophet
