#include "operations/input/namelist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/common/text.hpp"

namespace prophet {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
bool isNameCharacter(char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '_'; }
bool endsWord(char c) {
  return isBlank(c) || std::string_view(",=()'\"!$&/").find(c) != std::string_view::npos;
}

/// Bytes of the UTF-8 character that starts at `at`; 0 if there is none.
std::size_t characterLength(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and numbers beyond U+10FFFF.
  if ((first == 0xE0 && byte(at + 1) < 0xA0) || (first == 0xED && byte(at + 1) > 0x9F)) return 0;
  if ((first == 0xF0 && byte(at + 1) < 0x90) || (first == 0xF4 && byte(at + 1) > 0x8F)) return 0;
  return length;
}

bool isControl(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

/// Tokens of one line.
class LineLexer {
 public:
  LineLexer(std::string_view text, int line, std::vector<Token>& tokens, Diagnostics& diagnostics)
      : text_(text), line_(line), tokens_(tokens), diagnostics_(diagnostics) {}

  void run() {
    while (at_ < text_.size() && text_[at_] != '!') {
      const std::size_t start = at_;
      if (isBlank(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '\'' || text_[at_] == '"') {
        readString();
      } else if (text_[at_] == '$' || text_[at_] == '&') {
        readGroupMark();
      } else if (!readSeparator()) {
        readWord();
      }
      joined_ = at_ > start && !isBlank(text_[at_ - 1]);
    }
  }

 private:
  /// Counts on from the last position asked for, so that long lines cost no more than short ones.
  Position position(std::size_t at) {
    if (at < countedTo_) countedTo_ = 0, column_ = 1;
    column_ += characterCount(text_.substr(countedTo_, at - countedTo_));
    countedTo_ = at;
    return {line_, column_};
  }

  void push(Token::Kind kind, std::size_t start, std::string text, bool damaged = false) {
    tokens_.push_back({kind, std::move(text), std::string(text_.substr(start, at_ - start)), position(start),
                       joined_, damaged});
  }

  bool readSeparator() {
    static constexpr std::string_view kSeparators = "=,()/";
    static constexpr Token::Kind kKinds[] = {Token::Kind::Equals, Token::Kind::Comma, Token::Kind::Open,
                                             Token::Kind::Close, Token::Kind::GroupEnd};
    const std::size_t which = kSeparators.find(text_[at_]);
    if (which == std::string_view::npos) return false;
    ++at_;
    push(kKinds[which], at_ - 1, "");
    return true;
  }

  void readGroupMark() {
    const std::size_t start = at_++;
    if (at_ >= text_.size() || !isLetter(text_[at_])) {
      diagnostics_.add(
          position(start),
          fmt::format("found '{0}' alone; expected {0}end or the name of a group after it", text_[start]));
      return;
    }
    while (at_ < text_.size() && isNameCharacter(text_[at_])) ++at_;
    std::string name(text_.substr(start + 1, at_ - start - 1));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    push(name == "end" ? Token::Kind::GroupEnd : Token::Kind::GroupStart, start, name);
  }

  void readString() {
    const std::size_t start = at_;
    const char quote = text_[at_++];
    std::string content;
    while (at_ < text_.size()) {
      if (text_[at_] == quote) {
        ++at_;
        if (at_ >= text_.size() || text_[at_] != quote) {
          push(Token::Kind::String, start, content, reportBadBytes(start));
          return;
        }
      }
      content += text_[at_++];
    }
    diagnostics_.add(position(start),
                     fmt::format("the string that starts here has no closing {} on its line", quote));
    // Most likely the quote is missing after the first word: what follows is read as usual.
    at_ = start + 1;
    while (at_ < text_.size() && !endsWord(text_[at_])) ++at_;
    push(Token::Kind::String, start, std::string(text_.substr(start + 1, at_ - start - 1)), true);
  }

  void readWord() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !endsWord(text_[at_])) ++at_;
    const bool damaged = reportBadBytes(start);
    push(Token::Kind::Word, start, std::string(text_.substr(start, at_ - start)), damaged);
  }

  /// Reports the first byte from `start` to here that is no text; true where there is one.
  bool reportBadBytes(std::size_t start) {
    std::size_t where = 0;
    if (isPlainText(text_.substr(start, at_ - start), where)) return false;
    // From the word's start: counting never goes back, which would make long lines slow.
    Position at = position(start);
    at.column += characterCount(text_.substr(start, where));
    diagnostics_.add(at, fmt::format("byte 0x{:02X} is not text; the file must be plain text in UTF-8",
                                     static_cast<unsigned char>(text_[start + where])));
    return true;
  }

  std::string_view text_;
  int line_;
  std::vector<Token>& tokens_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0, countedTo_ = 0;
  int column_ = 1;
  bool joined_ = false;
};

}  // namespace

