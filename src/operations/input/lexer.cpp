#include "operations/input/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace prophet {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
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

}  // namespace prophet
