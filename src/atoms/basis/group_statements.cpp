#include "atoms/basis/group_statements.hpp"

#include <algorithm>
#include <utility>

namespace prophet {

std::string withoutStatement(std::string source, const std::string& statement) {
  const std::string mark = "; " + statement;
  for (std::size_t at = source.find(mark); at != std::string::npos; at = source.find(mark))
    source.erase(at, std::min(source.find("; ", at + mark.size()), source.size()) - at);
  return source;
}

LibraryEntry withoutGroup(LibraryEntry entry, const std::string& name) {
  entry.groups = withoutGroup(std::move(entry.groups), name);
  std::string& source = entry.provenance.source;
  const std::string less = withoutStatement(source, name == kCoreGroup ? kCoreStatement : kDiffuseStatement);
  if (entry.comment.starts_with(source)) entry.comment.replace(0, source.size(), less);
  source = less;
  return entry;
}

}  // namespace prophet
