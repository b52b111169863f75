#include "bases/formats/exchange_formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "atoms/atom/configuration.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

LibraryEntry readBack(const LibraryEntry& entry) {
  std::istringstream in(libraryFileText(entry));
  return readBasisFile(in, "text");
}

void expectEqual(const LibraryEntry& a, const LibraryEntry& b) {
  EXPECT_EQ(a.z, b.z);
  EXPECT_EQ(a.library, b.library);
  EXPECT_EQ(a.configuration, b.configuration);
  EXPECT_EQ(a.nuclearModel, b.nuclearModel);
  EXPECT_EQ(a.spec.pool, b.spec.pool);
  EXPECT_EQ(a.spec.functions, b.spec.functions);
  EXPECT_EQ(a.spec.start, b.spec.start);
  EXPECT_EQ(a.spec.group, b.spec.group);
  ASSERT_EQ(a.spec.groups.size(), b.spec.groups.size());
  for (std::size_t g = 0; g < a.spec.groups.size(); ++g) {
    EXPECT_EQ(a.spec.groups[g].alpha, b.spec.groups[g].alpha);
    EXPECT_EQ(a.spec.groups[g].beta, b.spec.groups[g].beta);
    EXPECT_EQ(a.spec.groups[g].delta, b.spec.groups[g].delta);
    EXPECT_EQ(a.spec.groups[g].gamma, b.spec.groups[g].gamma);
  }
  EXPECT_EQ(a.provenance.source, b.provenance.source);
  EXPECT_EQ(a.provenance.settings, b.provenance.settings);
  EXPECT_EQ(a.provenance.program, b.provenance.program);
  EXPECT_EQ(a.provenance.date, b.provenance.date);
  EXPECT_EQ(a.provenance.energy, b.provenance.energy);
  EXPECT_EQ(a.provenance.limit, b.provenance.limit);
  EXPECT_EQ(a.provenance.error, b.provenance.error);
  EXPECT_EQ(a.provenance.speedOfLight, b.provenance.speedOfLight);
}

TEST(LibraryFile, EverySetOfTheThesisReadsBack) {
  const auto elements = libraryElements("wtbs-2.1");
  ASSERT_EQ(elements.size(), 80u);
  for (const int z : elements) {
    const LibraryEntry entry = *readLibraryEntry(z, "wtbs-2.1");
    expectEqual(readBack(entry), entry);
  }
}

TEST(LibraryFile, AllFieldsReadBackToTheLastDigit) {
  LibraryEntry entry;
  entry.z = 7;
  entry.library = "mine";
  entry.configuration = groundConfiguration(7);
  entry.nuclearModel = NuclearModel::Fermi;
  entry.spec = {{{0.1, 1.0 + 1e-15, 0.0, 1.0 / 3.0}, {1e-11, 2.0, 3.0, 1.0 / 7.0}},
                {3, 4, 5},
                {1, 2, 10},
                {1, 2, 2},
                LadderPool::Shared};
  entry.provenance = {"a # source\nin two lines", "program 1.2", "2026-01-02", -54.0 / 7, -54.1, 1e-9, 137.0};
  entry.provenance.settings = "correlating=1 gradient=1e-05";
  LibraryEntry expected = entry;
  expected.provenance.source = "a   source in two lines";
  expectEqual(readBack(entry), expected);
}

TEST(LibraryFile, GroupsOfFunctionsReadBack) {
  LibraryEntry entry;
  entry.z = 7;
  entry.library = "mine";
  entry.configuration = groundConfiguration(7);
  entry.exponents = {{0.1, 1.0}, {0.2}, {0.2}};
  entry.spec.functions = {2, 1, 1};
  entry.provenance.source = "a test";
  entry.groups = {{"polarisation", 2, {0.5, 1.0 / 3.0 + 1.0}},
                  {"correlation", 3, {1.0 / 7.0}},
                  {"core", 2, {9.5}},
                  {"diffuse", 0, {0.02}}};
  const std::vector<FunctionGroup> groups = readBack(entry).groups;
  ASSERT_EQ(groups.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(groups[i].name, entry.groups[i].name);
    EXPECT_EQ(groups[i].l, entry.groups[i].l);
    EXPECT_EQ(groups[i].exponents, entry.groups[i].exponents);
  }
}

TEST(LibraryFile, RefusesNumbersThatAreNone) {
  LibraryEntry entry;
  entry.z = 1;
  entry.library = "mine";
  entry.configuration = "1s1";
  entry.spec = {{{NAN, 2, 1, 1}}, {3}, {1}, {1}, {}};
  EXPECT_THROW(libraryFileText(entry), Error);
}

}  // namespace
}  // namespace prophet
