#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "atoms/correlation/correlation_engine.hpp"
#include "atoms/frozen/trial_gatherer.hpp"
#include "atoms/levels/level_engine.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/ranks/ranks.hpp"
#include "matter/madelung/charge_sums.hpp"
#include "matter/madelung/spme.hpp"
#include "matter/pairs/pair_engine.hpp"
#include "matter/shape/surface_sum.hpp"
#include "matter/structure/structure.hpp"
#include "operations/backend/backend_request.hpp"
#include "operations/backend/cuda_plugin.hpp"
#include "operations/request/report_style.hpp"

namespace prophet {

struct Job;

/// A rank's share of its machine.
struct RankPlace {
  int local = 0, locals = 1;  ///< its number among the machine's ranks, and how many those are
  int threads = 1;            ///< its part of the processors that they may use
  int machines = 1;           ///< of all ranks together
  std::string hint;           ///< if mpirun withholds processors from them; else empty
};

/// Every rank calls it. `byMpirun`: whether mpirun started them, and may have bound them to processors.
RankPlace placeOf(Ranks& ranks, bool byMpirun = false);

/// How many of its processors `mine` has to itself: each counts 1 over the number of ranks that may use it.
/// `processors`: numbers of those that each of a machine's ranks may use. At least 1.
int shareOfProcessors(const std::vector<std::vector<int>>& processors, std::size_t mine);

/// The GPUs of one of a machine's ranks: every GPU goes to one rank, or every rank to one GPU if there are
/// more ranks than GPUs.
std::vector<int> shareOfDevices(const std::vector<int>& devices, const RankPlace& place);

struct ResolvedJob;   // operations/jobs/resolve.hpp
struct StartSpinors;  // atoms/scf/guess.hpp

/// One energy of a search.
struct Evaluation {
  std::size_t search = 0;  ///< of several side by side
  int number = 0;
  std::optional<double> energy;  ///< hartree; empty: there is none
  bool improved = false;         ///< whether it is the lowest so far
};

/// How far something long is: of `total` parts (0: nobody knows) so many are done.
struct Progress {
  std::string unit;  ///< "frames"
  std::size_t done = 0, total = 0;
  std::string note{};
  bool atMost = false;  ///< whether it may end before all are done
  bool stays = false;   ///< whether people see it from the first part on, and when it is finished
  std::optional<Evaluation> evaluation{};  ///< of a search that optimises
  std::string line{};                      ///< what a search says of a step
};
using ProgressObserver = std::function<void(const Progress&)>;

/// Where and how an operation runs; what it computes is in its request.
struct Execution {
  BackendRequest backend = BackendRequest::Automatic;
  std::vector<int> devices{};   ///< numbers of GPUs; empty: all that are visible
  int threads = 0;              ///< 0: this rank's part of the processors that it may use
  Ranks* ranks = nullptr;       ///< nullptr: a process by itself
  bool byMpirun = false;        ///< whether mpirun started them, and may have bound them to processors
  ProgressObserver progress{};  ///< may be empty
  Checkpoint checkpoint{};      ///< may be empty
  /// Takes the parts of a report of something long as they are finished; may be empty.
  std::function<void(const std::string&)> reader{};
  /// Takes what people should know before something long begins: its size, time and memory. May be empty.
  std::function<void(const std::string&)> announcer{};
  ReportStyle style{};                ///< of what is told and of reports of a form of their own
  bool brief = false;                 ///< whether what is told leaves details out
  bool reportOnly = false;            ///< whether nobody wants more than the report: the rest may be left out
  bool firstTableOnly = false;        ///< whether nobody sees another table than the first one of the record
  std::filesystem::path basisSets{};  ///< empty: where the program is installed
  std::filesystem::path cache{};      ///< folder for what would be computed anew else; empty: none
  std::string cudaLibrary{};          ///< empty: where the program is installed
  /// Replaces a file that a setting names by this text, or writes it elsewhere; empty: writeFileAtomically.
  std::function<void(const std::string& path, const std::string& content)> writer{};
  /// Why an output would replace a file that is read and no setting names; empty text: none would. From any
  /// thread; may be empty.
  std::function<std::string(const std::string& file)> replaces{};
  /// Called where the work, if it is interrupted from now on, can go on, with the file that holds what is
  /// finished (empty text: several); may be empty.
  std::function<void(const std::string& file)> resumable{};
  /// Gives the next frame, in the place of a file of atoms; nothing at the end. May be empty.
  std::function<std::optional<Structure>()> atoms{};
  /// What the setting `input` names, where it is read already; may be null.
  std::shared_ptr<const Job> input{};
  /// Jobs of callers that have them as objects, in the place of atoms, keywords and input files. What is
  /// computed is then in Record::results.
  std::vector<std::shared_ptr<const ResolvedJob>> jobs{};
  /// Spinors to start from, in the place of the file of `restart`; may be null.
  std::shared_ptr<const StartSpinors> start{};

