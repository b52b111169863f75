#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace prophet::test {

/// A file with this text for one test, removed at the end.
class ScratchFile {
 public:
  ScratchFile(const std::string& ending, const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "prophet-XXXXXX").string() + ending;
    ::close(::mkstemps(pattern.data(), static_cast<int>(ending.size())));
    path_ = pattern;
    std::ofstream(path_) << text;
  }
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace prophet::test
