#include "core/common/files.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
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

/// As a library writes that takes a path: links, modes, devices and others' files are treated alike.
TEST_F(WriteFile, ContentOfAnotherWriterFollowsTheSameRules) {
  const auto text = [](const char* content) {
    return [content](const std::string& file) { std::ofstream(file) << content; };
  };
  const fs::path file = folder_ / "a", link = folder_ / "link";
  writeFileAtomically(file.string(), text("x"));
  fs::permissions(file, fs::perms(0600));
  fs::create_symlink("a", link);
  std::ofstream(folder_ / "victim") << "precious";
  fs::create_symlink("victim", folder_ / "a.cudaprophet-tmp");
  writeFileAtomically(link.string(), text("y"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(readFile(file), "y");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
  EXPECT_EQ(readFile(folder_ / "victim"), "precious");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  std::string heard;
  std::thread reader([&] { heard = readFile(folder_ / "pipe"); });
  writeFileAtomically((folder_ / "pipe").string(), text("z"));
  reader.join();
  EXPECT_EQ(heard, "z");
  EXPECT_EQ(fs::status(folder_ / "pipe").type(), fs::file_type::fifo);
  EXPECT_THROW(writeFileAtomically("/dev/full", text("z")), Error);
  EXPECT_EQ(fs::status("/dev/full").type(), fs::file_type::character);
  try {
    writeFileAtomically(file.string(), [](const std::string&) { throw Error("no"); });
    FAIL() << "no error";
  } catch (const Error&) {
    EXPECT_EQ(readFile(file), "y");
  }
  EXPECT_THROW(writeFileAtomically(folder_ / "", "x"), Error);
}

TEST_F(WriteFile, AFinishedFileTakesThePlaceOfTheOneThatALinkLeadsTo) {
  std::ofstream(folder_ / "old") << "old";
  fs::permissions(folder_ / "old", fs::perms(0600));
  fs::create_symlink("old", folder_ / "link");
  std::ofstream(folder_ / "old.part") << "new";
  replaceByFinished(folder_ / "old.part", folder_ / "link");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(readFile(folder_ / "old"), "new");
  EXPECT_EQ(fs::status(folder_ / "old").permissions(), fs::perms(0600));
  EXPECT_FALSE(fs::exists(folder_ / "old.part"));
  std::ofstream(folder_ / "null.part") << "new";
  EXPECT_THROW(replaceByFinished(folder_ / "null.part", "/dev/null"), Error);
  EXPECT_EQ(fs::status("/dev/null").type(), fs::file_type::character);
}

TEST_F(WriteFile, OneAfterTheOtherExtendsALockedFile) {
  const std::string path = folder_ / "sum";
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        LockedFile file(path, LockedFile::Wait::Wait);
        file.replace(file.read() + "x");
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(readFile(path), std::string(160, 'x'));
  LockedFile mine(path, LockedFile::Wait::Refuse);
  mine.replace("1");
  mine.replace("2");  // the lock goes over to each new content
  EXPECT_THROW(LockedFile(path, LockedFile::Wait::Refuse), Error);
  EXPECT_EQ(mine.read(), "2");
  { const LockedFile unwritten(folder_ / "none", LockedFile::Wait::Refuse); }
  EXPECT_FALSE(fs::exists(folder_ / "none"));
  EXPECT_THROW(LockedFile("/dev/null", LockedFile::Wait::Refuse), Error);
  EXPECT_FALSE(canBeLocked("/dev/null"));
  EXPECT_TRUE(canBeLocked(folder_ / "none"));
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
