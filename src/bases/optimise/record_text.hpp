#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace prophet {

/// What a record (record_log.hpp) holds.
struct RecordText {
  std::vector<std::string> lines;  ///< whole lines after the title; line ends of either kind left out
  std::size_t wholeBytes = 0;  ///< up to the end of the last whole line; what follows was cut off by a kill
};

/// Takes a record's text apart. `title` is the first line that this run's record has; `path` names the file
/// in messages. Throws Error for a text that is no record of this run: it must not be touched then. Of a file
/// without a whole line only the beginning of the title counts as one.
RecordText parseRecord(const std::string& text, const std::string& title, const std::string& path);

}  // namespace prophet
