#include "atoms/basis/library.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "core/common/error.hpp"

namespace prophet {
namespace {

// Two groups and everything that is optional.
const std::string kGood =
    "# Ne, a made-up set\n"           // 1
    "format = 1\n"                    // 2
    "collection = mine  # comment\n"  // 3
    "element = 10 Ne\n"               // 4
    "configuration = 1s2 2s2 2p6\n"   // 5
    "nucleus = fermi\n"               // 6
    "source = a test\n"               // 7
    "program = cudaprophet 0.1\n"     // 8
    "date = 2026-01-31\n"             // 9
    "energy = -128.5\n"               // 10
    "limit = -128.69\n"               // 11
    "error = 1.5e-3\n"                // 12
    "c = 137.03599976\n"              // 13
    "ladder = shared\n"               // 14
    "group 1 = 0.1 1.9 5 1.4\n"       // 15
    "group 2 = 0.2 2.1 4 1.5\n"       // 16
    "symmetries = 3\n"                // 17
    "s+ = 1:20 group 1\n"             // 18
    "p- = 2:15 group 2\n"             // 19
    "p+ = 3:14 group 1\n";            // 20

LibraryEntry read(const std::string& text) {
  std::istringstream in(text);
  return readBasisFile(in, "test.basis");
}

std::string errorOf(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(BasisFile, MayBeginWithAByteOrderMark) { EXPECT_EQ(read(std::string("\xEF\xBB\xBF") + kGood).z, 10); }

TEST(BasisFile, ReadsEveryField) {
  const auto entry = read(kGood);
  EXPECT_EQ(entry.z, 10);
  EXPECT_EQ(entry.library, "mine");
  EXPECT_EQ(entry.configuration, "1s2 2s2 2p6");
  EXPECT_EQ(entry.nuclearModel, NuclearModel::Fermi);
  EXPECT_EQ(entry.comment, "a test, made with cudaprophet 0.1, 2026-01-31");
  EXPECT_EQ(entry.provenance.source, "a test");
  EXPECT_EQ(entry.provenance.energy, -128.5);
  EXPECT_EQ(entry.provenance.limit, -128.69);
  EXPECT_EQ(entry.provenance.error, 1.5e-3);
  EXPECT_EQ(entry.provenance.speedOfLight, 137.03599976);
  EXPECT_EQ(entry.spec.pool, LadderPool::Shared);
  EXPECT_EQ(entry.spec.functions, (std::vector<int>{20, 14, 12}));
  EXPECT_EQ(entry.spec.start, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(entry.spec.group, (std::vector<int>{1, 2, 1}));
  ASSERT_EQ(entry.spec.groups.size(), 2u);
  EXPECT_EQ(entry.spec.groups[1].alpha, 0.2);
  EXPECT_EQ(entry.spec.groups[1].beta, 2.1);
  EXPECT_EQ(entry.spec.groups[1].delta, 4.0);
  EXPECT_EQ(entry.spec.groups[1].gamma, 1.5);
  EXPECT_EQ(makeBasis(entry).functions(), 46);
}

TEST(BasisFile, WindowsLineEndsAndBlanksDoNotMatter) {
  std::string text;
  for (const char c : kGood) text += c == '\n' ? std::string("\r\n\r\n") : std::string(1, c);
  EXPECT_EQ(read(text).spec.functions, read(kGood).spec.functions);
  EXPECT_EQ(read(replaced("group 1 =", "  group \t 1=")).spec.groups.size(), 2u);
}

struct Fault {
  const char *from, *to;
  int line;
  const char* part;
};

TEST(BasisFile, FaultsAreReportedWithTheirLine) {
  const Fault faults[] = {
      {"format = 1", "format = 3", 2, "reads formats 1 and 2"},
      {"10 Ne", "10 Na", 4, "'10 Na'"},
      {"10 Ne", "119 Ne", 4, "expected charge and symbol"},
      {"10 Ne", "10 Ne x", 4, "expected charge and symbol"},
      {"10 Ne", "Ne", 4, "expected a whole number"},
      {"2p6", "2p7", 5, "column 11"},
      {"fermi", "square", 6, "expected point, sphere, gaussian, fermi"},
      {"-128.5", "-128.5.1", 10, "expected a number"},
      {"-128.69", "nan", 11, "finite"},
      {"shared", "long", 14, "expected symmetry or shared"},
      {"0.1 1.9 5 1.4", "0.1 1.9 5", 15, "found 3"},
      {"0.1 1.9 5 1.4", "0.1 1.9 5 1.4 2", 15, "found 5"},
      {"0.1 1.9 5 1.4", "0.1 0.9 5 1.4", 15, "beta > 1"},
      {"0.1 1.9 5 1.4", "inf 1.9 5 1.4", 15, "finite"},
      {"0.1 1.9 5 1.4", "0,1 1.9 5 1.4", 15, "'0,1'"},
      {"group 2 =", "group 3 =", 19, "group 2 is not in this file"},
      {"date = ", "data = ", 9, "unknown key 'data'"},
      {"symmetries = 3", "symmetries = 2", 17, "expected 3"},
      {"symmetries = 3", "symmetries = x", 17, "whole number"},
      {"1:20 group 1", "1:20 group 3", 18, "which has 2"},
      {"1:20 group 1", "1:20 group 0", 18, "which has 2"},
      {"1:20 group 1", "20:1 group 1", 18, "empty"},
      {"1:20 group 1", "0:20 group 1", 18, "below 1"},
      {"1:20 group 1", "1-20 group 1", 18, "first:last"},
      {"1:20 group 1", "1:20", 18, "first:last"},
      {"1:20 group 1", "1:2x group 1", 18, "'2x'"},
      {"p- = ", "p* = ", 20, "'p-'"},
      {"p- = ", "s+ = ", 19, "twice, first in line 18"},
      {"p+ = 3:14 group 1", "p+", 20, "key = value"},
      {"p+ = 3:14 group 1", "p+ =", 20, "no value"},
      {"p+ =", "=", 20, "a key"},
  };
  for (const auto& fault : faults) {
    const std::string bad = replaced(fault.from, fault.to), text = errorOf(bad);
    EXPECT_EQ(text.rfind("test.basis:" + std::to_string(fault.line) + ": error: ", 0), 0u)
        << fault.to << ": " << text;
    EXPECT_NE(text.find(fault.part), std::string::npos) << fault.to << ": " << text;
  }
}

// Whatever is cut off at the end must not give a smaller basis without a word.
TEST(BasisFile, TruncatedFilesAreErrors) {
  const std::size_t complete = kGood.size() - 1;  // without the last newline nothing is lost
  EXPECT_EQ(errorOf(kGood.substr(0, complete)), "");
  for (std::size_t length = 0; length < complete; ++length)
    EXPECT_NE(errorOf(kGood.substr(0, length)), "") << "cut after " << length;
}

TEST(BasisFile, EveryRequiredLineIsMissed) {
  for (const char* key : {"format", "collection", "element", "configuration", "nucleus", "source", "group 1",
                          "symmetries", "s+", "p-", "p+"}) {
    const auto text = errorOf(replaced(std::string("\n") + key + " =", std::string("\n#") + key + " ="));
    EXPECT_NE(text.find("'" + std::string(key) + "'"), std::string::npos) << key << ": " << text;
  }
}

TEST(BasisFile, NamesFilesByCharge) {
  EXPECT_EQ(basisFileName(2), "002-He.basis");
  EXPECT_EQ(basisFileName(118), "118-Og.basis");
}

}  // namespace
}  // namespace prophet
