#include "pairs/fallback_engine.hpp"

namespace prophet {

template <class Work>
auto FallbackPairEngine::with(const Work& work) {
  if (instead_) {
    try {
      return work(*engine_);
    } catch (const Error& e) {
      refusal_ = e.what();
      engine_ = std::move(instead_);
    }
  }
  return work(*engine_);
}

std::string FallbackPairEngine::name() const {
  return refusal_.empty() ? engine_->name() : engine_->name() + ", because: " + refusal_;
}

PairHistogram FallbackPairEngine::histogram(const Structure& s, const HistogramRequest& r) {
  return with([&](PairEngine& e) { return e.histogram(s, r); });
}

DebyeSums FallbackPairEngine::direct(const Structure& s, const DebyeRequest& r) {
  return with([&](PairEngine& e) { return e.direct(s, r); });
}

DebyeSums FallbackPairEngine::transform(const PairHistogram& h, const Eigen::VectorXd& q) {
  return with([&](PairEngine& e) { return e.transform(h, q); });
}

Eigen::VectorXd FallbackPairEngine::sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) {
  return with([&](PairEngine& e) { return e.sincSum(distances, q); });
}

}  // namespace prophet
