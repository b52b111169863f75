#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace prophet {

struct CsvRow {
  int line = 0;  ///< where it begins, from 1
  std::vector<std::string> fields;
};

/// Rows of comma-separated values, the names of the columns included. A field between quotes may hold commas,
/// line breaks, and quotes written twice (RFC 4180). Empty lines and lines that begin with # are left out; a
/// line may end in CR LF. Throws Error, with the line, for a quote that is not closed or is followed by text.
std::vector<CsvRow> parseCsv(std::string_view text);

/// The same from a file; errors name it too.
std::vector<CsvRow> readCsv(const std::string& path);

/// A field as it must be written: between quotes where it holds a comma, a quote or a line break.
std::string csvField(std::string_view text);

}  // namespace prophet
