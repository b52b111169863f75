#include "pairs/fallback_engine.hpp"

namespace prophet {

std::string FallbackPairEngine::name() const {
  const std::string name = engines_.engine().name();
  return engines_.refusal().empty() ? name : name + ", because: " + engines_.refusal();
}

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

}  // namespace prophet
