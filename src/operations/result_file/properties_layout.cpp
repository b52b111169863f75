#include <limits>

#include "atoms/properties/properties.hpp"
#include "operations/result_file/layout.hpp"

namespace prophet::hdf5 {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void setAttributes(Group& group, const PropertyTable& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (const auto& value = table.rows.front().values[i]) group.set(table.columns[i].key, *value);
  }
}

std::vector<std::string> labelsOf(const PropertyTable& table) {
  std::vector<std::string> labels;
  for (const PropertyTable::Row& row : table.rows) labels.push_back(row.label);
  return labels;
}

/// Column `i` of a table by rows; nan where a number does not exist.
std::vector<double> column(const PropertyTable& table, std::size_t i) {
  std::vector<double> values;
  for (const PropertyTable::Row& row : table.rows) values.push_back(row.values[i].value_or(kNone));
  return values;
}

void writePowers(Group& group, const PropertyTable& table) {
  std::vector<int> powers;
  for (int k = kLowestPower; k <= kHighestPower; ++k) powers.push_back(k);
  std::vector<double> all;
  for (const PropertyTable::Row& row : table.rows)
    for (const auto& value : row.values) all.push_back(value.value_or(kNone));
  const auto total = all.begin() + static_cast<std::ptrdiff_t>(powers.size());
  group.write("powers", powers);
  group.write("moments", {total, all.end()}, "bohr^k", table.rows.size() - 1);
  group.write("total_moments", {all.begin(), total}, "bohr^k");
}

void writeRows(Group group, const PropertyTable& table) {
  group.write(table.labels, labelsOf(table));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    group.write(table.columns[i].key, column(table, i), table.columns[i].unit);
}

}  // namespace

void writeProperties(Group& group, const Properties& p) {
  for (const PropertyTable& table : p.tables) {
    switch (table.form) {
      case PropertyForm::Numbers:
        setAttributes(group, table);
        break;
      case PropertyForm::Object: {
        Group own = group.create(table.key);
        setAttributes(own, table);
        break;
      }
      case PropertyForm::ByLabel:
        group.write(table.labels, labelsOf(table));
        group.write(table.key, column(table, 0), table.columns.front().unit);
        break;
      case PropertyForm::Powers:
        writePowers(group, table);
        break;
      case PropertyForm::Rows:
        if (!table.rows.empty()) writeRows(group.create(table.key), table);
        break;
    }
  }
}

}  // namespace prophet::hdf5
