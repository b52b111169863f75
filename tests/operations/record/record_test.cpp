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

}  // namespace
}  // namespace prophet
