#include "core/common/number_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// The numbers of a line; empty where a field is none.
std::optional<std::vector<double>> numbersOfFields(const std::vector<std::string>& fields) {
  std::vector<double> numbers;
  for (const std::string& field : fields) {
    const auto number = parseDouble(field);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

[[noreturn]] void refuseLine(const std::string& path, int line, const std::string& found,
                             const std::string& expected) {
  throw Error(fmt::format("{}:{}: {}; expected {}", path, line, found, expected));
}

}  // namespace

void NumberRows::refuse(std::size_t row, const std::string& found, const std::string& expected) const {
  refuseLine(path, lines[row], found, expected);
}

NumberRows readNumberRows(const std::string& path, std::size_t least, std::size_t most,
                          const std::string& meaning) {
  const std::string text = readFile(path);
  std::istringstream in{std::string(withoutByteOrderMark(text))};
  NumberRows table;
  table.path = path;
  int line = 0;
  for (std::string row; std::getline(in, row);) {
    ++line;
    const std::vector<std::string> fields = splitWords(row, " \t\r\v\f,;");
    if (fields.empty() || fields[0][0] == '#' || fields[0][0] == '!') continue;
    const auto numbers = numbersOfFields(fields);
    if (!numbers && table.columns == 0) continue;  // the heading
    const std::size_t expected = table.columns > 0 ? table.columns : std::clamp(fields.size(), least, most);
    if (fields.size() != expected)
      refuseLine(path, line, fmt::format("found {} column{}", fields.size(), fields.size() == 1 ? "" : "s"),
                 table.columns > 0 ? fmt::format("{} as in the rows before", table.columns) : meaning);
    table.columns = expected;
    if (!numbers) refuseLine(path, line, fmt::format("found '{}'", trimmed(row, " \t\r")), "numbers");
    table.rows.push_back(*numbers);
    table.lines.push_back(line);
  }
  if (table.columns == 0)
    throw Error(least == most ? fmt::format("{}: has no rows of numbers; expected {} columns", path, least)
                              : fmt::format("{}: has no rows of numbers; expected {} to {} columns", path,
                                            least, most));
  return table;
}

}  // namespace prophet
