#include "core/common/files.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/common/error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  const fs::path folder_ = fs::temp_directory_path() / ("prophet-write-" + std::to_string(::getpid()));
};

TEST_F(WriteFile, ReplacesTheWholeFileAndLeavesNothingElse) {
  const fs::path file = folder_ / "result.json";
  writeFileAtomically(file, std::string(100000, 'x'));
  writeFileAtomically(file, "short\n");
  EXPECT_EQ(readFile(file), "short\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(WriteFile, SaysWhyItCannot) {
  try {
    writeFileAtomically(folder_ / "missing" / "a.json", "x");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("No such file"), std::string::npos) << e.what();
  }
}

TEST_F(WriteFile, FollowsLinksAndKeepsThem) {
  fs::create_directory(folder_ / "far");
  fs::create_symlink("far/b", folder_ / "a");
  fs::create_symlink("c", folder_ / "far/b");  // leads to nothing yet
  writeFileAtomically(folder_ / "a", "x");
  EXPECT_TRUE(fs::is_symlink(folder_ / "a"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "far/b"));
  EXPECT_EQ(readFile((folder_ / "far/c").string()), "x");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_THROW(writeFileAtomically(folder_ / "loop", "x"), Error);
}

TEST_F(WriteFile, KeepsPermissions) {
  const fs::path file = folder_ / "a";
  writeFileAtomically(file, "x");
  fs::permissions(file, fs::perms(0604));
  writeFileAtomically(file, "y");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0604));
  EXPECT_EQ(readFile(file), "y");
}

TEST_F(WriteFile, UsesUpWhatAKilledRunLeft) {
  std::ofstream(folder_ / ".a.cudaprophet-tmp") << "half";
  writeFileAtomically(folder_ / "a", "whole");
  EXPECT_EQ(readFile((folder_ / "a").string()), "whole");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(WriteFile, LeavesTheOldFileAndNothingElseWhereItFails) {
  fs::create_directory(folder_ / "a");
  EXPECT_THROW(writeFileAtomically(folder_ / "a", "x"), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
  EXPECT_THROW(writeFileAtomically("/dev/full", "x"), Error);
}

TEST_F(WriteFile, ManyWritersLeaveOneWholeFile) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k)
        writeFileAtomically(folder_ / "a", std::string(5000, static_cast<char>('a' + i)));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = readFile((folder_ / "a").string());
  EXPECT_EQ(text, std::string(5000, text.at(0)));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(WriteFile, ALongNameIsNoProblem) {
  const fs::path file = folder_ / std::string(250, 'n');
  writeFileAtomically(file, "x");
  EXPECT_EQ(readFile(file), "x");
}

TEST_F(WriteFile, KnowsTheSameFileByItsNames) {
  std::ofstream(folder_ / "a") << "x";
  fs::create_symlink("a", folder_ / "link");
  EXPECT_TRUE(isSameFile(folder_ / "a", folder_ / "." / "a"));
  EXPECT_TRUE(isSameFile(folder_ / "a", folder_ / "link"));
  EXPECT_FALSE(isSameFile(folder_ / "a", folder_ / "b"));
  EXPECT_TRUE(isSameFile(folder_ / "b", folder_ / "." / "b"));
}

TEST_F(WriteFile, TellsBeforehandWhatCannotBeWritten) {
  const auto reason = [](const fs::path& path) -> std::string {
    try {
      requireWritable(path.string());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(reason(folder_ / "none" / "file").find("No such file or directory"), std::string::npos);
  EXPECT_NE(reason(folder_).find("Is a directory"), std::string::npos);
  EXPECT_EQ(reason(folder_ / "new"), "");
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_EQ(reason("/dev/null"), "");
  writeFileAtomically(folder_ / "old", "old");
  EXPECT_EQ(reason(folder_ / "old"), "");
  EXPECT_EQ(readFile(folder_ / "old"), "old");
}

TEST_F(WriteFile, KnowsOneFileUnderManyNames) {
  const auto same = [&](const fs::path& a, const fs::path& b) { return isSameFile(a.string(), b.string()); };
  fs::create_directory(folder_ / "sub");
  fs::create_symlink("new", folder_ / "link");
  fs::create_directory_symlink("sub", folder_ / "other");
  // None of these exists.
  EXPECT_TRUE(same(folder_ / "new", folder_ / "link"));
  EXPECT_TRUE(same(folder_ / "new", folder_ / "sub" / ".." / "new"));
  EXPECT_TRUE(same(folder_ / "sub" / "x", folder_ / "other" / "x"));
  EXPECT_FALSE(same(folder_ / "new", folder_ / "sub" / "new"));
  EXPECT_TRUE(same("a-name-that-is-not-there", "./a-name-that-is-not-there"));
  // One exists.
  writeFileAtomically(folder_ / "there", "x");
  EXPECT_FALSE(same(folder_ / "there", folder_ / "new"));
  fs::create_hard_link(folder_ / "there", folder_ / "hard");
  EXPECT_TRUE(same(folder_ / "there", folder_ / "hard"));
  // A link in a circle leads nowhere, and ends.
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_FALSE(same(folder_ / "circle", folder_ / "there"));
}

}  // namespace
}  // namespace prophet
