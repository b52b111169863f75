#include "core/common/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/common/error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

TEST(FileLock, OneOpeningAtATime) {
  const fs::path path = fs::temp_directory_path() / ("prophet-lock-" + std::to_string(::getpid()));
  FileHandle first(::open(path.c_str(), O_RDWR | O_CREAT, 0600)), second(::open(path.c_str(), O_RDWR));
  EXPECT_TRUE(tryLock(first));
  EXPECT_TRUE(tryLock(first));
  EXPECT_FALSE(tryLock(second));
  first.close();
  EXPECT_TRUE(tryLock(second));
  fs::remove(path);
}

TEST(FileLock, OfAFolder) {
  const fs::path path = fs::temp_directory_path() / ("prophet-folder-" + std::to_string(::getpid()));
  EXPECT_THROW(FolderLock(path.string()), Error);
  fs::create_directory(path);
  {
    const FolderLock lock(path.string());
    EXPECT_THROW(FolderLock(path.string()), Error);
  }
  EXPECT_NO_THROW(FolderLock(path.string()));
  fs::remove(path);
}

TEST(ReadFile, SaysWhyItCannot) {
  try {
    readFile(fs::temp_directory_path());
    FAIL() << "a folder was read";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("Is a directory"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace prophet
