#include "bases/optimise/record_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Length of a title of which a message shows all.
constexpr std::size_t kShown = 160;

/// Texts that are longer than a line of a message, from shortly before the first byte in which they differ.
std::string shown(std::string_view text, std::size_t difference) {
  if (text.size() <= kShown) return std::string(text);
  const std::size_t start = difference > kShown / 2 ? difference - kShown / 2 : 0;
  return fmt::format("{}{}{}", start > 0 ? "..." : "", text.substr(start, kShown),
                     start + kShown < text.size() ? "..." : "");
}

std::string withoutReturn(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return std::string(line);
}

/// Everything up to the colon: the kind of run and the version of its record.
std::string_view kindOf(std::string_view title) { return title.substr(0, title.find(':')); }

void requireTitle(const std::string& there, const std::string& title, const std::string& path) {
  if (there == title) return;
  const std::string_view kind = kindOf(title), word = kind.substr(0, kind.find(' '));
  if (there.compare(0, word.size(), word) != 0)
    throw Error(path + ": is not the state of a run of this program; move it away, or rename the input file");
  if (kindOf(there) != kind)
    throw Error(
        fmt::format("{}: was written by another version of this program ('{}', this one writes '{}'); "
                    "remove it to begin anew",
                    path, shown(kindOf(there), 0), kind));
  const std::size_t same = std::min(there.size(), title.size());
  const std::size_t difference = static_cast<std::size_t>(
      std::mismatch(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(same), title.begin()).first -
      there.begin());
  throw Error(
      fmt::format("{}: belongs to another run; restore the input that it was made with, or remove it "
                  "to begin anew:\n  there: {}\n  here:  {}",
                  path, shown(there, difference), shown(title, difference)));
}

}  // namespace

RecordText parseRecord(const std::string& text, const std::string& title, const std::string& path) {
  RecordText record;
  bool first = true;
  for (std::size_t end; (end = text.find('\n', record.wholeBytes)) != std::string::npos;) {
    const std::string line =
        withoutReturn(std::string_view(text).substr(record.wholeBytes, end - record.wholeBytes));
    if (first) {
      requireTitle(line, title, path);
    } else {
      record.lines.push_back(line);
    }
    first = false;
    record.wholeBytes = end + 1;
  }
  if (first && title.compare(0, text.size(), text) != 0)
    throw Error(path + ": is not the state of a run of this program; move it away, or rename the input file");
  return record;
}

}  // namespace prophet
