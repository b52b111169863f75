#include "operations/catalogue/level_fit_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kUnit = constants::kInverseCentimetresPerHartree;

/// The columns of a file by name, and its fields as numbers.
class Columns {
 public:
  Columns(const std::string& path, std::vector<CsvRow> rows) : path_(path), rows_(std::move(rows)) {
    if (rows_.empty()) throw Error(path + ": is empty; expected the columns J, parity and energy");
    for (std::size_t i = 0; i < rows_.front().fields.size(); ++i)
      columns_[trimmed(rows_.front().fields[i])] = i;
  }
  std::size_t rows() const { return rows_.size() - 1; }
  bool has(const std::string& column) const { return columns_.count(column) > 0; }
  std::string text(std::size_t row, const std::string& column) const {
    const auto found = columns_.find(column);
    const CsvRow& r = rows_[row + 1];
    if (found == columns_.end()) throw Error(path_ + ": has no column " + column);
    if (found->second >= r.fields.size()) refuse(row, column, "nothing", "a value");
    return trimmed(r.fields[found->second]);
  }
  double number(std::size_t row, const std::string& column) const {
    const auto value = parseDouble(text(row, column));
    if (!value || !std::isfinite(*value)) refuse(row, column, text(row, column), "a number");
    return *value;
  }
  /// Twice the value of "3/2", "1.5" or "2".
  int twice(std::size_t row, const std::string& column) const {
    const std::string written = text(row, column);
    const std::vector<std::string> parts = split(written, '/');
    const auto value = parseDouble(parts.front());
    const double two = value && parts.size() == 2 && parts[1] == "2" ? *value
                       : value && parts.size() == 1                  ? 2 * *value
                                                                     : -1;
    if (two < 0 || two > 1000 || two != std::floor(two))
      refuse(row, column, written, "an angular momentum such as 2 or 3/2");
    return static_cast<int>(two);
  }
  [[noreturn]] void refuse(std::size_t row, const std::string& column, const std::string& found,
                           const std::string& expected) const {
    throw Error(fmt::format("{}:{}: column {}: found '{}'; expected {}", path_, rows_[row + 1].line, column,
                            found, expected));
  }

 private:
  const std::string& path_;
  std::vector<CsvRow> rows_;
  std::map<std::string, std::size_t> columns_;
};

}  // namespace

std::vector<ObservedLevel> readObservedLevels(const std::string& path) {
  const Columns columns(path, readCsv(path));
  const std::string energy = columns.has("excitation_cm-1") ? "excitation_cm-1" : "energy";
  std::vector<ObservedLevel> levels;
  for (std::size_t i = 0; i < columns.rows(); ++i) {
    ObservedLevel l{columns.twice(i, "J"), false, 0, columns.number(i, energy) / kUnit, 1};
    const std::string parity = columns.text(i, "parity");
    if (parity != "+" && parity != "-") columns.refuse(i, "parity", parity, "+ or -");
    l.odd = parity == "-";
    if (columns.has("index")) {
      const double index = columns.number(i, "index");
      if (!(index >= 1 && index < 1e6) || index != std::floor(index))
        columns.refuse(i, "index", columns.text(i, "index"), "a whole number from 1");
      l.index = static_cast<int>(index);
    }
    if (columns.has("weight")) l.weight = columns.number(i, "weight");
    if (l.weight < 0) columns.refuse(i, "weight", columns.text(i, "weight"), "0 or more");
    levels.push_back(l);
  }
  std::map<std::pair<int, bool>, std::vector<ObservedLevel*>> same;
  for (ObservedLevel& l : levels) same[{l.twoJ, l.odd}].push_back(&l);
  for (auto& [key, list] : same) {
    if (!columns.has("index")) {
      std::stable_sort(list.begin(), list.end(), [](auto* a, auto* b) { return a->energy < b->energy; });
      for (std::size_t i = 0; i < list.size(); ++i) list[i]->index = static_cast<int>(i) + 1;
    }
    std::sort(list.begin(), list.end(), [](auto* a, auto* b) { return a->index < b->index; });
    for (std::size_t i = 1; i < list.size(); ++i)
      if (list[i]->index == list[i - 1]->index)
        throw Error(fmt::format("{}: the level number {} of 2J = {} and parity {} is given twice", path,
                                list[i]->index, key.first, key.second ? '-' : '+'));
  }
  return levels;
}

