#pragma once
#include <memory>
#include <string>

#include "matter/pairs/close_pairs.hpp"
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
/// terms (pair, q) of direct sums. Measured on an Intel Xeon with AVX-512 (docs/powder.md).
inline double histogramSeconds(double pairs) { return pairs / 7e8; }
inline double directSeconds(double terms, bool doublePrecision) {
  return terms / (doublePrecision ? 1.5e9 : 3.4e9);
}

/// The processor.
std::unique_ptr<PairEngine> hostPairEngine(int threads);

}  // namespace prophet
