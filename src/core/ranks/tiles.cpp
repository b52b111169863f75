#include "core/ranks/tiles.hpp"

#include <chrono>
#include <cstring>
#include <deque>
#include <future>
#include <thread>

#include "core/common/error.hpp"

namespace prophet {
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
