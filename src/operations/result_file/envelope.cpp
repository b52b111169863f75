#include "operations/result_file/envelope.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cstdio>

#include "core/common/error.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet {
namespace {

constexpr std::size_t kHeadSize = 512;
constexpr const char* kMagic = "cudaprophet result, layout ";
constexpr const char* kSignature = "\x89HDF\r\n\x1a\n";

unsigned checksum(const std::string& bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

}  // namespace

std::string wrapped(const std::string& hdf5) {
  std::string head =
      fmt::format("{}{}\nbytes {} crc32 {:08x}\n", kMagic, kResultLayout, hdf5.size(), checksum(hdf5));
  head.resize(kHeadSize, '\0');
  return head + hdf5;
}

std::string unwrapped(const std::string& bytes, const std::string& path) {
  const std::string magic = kMagic;
  if (bytes.compare(0, magic.size(), magic) != 0) {
    const bool other = bytes.compare(0, 8, kSignature) == 0;
    throw Error(path + (other ? ": an HDF5 file, but none that this program wrote"
                              : ": not a result file of this program"));
  }
  int layout = 0;
  std::size_t size = 0;
  unsigned crc = 0;
  const std::string head = bytes.substr(magic.size(), kHeadSize - magic.size());
  const int found = std::sscanf(head.c_str(), "%d\nbytes %zu crc32 %8x", &layout, &size, &crc);
  if (found >= 1 && layout != kResultLayout) {
    throw Error(fmt::format(
        "{}: a result file of layout {}, and this program reads layout {} only; compute the result again, or "
        "use the version of the program that wrote it",
        path, layout, kResultLayout));
  }
  if (found < 3) throw Error(path + ": the head of the result file is damaged");
  if (bytes.size() != kHeadSize + size)
    throw Error(fmt::format("{}: the result file has {} bytes instead of {}; it was cut off or changed", path,
                            bytes.size(), kHeadSize + size));
  std::string hdf5 = bytes.substr(kHeadSize);
  if (checksum(hdf5) != crc)
    throw Error(path + ": the result file is damaged, or another program changed it (its checksum differs)");
  return hdf5;
}

}  // namespace prophet
