#include "frontends/app/device_engine.hpp"

#include "core/common/error.hpp"
#include "frontends/app/environment.hpp"

namespace prophet {
namespace {

class GuardedShapeEngine : public ShapeEngine {
 public:
  explicit GuardedShapeEngine(DeviceEngine<ShapeEngine> device) : device_(std::move(device)) {}
  std::string name() const override { return device_.engine().name(); }
  FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                       Precision precision) override {
    return device_.with([&](ShapeEngine& e) { return e.sumOnGrid(elements, grid, precision); });
  }
  FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                         Precision precision) override {
    return device_.with([&](ShapeEngine& e) { return e.sumAtPoints(elements, q, precision); });
  }
  FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision precision) override {
    return device_.with(
        [&](ShapeEngine& e) { return e.transformOnGrid(elements, grid, tolerance, precision); });
  }

 private:
  DeviceEngine<ShapeEngine> device_;
};

class GuardedSpmeEngine : public SpmeEngine {
 public:
  explicit GuardedSpmeEngine(DeviceEngine<SpmeEngine> device) : device_(std::move(device)) {}
  std::string name() const override { return device_.engine().name(); }
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                         SpmeTimes* times) override {
    return device_.with([&](SpmeEngine& e) { return e.compute(cell, parameters, times); });
  }

 private:
  DeviceEngine<SpmeEngine> device_;
};

}  // namespace

std::unique_ptr<CudaBackend> cudaFor(const BackendOptions& options, bool worthwhile, std::string& note) {
  if (options.backend == BackendRequest::Cpu ||
      (options.backend == BackendRequest::Automatic && options.devices.empty() && !worthwhile))
    return nullptr;
  const int first = options.devices.empty() ? 0 : options.devices.front();
  CudaBackendOrReason cuda = openCudaBackend(first, environment::cudaLibrary());
  if (cuda.backend) return std::move(cuda.backend);
  if (options.backend == BackendRequest::Cuda) throw Error("--backend cuda: " + cuda.reason);
  note = "CPU, because " + cuda.reason;
  return nullptr;
}

std::unique_ptr<ShapeEngine> shapeEngineFor(const BackendOptions& options, int threads, bool worthwhile,
                                            std::string& note) {
  auto cuda = cudaFor(options, worthwhile, note);
  if (!cuda) return hostShapeEngine(threads);
  auto engine = cuda->makeShapeEngine(options.devices);
  auto instead = options.backend == BackendRequest::Automatic ? hostShapeEngine(threads) : nullptr;
  return std::make_unique<GuardedShapeEngine>(
      DeviceEngine<ShapeEngine>(std::move(cuda), std::move(engine), std::move(instead)));
}

std::unique_ptr<SpmeEngine> spmeEngineFor(const BackendOptions& options, int threads, bool worthwhile,
                                          std::string& note) {
  auto cuda = cudaFor(options, worthwhile, note);
  if (!cuda) return hostSpmeEngine(threads);
  auto engine = cuda->makeSpmeEngine(options.devices);
  auto instead = options.backend == BackendRequest::Automatic ? hostSpmeEngine(threads) : nullptr;
  return std::make_unique<GuardedSpmeEngine>(
      DeviceEngine<SpmeEngine>(std::move(cuda), std::move(engine), std::move(instead)));
}

}  // namespace prophet
