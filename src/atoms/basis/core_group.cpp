#include "atoms/basis/core_group.hpp"

#include <fmt/format.h>

#include <utility>

namespace prophet {

LibraryEntry withoutCore(LibraryEntry entry) {
  entry.groups = withoutCore(std::move(entry.groups));
  std::string& source = entry.provenance.source;
  const std::size_t end = source.find(fmt::format("; {}", kCoreStatement));
  if (end == std::string::npos) return entry;
  entry.comment.erase(end, source.size() - end);  // it begins with the source
  source.resize(end);
  return entry;
}

}  // namespace prophet