std::vector<std::string_view> splitLines(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<std::string_view> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  if (lines.empty()) lines.push_back(text.substr(0, 0));
  return lines;
}

int characterCount(std::string_view text) {
  int count = 0;
  for (std::size_t at = 0; at < text.size(); ++count)
    at += std::max<std::size_t>(1, characterLength(text, at));
  return count;
}

bool isPlainText(std::string_view text, std::size_t& where) {
  for (where = 0; where < text.size();) {
    const std::size_t length = characterLength(text, where);
    if (length == 0 || (length == 1 && isControl(text[where]))) return false;
    where += length;
  }
  return true;
}

std::vector<Token> tokenize(const std::vector<std::string_view>& lines, std::size_t firstLine,
                            Diagnostics& diagnostics) {
  std::vector<Token> tokens;
  for (std::size_t i = firstLine; i < lines.size(); ++i) {
    LineLexer(lines[i], static_cast<int>(i) + 1, tokens, diagnostics).run();
  }
  return tokens;
}

namespace {

using Kind = Token::Kind;

std::optional<int> wholeNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Digits before a `*` at the start of a word: the length of a repeat count, 0 if there is none.
std::size_t repeatLength(std::string_view word) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  return digits > 0 && digits < word.size() && word[digits] == '*' ? digits : 0;
}

/// Turns tokens into groups by recursive descent.
class Parser {
 public:
  Parser(std::vector<Token> tokens, NamelistFile& file, Diagnostics& diagnostics)
      : tokens_(std::move(tokens)), file_(file), diagnostics_(diagnostics) {}

  void run() {
    while (at_ < tokens_.size()) {
      const Token& token = tokens_[at_];
      if (token.kind == Kind::GroupStart) {
        readGroup();
      } else if (token.kind == Kind::GroupEnd) {
        diagnostics_.add(token.at, fmt::format("'{}' closes no group", token.written));
        ++at_;
      } else {
        readDataLine();
      }
    }
  }

 private:
  bool is(std::size_t at, Kind kind) const { return at < tokens_.size() && tokens_[at].kind == kind; }
  bool atGroupMark() const { return is(at_, Kind::GroupStart) || is(at_, Kind::GroupEnd); }

  /// Whether `name =` or `name( ... ) =` starts at a token.
  bool isAssignment(std::size_t at) const {
    if (!is(at, Kind::Word)) return false;
    if (is(++at, Kind::Open)) {
      while (is(++at, Kind::Word) || is(at, Kind::Comma)) {
      }
      if (!is(at++, Kind::Close)) return false;
    }
    return is(at, Kind::Equals);
  }

  void readGroup() {
    NamelistGroup group;
    group.name = tokens_[at_].text;
    group.at = tokens_[at_++].at;
    while (at_ < tokens_.size() && !atGroupMark()) {
      if (isAssignment(at_)) {
        group.assignments.push_back(readAssignment());
      } else if (is(at_, Kind::Comma)) {
        ++at_;
      } else {
        skipUntilAssignment();
        group.damaged = true;
      }
    }
    group.end = at_ < tokens_.size() ? tokens_[at_].at : file_.end;
    if (is(at_, Kind::GroupEnd)) {
      ++at_;
    } else if (at_ < tokens_.size()) {
      diagnostics_.add(group.end,
                       fmt::format("'{}' starts before ${} (line {}) is closed; expected $end or /",
                                   tokens_[at_].written, group.name, group.at.line));
    } else {
      diagnostics_.add(
          group.at,
          fmt::format("${} is not closed; expected $end or / before the end of the file", group.name));
    }
    file_.groups.push_back(std::move(group));
  }