void addFit(const LevelFit& fit, const std::vector<ObservedLevel>& observed, Record& record) {
  Json covariance = Json::array();
  for (const auto& row : fit.covariance.rowwise())
    covariance.push_back(std::vector<double>(row.begin(), row.end()));
  const auto add = [&](const char* key, Json value) {
    record.quantities.push_back({key, "", std::move(value)});
  };
  add("fitted_levels", fit.fittedLevels);
  add("held_out_levels", fit.heldOutLevels);
  add("rms_before", fit.before);
  add("rms_after", fit.after);
  add("held_out_rms_before", fit.heldOutLevels > 0 ? Json(fit.heldOutBefore) : Json());
  add("held_out_rms_after", fit.heldOutLevels > 0 ? Json(fit.heldOutAfter) : Json());
  add("covariance", std::move(covariance));
  using P = const FittedParameter&;
  record.tables.push_back(
      {"fitted_parameters",
       {columnOf(fit.parameters, "parameter", "", [](P p) { return p.name; }),
        columnOf(fit.parameters, "computed", "hartree", [](P p) { return p.computed; }),
        columnOf(fit.parameters, "fitted", "hartree", [](P p) { return p.fitted; }),
        columnOf(fit.parameters, "standard_error", "hartree", [](P p) { return p.error; })},
       Table::Layout::Rows,
       {},
       0});
  struct Row {
    const ObservedLevel& level;
    double computed, fitted;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < observed.size(); ++i)
    rows.push_back({observed[i], fit.computedEnergies[i], fit.fittedEnergies[i]});
  using R = const Row&;
  record.tables.push_back(
      {"compared_levels",
       {columnOf(rows, "J", "1", [](R r) { return 0.5 * r.level.twoJ; }),
        columnOf(rows, "parity", "", [](R r) { return std::string(r.level.odd ? "-" : "+"); }),
        columnOf(rows, "index", "1", [](R r) { return r.level.index; }),
        columnOf(rows, "weight", "1", [](R r) { return r.level.weight; }),
        columnOf(rows, "observed", "hartree", [](R r) { return r.level.energy; }),
        columnOf(rows, "computed", "hartree", [](R r) { return r.computed; }),
        columnOf(rows, "fitted", "hartree", [](R r) { return r.fitted; })},
       Table::Layout::Columns,
       {},
       0});
}

std::string fitText(const LevelFit& fit) {
  std::size_t width = 9;
  for (const FittedParameter& p : fit.parameters) width = std::max(width, p.name.size());
  std::string text = fmt::format("\n  {:<{}}  {:>14}  {:>14}  {:>14}\n", "parameter", width, "computed",
                                 "fitted", "standard error");
  for (const FittedParameter& p : fit.parameters) {
    const bool isFactor = p.name.starts_with("scale(");
    const double unit = isFactor ? 1 : kUnit;
    text += fmt::format("  {:<{}}  {:>14.{}f}  {:>14.{}f}  {:>14.{}f}{}\n", p.name, width, unit * p.computed,
                        isFactor ? 4 : 1, unit * p.fitted, isFactor ? 4 : 1, unit * p.error, isFactor ? 4 : 1,
                        isFactor ? "" : " cm^-1");
  }
  text += fmt::format("  {} levels fitted: rms deviation {:.1f} cm^-1, {:.1f} before\n", fit.fittedLevels,
                      kUnit * fit.after, kUnit * fit.before);
  if (fit.heldOutLevels > 0)
    text += fmt::format("  {} levels held out: rms deviation {:.1f} cm^-1, {:.1f} before\n",
                        fit.heldOutLevels, kUnit * fit.heldOutAfter, kUnit * fit.heldOutBefore);
  return text;
}

}  // namespace prophet
