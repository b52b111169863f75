#include "matter/madelung/charge_sums.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/common/error.hpp"
#include "matter/madelung/direct_ewald.hpp"

namespace prophet {

ChargeSums::ChargeSums(Eigen::VectorXd charges, ChargeSumOptions options)
    : options_(std::move(options)), ewald_(options_.ewald.value_or(charges.size() <= kFewSites)) {
  if (charges.size() == 0) throw Error("there are no charges; give at least one");
  if (!charges.allFinite()) throw Error("a charge is not a number; give finite values");
  if (options_.threads < 1) throw Error("threads must be at least 1");
  cell_.charges = std::move(charges);
  if (!ewald_) engine_ = hostSpmeEngine(options_.threads);
}

Electrostatics ChargeSums::compute(const Eigen::Matrix3d& vectors, Eigen::Matrix3Xd positions) {
  if (positions.cols() != cell_.sites())
    throw Error(
        fmt::format("found {} positions; expected {}, one for each charge", positions.cols(), cell_.sites()));
  const bool sameCell = cell_.vectors == vectors;
  cell_.vectors = vectors;
  cell_.positions = std::move(positions);
  check(cell_, options_.netCharge);
  if (ewald_) return directEwald(cell_, options_.netCharge, options_.threads);
  if (!sameCell || !parameters_) {
    const double tolerance = options_.mesh.tolerance;
    if (!parameters_ || estimatedErrors(cell_, *parameters_).all() > kErrorsMiss * tolerance)
      parameters_ = chosenParameters(cell_, options_.mesh);
    requireUseful(estimatedErrors(cell_, *parameters_), tolerance);
  }
  return engine_->compute(cell_, *parameters_, nullptr);
}

}  // namespace prophet
