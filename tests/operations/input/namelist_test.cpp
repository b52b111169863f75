#include "operations/input/namelist.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

using ValueKind = NamelistValue::Kind;

/// Reads a file that must be without errors.
NamelistFile read(const std::string& text) {
  Diagnostics diagnostics;
  NamelistFile file = readNamelist(text, diagnostics);
  for (const Diagnostic& d : diagnostics.sorted())
    ADD_FAILURE() << d.line << ":" << d.column << ": " << d.message;
  return file;
}

/// Values of the only assignment of the only group, null values as "-", strings in angle brackets.
std::string valuesOf(const std::string& assignment) {
  const NamelistFile file = read("title\n$g " + assignment + " $end\n");
  if (file.groups.size() != 1 || file.groups[0].assignments.size() != 1) return "not one assignment";
  std::string text;
  for (const NamelistValue& v : file.groups[0].assignments[0].values) {
    text += text.empty() ? "" : " ";
    text += v.kind == ValueKind::Null ? "-" : v.kind == ValueKind::String ? "<" + v.text + ">" : v.text;
  }
  return text;
}

TEST(Namelist, ReadsValuesAsFortranDoes) {
  EXPECT_EQ(valuesOf("x=1"), "1");
  EXPECT_EQ(valuesOf("x = 1, 2 3\n4"), "1 2 3 4");
  EXPECT_EQ(valuesOf("x=7*25"), "25 25 25 25 25 25 25");
  EXPECT_EQ(valuesOf("x=1,2*3,4"), "1 3 3 4");
  EXPECT_EQ(valuesOf("x=1,,3"), "1 - 3");
  EXPECT_EQ(valuesOf("x=,3"), "- 3");
  EXPECT_EQ(valuesOf("x=1,"), "1");
  EXPECT_EQ(valuesOf("x=,"), "-");
  EXPECT_EQ(valuesOf("x="), "");
  EXPECT_EQ(valuesOf("x=3*"), "- - -");
  EXPECT_EQ(valuesOf("x=3*,1"), "- - - 1");
  EXPECT_EQ(valuesOf("x=2* 1"), "- - 1");
  EXPECT_EQ(valuesOf("x=2*'a b',\"it's\""), "<a b> <a b> <it's>");
  EXPECT_EQ(valuesOf("x='it''s' \"say \"\"a\"\"\""), "<it's> <say \"a\">");
  EXPECT_EQ(valuesOf("x='' ! nothing\n"), "<>");
  EXPECT_EQ(valuesOf("x='$end / ! &'"), "<$end / ! &>");
  EXPECT_EQ(valuesOf("x=.true. T .f."), ".true. T .f.");
}

TEST(Namelist, ReadsIndices) {
  const NamelistFile file = read("t\n$g nbs(3)=17,18 NBS ( 2 : 4 ) = 1 nbs(:2)=1 nbs(5:)=1 $end");
  const auto& a = file.groups.at(0).assignments;
  ASSERT_EQ(a.size(), 4u);
  EXPECT_EQ(a[0].first, 3);
  EXPECT_FALSE(a[0].last);
  EXPECT_EQ(a[0].values.size(), 2u);
  EXPECT_EQ(a[1].name, "nbs");
  EXPECT_EQ(a[1].written, "NBS");
  EXPECT_EQ(a[1].first, 2);
  EXPECT_EQ(a[1].last, 4);
  EXPECT_EQ(a[2].first, 1);
  EXPECT_EQ(a[2].last, 2);
  EXPECT_EQ(a[3].first, 5);
  EXPECT_FALSE(a[3].last);
}

TEST(Namelist, GroupsOfEveryForm) {
  const NamelistFile file = read("Title\n$nuc znuc=86 $end &scf maxitr=3, / $BAS $END\n&a b=1 &end\n$c d=2/");
  ASSERT_EQ(file.groups.size(), 5u);
  EXPECT_EQ(file.title, "Title");
  EXPECT_EQ(file.groups[1].name, "scf");
  EXPECT_EQ(file.groups[2].name, "bas");
  EXPECT_EQ(file.groups[4].assignments.at(0).values.at(0).text, "2");
}

TEST(Namelist, EverythingHasItsPosition) {
  const NamelistFile file = read("Title\r\n\r\n  $nuc\r\n\tznuc = 86\r\n  $end");
  const NamelistGroup& group = file.groups.at(0);
  EXPECT_EQ(group.at.line, 3);
  EXPECT_EQ(group.at.column, 3);
  EXPECT_EQ(group.assignments.at(0).at.line, 4);
  EXPECT_EQ(group.assignments.at(0).at.column, 2);
  EXPECT_EQ(group.assignments.at(0).values.at(0).at.column, 9);
  EXPECT_EQ(group.end.line, 5);
  EXPECT_EQ(file.end.line, 5);
  EXPECT_EQ(file.end.column, 7);
}

TEST(Namelist, LinesBehindAGroupAreItsData) {
  const NamelistFile file =
      read("t\n$bas $end ! comment\n\n 2 ! two\n! comment\n 1.0d0\n 2*0.5 7\n$nuc $end");
  const auto& data = file.groups.at(0).data;
  ASSERT_EQ(data.size(), 3u);
  EXPECT_EQ(data[0].values.at(0).text, "2");
  EXPECT_EQ(data[1].at.line, 6);
  EXPECT_EQ(data[1].at.column, 2);
  EXPECT_EQ(data[2].values.size(), 3u);
  EXPECT_TRUE(file.groups.at(1).data.empty());
}

TEST(Namelist, TitleMayHaveTwoHundredCharacters) {
  std::string title;
  for (int i = 0; i < kLongestTitle; ++i) title += "\xC3\xA4";
  EXPECT_EQ(read(title + "\n$nuc $end").title, title);
  Diagnostics diagnostics;
  readNamelist(title + "x\n$nuc $end", diagnostics);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics.sorted()[0].column, kLongestTitle + 1);
}

TEST(Namelist, TitleIsNoNamelist) {
  EXPECT_EQ(read("5 $ for 'radon / x=1 !\n$nuc $end").title, "5 $ for 'radon / x=1 !");
}

}  // namespace
}  // namespace prophet
