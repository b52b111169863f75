#include "operations/record/record.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "tests/operations/result_file/scratch_file.hpp"

namespace prophet {
namespace {

struct Row {
  int z;
  double energy;
  std::optional<double> error;
};

TEST(Record, WholeNumbersHaveNoPointInJson) {
  const std::vector<Row> rows{{2, -3.0, 0.5}, {10, -128.5, std::nullopt}};
  Record record;
  record.tables.push_back({"elements",
                           {columnOf(rows, {"Z", "1"}, [](const Row& r) { return r.z; }),
                            columnOf(rows, {"energy", "hartree"}, [](const Row& r) { return r.energy; }),
                            columnOf(rows, {"error", "1"}, [](const Row& r) { return r.error; })},
                           Table::Layout::Rows});
  EXPECT_EQ(recordJson(record).at("elements").dump(),
            R"([{"Z":2,"energy":-3.0,"error":0.5},{"Z":10,"energy":-128.5,"error":null}])");
  record.csvComments = false;
  EXPECT_EQ(recordCsv(record), "Z,energy,error\n2,-3,0.5\n10,-128.5,\n");
}

TEST(Record, ReportsBeginWithTheResultInAllOperations) {
  Record record;
  record.title = "A thing";
  record.device = "CPU";
  record.seconds = 1.5;
  record.quantities = {{"a", "first", 1, "1 m"}, {"b", "second", 2, "2 m"}};
  record.warn("w", "mind the gap");
  EXPECT_EQ(recordText(record),
            "A thing\n\n  first                  1 m\n  warning                mind the gap\n"
            "  computed on            CPU; 1.50 s\n\n  second                 2 m\n");
  record.quantities[1].place = Quantity::Place::Result;
  record.quantities[0].place = Quantity::Place::Details;
  record.warn("w", "and the step");
  EXPECT_EQ(recordText(record),
            "A thing\n\n  second                 2 m\n"
            "  warnings               2, the first: mind the gap\n  computed on            CPU; 1.50 s\n"
            "\n  warning 2 of 2         and the step\n");
  EXPECT_NE(recordText(record, {.verbose = true}).find("\n\n  first                  1 m\n"),
            std::string::npos);
}

TEST(Record, TablesOfReportsEndAfterThirtyRows) {
  std::vector<double> numbers(40, 1.0);
  Record record;
  record.tables = {{"t", {columnOf(numbers, {"x", "1"}, [](double x) { return x; })}}};
  EXPECT_NE(recordText(record).find("... and 10 more; --rows all"), std::string::npos);
  EXPECT_NE(recordText(record, {.rows = 39}).find("... and 1 more; --rows all"), std::string::npos);
  EXPECT_EQ(recordText(record, {.rows = 40}).find("more"), std::string::npos);
}

Record ofEveryKind() {
  Record record;
  record.operation = "lines";
  record.tables.push_back({"first", {{"n", "1", Eigen::VectorXd(Eigen::Vector3d(1, 2, 3))}}});
  record.tables.push_back({"second",
                           {{"label", "", std::vector<std::string>{"a", "", "abcdefghijk", "xy", "z"}},
                            {"energy", "hartree", Eigen::VectorXd(Eigen::VectorXd::LinSpaced(5, -1, 1))},
                            {"f", "1", Eigen::VectorXcd(Eigen::VectorXcd::Constant(5, {2.0, -3.0}))},
                            {"r", "bohr", Eigen::MatrixX3d(Eigen::MatrixX3d::Constant(5, 3, 4.0))}}});
  return record;
}

TEST(Record, FilesOfSeveralHaveEachInAGroup) {
  if (!hdf5::isAvailable()) GTEST_SKIP() << "built without HDF5";
  const test::ScratchFile scratch;
  const std::string packed = packedRecord(ofEveryKind(), true);
  const auto contentOf = [&](const std::string& name) { return name == "none" ? "" : packed; };
  hdf5::writeGroups(scratch.path, {"b", "none", "a"}, contentOf, writePackedRecord);
  const std::string bytes = readFile(scratch.path);
  hdf5::writeGroups(scratch.path, {"b", "none", "a"}, contentOf, writePackedRecord);
  EXPECT_EQ(readFile(scratch.path), bytes);

  const auto locked = hdf5::lock();
  const auto expectIt = [](const hdf5::Group& g) {
    EXPECT_EQ(g.numbers("n"), (std::vector<double>{1, 2, 3}));
    EXPECT_NE(g.readText("provenance").find("lines"), std::string::npos);
    const hdf5::Group second = g.open("second");
    EXPECT_EQ(second.texts("label"), (std::vector<std::string>{"a", "", "abcdefghijk", "xy", "z"}));
    EXPECT_EQ(second.numbers("energy"), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
    EXPECT_EQ(second.numbers("f_im"), std::vector<double>(5, -3));
    EXPECT_EQ(second.numbers("r_z"), std::vector<double>(5, 4));
  };
  {
    const hdf5::File file(bytes);
    EXPECT_EQ(file.root().names(), (std::vector<std::string>{"a", "b"}));
    expectIt(file.root().open("a"));
    expectIt(file.root().open("b"));
  }
  expectIt(hdf5::File(recordHdf5(ofEveryKind(), true)).root());
}

TEST(Record, FilesOfSeveralAreWholeOrNotThere) {
  if (!hdf5::isAvailable()) GTEST_SKIP() << "built without HDF5";
  const test::ScratchFile scratch;
  const std::string packed = packedRecord(ofEveryKind(), true);
  EXPECT_THROW(hdf5::writeGroups(
                   scratch.path, {"a", "b"},
                   [&](const std::string& name) {
                     if (name == "b") throw Error("no b");
                     return packed;
                   },
                   writePackedRecord),
               Error);
  EXPECT_FALSE(std::filesystem::exists(scratch.path));
}

}  // namespace
}  // namespace prophet
