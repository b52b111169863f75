#include "core/common/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> rows;
    for (; at_ < text_.size(); ++line_) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ == text_.size() || endOfLine()) continue;
      CsvRow& row = rows.emplace_back();
      row.line = line_;
      do {
        row.fields.push_back(field());
      } while (takes(','));
      if (at_ < text_.size() && !endOfLine())
        throw Error(std::to_string(line_) + ": error: text after a closing quote");
    }
    return rows;
  }

 private:
  bool takes(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool endOfLine() { return takes('\n') || (text_.substr(at_, 2) == "\r\n" && (at_ += 2) > 0); }

  std::string field() {
    if (takes('"')) return quoted();
    std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    const std::size_t first = std::exchange(at_, end);
    if (end > first && end < text_.size() && text_[end] == '\n' && text_[end - 1] == '\r') at_ = --end;
    return std::string(text_.substr(first, end - first));
  }

  std::string quoted() {
    const int opened = line_;
    std::string field;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && text_.substr(at_ + 1, 1) != "\"") {
        ++at_;
        return field;
      }
      if (text_[at_] == '"') ++at_;
      if (text_[at_] == '\n') ++line_;
      field += text_[at_];
    }
    throw Error(std::to_string(opened) + ": error: a quote is not closed");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<CsvRow> parseCsv(std::string_view text) { return Reader(withoutByteOrderMark(text)).rows(); }

