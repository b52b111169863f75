#pragma once
#include <memory>
#include <string>

#include "common/fallback.hpp"
#include "pairs/pair_engine.hpp"

namespace prophet {

/// An engine with another one for what it refuses: from its first Error on the other does everything.
class FallbackPairEngine : public PairEngine {
 public:
  FallbackPairEngine(std::unique_ptr<PairEngine> first, std::unique_ptr<PairEngine> instead)
      : engines_(std::move(first), std::move(instead)) {}

  /// Of the one that works; after a refusal with what the first one said.
  std::string name() const override;
  PairHistogram histogram(const Structure& structure, const HistogramRequest& request) override;
  DebyeSums direct(const Structure& structure, const DebyeRequest& request) override;
  DebyeSums transform(const PairHistogram& histogram, const Eigen::VectorXd& q) override;
  Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) override;
  int freeBins() const override { return engines_.engine().freeBins(); }

 private:
  Fallback<PairEngine> engines_;
};

}  // namespace prophet
