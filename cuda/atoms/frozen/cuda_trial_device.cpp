#include "cuda/atoms/frozen/cuda_trial_device.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include "cuda/atoms/batch/phase_range.hpp"
#include "cuda/atoms/frozen/trial_view.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/device_facts.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {
namespace {

using frozen::BatchView;
using frozen::kMostFunctions;
using frozen::kMostOccupied;
using frozen::TableView;
using frozen::TrialInput;
using frozen::TrialResult;
using frozen::TrialSlopes;
using frozen::TrialStatus;

/// A table is not worth its memory where fewer functions than these have no room.
constexpr int kFewestFunctions = 16;
constexpr int kKinds = (2 * kMostFunctions + 31) / 32;

/// A table in device memory, in one piece.
class StoredTable {
 public:
  explicit StoredTable(const FieldTable& t) : buffer_(packed(t)) {
    view_.symmetry = t.symmetry;
    view_.nodes = t.nodes;
    view_.negatives = static_cast<int>(t.negativeEnergies.size());
    view_.occupied = t.occupied();
    view_.c = t.c;
    view_.dependencyThreshold = t.dependencyThreshold;
    view_.charge = t.nucleus.charge;
    view_.attraction = t.nucleus.attraction().value();
    const double* at = buffer_.data();
    for (const double** part : {&view_.LL, &view_.SS, &view_.LS, &view_.SL}) {
      *part = at;
      at += t.LL.size();
    }
    for (const double** part : {&view_.negativeLarge, &view_.negativeSmall}) {
      *part = at;
      at += t.negativeLarge.size();
    }
    view_.negativeEnergies = at;
    view_.occupation = at + t.negativeEnergies.size();
    view_.energies = view_.occupation + t.occupation.size();
  }
  const TableView& view() const { return view_; }

 private:
  static std::vector<double> packed(const FieldTable& t) {
    std::vector<double> values;
    const Eigen::MatrixXd transposed = t.LS.transpose();
    for (const Eigen::MatrixXd* m : {&t.LL, &t.SS, &t.LS, &transposed, &t.negativeLarge, &t.negativeSmall})
      values.insert(values.end(), m->data(), m->data() + m->size());
    for (const Eigen::VectorXd* v : {&t.negativeEnergies, &t.occupation, &t.energies})
      values.insert(values.end(), v->data(), v->data() + v->size());
    return values;
  }

  DeviceBuffer<double> buffer_;
  TableView view_{};
};

/// What slopes need besides.
struct SlopesMemory {
  DeviceBuffer<double> moved, overlaps, pulls, lambda, along;
  DeviceBuffer<TrialSlopes> results;
  PinnedBuffer<TrialSlopes> output;

  explicit SlopesMemory(std::size_t most)
      : moved(most * frozen::kMovedMatrices * kMostFunctions * kMostFunctions),
        overlaps(most * kMostOccupied * frozen::kMostNegatives),
        pulls(most * 4 * kMostOccupied * kMostFunctions),
        lambda(most * 2 * kMostFunctions * kMostOccupied),
        along(most * kMostOccupied),
        results(most),
        output(most) {}
};

/// What one worker's batches need.
struct Worker {
  Stream stream;
  /// Waited for asleep: the processors have searches to do.
  Event done{cudaEventBlockingSync | cudaEventDisableTiming};
  PinnedBuffer<TrialInput> input;
  PinnedBuffer<TrialResult> output;
  DeviceBuffer<TrialInput> trials;
  DeviceBuffer<TrialResult> results;
  DeviceBuffer<double> fock, x, vectors, values;
  DeviceBuffer<int> status;
  std::optional<SlopesMemory> slopes;

  explicit Worker(std::size_t most)
      : input(most),
        output(most),
        trials(most),
        results(most),
        fock(most * 4 * kMostFunctions * kMostFunctions),
        x(most * 2 * kMostFunctions * kMostFunctions),
        vectors(most * 2 * kMostFunctions * kMostOccupied),
        values(most * kMostOccupied),
        status(most) {}
};

}  // namespace

