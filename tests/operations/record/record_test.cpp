#include "operations/record/record.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace prophet
