#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/common/error.hpp"
#include "matter/madelung/spme.hpp"
#include "matter/pairs/pair_engine.hpp"
#include "matter/shape/surface_sum.hpp"

namespace prophet {

/// An engine with another one for what its device refuses: from its first DeviceError on the other does
/// everything. Other errors are those of the request, which the other would refuse too.
template <class Engine>
class Fallback {
 public:
  /// `instead`: empty where the first one's errors are to be thrown.
  Fallback(std::unique_ptr<Engine> first, std::unique_ptr<Engine> instead)
      : engine_(std::move(first)), instead_(std::move(instead)) {}

  /// The one that works.
  Engine& engine() const { return *engine_; }
  /// What the first one said; empty before it refused.
  const std::string& refusal() const { return refusal_; }

  template <class Work>
  std::invoke_result_t<Work, Engine&> with(const Work& work) {
    if (instead_) {
      try {
        return work(*engine_);
      } catch (const DeviceError& e) {
        refusal_ = e.what();
        engine_ = std::move(instead_);
      }
    }
    return work(*engine_);
  }

 private:
  std::unique_ptr<Engine> engine_, instead_;
  std::string refusal_;
};

/// Engines with another one for what the device of the first refuses (a full memory, too many bins): from its
/// first DeviceError on the other does everything, and the name says why. `instead` may be empty: then
/// refusals are thrown.
template <class Engine>
class FallbackEngine : public Engine {
 public:
  FallbackEngine(std::unique_ptr<Engine> first, std::unique_ptr<Engine> instead)
      : engines_(std::move(first), std::move(instead)) {}

  std::string name() const override {
    const std::string name = engines_.engine().name();
    return engines_.refusal().empty() ? name : name + ", because: " + engines_.refusal();
  }

 protected:
  Fallback<Engine> engines_;
};

class FallbackPairEngine : public FallbackEngine<PairEngine> {
 public:
  using FallbackEngine::FallbackEngine;
  PairHistogram histogram(const Structure& structure, const HistogramRequest& request) override;
  DebyeSums direct(const Structure& structure, const DebyeRequest& request) override;
  DebyeSums transform(const PairHistogram& histogram, const Eigen::VectorXd& q) override;
  Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) override;
  int freeBins() const override { return engines_.engine().freeBins(); }
};

class FallbackShapeEngine : public FallbackEngine<ShapeEngine> {
 public:
  using FallbackEngine::FallbackEngine;
  FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                       Precision precision) override;
  FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                         Precision precision) override;
  Eigen::MatrixXcd sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q,
                             Precision precision) override;
  FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision precision) override;
};

class FallbackSpmeEngine : public FallbackEngine<SpmeEngine> {
 public:
  using FallbackEngine::FallbackEngine;
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                         SpmeTimes* times) override;
};

}  // namespace prophet
