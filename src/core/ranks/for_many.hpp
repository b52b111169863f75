#pragma once
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace prophet {

/// What came of one of many numbered pieces of work.
struct FinishedWork {
  int number = 0;
  std::string bytes;
};

/// One rank's way to compute such pieces. Used by one thread.
class Worker {
 public:
  virtual ~Worker() = default;
  /// Pieces that it computes at once; 0: it is to get them one by one.
  virtual int sideBySide() const = 0;
  /// Takes on these pieces.
  virtual void start(const std::vector<int>& numbers) = 0;
  /// Pieces taken on and not handed out by take().
  virtual std::size_t running() const = 0;
  /// Whether it should get more before it runs dry.
  virtual bool wantsMore() const = 0;
  /// What has finished; waits for something no longer than `patience`, unless it computes meanwhile. Throws
  /// what the work throws.
  virtual std::vector<FinishedWork> take(std::chrono::microseconds patience) = 0;
};

/// Computes pieces by a function, so many of them at once, each in a thread of its own; one at a time in the
/// thread that uses it, where that has nobody to look after.
class FunctionWorker : public Worker {
 public:
  FunctionWorker(std::function<std::string(int)> compute, int atOnce, bool alone)
      : compute_(std::move(compute)),
        atOnce_(static_cast<std::size_t>(atOnce)),
        policy_(alone && atOnce == 1 ? std::launch::deferred : std::launch::async) {}
  int sideBySide() const override { return 0; }
  void start(const std::vector<int>& numbers) override;
  std::size_t running() const override { return running_.size(); }
  bool wantsMore() const override { return running_.size() < atOnce_; }
  std::vector<FinishedWork> take(std::chrono::microseconds patience) override;

 private:
  std::function<std::string(int)> compute_;
  std::size_t atOnce_;
  std::launch policy_;
  std::deque<std::pair<int, std::future<std::string>>> running_;
};

/// The driver of everything that has many pieces, on all ranks; every rank calls it and returns when all is
/// done. The first rank hands out `numbers` in their order, in shares that shrink towards the end, computes
/// itself, and calls keep with what came back, in any order; what the others pass for `numbers` and `keep`
/// does not count. Throws what the worker or `keep` throw here, and Error on the first rank for what a worker
/// throws elsewhere; the other ranks then still wait and are to be ended (Ranks::abort).
void forMany(Ranks& ranks, const std::vector<int>& numbers, Worker& worker,
             const std::function<void(std::vector<FinishedWork>)>& keep);

/// How many pieces a rank gets that holds `held`, of `unfinished` ones anywhere: half of what it lacks of an
/// even share, so that late shares are small and all ranks end together (all of it where there is one rank).
/// At least sideBySide / 16 (and 1), even where it lacks none or fewer are left: the caller gives what there
/// is. At most 16 sideBySide. `sideBySide`: pieces that the rank computes at once; below 1 it counts as 1.
std::size_t shareOf(std::size_t unfinished, std::size_t held, int ranks, int sideBySide);

}  // namespace prophet
