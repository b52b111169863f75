#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "core/ranks/ranks.hpp"

namespace prophet::test {

/// Ranks that are threads of this process, two to a machine.
class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size), inbox_(static_cast<std::size_t>(size)) {}

  /// Runs `body` on all ranks and waits for all; it must not throw.
  void run(const std::function<void(Ranks&)>& body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; ++rank) {
      threads.emplace_back([&, rank] {
        One one(*this, rank);
        body(one);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  class One : public Ranks {
   public:
    One(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return all_.size_; }
    int machine() const override { return rank_ / 2 * 2; }
    void send(int to, const std::string& text) override {
      const std::lock_guard<std::mutex> lock(all_.mutex_);
      all_.inbox_[static_cast<std::size_t>(to)].push_back({rank_, text});
    }
    std::optional<Message> receive() override {
      const std::lock_guard<std::mutex> lock(all_.mutex_);
      auto& inbox = all_.inbox_[static_cast<std::size_t>(rank_)];
      if (inbox.empty()) return std::nullopt;
      Message first = inbox.front();
      inbox.pop_front();
      return first;
    }
    std::vector<std::string> allGather(const std::string& text) override { return all_.gather(rank_, text); }

   private:
    void endAll(int) override {}
    ThreadRanks& all_;
    const int rank_;
  };

  std::vector<std::string> gather(int rank, const std::string& text) {
    std::unique_lock<std::mutex> lock(mutex_);
    const int round = round_;
    if (arrived_ == 0) texts_.assign(static_cast<std::size_t>(size_), "");
    texts_[static_cast<std::size_t>(rank)] = text;
    if (++arrived_ == size_) {
      complete_ = texts_;
      arrived_ = 0;
      ++round_;
      all_.notify_all();
    }
    // The next round cannot be complete before this thread has joined it.
    all_.wait(lock, [&] { return round_ != round; });
    return complete_;
  }

  const int size_;
  std::mutex mutex_;
  std::condition_variable all_;
  std::vector<std::deque<Ranks::Message>> inbox_;
  std::vector<std::string> texts_, complete_;
  int arrived_ = 0, round_ = 0;
};

}  // namespace prophet::test
