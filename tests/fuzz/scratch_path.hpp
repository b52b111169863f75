#pragma once
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

/// The data as a file with this ending, for readers that take files only; in memory where /dev/shm is.
inline std::string scratchPath(const std::uint8_t* data, std::size_t size, const char* ending) {
  static const std::string begin =
      (access("/dev/shm", W_OK) == 0 ? "/dev/shm/prophet-fuzz-" : "/tmp/prophet-fuzz-") +
      std::to_string(getpid());
  const std::string path = begin + ending;
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return path;
}
