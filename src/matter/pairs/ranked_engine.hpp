#pragma once
#include "core/ranks/ranks.hpp"
#include "matter/pairs/pair_engine.hpp"

namespace prophet {

/// Pairs shared out among ranks: each does its part of the tiles with an engine of its own, the first one
/// adds up. Every rank makes the same calls; the sums that the others get are not complete. Where one of them
/// fails, all throw the same SharedError.
class RankedPairEngine : public PairEngine {
 public:
  /// `failure`: exit status that a failing engine stands for. Every rank calls it.
  RankedPairEngine(std::unique_ptr<PairEngine> mine, Ranks& ranks, int failure);

  std::string name() const override { return name_; }
  PairHistogram histogram(const Structure& structure, const HistogramRequest& request) override;
  DebyeSums direct(const Structure& structure, const DebyeRequest& request) override;
  ClosePairs closePairs(const Structure& structure, double range, const DebyeRequest& request) override;
  /// On the first rank; zeros on the others.
  DebyeSums transform(const PairHistogram& histogram, const Eigen::VectorXd& q) override;
  Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) override;
  int freeBins() const override { return freeBins_; }

 private:
  /// A request becomes that of this rank's part; the first one tells of the progress of all.
  template <class Request>
  Request share(const Request& request) const;

  std::unique_ptr<PairEngine> mine_;
  Ranks& ranks_;
  int failure_, freeBins_ = 0;
  std::string name_;
};

}  // namespace prophet
