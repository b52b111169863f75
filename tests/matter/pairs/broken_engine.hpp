#pragma once
#include "core/common/error.hpp"
#include "matter/pairs/pair_engine.hpp"

namespace prophet::test {

/// Refuses everything.
class BrokenEngine : public PairEngine {
 public:
  std::string name() const override { return "broken"; }
  PairHistogram histogram(const Structure&, const HistogramRequest&) override {
    throw DeviceError("it broke");
  }
  DebyeSums direct(const Structure&, const DebyeRequest&) override { throw DeviceError("it broke"); }
  DebyeSums transform(const PairHistogram&, const Eigen::VectorXd&) override {
    throw DeviceError("it broke");
  }
  Eigen::VectorXd sincSum(const std::vector<double>&, const Eigen::VectorXd&) override {
    throw DeviceError("it broke");
  }
  int freeBins() const override { return 7; }
};

}  // namespace prophet::test
