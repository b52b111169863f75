#pragma once
#include <memory>
#include <vector>

#include "matter/pairs/pair_engine.hpp"

namespace prophet::cuda {

/// How the histogram is formed.
enum class HistogramKernel {
  Shared,  ///< private histograms in shared memory; Global where the bins do not fit into it
  Global   ///< an atomic addition in global memory for each pair
};

/// Pairs on GPUs, shared out among all of them.
///
/// Histograms are formed in single precision; those of a periodic structure have in each bin what double
/// precision has there, and images within the range count, however many. Up to 65000 bins; more, and double
/// precision, throw Error, which says so; the processor has no such limits.
class CudaPairEngine : public PairEngine {
 public:
  /// `devices`: their numbers; empty: all that this build can use. `sharedBytes`: no block takes more shared
  /// memory; 0: what the devices have. Throws Error for a device that is not there or cannot be used.
  explicit CudaPairEngine(std::vector<int> devices, HistogramKernel kernel = HistogramKernel::Shared,
                          int sharedBytes = 0);

  std::string name() const override;
  PairHistogram histogram(const Structure& structure, const HistogramRequest& request) override;
  DebyeSums direct(const Structure& structure, const DebyeRequest& request) override;
  DebyeSums transform(const PairHistogram& histogram, const Eigen::VectorXd& q) override;
  Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) override;
  int freeBins() const override;

  /// Seconds that the kernels of the last call took, on the device that needed longest.
  double kernelSeconds() const { return kernelSeconds_; }

 private:
  std::vector<int> devices_;
  HistogramKernel kernel_;
  int sharedBytes_;
  double kernelSeconds_ = 0;
};

}  // namespace prophet::cuda
