#include "matter/madelung/charge_sums.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/common/error.hpp"
#include "matter/madelung/direct_ewald.hpp"

namespace prophet {

Electrostatics sumsOfMesh(SpmeEngine& engine, const ChargedCell& cell, const SpmeParameters& parameters) {
  Electrostatics sums = engine.compute(cell, parameters, nullptr);
  if (!sums.nearest) sums.nearest = nearestDistance(cell);
  checkNearest(*sums.nearest);
  return sums;
}

ChargeSums::ChargeSums(Eigen::VectorXd charges, ChargeSumOptions options)
    : options_(std::move(options)), ewald_(options_.ewald.value_or(charges.size() <= kFewSites)) {
  if (charges.size() == 0) throw Error("there are no charges; give at least one");
  if (!charges.allFinite()) throw Error("a charge is not a number; give finite values");
  if (options_.threads < 1) throw Error("threads must be at least 1");
  cell_.charges = std::move(charges);
  if (!options_.engine)
    options_.engine = [threads = options_.threads](double) { return hostSpmeEngine(threads); };
}

std::string ChargeSums::device() const {
  return engine_ ? engine_->name() : hostSpmeEngine(options_.threads)->name();
}

Electrostatics ChargeSums::compute(const Eigen::Matrix3d& vectors, Eigen::Matrix3Xd positions) {
  if (positions.cols() != cell_.sites())
    throw Error(
        fmt::format("found {} positions; expected {}, one for each charge", positions.cols(), cell_.sites()));
  const bool sameCell = cell_.vectors == vectors;
  cell_.vectors = vectors;
  cell_.positions = std::move(positions);
  checkCharges(cell_, options_.netCharge);
  if (ewald_) return directEwald(cell_, options_.netCharge, options_.threads);
  if (!sameCell || !parameters_) {
    const double tolerance = options_.mesh.tolerance;
    if (!parameters_ || estimatedErrors(cell_, *parameters_).all() > kErrorsMiss * tolerance)
      parameters_ = chosenParameters(cell_, options_.mesh);
    requireUseful(estimatedErrors(cell_, *parameters_), tolerance);
  }
  if (!engine_) engine_ = options_.engine(secondsOnProcessor(cell_, *parameters_));
  Electrostatics sums = engine_->compute(cell_, *parameters_, nullptr);
  // A search for sites that are too close takes less time than one for the nearest ones.
  if (sums.nearest)
    checkNearest(*sums.nearest);
  else
    checkDistances(cell_);
  return sums;
}

}  // namespace prophet
