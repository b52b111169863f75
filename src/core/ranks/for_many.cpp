#include "core/ranks/for_many.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <future>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/common/error.hpp"
#include "core/common/mailbox.hpp"

namespace prophet {
namespace {

using namespace std::chrono_literals;

// Messages to the first rank: kAsk and the number of pieces that the rank computes side by side; kDone and
// for each finished piece its number, its size and its bytes; kFailed and a text. From it: numbers of pieces;
// none: there are no more.
constexpr char kAsk = 'a', kDone = 'd', kFailed = 'f';
/// How long a rank without anything to do waits before it looks again for messages.
constexpr auto kPause = 200us;
/// Times what a rank computes side by side: no rank takes more pieces than that at once.
constexpr std::size_t kLargestShare = 16;
/// A rank that computes this many pieces in the time of one gets no fewer than one for each group of them.
constexpr std::size_t kGroup = 16;

std::string packNumbers(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + " ";
  return text;
}

std::vector<int> unpackNumbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<int> numbers;
  for (int number; in >> number;) numbers.push_back(number);
  return numbers;
}

std::string packFinished(const std::vector<FinishedWork>& finished) {
  std::string text(1, kDone);
  for (const FinishedWork& work : finished)
    text += std::to_string(work.number) + " " + std::to_string(work.bytes.size()) + " " + work.bytes;
  return text;
}

std::vector<FinishedWork> unpackFinished(const std::string& text) {
  std::vector<FinishedWork> finished;
  for (std::size_t at = 1; at < text.size();) {
    const std::size_t second = text.find(' ', at) + 1, start = text.find(' ', second) + 1;
    const std::size_t size = std::stoull(text.substr(second, start - second));
    finished.push_back({std::stoi(text.substr(at, second - at)), text.substr(start, size)});
    at = start + size;
  }
  return finished;
}

class Coordinator {
 public:
  Coordinator(Ranks& ranks, const std::vector<int>& numbers, Worker& worker,
              const std::function<void(std::vector<FinishedWork>)>& keep)
      : ranks_(ranks),
        worker_(worker),
        keep_(keep),
        pending_(numbers.begin(), numbers.end()),
        held_(static_cast<std::size_t>(ranks.size()), 0),
        unfinished_(numbers.size()),
        working_(ranks.size() - 1) {}

  void run() {
    while (unfinished_ > 0 || working_ > 0) {
      bool idle = true;
      while (const auto message = ranks_.receive()) {
        answer(*message);
        idle = false;
      }
      if (!pending_.empty() && worker_.wantsMore()) {
        worker_.start(nextShare(0, worker_.sideBySide()));
        idle = false;
      }
      // By itself it has nobody to look after.
      finish(0, worker_.take(!idle ? 0us : ranks_.size() == 1 ? 1s : kPause));
    }
  }

 private:
  std::vector<int> nextShare(int rank, int sideBySide) {
    std::size_t& held = held_[static_cast<std::size_t>(rank)];
    const std::size_t share = sideBySide == 0 ? 1 : shareOf(unfinished_, held, ranks_.size(), sideBySide);
    const auto end = pending_.begin() + static_cast<std::ptrdiff_t>(std::min(pending_.size(), share));
    std::vector<int> numbers(pending_.begin(), end);
    pending_.erase(pending_.begin(), end);
    held += numbers.size();
    return numbers;
  }

  void answer(const Ranks::Message& message) {
    const std::string& text = message.text;
    if (text.at(0) == kFailed) throw Error("rank " + std::to_string(message.from) + ": " + text.substr(1));
    if (text.at(0) == kDone) return finish(message.from, unpackFinished(text));
    const std::vector<int> share = nextShare(message.from, std::stoi(text.substr(1)));
    ranks_.send(message.from, packNumbers(share));
    if (share.empty()) --working_;
  }

  void finish(int rank, std::vector<FinishedWork> finished) {
    if (finished.empty()) return;
    unfinished_ -= finished.size();
    held_[static_cast<std::size_t>(rank)] -= finished.size();
    keep_(std::move(finished));
  }

