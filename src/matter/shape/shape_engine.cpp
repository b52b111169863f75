#include "matter/shape/shape_engine.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

class HostShapeEngine : public ShapeEngine {
 public:
  explicit HostShapeEngine(int threads) : threads_(threads) {}
  std::string name() const override {
    return fmt::format("CPU, {} {}", threads_, threads_ == 1 ? "thread" : "threads");
  }
  FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, Precision) override {
    return prophet::sumOnGrid(elements, grid, threads_);
  }
  FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q, Precision) override {
    return prophet::sumAtPoints(elements, q, threads_);
  }
  FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision) override {
    return prophet::transformOnGrid(elements, grid, tolerance, threads_);
  }

 private:
  int threads_;
};

}  // namespace

std::unique_ptr<ShapeEngine> hostShapeEngine(int threads) {
  return std::make_unique<HostShapeEngine>(threads);
}

}  // namespace prophet
