#pragma once
#include "pairs/pair_engine.hpp"

namespace prophet::testing {

/// Refuses everything.
class BrokenEngine : public PairEngine {
 public:
  std::string name() const override { return "broken"; }
  PairHistogram histogram(const Structure&, const HistogramRequest&) override { throw Error("it broke"); }
  DebyeSums direct(const Structure&, const DebyeRequest&) override { throw Error("it broke"); }
  DebyeSums transform(const PairHistogram&, const Eigen::VectorXd&) override { throw Error("it broke"); }
  Eigen::VectorXd sincSum(const std::vector<double>&, const Eigen::VectorXd&) override {
    throw Error("it broke");
  }
  int freeBins() const override { return 7; }
};

}  // namespace prophet::testing
