#pragma once
#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "atoms/correlation/pair_excitations.hpp"
#include "atoms/correlation/self_energy_terms.hpp"

namespace prophet {

/// What the excitations of two spinors' electrons add.
struct PairPart {
  double gap = std::numeric_limits<double>::infinity();  ///< smallest energy of an excitation
  double integrals = 0;
  std::vector<double> waves;
};

/// Sums over the excitations of one PairExcitations, which outlives them.
class PairSums {
 public:
  virtual ~PairSums() = default;
  /// Of active spinor a's electrons with its own and with those of all spinors after it, in their order.
  virtual std::vector<PairPart> from(std::size_t a) = 0;
};

/// What one hole adds to the self-energy.
struct SigmaPart {
  Eigen::MatrixXd matrix;                                ///< between the columns of the terms
  std::vector<double> waves;                             ///< of the diagonal element of the valence spinor
  double gap = std::numeric_limits<double>::infinity();  ///< smallest energy that it was divided by
};

/// Sums over the terms of one self-energy, which outlives them.
class SigmaSums {
 public:
  virtual ~SigmaSums() = default;
  /// Of hole a with two particles, and of it and all holes that do not come before it with one particle.
  virtual SigmaPart from(std::size_t a) = 0;
};

/// Where sums of second order are computed.
class CorrelationEngine {
 public:
  virtual ~CorrelationEngine() = default;
  /// "NVIDIA H200", "CPU".
  virtual std::string name() const = 0;
  virtual std::unique_ptr<PairSums> sums(const PairExcitations& excitations) = 0;
  virtual std::unique_ptr<SigmaSums> sums(const SelfEnergyTerms& terms) = 0;
};

/// The threads of the options.
std::unique_ptr<CorrelationEngine> hostCorrelationEngine();

}  // namespace prophet