  Ranks& ranks_;
  Worker& worker_;
  const std::function<void(std::vector<FinishedWork>)>& keep_;
  std::deque<int> pending_;
  std::vector<std::size_t> held_;  ///< pieces that each rank has and has not finished
  std::size_t unfinished_;
  int working_;
};

/// Asks for pieces, computes, sends results as they come, until there is no more to do.
void workForFirstRank(Ranks& ranks, Worker& worker) {
  bool more = true, asked = false;
  while (more || worker.running() > 0) {
    bool idle = true;
    if (more && !asked && worker.wantsMore()) {
      ranks.send(0, kAsk + std::to_string(worker.sideBySide()));
      asked = true;
    }
    if (const auto message = ranks.receive()) {
      const std::vector<int> share = unpackNumbers(message->text);
      asked = idle = false;
      more = !share.empty();
      worker.start(share);
    }
    const std::vector<FinishedWork> finished = worker.take(idle ? kPause : 0us);
    if (!finished.empty()) ranks.send(0, packFinished(finished));
  }
}

/// Computes pieces by a function.
class FunctionWorker : public Worker {
 public:
  FunctionWorker(const std::function<std::string(int)>& compute, int atOnce, bool alone)
      : compute_(compute),
        atOnce_(static_cast<std::size_t>(std::max(1, atOnce))),
        policy_(alone && atOnce_ == 1 ? std::launch::deferred : std::launch::async | std::launch::deferred) {}
  int sideBySide() const override { return 0; }
  void start(const std::vector<int>& numbers) override {
    for (const int number : numbers)
      running_.emplace(number, std::async(policy_, [this, number] { finish(number); }));
  }
  std::size_t running() const override { return running_.size(); }
  bool wantsMore() const override { return running_.size() < atOnce_; }
  std::vector<FinishedWork> take(std::chrono::microseconds patience) override {
    const auto waiting = std::ranges::find_if(
        running_, [](const auto& one) { return one.second.wait_for(0us) == std::future_status::deferred; });
    if (waiting != running_.end()) waiting->second.get();  // computes here
    std::vector<FinishedWork> list;
    for (Outcome& outcome : finished_.takeAll(patience)) {
      running_.erase(outcome.work.number);
      if (outcome.failure) std::rethrow_exception(outcome.failure);
      list.push_back(std::move(outcome.work));
    }
    return list;
  }

 private:
  struct Outcome {
    FinishedWork work;
    std::exception_ptr failure;
  };
  void finish(int number) {
    Outcome outcome{{number, {}}, {}};
    try {
      outcome.work.bytes = compute_(number);
    } catch (...) {
      outcome.failure = std::current_exception();
    }
    finished_.put(std::move(outcome));
  }

  const std::function<std::string(int)>& compute_;
  std::size_t atOnce_;
  std::launch policy_;  ///< with `deferred` too, what gets no thread of the system is computed by take()
  Mailbox<Outcome> finished_;
  std::map<int, std::future<void>>
      running_;  ///< the last member: its end waits for those that use the others
};

}  // namespace

std::size_t shareOf(std::size_t unfinished, std::size_t held, int ranks, int sideBySide) {
  const auto width = static_cast<std::size_t>(std::max(1, sideBySide));
  const std::size_t even = unfinished / static_cast<std::size_t>(ranks);
  const std::size_t lacks = even > held ? even - held : 0;
  return std::clamp(ranks == 1 ? lacks : lacks / 2, std::max<std::size_t>(1, width / kGroup),
                    kLargestShare * width);
}

void forMany(Ranks& ranks, const std::vector<int>& numbers, Worker& worker,
             const std::function<void(std::vector<FinishedWork>)>& keep) {
  if (ranks.rank() == 0) return Coordinator(ranks, numbers, worker, keep).run();
  try {
    workForFirstRank(ranks, worker);
  } catch (const std::exception& e) {
    ranks.send(0, kFailed + std::string(e.what()));
    throw;
  }
}

void forMany(Ranks& ranks, const std::vector<int>& numbers, int atOnce,
             const std::function<std::string(int)>& compute, const std::function<void(FinishedWork)>& keep) {
  FunctionWorker worker(compute, atOnce, ranks.size() == 1);
  forMany(ranks, numbers, worker, [&](std::vector<FinishedWork> finished) {
    for (FinishedWork& work : finished) keep(std::move(work));
  });
}

void forMany(int count, int atOnce, const std::function<void(int)>& compute,
             const std::function<void(int)>& finished) {
  SingleRank alone;
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto one = [&](int number) {
    compute(number);
    return std::string();
  };
  forMany(alone, numbers, atOnce, one, [&](const FinishedWork& work) { finished(work.number); });
}

}  // namespace prophet