  void skipUntilAssignment() {
    const Token& token = tokens_[at_];
    if (token.kind == Kind::Word && !token.damaged) {
      diagnostics_.add(token.at, fmt::format("expected '=' after '{}'", token.written));
    } else if (!token.damaged) {
      diagnostics_.add(token.at, fmt::format("found {}; expected a keyword and '='", token.written));
    }
    do ++at_;
    while (at_ < tokens_.size() && !atGroupMark() && !isAssignment(at_));
  }

  NamelistAssignment readAssignment() {
    NamelistAssignment assignment;
    assignment.written = tokens_[at_].written;
    assignment.name = lowerCase(assignment.written);
    assignment.at = tokens_[at_].at;
    assignment.damaged = tokens_[at_++].damaged;
    if (is(at_, Kind::Open)) readIndex(assignment);
    ++at_;  // the equals sign, which isAssignment has seen
    assignment.values = readValues(0);
    return assignment;
  }

  void readIndex(NamelistAssignment& assignment) {
    const Position at = tokens_[at_].at;
    std::string text;
    bool damaged = false;
    while (!is(++at_, Kind::Close)) {
      text += tokens_[at_].written;
      damaged = damaged || tokens_[at_].damaged;
    }
    ++at_;
    if (damaged) {
      assignment.damaged = true;
      return;
    }
    const std::size_t colon = text.find(':');
    const auto first = wholeNumber(text.substr(0, colon));
    const auto last = colon == std::string::npos ? first : wholeNumber(text.substr(colon + 1));
    assignment.first = colon == 0 ? std::optional<int>(1) : first;
    const bool openEnd = colon != std::string::npos && colon + 1 == text.size();
    if (colon != std::string::npos && !openEnd) assignment.last = last;
    const bool readable = assignment.first && (openEnd || last);
    if (readable && *assignment.first >= 1 && (openEnd || *last >= *assignment.first)) return;
    diagnostics_.add(at,
                     fmt::format("found the index ({}); expected one whole number from 1 on, or two with a "
                                 "colon such as (2:4)",
                                 text));
    assignment.damaged = true;
  }

  /// Values up to the next assignment or group mark, or (`onlyLine` not 0) to the end of a line.
  std::vector<NamelistValue> readValues(int onlyLine) {
    std::vector<NamelistValue> values;
    bool separated = true;  // whether a comma here stands for a null value
    for (; at_ < tokens_.size() && !atGroupMark(); ++at_) {
      const Token& token = tokens_[at_];
      if (onlyLine != 0 ? token.at.line != onlyLine : isAssignment(at_)) break;
      if (token.kind == Kind::Comma) {
        if (separated) values.push_back({NamelistValue::Kind::Null, "", "", token.at, false});
        separated = true;
      } else if (token.kind == Kind::Word) {
        readWord(values);
        separated = false;
      } else if (onlyLine == 0 && token.kind != Kind::String) {
        diagnostics_.add(token.at,
                         fmt::format("found '{}'; expected a value or the next keyword", token.written));
        separated = false;
      } else {
        const bool string = token.kind == Kind::String;
        values.push_back({string ? NamelistValue::Kind::String : NamelistValue::Kind::Word, token.text,
                          token.written, token.at, token.damaged});
        if (!string) values.back().text = token.written;
        separated = false;
      }
    }
    return values;
  }

