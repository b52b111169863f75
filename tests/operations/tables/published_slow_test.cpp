#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "operations/catalogue/operation.hpp"

namespace prophet {
namespace {

// <r^k> of 4f, k = 2, 4, 6, by A. J. Freeman, J. P. Desclaux, J. Magn. Magn. Mater. 12, 11 (1979), with the
// unit of the last printed digit. Eu to Ho are one unit above ours in one or two of three values; Pr3+ and
// Pm3+ seem to be interpolated there and are not asked for.
TEST(PublishedTables, MomentsOfRareEarths) {
  struct Row {
    const char* ion;
    double values[3], units[3];
    int unitsOff;  ///< of the last digit at most
  };
  const Row rows[] = {{"Ce3+", {1.309, 3.964, 23.31}, {1e-3, 1e-3, 1e-2}, 0},
                      {"Nd3+", {1.114, 2.910, 15.03}, {1e-3, 1e-3, 1e-2}, 0},
                      {"Sm3+", {0.9743, 2.260, 10.55}, {1e-4, 1e-3, 1e-2}, 0},
                      {"Eu3+", {0.9175, 2.020, 9.039}, {1e-4, 1e-3, 1e-3}, 1},
                      {"Gd3+", {0.8671, 1.820, 7.831}, {1e-4, 1e-3, 1e-3}, 0},
                      {"Dy3+", {0.7814, 1.505, 6.048}, {1e-4, 1e-3, 1e-3}, 1},
                      {"Ho3+", {0.7446, 1.379, 5.379}, {1e-4, 1e-3, 1e-3}, 1},
                      {"Tm3+", {0.6804, 1.174, 4.340}, {1e-4, 1e-3, 1e-3}, 0}};
  std::vector<std::string> ions;
  for (const Row& row : rows) ions.emplace_back(row.ion);
  const Record r = findOperation("tables")->run(
      {{"species", ions}, {"what", "moments"}, {"powers", "2,4,6"}, {"by", "nl"}}, {});
  std::map<std::string, double> ours;
  const Table& t = r.tables.front();
  for (Eigen::Index i = 0; i < t.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (t.find("label")->texts()[at] == "4f")
      ours[t.find("species")->texts()[at] + std::to_string(static_cast<int>(t.find("k")->numbers()[i]))] =
          t.find("value")->numbers()[i];
  }
  for (const Row& row : rows)
    for (int k = 0; k < 3; ++k) {
      const double digits = std::round(ours.at(row.ion + std::to_string(2 * k + 2)) / row.units[k]);
      EXPECT_LE(std::abs(digits - std::round(row.values[k] / row.units[k])), row.unitsOff)
          << row.ion << " " << 2 * k + 2;
    }
}

}  // namespace
}  // namespace prophet
