#include "core/ranks/ranks.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <future>
#include <map>
#include <thread>

#include "core/common/error.hpp"
#include "core/common/plugin_library.hpp"

namespace prophet {
namespace {

std::string textOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "unknown error";
  }
}

}  // namespace

void Ranks::abort(int status) {
  endAll(status);
  std::_Exit(status);
}

void agree(Ranks& ranks, const std::exception_ptr& mine, int status) {
  if (ranks.size() == 1) {
    if (mine) std::rethrow_exception(mine);
    return;
  }
  // "status text", or nothing.
  const auto all = ranks.allGather(mine ? std::to_string(status) + " " + textOf(mine) : "");
  bool everywhere = true;
  for (const std::string& one : all) everywhere = everywhere && one == all.front();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) continue;
    const std::size_t blank = all[rank].find(' ');
    const std::string text = all[rank].substr(blank + 1);
    throw SharedError(rank == 0 || everywhere ? text : "rank " + std::to_string(rank) + ": " + text,
                      std::stoi(all[rank].substr(0, blank)));
  }
}

void together(Ranks& ranks, int status, const std::function<void()>& step) {
  std::exception_ptr error;
  try {
    step();
  } catch (...) {
    error = std::current_exception();
  }
  agree(ranks, error, status);
}

std::string fromFirst(Ranks& ranks, const std::string& text) {
  return ranks.allGather(ranks.rank() == 0 ? text : "").front();
}

std::vector<std::string> gatherAtFirst(Ranks& ranks, const std::string& text) {
  if (ranks.rank() > 0) {
    ranks.send(0, text);
    return {};
  }
  std::vector<std::string> texts(static_cast<std::size_t>(ranks.size()));
  texts[0] = text;
  for (int missing = ranks.size() - 1; missing > 0;) {
    if (auto message = ranks.receive()) {
      texts[message->from] = std::move(message->text);
      --missing;
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  return texts;
}

std::string describeRanks(const std::vector<std::string>& names, int machines) {
  if (names.size() == 1) return names.front();
  std::string text = fmt::format("{} ranks", names.size());
  if (machines > 1) text += fmt::format(" on {} machines", machines);
  std::map<std::string, int> counts;
  for (const std::string& one : names) ++counts[one];
  for (const auto& [one, count] : counts) text += fmt::format(", {} x {}", count, one);
  return text;
}

namespace {

/// The library's entry: this process's rank, or nullptr and the reason.
using Entry = Ranks* (*)(std::string* reason);

std::string remedy(const Launch& launch) {
  if (launch.variable.empty()) return "";
  return fmt::format(
      " ({} says that {} processes were started together; with --mpi off each of them is an independent run "
      "with its own list and output)",
      launch.variable, launch.processes);
}

}  // namespace

std::unique_ptr<Ranks> joinRanks(JoinMode mode, const Launch& launch, const std::string& library) {
  if (mode == JoinMode::Off || (mode == JoinMode::Automatic && launch.processes == 1))
    return std::make_unique<SingleRank>();
  // Global: the modules of Open MPI expect its symbols there.
  const PluginEntry plugin =
      openPlugin({"libcudaprophet_mpi.so", library, "mpi", "cudaprophetJoinRanks", true});
  if (!plugin.found)
    throw Error(
        "this program was built or installed without its MPI library; build it where MPI is installed "
        "(Debian: libopenmpi-dev)" +
        remedy(launch));
  if (!plugin.function) throw Error("the MPI library " + plugin.problem + remedy(launch));
  // dlsym returns functions as void*; POSIX guarantees this conversion.
  const auto entry = reinterpret_cast<Entry>(plugin.function);
  std::string reason;
  std::unique_ptr<Ranks> ranks(entry(&reason));
  if (!ranks) throw Error(reason + remedy(launch));
  if (ranks->size() == 1 && launch.processes > 1)
    throw Error(
        "MPI sees one process only: start the program with the mpirun of the MPI that it was built "
        "with, or with srun --mpi=pmix or pmi2" +
        remedy(launch));
  return ranks;
}

namespace {

using namespace std::chrono_literals;

// Messages to the first rank: kReady; kDone, the tile's number (8 bytes) and its bytes; kFailed and a text.
// From it: the number of a tile, or nothing where there are no more.
constexpr char kReady = 'r', kDone = 'd', kFailed = 'f';
/// How long a rank that has nothing to do waits before it looks for messages again.
constexpr auto kPause = 200us;
constexpr std::size_t kNumber = 8;

std::string packed(char kind, int tile, const std::string& bytes) {
  const std::string number = std::to_string(tile);
  return kind + std::string(kNumber - number.size(), '0') + number + bytes;
}

class TileCoordinator {
 public:
  TileCoordinator(Ranks& ranks, const std::vector<int>& tiles, const std::function<std::string(int)>& compute,
                  const std::function<void(int, const std::string&)>& keep)
      : ranks_(ranks),
        pending_(tiles.begin(), tiles.end()),
        left_(tiles.size()),
        compute_(compute),
        keep_(keep) {}

  void run() {
    int working = ranks_.size() - 1;
    while (left_ > 0 || working > 0) {
      bool idle = true;
      while (const auto message = ranks_.receive()) {
        idle = false;
        if (!answer(*message)) --working;
      }
      if (own_.valid() && own_.wait_for(0us) == std::future_status::ready) {
        idle = false;
        keepTile(ownTile_, own_.get());
      }
      if (!own_.valid() && !pending_.empty()) {
        ownTile_ = next();
        own_ = std::async(std::launch::async, compute_, ownTile_);
      }
      if (idle) std::this_thread::sleep_for(kPause);
    }
  }

 private:
  int next() {
    const int tile = pending_.front();
    pending_.pop_front();
    return tile;
  }

  void keepTile(int tile, const std::string& bytes) {
    keep_(tile, bytes);
    --left_;
  }

  /// False if that rank got nothing more.
  bool answer(const Ranks::Message& message) {
    const std::string& text = message.text;
    if (text.at(0) == kFailed) throw Error("rank " + std::to_string(message.from) + ": " + text.substr(1));
    if (text.at(0) == kDone) keepTile(std::stoi(text.substr(1, kNumber)), text.substr(1 + kNumber));
    const std::string order = pending_.empty() ? "" : std::to_string(next());
    ranks_.send(message.from, order);
    return !order.empty();
  }

  Ranks& ranks_;
  std::deque<int> pending_;
  std::size_t left_;
  const std::function<std::string(int)>& compute_;
  const std::function<void(int, const std::string&)>& keep_;
  std::future<std::string> own_;
  int ownTile_ = 0;
};

void workForFirst(Ranks& ranks, const std::function<std::string(int)>& compute) {
  std::string report(1, kReady);
  for (;;) {
    ranks.send(0, report);
    std::optional<Ranks::Message> order;
    while (!(order = ranks.receive())) std::this_thread::sleep_for(kPause);
    if (order->text.empty()) return;
    const int tile = std::stoi(order->text);
    try {
      report = packed(kDone, tile, compute(tile));
    } catch (const std::exception& e) {
      ranks.send(0, kFailed + std::string(e.what()));
      throw;
    }
  }
}

}  // namespace

void shareTiles(Ranks& ranks, const std::vector<int>& tiles, const std::function<std::string(int)>& compute,
                const std::function<void(int, const std::string&)>& keep) {
  if (ranks.rank() > 0) return workForFirst(ranks, compute);
  if (ranks.size() == 1) {
    for (const int tile : tiles) keep(tile, compute(tile));
    return;
  }
  TileCoordinator(ranks, tiles, compute, keep).run();
}

}  // namespace prophet
