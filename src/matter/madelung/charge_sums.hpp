#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "matter/madelung/spme.hpp"

namespace prophet {

/// How the sums of ChargeSums are formed; lengths in bohr.
struct ChargeSumOptions {
  std::optional<bool> ewald;  ///< exact, instead of a particle mesh; none: for up to kFewSites sites
  SpmeRequest mesh{};
  NetCharge netCharge = NetCharge::Refused;
  int threads = 1;
  /// Opens what forms the sums of a mesh, of which one processor takes so many seconds; empty: the processor.
  std::function<std::shared_ptr<SpmeEngine>(double seconds)> engine{};
};

/// Up to so many sites Ewald's sum takes no longer than a mesh.
inline constexpr Eigen::Index kFewSites = 512;

/// Sums of a mesh with the nearest distance, which GPUs find on the way. `cell` has passed checkCharges;
/// throws Error for sites that are too close.
Electrostatics sumsOfMesh(SpmeEngine& engine, const ChargedCell& cell, const SpmeParameters& parameters);

/// Energies, potentials and fields of the same charges at many places: molecular dynamics. A mesh and its
/// transforms are kept between calls. Not for several threads at once.
class ChargeSums {
 public:
  /// Throws Error for charges that are none, and parameters that cannot be.
  ChargeSums(Eigen::VectorXd charges, ChargeSumOptions options);

  const Eigen::VectorXd& charges() const { return cell_.charges; }
  /// `vectors`: columns a, b, c; `positions`: one column a site, anywhere. The parameters of a mesh are those
  /// of the first cell as long as the estimated errors allow, so that the energy is smooth where cells change
  /// a little. Throws Error as check() does, and for parameters with which the sums mean nothing.
  Electrostatics compute(const Eigen::Matrix3d& vectors, Eigen::Matrix3Xd positions);
  /// Those of the last call; none for Ewald's sum.
  const std::optional<SpmeParameters>& parameters() const { return parameters_; }
  /// Where the last ones were formed: "CPU, 2 threads", "NVIDIA H200".
  std::string device() const;

 private:
  ChargedCell cell_;
  ChargeSumOptions options_;
  bool ewald_;
  std::shared_ptr<SpmeEngine> engine_;
  std::optional<SpmeParameters> parameters_;
};

}  // namespace prophet
