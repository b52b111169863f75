#include "operations/jobs/basis_source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "core/common/error.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/sets/basis_export.hpp"
#include "test_paths.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

class BasisSource : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  ResolvedJob resolved(const std::string& groups) const {
    return resolve(parseJob("test\n" + groups + "\n", (folder_ / "test.inp").string()));
  }
  static std::string errorOf(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  const test::Folder scratch_;
  const fs::path folder_ = scratch_.path();
};

const char* const kHelium = "He S\n 10.0 1.0\nHe S\n 1.0 1.0\n";
const char* const kLadder =
    "$bas nsym=1 bastype='wtbs' ngroup=1 $end\n$wtbs wtbspara=0.1,2.0,0,0 nbs=10 start=1 groups=1 $end\n";

TEST_F(BasisSource, EveryFormatOfOurOwn) {
  const LibraryEntry entry = *readLibraryEntry(10, "wtbs-2.1");
  const BasisSet expected = makeBasis(entry);
  for (const std::string& format : basisFormatNames()) {
    const std::string text = exportLibrary({10}, "wtbs-2.1", {format, SharedLists::All, ""}).text;
    const BasisFileSets read = readBasisSets(write("set", text));
    EXPECT_EQ(read.format, format);
    ASSERT_EQ(read.sets.size(), 1u);
    for (int a = 0; a < 3; ++a)
      EXPECT_EQ(read.sets.at(10).symmetries[a].exponents, expected.symmetries[a].exponents) << format;
  }
}

TEST_F(BasisSource, InputFilesAndBestSets) {
  const fs::path input = write("he.inp", std::string("Helium\n$nuc z=2 $end\n") + kLadder);
  EXPECT_EQ(basisFromFile(input, 2).symmetries.at(0).size(), 10);
  const fs::path best = write("he.inp.best", std::string("! energy\n") + kLadder);
  EXPECT_EQ(readBasisSets(best).sets.count(2), 1u);
  const fs::path alone = write("alone.best", std::string("! energy\n") + kLadder);
  EXPECT_EQ(basisFromFile(alone, 2).symmetries.at(0).size(), 10);
  EXPECT_NE(errorOf([&] { readBasisSets(alone); }).find("does not say its element"), std::string::npos);
  EXPECT_NE(errorOf([&] { basisFromFile(input, 3); }).find("no set for Li; it is for He"), std::string::npos);
  const fs::path library = write("lib.inp", "Helium\n$nuc z=2 $end\n");
  EXPECT_NE(errorOf([&] { basisFromFile(library, 2); }).find("holds no exponents"), std::string::npos);
}

/// Its folder has no file of the element, but says whose it reads.
TEST_F(BasisSource, FileOfACollectionThatReadsAnotherOnesOtherwise) {
  const BasisFileSets read =
      readBasisSets(PROPHET_SOURCE_DIR "/basis_sets/wtbs-2.1-by-symmetry/086-Rn.basis", 86);
  EXPECT_EQ(read.sets.at(86).symmetries.at(3).exponents,
            makeBasis(*readLibraryEntry(86, "wtbs-2.1-by-symmetry")).symmetries.at(3).exponents);
  EXPECT_EQ(read.nuclei.at(86), NuclearModel::Gaussian);
  EXPECT_THROW(readBasisSets(PROPHET_SOURCE_DIR "/basis_sets/wtbs-2.1-by-symmetry/001-H.basis", 1), Error);
}

TEST_F(BasisSource, GapsInTheAngularMomentaAreRefused) {
  const fs::path file = write("gap.nw", "Ne S\n 1.0 1.0\nNe D\n 1.0 1.0\n");
  EXPECT_NE(errorOf([&] { basisFromFile(file, 10); }).find("gap.nw:1: error: Ne has no p functions"),
            std::string::npos);
}

TEST_F(BasisSource, AnInputFileNamesAFileBesideIt) {
  write("he.nw", kHelium);
  const ResolvedJob job = resolved("$nuc z=2 $end\n$bas bastype='file' file='he.nw' $end");
  EXPECT_EQ(job.calculation.inBasis().basis.symmetries.at(0).exponents, (std::vector<double>{1.0, 10.0}));
  EXPECT_EQ(job.calculation.problem.nucleus.model, NuclearModel::Gaussian);
  const std::string error =
      errorOf([&] { resolved("$nuc z=3 $end\n$bas bastype='file' file='he.nw' $end"); });
  EXPECT_NE(error.find("he.nw:1: error: the file has no set for Li; it has He"), std::string::npos) << error;
}