  /// A word as a value: `25`, `7*25`, `7*` (null values) or `7*'text'`.
  void readWord(std::vector<NamelistValue>& values) {
    const Token& token = tokens_[at_];
    NamelistValue value{NamelistValue::Kind::Word, token.text, token.written, token.at, token.damaged};
    int repeat = 1;
    if (const std::size_t digits = repeatLength(token.text); digits > 0 && !token.damaged) {
      const auto count = wholeNumber(token.text.substr(0, digits));
      value.text = token.text.substr(digits + 1);
      if (value.text.empty()) value.kind = NamelistValue::Kind::Null;
      if (value.text.empty() && is(at_ + 1, Kind::String) && tokens_[at_ + 1].joined) {
        const Token& string = tokens_[++at_];
        value.kind = NamelistValue::Kind::String;
        value.text = string.text;
        value.written += string.written;
        value.damaged = string.damaged;
      }
      if (count && *count >= 1 && *count <= kLargestRepeat && repeated_ + *count <= kMostRepeated) {
        repeat = *count;
        repeated_ += repeat;
      } else if (count && *count >= 1 && *count <= kLargestRepeat) {
        if (!tooMany_)
          diagnostics_.add(token.at,
                           fmt::format("the repeat counts of this file make more than {} values; no job "
                                       "needs so many",
                                       kMostRepeated));
        tooMany_ = value.damaged = true;
      } else {
        diagnostics_.add(token.at, fmt::format("found the repeat count {}; expected 1 to {}",
                                               token.text.substr(0, digits), kLargestRepeat));
        value.damaged = true;
      }
    }
    values.insert(values.end(), static_cast<std::size_t>(repeat), value);
  }

  void readDataLine() {
    const Token& token = tokens_[at_];
    NamelistDataLine line{token.at, readValues(token.at.line)};
    if (!file_.groups.empty()) {
      file_.groups.back().data.push_back(std::move(line));
    } else if (!token.damaged) {
      diagnostics_.add(token.at, fmt::format("found '{}'; expected a group such as $nuc{}", token.written,
                                             token.text[0] == '#' ? "; comments begin with !" : ""));
    }
  }

  const std::vector<Token> tokens_;
  NamelistFile& file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  int repeated_ = 0;  ///< values that repeat counts have made
  bool tooMany_ = false;
};

bool startsGroup(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || (line[first] != '$' && line[first] != '&')) return false;
  const char next = first + 1 < line.size() ? line[first + 1] : ' ';
  return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
}

/// The title; where it is missing, line 1 is read as part of the groups. Returns the first line of the
/// groups.
std::size_t readTitle(std::string_view line, NamelistFile& file, Diagnostics& diagnostics) {
  std::size_t where = 0;
  if (startsGroup(line)) {
    const Position at{1, static_cast<int>(line.find_first_not_of(" \t")) + 1};
    diagnostics.add(at, "found a group in line 1; expected the title there and the groups from line 2 on");
    return 0;
  }
  if (!isPlainText(line, where)) {
    diagnostics.add({1, characterCount(line.substr(0, where)) + 1},
                    fmt::format("byte 0x{:02X} is not text; the file must be plain text in UTF-8",
                                static_cast<unsigned char>(line[where])));
  }
  file.title = trimmed(line);
  const int length = characterCount(line);
  if (length > kLongestTitle) {
    diagnostics.add({1, kLongestTitle + 1},
                    fmt::format("the title has {} characters; expected at most {}", length, kLongestTitle));
  }
  return 1;
}

}  // namespace

NamelistFile readNamelist(std::string_view text, Diagnostics& diagnostics) {
  NamelistFile file;
  const std::vector<std::string_view> lines = splitLines(text);
  file.end = {static_cast<int>(lines.size()), characterCount(lines.back()) + 1};
  if (std::ranges::all_of(lines, [](std::string_view line) {
        return line.find_first_not_of(" \t") == std::string_view::npos;
      })) {
    diagnostics.add({1, 1},
                    "the file is empty; expected a title line and groups such as '$nuc znuc=86 $end'");
    return file;
  }
  const std::size_t firstLine = readTitle(lines.front(), file, diagnostics);
  Parser(tokenize(lines, firstLine, diagnostics), file, diagnostics).run();
  return file;
}

}  // namespace prophet
