#pragma once
#include <memory>
#include <string>

#include "core/ranks/ranks.hpp"
#include "matter/pairs/debye_sums.hpp"
#include "matter/pairs/pair_histogram.hpp"

namespace prophet {

/// Where pairs are visited: the processor, or GPUs. All functions throw Error.
class PairEngine {
 public:
  virtual ~PairEngine() = default;
  /// "CPU, 2 threads", "NVIDIA H200".
  virtual std::string name() const = 0;
  /// As pairHistogram; parts are shared out among the devices that the engine has.
  virtual PairHistogram histogram(const Structure& structure, const HistogramRequest& request) = 0;
  /// As debyeSums.
  virtual DebyeSums direct(const Structure& structure, const DebyeRequest& request) = 0;
  /// As debyeTransform.
  virtual DebyeSums transform(const PairHistogram& histogram, const Eigen::VectorXd& q) = 0;
  /// sum of sin(q r)/(q r) over these distances (angstrom), in double precision.
  virtual Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) = 0;
  /// Pairs closer than `range` (angstrom), one by one in double precision; of the request q and the share
  /// count.
  virtual ClosePairs closePairs(const Structure& structure, double range, const DebyeRequest& request);
  /// So many bins of a histogram take no longer than fewer.
  virtual int freeBins() const { return 0; }
};

/// Seconds that one processor takes, about, to sort so many distances into a histogram; and to add so many
/// terms (pair, q) of direct sums. On an Intel Xeon with AVX-512: docs/engineering/performance-matter.md.
inline double histogramSeconds(double pairs) { return pairs / 7e8; }
inline double directSeconds(double terms, bool doublePrecision) {
  return terms / (doublePrecision ? 1.5e9 : 3.4e9);
}

/// The processor.
std::unique_ptr<PairEngine> hostPairEngine(int threads);

/// Pairs shared out among ranks: each does its part of the tiles with an engine of its own, the first one
/// adds up. Every rank makes the same calls; the sums that the others get are not complete. Where one of them
/// fails, all throw the same SharedError.
class RankedPairEngine : public PairEngine {
 public:
  /// `failure`: exit status that a failing engine stands for. Every rank calls it.
  RankedPairEngine(std::unique_ptr<PairEngine> mine, Ranks& ranks);

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
  int freeBins_ = 0;
  std::string name_;
};

}  // namespace prophet
