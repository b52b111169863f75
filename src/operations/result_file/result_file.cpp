#include "operations/result_file/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/common/checksum.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "operations/result_file/layout.hpp"

namespace prophet {
namespace {

constexpr std::size_t kHeadSize = 512;
constexpr const char* kMagic = "cudaprophet result, layout ";
constexpr const char* kSignature = "\x89HDF\r\n\x1a\n";

}  // namespace

std::string wrapped(const std::string& hdf5) {
  std::string head =
      fmt::format("{}{}\nbytes {} crc32 {:08x}\n", kMagic, kResultLayout, hdf5.size(), checksumOf(hdf5));
  head.resize(kHeadSize, '\0');
  return head + hdf5;
}

std::string unwrapped(const std::string& bytes, const std::string& path) {
  const std::string magic = kMagic;
  if (bytes.compare(0, magic.size(), magic) != 0) {
    const bool other = bytes.compare(0, 8, kSignature) == 0;
    throw Error(path + (other
                            ? ": an HDF5 file, but not one with atoms, as energy, limit and batch write them"
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
  if (checksumOf(hdf5) != crc)
    throw Error(path + ": the result file is damaged, or another program changed it (its checksum differs)");
  return hdf5;
}

namespace {

constexpr const char* kSingle = "result";
constexpr const char* kCollection = "collection";

/// An id as the name of a group: / separates groups in HDF5, and . is the group itself.
std::string groupName(const std::string& id) {
  std::string name;
  for (const char c : id) {
    if (c == '/' || c == '%') {
      name += c == '/' ? "%2F" : "%25";
    } else {
      name += c;
    }
  }
  return name == "." ? "%2E" : name;
}

hdf5::File emptyFile(const char* content) {
  hdf5::File file;
  hdf5::Group root = file.root();
  root.set("format", "cudaprophet");
  root.set("layout_version", kResultLayout);
  root.set("content", content);
  return file;
}

hdf5::File openFile(const std::string& path) { return hdf5::File(unwrapped(readFile(path), path)); }

std::vector<std::string> idsIn(const hdf5::Group& root) {
  if (root.text("content") == kSingle) return {root.text("id")};
  std::vector<std::string> ids;
  for (const std::string& name : root.names()) ids.push_back(root.open(name).text("id"));
  std::ranges::sort(ids);
  return ids;
}

std::string listed(const std::vector<std::string>& ids) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (std::size_t i = 0; i < ids.size() && i < kMost; ++i) text += (i > 0 ? ", " : "") + ids[i];
  return ids.size() > kMost ? text + fmt::format(" and {} more", ids.size() - kMost) : text;
}

hdf5::Group groupOf(const hdf5::Group& root, const std::string& group) {
  const std::vector<std::string> ids = idsIn(root);
  if (group.empty() && ids.size() != 1)
    throw Error(fmt::format("it contains {} results, and one must be named: {}", ids.size(), listed(ids)));
  if (!group.empty() && std::ranges::find(ids, group) == ids.end())
    throw Error(fmt::format("it has no result '{}'; it has {}", group, listed(ids)));
  if (root.text("content") == kSingle) return root.open("/");
  return root.open(groupName(ids.size() == 1 ? ids.front() : group));
}

/// Errors of a step with the file's name in front.
template <class Step>
auto about(const std::string& path, Step step) {
  try {
    return step();
  } catch (const ResourceError&) {
    throw;
  } catch (const Error& e) {
    const std::string text = e.what();
    throw Error(text.compare(0, path.size(), path) == 0 ? text : path + ": " + text);
  }
}

}  // namespace

bool hasResultFiles() { return hdf5::isAvailable(); }

void writeResult(const std::string& path, const ResultRecord& record) {
  const auto lock = hdf5::lock();
  const hdf5::File file = emptyFile(kSingle);
  hdf5::writeRecord(file.root(), record);
  writeFileAtomically(path, wrapped(file.image()));
}

ResultRecord readRecord(const std::string& path, const std::string& group) {
  const auto lock = hdf5::lock();
  return about(path, [&] {
    const hdf5::File file = openFile(path);
    return hdf5::readRecord(groupOf(file.root(), group));
  });
}

Result readResult(const std::string& path, const std::string& group) {
  return std::move(readRecord(path, group).result);
}

std::vector<std::string> resultIds(const std::string& path) {
  const auto lock = hdf5::lock();
  return about(path, [&] {
    const hdf5::File file = openFile(path);
    return idsIn(file.root());
  });
}

struct ResultCollection::Contents {
  hdf5::File file;
};

ResultCollection::ResultCollection() {
  const auto lock = hdf5::lock();
  contents_ = std::make_unique<Contents>(Contents{emptyFile(kCollection)});
}

ResultCollection::ResultCollection(const std::string& path) {
  const auto lock = hdf5::lock();
  contents_ = about(path, [&] { return std::make_unique<Contents>(Contents{openFile(path)}); });
  if (contents_->file.root().text("content") != kCollection)
    throw Error(path + ": contains a single result and cannot take more; name another file");
}

ResultCollection::~ResultCollection() {
  const auto lock = hdf5::lock();
  contents_.reset();
}

ResultCollection::ResultCollection(ResultCollection&&) noexcept = default;
ResultCollection& ResultCollection::operator=(ResultCollection&&) noexcept = default;

bool ResultCollection::contains(const std::string& id) const {
  const auto lock = hdf5::lock();
  return contents_->file.root().has(groupName(id));
}

void ResultCollection::add(const ResultRecord& record) {
  const auto lock = hdf5::lock();
  hdf5::Group root = contents_->file.root();
  const std::string name = groupName(record.id);
  if (root.has(name)) root.remove(name);
  hdf5::writeRecord(root.create(name), record);
}

void ResultCollection::write(const std::string& path) const {
  const auto lock = hdf5::lock();
  writeFileAtomically(path, wrapped(contents_->file.image()));
}

}  // namespace prophet
