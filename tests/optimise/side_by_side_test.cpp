#include "optimise/side_by_side.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <stdexcept>

#include "common/error.hpp"

namespace prophet {
namespace {

TEST(SideBySide, RunsAllAtOnceAndThrowsTheFirstError) {
  std::atomic<int> begun{0}, done{0};
  const auto work = [&](std::size_t i) {
    ++begun;
    while (begun < 5) sched_yield();
    if (i == 3) throw std::runtime_error("three");
    if (i == 4) throw std::logic_error("four");
    ++done;
  };
  EXPECT_THROW(sideBySide(5, work), std::runtime_error);
  EXPECT_EQ(done, 3);
  sideBySide(0, work);
}

/// Threads with such stacks do not all fit into the address space.
TEST(SideBySide, ThreadsThatTheSystemDoesNotGiveAreAnError) {
  pthread_attr_t usual, huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 45), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  std::atomic<int> done{0};
  EXPECT_THROW(sideBySide(64, [&](std::size_t) { ++done; }), Error);
  EXPECT_EQ(done, 0);
  EXPECT_EQ(pthread_setattr_default_np(&usual), 0);
  pthread_attr_destroy(&huge);
  pthread_attr_destroy(&usual);
}

}  // namespace
}  // namespace prophet
