#include "core/common/csv.hpp"

#include <algorithm>
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

}  // namespace prophet
