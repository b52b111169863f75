#include "matter/pairs/pair_engine.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

class HostPairEngine : public PairEngine {
 public:
  explicit HostPairEngine(int threads) : threads_(threads) {}
  std::string name() const override {
    return fmt::format("CPU, {} {}", threads_, threads_ == 1 ? "thread" : "threads");
  }
  PairHistogram histogram(const Structure& structure, const HistogramRequest& request) override {
    HistogramRequest mine = request;
    mine.threads = threads_;
    return pairHistogram(structure, mine);
  }
  DebyeSums direct(const Structure& structure, const DebyeRequest& request) override {
    DebyeRequest mine = request;
    mine.threads = threads_;
    return debyeSums(structure, mine);
  }
  DebyeSums transform(const PairHistogram& histogram, const Eigen::VectorXd& q) override {
    return debyeTransform(histogram, q, threads_);
  }
  Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) override {
    return prophet::sincSum(distances, q, threads_);
  }

 private:
  int threads_;
};

}  // namespace

ClosePairs PairEngine::closePairs(const Structure& s, double range, const DebyeRequest& request) {
  const int pairs = pairKinds(static_cast<int>(s.kinds.size()));
  ClosePairs close{range, Eigen::MatrixXd::Zero(request.q.size(), pairs), Eigen::VectorXd::Zero(pairs)};
  forClosePairs(s, range, request.part, request.parts, [&](int pair, const std::vector<double>& distances) {
    close.values.col(pair) += sincSum(distances, request.q);
    close.counts(pair) += static_cast<double>(distances.size());
  });
  return close;
}

std::unique_ptr<PairEngine> hostPairEngine(int threads) { return std::make_unique<HostPairEngine>(threads); }

}  // namespace prophet
