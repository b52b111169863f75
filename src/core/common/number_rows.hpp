#pragma once
#include <string>
#include <vector>

namespace prophet {

/// Rows of numbers of a text file.
struct NumberRows {
  std::string path;
  std::size_t columns = 0;
  std::vector<std::vector<double>> rows;  ///< each of so many columns
  std::vector<int> lines;                 ///< of the file, from 1 on

  /// Throws Error with the file and the line of a row: "found ...; expected ...".
  [[noreturn]] void refuse(std::size_t row, const std::string& found, const std::string& expected) const;
};

/// Reads columns of finite numbers, separated by blanks, commas or semicolons. Lines before the first row of
/// numbers are a heading, and those that begin with '#' or '!' are comments. Throws Error, with file and
/// line, for fewer than `least` or more than `most` columns, of which `meaning` says what they are, for rows
/// of unequal length, and for a field that is not a number; and for a file without rows.
NumberRows readNumberRows(const std::string& path, std::size_t least, std::size_t most,
                          const std::string& meaning);

}  // namespace prophet
