#include "service/mpi_batch.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/error.hpp"
#include "common/stopwatch.hpp"
#include "service/batch_tally.hpp"
#include "service/json_lines.hpp"

namespace prophet {
namespace {

enum Tag { kAskForJobs = 1, kJobs = 2, kFinished = 3 };
constexpr int kLargestShare = 2048;

int rankOf(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int rankCount() {
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

/// A finished job as a message: the line for the output, its status in front.
std::string pack(const EnergyOutcome& outcome) {
  return std::to_string(static_cast<int>(outcome.status)) + jsonLine(outcome);
}

/// Rank 0: list of jobs, output and a worker's part, all in one loop that never blocks.
class Coordinator {
 public:
  Coordinator(EnergyService& service, const std::vector<BatchItem>& items, JsonLinesFile& file,
              const BatchProgress& progress)
      : service_(service), items_(items), file_(file), progress_(progress), tally_(items.size()) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (file.ids().count(items[i].id)) {
        tally_.skip();
      } else {
        pending_.push_back(static_cast<int>(i));
      }
    }
    unfinished_ = pending_.size();
  }

  BatchSummary run() {
    int working = rankCount() - 1;
    while (unfinished_ > 0 || working > 0) {
      bool idle = true;
      if (local_ == 0 && !pending_.empty()) {
        startShare(share());
        idle = false;
      }
      for (std::string message; takeLocal(message); idle = false) finish(message);
      MPI_Status status;
      int waiting = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, &status);
      if (waiting) {
        working -= receive(status);
      } else if (idle) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    }
    return tally_.summary();
  }

 private:
  /// Half of an even share of what is left: late shares are small, so that all ranks end together.
  std::vector<int> share() {
    const std::size_t even = pending_.size() / (2 * static_cast<std::size_t>(rankCount()));
    const std::size_t count = std::min(pending_.size(), std::clamp<std::size_t>(even, 1, kLargestShare));
    std::vector<int> list(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
    return list;
  }

  void startShare(const std::vector<int>& jobs) {
    local_ = jobs.size();
    for (const int job : jobs) {
      submitItem(service_, items_[job], [this](EnergyOutcome outcome) {
        std::string message = pack(outcome);
        const std::lock_guard<std::mutex> lock(mutex_);
        arrived_.push_back(std::move(message));
      });
    }
  }

  bool takeLocal(std::string& message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (arrived_.empty()) return false;
    message = std::move(arrived_.front());
    arrived_.pop_front();
    --local_;
    return true;
  }

  /// Handles one message; 1 where it sent a rank home.
  int receive(const MPI_Status& status) {
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string message(static_cast<std::size_t>(size), '\0');
    MPI_Recv(message.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (status.MPI_TAG == kFinished) {
      finish(message);
      return 0;
    }
    const std::vector<int> jobs = pending_.empty() ? std::vector<int>() : share();
    MPI_Send(jobs.data(), static_cast<int>(jobs.size()), MPI_INT, status.MPI_SOURCE, kJobs, MPI_COMM_WORLD);
    return jobs.empty() ? 1 : 0;
  }

  void finish(const std::string& message) {
    const std::string line = message.substr(1);
    file_.append(line);
    --unfinished_;
    EnergyOutcome outcome;
    outcome.status = static_cast<EnergyStatus>(message[0] - '0');
    const auto json = nlohmann::json::parse(line);
    outcome.id = json.at("id").get<std::string>();
    outcome.reason = json.value("reason", "");
    outcome.energy.total = json.value("energy", 0.0);
    outcome.iterations = json.value("iterations", 0);
    tally_.count(outcome);
    if (progress_) progress_(tally_.finished(), items_.size(), outcome);
  }

  EnergyService& service_;
  const std::vector<BatchItem>& items_;
  JsonLinesFile& file_;
  const BatchProgress& progress_;
  BatchTally tally_;
  std::deque<int> pending_;
  std::size_t unfinished_ = 0, local_ = 0;
  std::mutex mutex_;
  std::deque<std::string> arrived_;
};

/// Every other rank: asks, computes, sends results as they come.
void workForFirstRank(EnergyService& service, const std::vector<BatchItem>& items) {
  for (;;) {
    MPI_Send(nullptr, 0, MPI_CHAR, 0, kAskForJobs, MPI_COMM_WORLD);
    MPI_Status status;
    int count = 0;
    MPI_Probe(0, kJobs, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    std::vector<int> jobs(static_cast<std::size_t>(count));
    MPI_Recv(jobs.data(), count, MPI_INT, 0, kJobs, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (jobs.empty()) return;
    const auto send = [](const EnergyOutcome& outcome) {
      const std::string message = pack(outcome);
      MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, kFinished, MPI_COMM_WORLD);
    };
    std::vector<EnergyRequest> requests;
    for (const int job : jobs) {
      if (!items[job].request) {
        send(withoutRequest(items[job]));
        continue;
      }
      requests.push_back(*items[job].request);
      requests.back().id = items[job].id;
    }
    service.evaluateAll(requests, [&](std::size_t, const EnergyOutcome& outcome) { send(outcome); });
  }
}

/// Rank 0 opens the output; all ranks throw if that fails.
std::unique_ptr<JsonLinesFile> openOutput(const BatchOptions& options, bool first) {
  std::unique_ptr<JsonLinesFile> file;
  std::string error;
  if (first) {
    try {
      file = std::make_unique<JsonLinesFile>(options.output, options.resume);
    } catch (const Error& e) {
      error = e.what();
    }
  }
  int failed = error.empty() ? 0 : 1;
  MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (failed) throw Error(first ? error : "the first rank could not open the output");
  return file;
}

}  // namespace

BatchSummary runBatchMpi(EnergyService& service, const std::vector<BatchItem>& items,
                         const BatchOptions& options, const BatchProgress& progress) {
  const Stopwatch watch;
  requireDistinctIds(items);
  const bool first = isFirstRank();
  const std::unique_ptr<JsonLinesFile> file = openOutput(options, first);
  BatchSummary summary;
  if (first) {
    summary = Coordinator(service, items, *file, progress).run();
  } else {
    workForFirstRank(service, items);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  summary.seconds = watch.seconds();
  return summary;
}

int localRank() {
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  const int rank = rankOf(machine);
  MPI_Comm_free(&machine);
  return rank;
}

bool isFirstRank() { return rankOf(MPI_COMM_WORLD) == 0; }

}  // namespace prophet