  /// Whether the choice between GPU and processor is left to the work.
  bool decides() const { return backend == BackendRequest::Automatic && devices.empty(); }
  int rank() const { return ranks ? ranks->rank() : 0; }
  int rankCount() const { return ranks ? ranks->size() : 1; }
  /// `threads`, or all that this process may use.
  int threadsOrAll() const;
  /// This rank's share of its machine, with `threads` where they are given. Every rank calls it.
  RankPlace place() const;
  void write(const std::string& path, const std::string& content) const;
  void show(const Progress& state) const {
    if (progress && rank() == 0) progress(state);
  }
  /// Hands on a part of the report, whose whole is in the record.
  void tell(const std::string& part) const {
    if (reader && rank() == 0) reader(part);
  }
  void announce(const std::string& text) const {
    if (announcer && rank() == 0) announcer(text);
  }
  void canResume(const std::string& file = "") const {
    if (resumable) resumable(file);
  }
  /// Runs a step on every rank and agrees on it (ranks/agree.hpp); problems with settings that one rank finds
  /// are thrown as such by all.
  void together(const std::function<void()>& step) const;
  /// The text of the first rank, on all.
  std::string fromFirst(const std::string& text) const;
};

/// "NVIDIA H200", "CPU, 2 threads".
template <class Engine>
std::string nameOfEngine(const Engine& engine, bool) {
  return engine.name();
}
inline std::string nameOfEngine(const EnergyService& service, bool onGpu) {
  return (onGpu ? "" : "CPU, ") + service.description();
}

/// An engine and the library that it lives in.
template <class Engine>
struct Opened {
  std::unique_ptr<CudaBackend> library;
  std::unique_ptr<Engine> engine;
  std::string note;  ///< why not on a GPU, if there is anything to say

  Engine& operator*() const { return *engine; }
  Engine* operator->() const { return engine.get(); }
  /// "NVIDIA H200", "CPU, 2 threads (CPU, because ...)".
  std::string device() const {
    return nameOfEngine(*engine, library != nullptr) + (note.empty() ? "" : " (" + note + ")");
  }
};

/// Seconds that a GPU takes to start: less work stays on the processor, unless GPUs are asked for.
inline constexpr double kGpuStart = 1;

/// The engine of a kind: on GPUs where they are asked for, or where the work is `worthwhile` and there are
/// some, else on the processor. Distances, meshes and sums over triangles that a GPU refuses (a full memory)
/// go to the processor unless GPUs are insisted on. Each rank gets its share of the machine; pairs are shared
/// out among the ranks (RankedPairEngine). Trials in frozen fields have no engine on the processor: empty
/// where the host does them. Throws Error where GPUs are insisted on and there are none. For every kind that
/// has a hostEngine and is in the list of CudaBackend (of trials TrialGatherer).
template <class Engine>
Opened<Engine> openEngine(const Execution& execution, bool worthwhile);

/// Sums of a mesh are formed where openEngine<SpmeEngine> says, which the first of them asks; a GPU that is
/// insisted on takes a mesh for few charges too. Throws Error for Ewald's sum on a GPU.
void placeChargeSums(const Execution& execution, ChargeSumOptions& options);

/// Seconds that one processor takes for levels (LevelCount::seconds) from which a GPU is worth its start.
inline constexpr double kLevelSecondsForGpu = 20;

/// Searches that optimise side by side: fewer than this are quicker on a few cores, with warm starts, than on
/// a GPU, where many energies at once take as long as one.
inline constexpr int kStartsForGpu = 16;
/// Energies of the searches that one input file runs side by side: a GPU (the first one, if none is named)
/// from kStartsForGpu on, or where one is asked for or named.
Opened<EnergyService> openSearchService(Execution execution, int searches);

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

/// Engines of a kind behind which the processor takes over what a GPU refuses; other kinds throw.
template <class Engine>
struct Guard;
template <>
struct Guard<PairEngine> : std::type_identity<FallbackPairEngine> {};
template <>
struct Guard<ShapeEngine> : std::type_identity<FallbackShapeEngine> {};
template <>
struct Guard<SpmeEngine> : std::type_identity<FallbackSpmeEngine> {};

/// Makes an engine with this library, or (nullptr) on the processor.
using EngineMaking = std::function<void(CudaBackend* cuda, const std::vector<int>& devices, int threads)>;
struct EnginePlace {
  std::unique_ptr<CudaBackend> library;
  std::string note;
};
/// Has an engine made where openEngine says.
EnginePlace placeEngine(const Execution& execution, bool worthwhile, const EngineMaking& make);

template <class Engine>
Opened<Engine> openEngine(const Execution& execution, bool worthwhile) {
  Opened<Engine> opened;
  const auto onHost = [&](int threads) {
    return hostEngine(EngineKind<Engine>{}, threads, execution.checkpoint);
  };
  EnginePlace place = placeEngine(
      execution, worthwhile, [&](CudaBackend* cuda, const std::vector<int>& devices, int threads) {
        if (!cuda) {
          opened.engine = onHost(threads);
        } else if constexpr (std::is_same_v<Engine, TrialGatherer>) {
          opened.engine =
              std::make_unique<TrialGatherer>(cuda->make(EngineKind<TrialDevice>{}, devices, threads));
        } else if constexpr (requires { typename Guard<Engine>::type; }) {
          auto instead = execution.backend == BackendRequest::Automatic ? onHost(threads) : nullptr;
          opened.engine = std::make_unique<typename Guard<Engine>::type>(
              cuda->make(EngineKind<Engine>{}, devices, threads), std::move(instead));
        } else {
          opened.engine = cuda->make(EngineKind<Engine>{}, devices, threads);
        }
      });
  opened.library = std::move(place.library);
  opened.note = std::move(place.note);
  if constexpr (std::is_same_v<Engine, PairEngine>) {
    if (execution.rankCount() > 1)
      opened.engine = std::make_unique<RankedPairEngine>(std::move(opened.engine), *execution.ranks);
  }
  return opened;
}

}  // namespace prophet