class CudaTrialDevice::Implementation {
 public:
  explicit Implementation(const TrialDeviceOptions& options)
      : options_(options), workers_(static_cast<std::size_t>(options.workers)) {
    if (const std::string problem = refusal(factsOf(options.device)); !problem.empty())
      throw CudaError(problem);
    cudaDeviceProp properties{};
    PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, options.device));
    name_ = properties.name;
    sharedBytes_ = properties.sharedMemPerBlockOptin;
    if (options.sharedBytes > 0) sharedBytes_ = std::min<std::size_t>(sharedBytes_, options.sharedBytes);
  }

  const TrialDeviceOptions& options() const { return options_; }
  const std::string& name() const { return name_; }

  int keep(const FieldTable& table) {
    if (!table.nucleus.attraction() ||
        frozen::sharedBytesFor(kFewestFunctions, table.nodes.count) > sharedBytes_ ||
        table.occupied() > kMostOccupied || table.occupied() == 0 ||
        table.negativeEnergies.size() > frozen::kMostNegatives)
      return -1;
    PROPHET_CUDA_CHECK(cudaSetDevice(options_.device));
    if (options_.beforeKeep) options_.beforeKeep();
    auto stored = std::make_unique<StoredTable>(table);
    const std::lock_guard<std::mutex> lock(mutex_);
    tables_[next_] = std::move(stored);
    mostNodes_ = std::max(mostNodes_.load(), table.nodes.count);
    return next_++;
  }

  /// Whether trials of so many functions, in any of the tables kept so far, have room in a multiprocessor.
  bool fits(int functions) const { return frozen::sharedBytesFor(functions, mostNodes_) <= sharedBytes_; }

  /// Memory is given back when there is none left anywhere, or at the end: that would make all batches wait.
  void drop(int table) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = tables_.find(table);
    if (at == tables_.end()) return;
    dropped_.push_back(std::move(at->second));
    tables_.erase(at);
  }

  std::vector<TrialOutcome> measure(int number, const std::vector<Trial>& trials) {
    PROPHET_CUDA_CHECK(cudaSetDevice(options_.device));
    const batch::PhaseRange range("frozen-field trials");
    if (trials.empty()) return {};
    if (trials.size() > static_cast<std::size_t>(options_.mostTrials))
      throw Error("more trials at once than a batch has room for");
    for (const Trial& trial : trials) {
      if (trial.exponents.empty() || trial.exponents.size() > kMostFunctions ||
          !fits(static_cast<int>(trial.exponents.size())))
        throw Error("a trial has more functions than the GPU has room for, or none");
    }
    if (options_.beforeBatch) options_.beforeBatch();
    std::unique_ptr<Worker>& worker = workers_[static_cast<std::size_t>(number)];
    if (!worker) worker = std::make_unique<Worker>(static_cast<std::size_t>(options_.mostTrials));
    const BatchView view = pack(*worker, trials);
    const cudaStream_t stream = worker->stream.get();
    const std::size_t count = trials.size();
    worker->trials.upload(worker->input.data(), count, stream);
    frozen::launchPlace(view, stream);
    frozen::launchEigenvectors(view, (2 * view.mostFunctions + 31) / 32, stream);
    frozen::launchProlapse(view, stream);
    if (view.slopes) {
      frozen::launchSlopes(view, (2 * view.mostFunctions + 31) / 32, stream);
      PROPHET_CUDA_CHECK(cudaMemcpyAsync(worker->slopes->output.data(), worker->slopes->results.data(),
                                         count * sizeof(TrialSlopes), cudaMemcpyDeviceToHost, stream));
    }
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(worker->output.data(), worker->results.data(),
                                       count * sizeof(TrialResult), cudaMemcpyDeviceToHost, stream));
    worker->done.record(stream);
    PROPHET_CUDA_CHECK(cudaEventSynchronize(worker->done.get()));
    std::vector<TrialOutcome> outcomes(count);
    for (std::size_t i = 0; i < count; ++i) {
      const TrialResult& r = worker->output[i];
      outcomes[i].shortfall = {r.rise, r.prolapse};
      const auto n = static_cast<Eigen::Index>(trials[i].exponents.size());
      if (view.slopes) {
        outcomes[i].ofRise = Eigen::Map<const Eigen::VectorXd>(worker->slopes->output[i].ofRise, n);
        outcomes[i].ofProlapse = Eigen::Map<const Eigen::VectorXd>(worker->slopes->output[i].ofProlapse, n);
      }
      outcomes[i].measured =
          r.status == static_cast<int>(TrialStatus::Measured) && std::isfinite(r.rise + r.prolapse);
    }
    return outcomes;
  }

 private:
  BatchView pack(Worker& worker, const std::vector<Trial>& trials) {
    BatchView view{};
    view.count = static_cast<int>(trials.size());
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (std::size_t i = 0; i < trials.size(); ++i) {
        TrialInput& input = worker.input[i];
        input.table = tables_.at(trials[i].table)->view();
        view.mostNodes = std::max(view.mostNodes, input.table.nodes.count);
      }
    }
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const std::vector<double>& exponents = trials[i].exponents;
      worker.input[i].functions = static_cast<int>(exponents.size());
      view.mostFunctions = std::max(view.mostFunctions, worker.input[i].functions);
      std::copy(exponents.begin(), exponents.end(), worker.input[i].exponents);
    }
    view.slopes = trials.front().slopes;
    if (view.slopes) {
      if (!worker.slopes) worker.slopes.emplace(static_cast<std::size_t>(options_.mostTrials));
      SlopesMemory& s = *worker.slopes;
      view.s = {s.moved.data(),  s.overlaps.data(), s.pulls.data(),
                s.lambda.data(), s.along.data(),    s.results.data()};
    }
    view.trials = worker.trials.data();
    view.results = worker.results.data();
    view.fock = worker.fock.data();
    view.x = worker.x.data();
    view.vectors = worker.vectors.data();
    view.values = worker.values.data();
    view.status = worker.status.data();
    return view;
  }

  void freeDropped() {
    std::vector<std::unique_ptr<StoredTable>> dropped;
    const std::lock_guard<std::mutex> lock(mutex_);
    dropped.swap(dropped_);
  }

  const TrialDeviceOptions options_;
  std::string name_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<StoredTable>> tables_;
  std::vector<std::unique_ptr<StoredTable>> dropped_;
  int next_ = 0;
  std::atomic<int> mostNodes_{0};
  std::size_t sharedBytes_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;
  const SpareShare spare_{[this] { freeDropped(); }};
};

CudaTrialDevice::CudaTrialDevice(const TrialDeviceOptions& options)
    : implementation_(std::make_unique<Implementation>(options)) {}
CudaTrialDevice::~CudaTrialDevice() = default;
std::string CudaTrialDevice::name() const { return implementation_->name(); }
int CudaTrialDevice::keep(const FieldTable& table) { return implementation_->keep(table); }
void CudaTrialDevice::drop(int table) { implementation_->drop(table); }
int CudaTrialDevice::kinds() const { return 2 * kKinds; }
int CudaTrialDevice::kindOf(int functions, bool slopes) const {
  if (functions < 1 || functions > kMostFunctions || !implementation_->fits(functions)) return -1;
  return (2 * functions + 31) / 32 - 1 + (slopes ? kKinds : 0);
}
int CudaTrialDevice::workers() const { return implementation_->options().workers; }
int CudaTrialDevice::mostTrials() const { return implementation_->options().mostTrials; }
std::vector<TrialOutcome> CudaTrialDevice::measure(int worker, const std::vector<Trial>& trials) {
  return implementation_->measure(worker, trials);
}

}  // namespace prophet::cuda
