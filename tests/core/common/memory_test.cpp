#include "core/common/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace prophet {
namespace {

namespace fs = std::filesystem;

/// The files of control groups below a folder.
class ControlGroups : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  const fs::path root_ = fs::temp_directory_path() / ("prophet-memory-" + std::to_string(::getpid()));
};

TEST_F(ControlGroups, TheSmallestLimitOnTheWayCounts) {
  const double machine = availableMemory(root_);
  EXPECT_GT(machine, 1e8);
  write("proc/self/cgroup", "0::/jobs/one\n");
  write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  EXPECT_EQ(availableMemory(root_), machine);
  write("sys/fs/cgroup/jobs/memory.max", "50000000\n");
  EXPECT_EQ(availableMemory(root_), 5e7);
  write("sys/fs/cgroup/jobs/one/memory.max", "40000000\n");
  EXPECT_EQ(availableMemory(root_), 4e7);
}

TEST_F(ControlGroups, VersionOneToo) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "30000000\n");  // a container sees its own group on top
  EXPECT_EQ(availableMemory(root_), 3e7);
}

TEST_F(ControlGroups, NonsenseIsNoLimit) {
  const double machine = availableMemory(root_);
  write("proc/self/cgroup", "nonsense\n0::relative\n::\n");
  write("sys/fs/cgroup/memory.max", "-5\n");
  EXPECT_EQ(availableMemory(root_), machine);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PROPHET_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PROPHET_SANITIZED
#endif
#endif

TEST(AddressSpace, CountsAsALimit) {
#ifdef PROPHET_SANITIZED
  GTEST_SKIP() << "sanitizers take terabytes of addresses";
#endif
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{1UL << 32, 1UL << 32};
    ::setrlimit(RLIMIT_AS, &limit);
    const double left = availableMemory();
    ::_exit(left > 0 && left < 4294967296.0 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace prophet
