#include "operations/execution/fallback_engines.hpp"

namespace prophet {

PairHistogram FallbackPairEngine::histogram(const Structure& s, const HistogramRequest& r) {
  return engines_.with([&](PairEngine& e) { return e.histogram(s, r); });
}

DebyeSums FallbackPairEngine::direct(const Structure& s, const DebyeRequest& r) {
  return engines_.with([&](PairEngine& e) { return e.direct(s, r); });
}

DebyeSums FallbackPairEngine::transform(const PairHistogram& h, const Eigen::VectorXd& q) {
  return engines_.with([&](PairEngine& e) { return e.transform(h, q); });
}

Eigen::VectorXd FallbackPairEngine::sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) {
  return engines_.with([&](PairEngine& e) { return e.sincSum(distances, q); });
}

FormFactor FallbackShapeEngine::sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                          Precision precision) {
  return engines_.with([&](ShapeEngine& e) { return e.sumOnGrid(elements, grid, precision); });
}

FormFactor FallbackShapeEngine::sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                                            Precision precision) {
  return engines_.with([&](ShapeEngine& e) { return e.sumAtPoints(elements, q, precision); });
}

Eigen::MatrixXcd FallbackShapeEngine::sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q,
                                                Precision precision) {
  return engines_.with([&](ShapeEngine& e) { return e.sumOnRows(elements, q, precision); });
}

FormFactor FallbackShapeEngine::transformOnGrid(const std::vector<SurfaceElement>& elements,
                                                const QGrid& grid, double tolerance, Precision precision) {
  return engines_.with(
      [&](ShapeEngine& e) { return e.transformOnGrid(elements, grid, tolerance, precision); });
}

Electrostatics FallbackSpmeEngine::compute(const ChargedCell& cell, const SpmeParameters& parameters,
                                           SpmeTimes* times) {
  return engines_.with([&](SpmeEngine& e) { return e.compute(cell, parameters, times); });
}

}  // namespace prophet
