#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
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

/// The driver of everything that has many pieces, on all ranks; every rank calls it and returns when all is
/// done. The first rank hands out `numbers` in their order, in shares that shrink towards the end, computes
/// itself, and calls keep with what came back, in any order; what the others pass for `numbers` and `keep`
/// does not count. Throws what the worker or `keep` throw here, and Error on the first rank for what a worker
/// throws elsewhere; the other ranks then still wait and are to be ended (Ranks::abort).
void forMany(Ranks& ranks, const std::vector<int>& numbers, Worker& worker,
             const std::function<void(std::vector<FinishedWork>)>& keep);

/// The same with a function that computes one piece, called by each rank for up to `atOnce` pieces side by
/// side, each in a thread of its own (in the calling one where there is one piece at a time and one rank, and
/// where the system has no more threads). `keep` gets them one by one, beside those that are computed.
void forMany(Ranks& ranks, const std::vector<int>& numbers, int atOnce,
             const std::function<std::string(int)>& compute, const std::function<void(FinishedWork)>& keep);

/// The same of pieces 0 to count - 1 in this process alone, which leave what they compute where it belongs.
void forMany(int count, int atOnce, const std::function<void(int)>& compute,
             const std::function<void(int)>& finished);

/// How many pieces a rank gets that holds `held`, of `unfinished` ones anywhere: half of what it lacks of an
/// even share, so that late shares are small and all ranks end together (all of it where there is one rank).
/// At least sideBySide / 16 (and 1), even where it lacks none or fewer are left: the caller gives what there
/// is. At most 16 sideBySide. `sideBySide`: pieces that the rank computes at once; below 1 it counts as 1.
std::size_t shareOf(std::size_t unfinished, std::size_t held, int ranks, int sideBySide);

}  // namespace prophet
