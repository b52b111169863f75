#include "core/common/threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace prophet {
namespace {

TEST(ThreadPool, EveryTaskOnceWhateverTheThreads) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> hits(37);
      std::atomic<bool> workerInRange{true};
      pool.forEach(37, [&](int i, int worker) {
        ++hits[i];
        if (worker < 0 || worker >= threads) workerInRange = false;
      });
      for (const auto& h : hits) ASSERT_EQ(h, 1);
      ASSERT_TRUE(workerInRange);
    }
  }
}

TEST(ThreadPool, ExceptionsReachTheCallerAndThePoolLivesOn) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.forEach(10,
                            [](int i, int) {
                              if (i == 4) throw std::runtime_error("four");
                            }),
               std::runtime_error);
  std::atomic<int> sum{0};
  pool.forEach(10, [&](int i, int) { sum += i; });
  EXPECT_EQ(sum, 45);
}

TEST(ThreadPool, ThrowsTheFailureOfTheFirstTaskWhateverTheThreads) {
  ThreadPool pool(5);
  std::atomic<int> begun{0}, done{0};
  const auto task = [&](int i, int) {
    ++begun;
    while (begun < 5) sched_yield();  // all five at once
    if (i == 3) {
      while (done < 3) sched_yield();
      for (int wait = 0; wait < 100; ++wait) sched_yield();  // so that task 4 fails first
      throw std::runtime_error("three");
    }
    if (i == 4) throw std::logic_error("four");
    ++done;
  };
  EXPECT_THROW(pool.forEach(5, task), std::runtime_error);
  EXPECT_EQ(done, 3);
}

TEST(ThreadPool, SharesDoNotDependOnTheThreads) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::vector<std::vector<int>> order(3);
    pool.forEachShare(8, 3, [&](int i, int share) { order[share].push_back(i); });
    EXPECT_EQ(order, (std::vector<std::vector<int>>{{0, 3, 6}, {1, 4, 7}, {2, 5}}));
  }
  int calls = 0;
  forEachShare(0, 4, [&](int, int) { ++calls; });
  EXPECT_EQ(calls, 0);
}

/// While there is one of these, new threads ask for stacks that do not fit into the address space.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_init(&huge_);
    pthread_attr_setstacksize(&huge_, std::size_t{1} << 47);
    pthread_setattr_default_np(&huge_);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&huge_);
    pthread_attr_destroy(&usual_);
  }

 private:
  pthread_attr_t usual_, huge_;
};

TEST(ThreadPool, GoesOnWithTheThreadsThatThereAre) {
  const NoMoreThreads none;
  ThreadPool pool(8);
  for (int round = 0; round < 2; ++round) {
    int sum = 0;  // no lock: the caller alone
    pool.forEach(10, [&](int i, int worker) {
      EXPECT_EQ(worker, 0);
      sum += i;
    });
    EXPECT_EQ(sum, 45);
  }
  EXPECT_EQ(pool.threads(), 8);
}

TEST(WorkerThreads, RunEachNumberOnceAndHandOnTheFirstFailure) {
  std::vector<std::atomic<int>> hits(6);
  WorkerThreads threads;
  EXPECT_EQ(threads.start(
                4,
                [&](int i) {
                  ++hits[i];
                  if (i == 5) throw std::logic_error("five");
                  if (i == 3) throw std::runtime_error("three");
                },
                2),
            4);
  EXPECT_THROW(threads.join(), std::runtime_error);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(hits[i], i < 2 ? 0 : 1);
}

TEST(WorkerThreads, SayHowManyThereAre) {
  const NoMoreThreads none;
  WorkerThreads threads;
  EXPECT_EQ(threads.start(3, [](int) {}), 0);
  EXPECT_EQ(threads.count(), 0);
  threads.join();
}

}  // namespace
}  // namespace prophet
