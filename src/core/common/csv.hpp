#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/common/text.hpp"

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

/// The lines of a table of src/data, which the build has put into the program in pieces.
template <std::size_t count>
std::vector<std::string> linesOf(const std::string_view (&pieces)[count]) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return split(text, '\n');
}

/// A field as it must be written: between quotes where it holds a comma, a quote or a line break.
std::string csvField(std::string_view text);

/// The finite number that the whole text is, as files have it: with a leading plus, and with the exponents of
/// Fortran (1.5D-03), if they are there.
std::optional<double> finiteNumber(std::string_view text);

/// Rows of numbers of a text file.
struct NumberRows {
  std::string path;
  std::size_t columns = 0;
  std::vector<std::vector<double>> rows;  ///< each of so many columns
  std::vector<int> lines;                 ///< of the file, from 1 on
  /// Lower-case names of the columns, without units, where the line before the rows, a comment or not, has as
  /// many words as there are columns; else empty.
  std::vector<std::string> heading{};
  int headingLine = 0;  ///< of the line before the rows
  /// All lines before the rows, comments or not, in lower case, with their numbers.
  std::vector<std::pair<std::string, int>> before{};

  /// Throws Error with the file and the line of a row: "found ...; expected ...".
  [[noreturn]] void refuse(std::size_t row, const std::string& found, const std::string& expected) const;
  /// Throws Error where a heading, which has the name of some column, gives one a name that is none of its
  /// `names`, those of each column.
  void requireOrder(const std::vector<std::vector<std::string>>& names, const std::string& expected) const;
};

/// The names of columns in a line, a comment or not, in lower case; units in brackets belong to the name
/// before.
std::vector<std::string> columnNames(std::string line);

/// Reads columns of finite numbers, separated by blanks, or by commas, or by semicolons: by one of these in a
/// line, with blanks around it or none. What follows a '#' or '!' behind a blank in a row is a remark.
/// Exponents may be those of Fortran (1.5D-03). Lines before the first row of numbers are a heading, and
/// those that begin with '#' or '!' are comments. Where two columns or more are expected, a whole number
/// alone before the rows is their number, as Fit2D writes it. Throws Error, with file and line, for fewer
/// than `least` or more than `most` columns, of which `meaning` says what they are, for rows of unequal
/// length, for a field that is not a number, for decimal commas, for another number of rows than is written;
/// and for a file without rows.
NumberRows readNumberRows(const std::string& path, std::size_t least, std::size_t most,
                          const std::string& meaning);

}  // namespace prophet