std::vector<CsvRow> readCsv(const std::string& path) {
  const std::string text = readFile(path);
  try {
    return parseCsv(text);
  } catch (const Error& error) {
    throw Error(path + ":" + error.what());
  }
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

namespace {

constexpr const char* kBlanks = " \t\r\v\f";

/// The fields of a line, between one separator: semicolons, or commas, or blanks. Around a semicolon or comma
/// there may be blanks.
std::vector<std::string> fieldsOf(const std::string& line) {
  for (const char separator : {';', ','}) {
    if (line.find(separator) == std::string::npos) continue;
    std::vector<std::string> fields = split(line, separator);
    for (std::string& field : fields) field = trimmed(field, kBlanks);
    if (fields.size() > 1 && fields.back().empty()) fields.pop_back();  // one at the end
    return fields;
  }
  return splitWords(line, kBlanks);
}

/// The numbers of a line; empty where a field is none.
std::optional<std::vector<double>> numbersOfFields(const std::vector<std::string>& fields) {
  std::vector<double> numbers;
  for (const std::string& field : fields) {
    const auto number = finiteNumber(field);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Whether all words of a line, whatever separates them, are numbers: it is no heading, even if it cannot be
/// read.
bool hasNumbersOnly(const std::string& line) {
  const auto words = splitWords(line, " \t\r\v\f,;");
  return std::ranges::all_of(words, [](const std::string& w) { return finiteNumber(w) || parseDouble(w); });
}

/// Whether a line that is none of numbers is one with a damaged or missing number, "0.5 1'000", "0.5x 10" or
/// "0.5 n/a", and no heading, which has words ("30 points", "2 theta I", "2theta").
bool isDamagedRow(const std::vector<std::string>& fields, bool oneColumn) {
  const auto beginsAsNumber = [](const std::string& field) {
    return isDigit(field[std::min(field.find_first_not_of("+-."), field.size())]);
  };
  if (fields.size() == 1) {
    const std::string name = lowerCase(fields[0]);
    return oneColumn && beginsAsNumber(name) && !(name.starts_with("2") && name.find("th") < 3);
  }
  const auto isPart = [&](const std::string& field) {
    const std::string name = lowerCase(field);
    return beginsAsNumber(field) || std::ranges::none_of(field, isLetter) || name == "na" || name == "n/a" ||
           name == "null" || name == "none";
  };
  return std::ranges::all_of(fields, isPart) && std::ranges::any_of(fields, [](const std::string& field) {
           return finiteNumber(field).has_value();
         });
}

/// A row without the remark behind its numbers.
std::string withoutRemark(const std::string& row) {
  for (std::size_t at = 0; (at = row.find_first_of("#!", at + 1)) != std::string::npos;)
    if (std::string_view(kBlanks).find(row[at - 1]) != std::string_view::npos)
      return trimmed(row.substr(0, at), kBlanks);
  return row;
}

[[noreturn]] void refuseLine(const std::string& path, int line, const std::string& found,
                             const std::string& expected) {
  throw Error(fmt::format("{}:{}: {}; expected {}", path, line, found, expected));
}

}  // namespace

std::vector<std::string> columnNames(std::string line) {
  for (std::size_t open; (open = line.find_first_of("([")) != std::string::npos;) {
    const std::size_t close = line.find_first_of(")]", open);
    line.erase(open, close == std::string::npos ? close : close - open + 1);
  }
  return splitWords(lowerCase(trimmed(line, "#! \t\r\v\f")), " \t\r\v\f,;");
}

std::optional<double> finiteNumber(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::string usual;
  if (const auto at = text.find_first_of("dD"); at != std::string_view::npos) {
    usual = text;
    usual[at] = 'e';
    text = usual;
  }
  const std::optional<double> value = parseDouble(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

void NumberRows::refuse(std::size_t row, const std::string& found, const std::string& expected) const {
  refuseLine(path, lines[row], found, expected);
}

void NumberRows::requireOrder(const std::vector<std::vector<std::string>>& names,
                              const std::string& expected) const {
  const auto isOf = [&](std::size_t column, const std::string& name) {
    return column < names.size() && std::ranges::find(names[column], name) != names[column].end();
  };
  const auto isKnown = [&](const std::string& name) {
    for (std::size_t j = 0; j < names.size(); ++j)
      if (isOf(j, name)) return true;
    return false;
  };
  if (std::ranges::none_of(heading, isKnown)) return;
  for (std::size_t i = 0; i < heading.size(); ++i)
    if (!isOf(i, heading[i]))
      refuseLine(path, headingLine, fmt::format("found the name '{}' of column {}", heading[i], i + 1),
                 "the columns " + expected + ", in this order");
}

NumberRows readNumberRows(const std::string& path, std::size_t least, std::size_t most,
                          const std::string& meaning) {
  const std::string text = readFile(path);
  std::istringstream in{std::string(withoutByteOrderMark(text))};
  NumberRows table;
  table.path = path;
  int line = 0, countLine = 0;
  std::optional<double> count;  // of rows, as Fit2D writes it before them
  for (std::string row; std::getline(in, row);) {
    ++line;
    row = trimmed(row, kBlanks);
    if (row.empty()) continue;
    if (row[0] == '#' || row[0] == '!') {
      if (table.columns == 0) table.before.emplace_back(lowerCase(row), line);
      continue;
    }
    row = withoutRemark(row);
    const std::vector<std::string> fields = fieldsOf(row);
    const auto numbers = numbersOfFields(fields);
    if (!numbers && table.columns == 0 && !hasNumbersOnly(row)) {  // the heading
      if (isDamagedRow(fields, least == 1))
        refuseLine(path, line, fmt::format("found '{}'", row),
                   "numbers, or a heading that begins with a word or #");
      table.before.emplace_back(lowerCase(row), line);
      continue;
    }
    if (!numbers && hasNumbersOnly(row))
      refuseLine(path, line, fmt::format("found '{}'", row),
                 "finite numbers with decimal points and one separator between them: blanks, commas or "
                 "semicolons (decimal commas are not read)");
    if (table.columns == 0 && least > 1 && fields.size() == 1 && numbers && !count && (*numbers)[0] >= 1 &&
        (*numbers)[0] == std::floor((*numbers)[0])) {
      count = (*numbers)[0];
      countLine = line;
      continue;
    }
    const std::size_t expected = table.columns > 0 ? table.columns : std::clamp(fields.size(), least, most);
    if (count && fields.size() == 1) refuseLine(path, countLine, "found 1 column", meaning);
    if (fields.size() != expected)
      refuseLine(path, line, fmt::format("found {} column{}", fields.size(), fields.size() == 1 ? "" : "s"),
                 table.columns > 0 ? fmt::format("{} as in the rows before", table.columns) : meaning);
    table.columns = expected;
    if (!numbers) refuseLine(path, line, fmt::format("found '{}'", row), "numbers");
    table.rows.push_back(*numbers);
    table.lines.push_back(line);
  }
  if (table.columns == 0 && count) refuseLine(path, countLine, "found 1 column", meaning);
  if (table.columns == 0)
    throw Error(least == most ? fmt::format("{}: has no rows of numbers; expected {} columns", path, least)
                              : fmt::format("{}: has no rows of numbers; expected {} to {} columns", path,
                                            least, most));
  if (!table.before.empty()) {
    const auto& [heading, at] = table.before.back();
    if (auto names = columnNames(heading); names.size() == table.columns) table.heading = std::move(names);
    table.headingLine = at;
  }
  if (count && *count != static_cast<double>(table.rows.size()))
    refuseLine(path, countLine, fmt::format("found {:g}", *count),
               fmt::format("the number of rows that follow, {}, or {}", table.rows.size(), meaning));
  return table;
}

}  // namespace prophet