TEST_F(BasisSource, ASetThatLacksASymmetryIsRefusedWithItsFile) {
  write("ne.nw", "Ne S\n 1.0 1.0\nNe S\n 10.0 1.0\n");
  const std::string error =
      errorOf([&] { resolved("$nuc z=10 $end\n$bas bastype='file' file='ne.nw' $end"); });
  EXPECT_NE(error.find("ne.nw:1: error: the set of Ne cannot be used"), std::string::npos) << error;
}

TEST_F(BasisSource, AFolderOfImportedSetsIsALibrary) {
  const BasisFileSets sets = readBasisSets(write("he.nw", kHelium));
  const ExportedBasis exported = exportFile(sets, {}, {kOwnFormat, SharedLists::All, "2026-01-01"});
  fs::create_directory(folder_ / "mine");
  ASSERT_EQ(exported.files.size(), 1u);
  write("mine/" + exported.files[0].first, exported.files[0].second);
  const ResolvedJob job = resolved("$nuc z=2 $end\n$bas library='./mine' $end");
  EXPECT_EQ(job.calculation.inBasis().basis.symmetries.at(0).exponents, (std::vector<double>{1.0, 10.0}));
}

TEST_F(BasisSource, JoinedLaddersAreRemarkedOn) {
  const ExportedBasis all = exportLibrary({86}, "prophet-1", {"nwchem", SharedLists::All, ""});
  EXPECT_FALSE(all.remarks.empty());
  EXPECT_NE(all.text.find("smallest overlap eigenvalue"), std::string::npos);
  const ExportedBasis one = exportLibrary({86}, "prophet-1", {"nwchem", SharedLists::Average, ""});
  EXPECT_TRUE(one.remarks.empty()) << one.remarks.front();
}

TEST_F(BasisSource, ExportsTakeOneListForEachLByDefault) {
  const ExportedBasis other = exportLibrary({86}, "", {"nwchem", SharedLists::All, ""});
  EXPECT_NE(other.text.find("prophet-l"), std::string::npos);
  EXPECT_TRUE(other.remarks.empty());
  const ExportedBasis own = exportLibrary({86}, "", {kOwnFormat, SharedLists::All, ""});
  EXPECT_NE(own.text.find("prophet-1"), std::string::npos);
}

TEST_F(BasisSource, GroupsOfFunctionsCanBeLeftOut) {
  BasisExport how{"nwchem", SharedLists::All, ""};
  const std::string whole = exportLibrary({7}, "prophet-tz", how).text;
  EXPECT_NE(whole.find("polarisation functions: d "), std::string::npos) << whole;
  EXPECT_NE(whole.find("\nN     F"), std::string::npos) << whole;
  how.without = {"correlation", "diffuse"};
  const std::string less = exportLibrary({7}, "prophet-tz", how).text;
  EXPECT_EQ(less.find("\nN     F"), std::string::npos) << less;
  EXPECT_NE(less.find("\nN     D"), std::string::npos) << less;
  EXPECT_NE(less.find("no correlation, diffuse functions"), std::string::npos) << less;
}

TEST_F(BasisSource, FunctionsForTheCoreAreExportedWhereTheyAreWanted) {
  BasisExport how{"nwchem", SharedLists::All, ""};
  EXPECT_EQ(exportLibrary({18}, "prophet-dz", how).text.find("core functions"), std::string::npos);
  how.without = {};
  const std::string whole = exportLibrary({18}, "prophet-dz", how).text;
  EXPECT_NE(whole.find("Ar: exponents optimised for least error and prolapse"), std::string::npos) << whole;
  EXPECT_NE(whole.find("core functions: d "), std::string::npos) << whole;
  // How they were searched for stands in JSON.
  how.format = "json";
  const std::string json = exportLibrary({18}, "prophet-dz", how).text;
  EXPECT_NE(json.find("; core functions of least energy"), std::string::npos) << json;
}

TEST_F(BasisSource, DiffuseFunctionsAreExportedWhereTheyAreWanted) {
  BasisExport how{"nwchem", SharedLists::All, ""};
  const std::string without = exportLibrary({9}, "prophet-dz", how).text;
  EXPECT_EQ(without.find("negative ion"), std::string::npos) << without;
  EXPECT_NE(without.find("; no correlation, diffuse functions"), std::string::npos) << without;
  how.without = {"core"};
  const std::string with = exportLibrary({9}, "prophet-dz", how).text;
  how.format = "json";
  const std::string json = exportLibrary({9}, "prophet-dz", how).text;
  EXPECT_NE(json.find("; diffuse functions of largest electron affinity"), std::string::npos) << json;
  EXPECT_NE(with.find("diffuse functions: s "), std::string::npos) << with;
  EXPECT_NE(with.find("; no correlation functions"), std::string::npos) << with;
  EXPECT_EQ(with.find("core functions"), std::string::npos) << with;
}

}  // namespace
}  // namespace prophet
