#include "atoms/basis/library.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "atoms/atom/configuration.hpp"
#include "core/common/error.hpp"
#include "test_paths.hpp"
#include "tests/atoms/atom/csv.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet {
namespace {
namespace fs = std::filesystem;

const fs::path kShipped = fs::path(PROPHET_SOURCE_DIR) / "basis_sets";

class Library : public testing::Test {
 protected:
  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  void copyShipped(const std::string& from, const fs::path& to) const {
    fs::create_directories((folder_ / to).parent_path());
    fs::copy_file(kShipped / "wtbs-2.1" / from, folder_ / to);
  }
  /// What reading a set from a folder, else the test's own, throws.
  std::string errorOf(int z, const std::string& library = "", const std::string& below = "") const {
    try {
      readLibraryEntry(z, library, folder_ / below);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  const test::Folder scratch_;
  const fs::path folder_ = scratch_.path();
};

/// Numbers of a "first:last" field; 0, 0 where it is empty.
std::pair<int, int> range(const std::string& text) {
  if (text.empty()) return {0, 0};
  const auto colon = text.find(':');
  return {std::stoi(text), std::stoi(text.substr(colon + 1))};
}

TEST_F(Library, HoldsTheTableOfTheThesis) {
  const auto rows = test::readCsv("atoms/basis/wtbs_table_2_1.csv");
  ASSERT_EQ(rows.size(), 80u);
  ASSERT_EQ(libraryElements("wtbs-2.1", kShipped).size(), 80u);
  for (const auto& row : rows) {
    const int z = std::stoi(row.at("Z"));
    const auto entry = readLibraryEntry(z, "wtbs-2.1", kShipped);
    ASSERT_TRUE(entry) << z;
    EXPECT_EQ(entry->z, z);
    EXPECT_EQ(entry->library, "wtbs-2.1");
    EXPECT_EQ(entry->configuration, groundConfiguration(z));
    EXPECT_EQ(entry->nuclearModel, NuclearModel::Point);
    EXPECT_EQ(entry->spec.pool, LadderPool::Shared);
    EXPECT_NE(
        entry->comment.find("Table 2.1 (there term " + row.at("term") + "): non-relativistic, point nucleus"),
        std::string::npos);
    ASSERT_EQ(entry->spec.groups.size(), 1u);
    EXPECT_EQ(entry->spec.groups[0].alpha, std::stod(row.at("alpha")));
    EXPECT_EQ(entry->spec.groups[0].beta, std::stod(row.at("beta")));
    EXPECT_EQ(entry->spec.groups[0].delta, std::stod(row.at("delta")));
    EXPECT_EQ(entry->spec.groups[0].gamma, std::stod(row.at("gamma")));
    std::vector<std::pair<int, int>> expected;
    for (const char* l : {"s", "p", "d", "f"}) {
      const auto r = range(row.at(l));
      if (r.first == 0) break;
      expected.insert(expected.end(), *l == 's' ? 1 : 2, r);
    }
    ASSERT_EQ(entry->spec.functions.size(), expected.size()) << z;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(entry->spec.start[i], expected[i].first);
      EXPECT_EQ(entry->spec.functions[i], expected[i].second - expected[i].first + 1);
      EXPECT_EQ(entry->spec.group[i], 1);
    }
  }
}

/// The same parameters and sizes, but a ladder for each symmetry.
TEST_F(Library, HoldsTheTablesParametersBySymmetryToo) {
  ASSERT_EQ(libraryElements("wtbs-2.1-by-symmetry", kShipped), libraryElements("wtbs-2.1", kShipped));
  for (const int z : libraryElements("wtbs-2.1", kShipped)) {
    const LibraryEntry published = *readLibraryEntry(z, "wtbs-2.1", kShipped),
                       apart = *readLibraryEntry(z, "wtbs-2.1-by-symmetry", kShipped);
    EXPECT_EQ(apart.spec.pool, LadderPool::Symmetry);
    EXPECT_EQ(apart.nuclearModel, NuclearModel::Gaussian);
    EXPECT_EQ(apart.spec.functions, published.spec.functions) << z;
    EXPECT_EQ(apart.spec.start, published.spec.start) << z;
    EXPECT_EQ(apart.spec.groups[0].alpha, published.spec.groups[0].alpha) << z;
    EXPECT_EQ(apart.spec.groups[0].gamma, published.spec.groups[0].gamma) << z;
    EXPECT_EQ(apart.library, "wtbs-2.1-by-symmetry");
    EXPECT_EQ(apart.comment, published.comment + "; its parameters with a ladder for each symmetry");
  }
}

/// A collection may be another one's sets, read otherwise, in a folder of one's own too.
TEST_F(Library, ReadsTheSetsOfAnotherCollectionOtherwise) {
  write("default", "other\n");
  const std::string description =
      "collection = other\nof = wtbs-2.1\nnucleus = fermi\nladder = symmetry\nremark = again\n";
  write("other/read-otherwise", description);
  copyShipped("010-Ne.basis", "wtbs-2.1/010-Ne.basis");
  EXPECT_EQ(libraryElements("", folder_), std::vector<int>{10});
  EXPECT_FALSE(readLibraryEntry(11, "", folder_));
  for (const std::string& library : {std::string("other"), (folder_ / "other/").string()}) {
    const LibraryEntry neon = *readLibraryEntry(10, library, folder_);
    EXPECT_EQ(neon.nuclearModel, NuclearModel::Fermi);
    EXPECT_EQ(makeBasis(neon).symmetries[1].exponents,
              makeBasis(*readLibraryEntry(10, "wtbs-2.1-by-symmetry", kShipped)).symmetries[1].exponents);
  }
  write("other/read-otherwise", description + "energy = 1\n");
  EXPECT_NE(errorOf(10).find("read-otherwise:6: error: unknown key 'energy'"), std::string::npos)
      << errorOf(10);
  write("other/read-otherwise", "collection = other\nof = nothing\nnucleus = point\nremark = again\n");
  EXPECT_NE(errorOf(10).find("there is no collection 'nothing' beside this one"), std::string::npos);
  write("other/read-otherwise", "collection = other\nof = lists\nnucleus = point\nremark = again\n");
  write("lists/002-He.basis",
        "format = 2\ncollection = lists\nelement = 2 He\nconfiguration = 1s2\nnucleus = point\n"
        "source = test\nsymmetries = 1\ns+ = 1 2\n");
  EXPECT_NE(errorOf(2).find("this set has none"), std::string::npos) << errorOf(2);
}

/// Every symmetry takes its part of one pool, whose length is the largest index.
TEST_F(Library, MakesTheBasisOfRadon) {
  const auto basis = makeBasis(*readLibraryEntry(86, "wtbs-2.1", kShipped));
  const WellTemperedParameters parameters{0.05716, 1.749, 5.695, 1.486};
  EXPECT_EQ(basis.symmetries[0].exponents, wellTemperedExponents(parameters, 1, 32, 32));
  EXPECT_EQ(basis.symmetries[3].exponents, wellTemperedExponents(parameters, 3, 21, 32));
  EXPECT_EQ(
      basis.description,
      "library wtbs-2.1, Rn: well-tempered, one pool for all symmetries: 32s+ 27p- 27p+ 21d- 21d+ 14f- 14f+");
}

TEST_F(Library, MakesTheBasisOfRadonBySymmetry) {
  const auto basis = makeBasis(*readLibraryEntry(86, "wtbs-2.1-by-symmetry", kShipped));
  EXPECT_EQ(basis.functions(), 32 + 2 * 27 + 2 * 21 + 2 * 14);
  EXPECT_EQ(basis.largestL(), 3);
  EXPECT_EQ(basis.symmetries[1].exponents, basis.symmetries[2].exponents);
  // d starts at index 3 of a ladder with M = 23.
  EXPECT_EQ(basis.symmetries[3].exponents, wellTemperedExponents({0.05716, 1.749, 5.695, 1.486}, 3, 21, 23));
  EXPECT_EQ(
      basis.description,
      "library wtbs-2.1-by-symmetry, Rn: well-tempered, a ladder for each symmetry: 32s+ 27p- 27p+ 21d- 21d+ "
      "14f- 14f+");
}

TEST_F(Library, TheShippedFolderIsFoundByItself) {
  const auto elements = libraryElements();
  ASSERT_FALSE(elements.empty());
  EXPECT_TRUE(readLibraryEntry(elements.front()));
  EXPECT_TRUE(fs::exists(basisSetFolder() / "wtbs-2.1" / "086-Rn.basis"));
}

TEST(Groups, AreTakenOutWithWhatTheSourceSaysOfThem) {
  LibraryEntry set;
  set.groups = {{"polarisation", 1, {0.5}},
                {"core", 1, {9}},
                {"diffuse", 0, {0.02}},
                {"diffuse", 1, {0.03}},
                {"core-density", 0, {1e6}}};
  set.provenance.source =
      "all; core functions of one kind, 1 hartree; diffuse functions: s and p; steep functions for s";
  set.comment = set.provenance.source + ", program 1";
  const LibraryEntry noCore = withoutGroup(set, kCoreGroup), noDiffuse = withoutGroup(set, kDiffuseGroup);
  EXPECT_EQ(noCore.groups.size(), 4u);
  EXPECT_EQ(noCore.provenance.source, "all; diffuse functions: s and p; steep functions for s");
  EXPECT_EQ(noCore.comment, "all; diffuse functions: s and p; steep functions for s, program 1");
  EXPECT_EQ(noDiffuse.groups.size(), 3u);
  EXPECT_EQ(noDiffuse.provenance.source, "all; core functions of one kind, 1 hartree; steep functions for s");
  EXPECT_EQ(withoutGroup(withoutGroup(noCore, kDiffuseGroup), kCoreDensityGroup).comment, "all, program 1");
  EXPECT_EQ(coreValenceGroups(set.groups).size(), 2u);
  ASSERT_EQ(valenceGroups(set.groups).size(), 1u);
  EXPECT_EQ(valenceGroups(set.groups)[0].name, "polarisation");
}

TEST_F(Library, LacksSomeElements) {
  for (const int z : {-1, 0, 1, 58, 64, 65, 67, 70, 87, 119})
    EXPECT_FALSE(readLibraryEntry(z, "wtbs-2.1", kShipped)) << z;
}

TEST_F(Library, DefaultNamesTheCollection) {
  write("default", "second\n");
  copyShipped("010-Ne.basis", "first/010-Ne.basis");
  write("second/x", "");
  EXPECT_TRUE(libraryElements("", folder_).empty());
  EXPECT_EQ(errorOf(10, "first"), folder_.string() +
                                      "/first/010-Ne.basis:1: error: the file says collection "
                                      "'wtbs-2.1', but it is in 'first'");
  write("default", "two words\n");
  EXPECT_NE(errorOf(10).find("default:1: error"), std::string::npos);
}

TEST_F(Library, UnknownCollectionsAreErrorsThatListTheOthers) {
  write("default", "wtbs-2.1\n");
  copyShipped("010-Ne.basis", "wtbs-2.1/010-Ne.basis");
  EXPECT_EQ(libraryElements("", folder_), std::vector<int>{10});
  EXPECT_NE(errorOf(10, "wtbs").find("available: wtbs-2.1"), std::string::npos);
  EXPECT_NE(errorOf(10, "../wtbs-2.1"), "");
  write("reference/README.md", "no sets here\n");
  EXPECT_NE(errorOf(10, "reference").find("available: wtbs-2.1"), std::string::npos);
}

TEST_F(Library, DotsAreFoldersAsInAShell) {
  copyShipped("010-Ne.basis", "wtbs-2.1/below/010-Ne.basis");
  copyShipped("002-He.basis", "wtbs-2.1/002-He.basis");
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "wtbs-2.1/below");
  const auto here = readLibraryEntry(10, "."), above = readLibraryEntry(2, ".."),
             none = readLibraryEntry(2, ".");
  fs::current_path(before);
  EXPECT_TRUE(here);
  EXPECT_TRUE(above);
  EXPECT_FALSE(none);
}

TEST_F(Library, DamagedFilesAreErrorsWithFileAndLine) {
  write("default", "wtbs-2.1\n");
  copyShipped("086-Rn.basis", "wtbs-2.1/085-At.basis");  // a set under another element's name
  EXPECT_NE(errorOf(85).find("085-At.basis:1: error: the file contains a set of Rn"), std::string::npos)
      << errorOf(85);
  write("wtbs-2.1/010-Ne.basis", "");
  EXPECT_NE(errorOf(10).find("010-Ne.basis:1: error: the file ends without 'format'"), std::string::npos)
      << errorOf(10);
  write("wtbs-2.1/011-Na.basis", std::string("format = 1\n\0\0\0\n", 16));
  EXPECT_NE(errorOf(11).find("011-Na.basis:2: error: "), std::string::npos) << errorOf(11);
  fs::create_directories(folder_ / "wtbs-2.1/012-Mg.basis");
  EXPECT_NE(errorOf(12).find("012-Mg.basis"), std::string::npos) << errorOf(12);
}

TEST_F(Library, AMissingFolderSaysWhatWasTried) {
  const auto text = errorOf(86, "", "nowhere");
  EXPECT_NE(text.find((folder_ / "nowhere").string()), std::string::npos);
  EXPECT_NE(text.find("CUDAPROPHET_BASIS_SETS"), std::string::npos);
}

}  // namespace
}  // namespace prophet
