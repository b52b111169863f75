#include "operations/input/namelist.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

using Kind = Token::Kind;

std::vector<Token> tokensOf(std::string_view text, Diagnostics& diagnostics) {
  return tokenize(splitLines(text), 0, diagnostics);
}

TEST(Lexer, SplitsLinesOfEveryKind) {
  const std::vector<std::string_view> lines = splitLines("a\r\nb\nc\rd");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "a");
  EXPECT_EQ(lines[3], "d");
  EXPECT_EQ(splitLines("a\n").size(), 1u);
  EXPECT_EQ(splitLines("").size(), 1u);
  EXPECT_EQ(splitLines("a\n\n").size(), 2u);
  EXPECT_EQ(splitLines("\xEF\xBB\xBFtitle")[0], "title");
}

TEST(Lexer, CountsCharactersNotBytes) {
  EXPECT_EQ(characterCount("abc"), 3);
  EXPECT_EQ(characterCount("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), 3);  // two, three and four bytes
  EXPECT_EQ(characterCount("\xFF\xC3"), 2);                              // no UTF-8: one each
}

TEST(Lexer, KnowsPlainText) {
  std::size_t where = 0;
  EXPECT_TRUE(isPlainText("a\tb \xC3\xA4", where));
  EXPECT_FALSE(isPlainText("ab\xE4", where));
  EXPECT_EQ(where, 2u);
  EXPECT_FALSE(isPlainText("a\x01", where));
  EXPECT_EQ(where, 1u);
  EXPECT_FALSE(isPlainText("\xC0\x80", where));      // overlong
  EXPECT_FALSE(isPlainText("\xED\xA0\x80", where));  // surrogate
}

TEST(Lexer, TokensHavePositions) {
  Diagnostics diagnostics;
  const auto tokens = tokensOf("$NUC znuc=86,\n\t'a''b' (3) /", diagnostics);
  ASSERT_EQ(tokens.size(), 10u);
  EXPECT_EQ(tokens[0].kind, Kind::GroupStart);
  EXPECT_EQ(tokens[0].text, "nuc");
  EXPECT_EQ(tokens[1].at.column, 6);
  EXPECT_EQ(tokens[3].text, "86");
  EXPECT_EQ(tokens[4].kind, Kind::Comma);
  EXPECT_EQ(tokens[5].kind, Kind::String);
  EXPECT_EQ(tokens[5].text, "a'b");
  EXPECT_EQ(tokens[5].at.line, 2);
  EXPECT_EQ(tokens[5].at.column, 2);
  EXPECT_EQ(tokens[9].kind, Kind::GroupEnd);
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Lexer, CommentsEndLinesButNotStrings) {
  Diagnostics diagnostics;
  const auto tokens = tokensOf("a ! b $end 'c\n\"d ! e\" f", diagnostics);
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].text, "d ! e");
  EXPECT_EQ(tokens[2].text, "f");
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Lexer, EveryFormOfGroupEnd) {
  Diagnostics diagnostics;
  for (const char* end : {"$end", "&end", "$END", "&End", "/"}) {
    const auto tokens = tokensOf(end, diagnostics);
    ASSERT_EQ(tokens.size(), 1u) << end;
    EXPECT_EQ(tokens[0].kind, Kind::GroupEnd) << end;
  }
}

TEST(Lexer, ReadsOnBehindAnOpenString) {
  Diagnostics diagnostics;
  const auto tokens = tokensOf("'wtbs nsym=7", diagnostics);
  ASSERT_EQ(diagnostics.size(), 1u);
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_TRUE(tokens[0].damaged);
  EXPECT_EQ(tokens[1].text, "nsym");
}

TEST(Lexer, ColumnsOfLongLines) {
  Diagnostics diagnostics;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "\xC3\xA4 ";
  const auto tokens = tokensOf(text, diagnostics);
  ASSERT_EQ(tokens.size(), 20000u);
  EXPECT_EQ(tokens.back().at.column, 39999);
}

}  // namespace
}  // namespace prophet
