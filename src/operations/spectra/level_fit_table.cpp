#include "operations/spectra/level_fit_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kUnit = constants::kInverseCentimetresPerHartree;
constexpr double kLargestEnergy = 1e10 / kUnit;  // hartree: ten times what the heaviest atom binds with

/// What is read of levels, and the further columns of --levels-csv and of tables for people, which say
/// nothing that is read.
const std::vector<std::string> kLevelColumns = {"ion",
                                                "J",
                                                "parity",
                                                "energy",
                                                "excitation_cm-1",
                                                "index",
                                                "weight",
                                                "energy_hartree",
                                                "label",
                                                "percent",
                                                "g",
                                                "configuration",
                                                "term",
                                                "source"};

/// The columns of a file by name, and its fields as numbers.
class Columns {
 public:
  Columns(const std::string& path, std::vector<CsvRow> rows) : path_(path), rows_(std::move(rows)) {
    if (rows_.empty()) throw Error(path + ": is empty; expected the columns J, parity and energy");
    if (rows_.size() == 1) throw Error(path + ": has the names of columns alone; expected levels below them");
    const std::vector<std::string>& names = rows_.front().fields;
    const std::string place = fmt::format("{}:{}", path, rows_.front().line);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = trimmed(names[i]);
      requireKnownName(name, kLevelColumns, "column", place);
      if (!columns_.try_emplace(name, i).second)
        throw Error(fmt::format("{}: the column {} is there twice", place, name));
    }
    if (has("energy") && has("excitation_cm-1"))
      throw Error(place + ": the columns energy and excitation_cm-1 both give energies; keep one");
    for (const CsvRow& r : rows_)
      if (r.fields.size() > names.size())
        throw Error(
            fmt::format("{}:{}: found {} cells below the names of {} columns; write numbers with a "
                        "decimal point, and give every column a name",
                        path, r.line, r.fields.size(), names.size()));
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
  /// Empty where the file has no such column, or the row ends before it.
  std::string optionalText(std::size_t row, const std::string& column) const {
    const auto found = columns_.find(column);
    const CsvRow& r = rows_[row + 1];
    return found == columns_.end() || found->second >= r.fields.size() ? ""
                                                                       : trimmed(r.fields[found->second]);
  }
  double number(std::size_t row, const std::string& column) const {
    const auto value = parseDouble(text(row, column));
    if (!value || !std::isfinite(*value)) refuse(row, column, text(row, column), "a number");
    return *value;
  }
  /// Twice the value of "3/2", "1.5" or "2".
  int twice(std::size_t row, const std::string& column) const {
    const auto value = twiceOf(text(row, column));
    if (!value) refuse(row, column, text(row, column), "an angular momentum such as 2 or 3/2");
    return *value;
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

ObservedLevel levelOf(const Columns& columns, std::size_t row) {
  const std::string energy = columns.has("excitation_cm-1") ? "excitation_cm-1" : "energy";
  ObservedLevel l{columns.twice(row, "J"), false, 0, columns.number(row, energy) / kUnit, 1};
  if (!(std::abs(l.energy) < kLargestEnergy))
    columns.refuse(row, energy, columns.text(row, energy),
                   fmt::format("an energy below {:.0e} cm^-1", kLargestEnergy * kUnit));
  const std::string parity = columns.text(row, "parity");
  if (parity != "+" && parity != "-") columns.refuse(row, "parity", parity, "+ or -");
  l.odd = parity == "-";
  if (columns.has("index")) {
    const double index = columns.number(row, "index");
    if (!(index >= 1 && index < 1e6) || index != std::floor(index))
      columns.refuse(row, "index", columns.text(row, "index"), "a whole number from 1");
    l.index = static_cast<int>(index);
  }
  if (columns.has("weight")) l.weight = columns.number(row, "weight");
  if (l.weight < 0) columns.refuse(row, "weight", columns.text(row, "weight"), "0 or more");
  // A label ends in its term, which must not contradict the level that the row is taken for.
  l.term = columns.has("term") ? columns.text(row, "term") : columns.optionalText(row, "label");
  if (columns.has("configuration") && !columns.has("index"))
    l.configuration = columns.text(row, "configuration");
  return l;
}

/// The ion of a row. Throws Error where it is none, or has another number of electrons than `first`.
std::optional<Species> ionOf(const Columns& columns, std::size_t row, const std::optional<Species>& first) {
  if (!columns.has("ion")) return std::nullopt;
  const std::string name = columns.text(row, "ion");
  std::optional<Species> ion;
  try {
    ion = parseSpecies(name);
  } catch (const Error&) {
    columns.refuse(row, "ion", name, "an atom or ion such as Cr3+");
  }
  if (!ion->configuration.empty())
    columns.refuse(row, "ion", name, "an atom or ion without its configuration, which is that of all ions");
  if (first && ion->z - ion->charge != first->z - first->charge)
    columns.refuse(row, "ion", name,
                   fmt::format("an ion with the {} electrons of {}", first->z - first->charge, first->name));
  return ion;
}

/// Numbers the levels of each J and parity by energy, where the file has no numbers. Throws Error where one
/// is there twice: with its number, or without numbers with its energy.
void number(std::vector<ObservedLevel>& levels, bool hasIndex, const std::string& path) {
  std::map<std::pair<int, bool>, std::vector<ObservedLevel*>> same;
  for (ObservedLevel& l : levels) same[{l.twoJ, l.odd}].push_back(&l);
  for (auto& [key, list] : same) {
    if (!hasIndex) {
      std::stable_sort(list.begin(), list.end(), [](auto* a, auto* b) { return a->energy < b->energy; });
      for (std::size_t i = 1; i < list.size(); ++i)
        if (list[i]->energy == list[i - 1]->energy)
          throw Error(
              fmt::format("{}: a level of J = {} and parity {} at {:.10g} cm^-1 is given twice; take one "
                          "row out, or number the levels in a column index if both are there",
                          path, halves(key.first), key.second ? '-' : '+', list[i]->energy * kUnit));
      for (std::size_t i = 0; i < list.size(); ++i) list[i]->index = static_cast<int>(i) + 1;
    }
    std::sort(list.begin(), list.end(), [](auto* a, auto* b) { return a->index < b->index; });
    for (std::size_t i = 1; i < list.size(); ++i)
      if (list[i]->index == list[i - 1]->index)
        throw Error(fmt::format("{}: the level number {} of J = {} and parity {} is given twice", path,
                                list[i]->index, halves(key.first), key.second ? '-' : '+'));
  }
}

/// A quantity of the levels held out; none where there are none.
Json ofHeldOut(const FitDeviations& d, double value) { return d.heldOutLevels > 0 ? Json(value) : Json(); }

void addIons(const LevelFit& fit, const std::vector<FittedIon>& ions, Record& record) {
  struct Row {
    const std::string& name;
    const FitDeviations& d;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < ions.size(); ++i) rows.push_back({ions[i].name, fit.ions[i].deviations});
  using R = const Row&;
  const auto where = [](bool is, double value) { return is ? std::optional(value) : std::nullopt; };
  record.tables.push_back({"fitted_ions",
                           {columnOf(rows, {"ion", ""}, [](R r) { return r.name; }),
                            columnOf(rows, {"levels_fitted", "1"}, [](R r) { return r.d.fittedLevels; }),
                            columnOf(rows, {"levels_held_out", "1"}, [](R r) { return r.d.heldOutLevels; }),
                            columnOf(rows, {"deviation_before", "hartree"},
                                     [&](R r) { return where(r.d.fittedLevels > 0, r.d.before); }),
                            columnOf(rows, {"deviation_after", "hartree"},
                                     [&](R r) { return where(r.d.fittedLevels > 0, r.d.after); }),
                            columnOf(rows, {"held_out_before", "hartree"},
                                     [&](R r) { return where(r.d.heldOutLevels > 0, r.d.heldOutBefore); }),
                            columnOf(rows, {"held_out_after", "hartree"},
                                     [&](R r) { return where(r.d.heldOutLevels > 0, r.d.heldOutAfter); })},
                           Table::Layout::Rows,
                           0});
}

std::string deviationText(const FitDeviations& d, const std::string& of) {
  std::string text;
  if (d.fittedLevels > 0)
    text += fmt::format("  {}{} levels fitted: rms deviation {:.1f} cm^-1, {:.1f} before\n", of,
                        d.fittedLevels, kUnit * d.after, kUnit * d.before);
  if (d.heldOutLevels > 0)
    text += fmt::format("  {}{} levels held out: rms deviation {:.1f} cm^-1, {:.1f} before\n", of,
                        d.heldOutLevels, kUnit * d.heldOutAfter, kUnit * d.heldOutBefore);
  return text;
}

}  // namespace

std::vector<ObservedIon> readObservedLevels(const std::string& path) {
  const Columns columns(path, readCsv(path));
  std::vector<ObservedIon> ions;
  for (std::size_t i = 0; i < columns.rows(); ++i) {
    const auto ion = ionOf(columns, i, ions.empty() ? std::nullopt : ions.front().ion);
    const auto known =
        std::ranges::find_if(ions, [&](const ObservedIon& o) { return !ion || o.ion->z == ion->z; });
    ObservedIon& of = known == ions.end() ? ions.emplace_back(ObservedIon{ion, {}}) : *known;
    of.levels.push_back(levelOf(columns, i));
  }
  for (ObservedIon& ion : ions) number(ion.levels, columns.has("index"), path);
  return ions;
}

bool namesConfigurations(const std::vector<ObservedIon>& ions) {
  return ions.size() == 1 && std::ranges::all_of(ions.front().levels, [](const ObservedLevel& l) {
           return !l.configuration.empty();
         });
}

std::string plainTerm(const std::string& text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool begins = isDigit(text[i]) && (i == 0 || text[i - 1] == ' ');
    if (begins && text[i + 1] >= 'A' && text[i + 1] <= 'Z') return text.substr(i, 2);
    if (begins && isDigit(text[i + 1]) && i + 2 < text.size() && text[i + 2] >= 'A' && text[i + 2] <= 'Z')
      return text.substr(i, 3);
  }
  return "";
}

void requireTerm(const ObservedLevel& observed, const Level& level) {
  constexpr double kLeast = 10, kMain = 50;  // per cent
  const std::string term = plainTerm(observed.term);
  if (term.empty() || level.terms.empty() || level.terms.front().percent < kMain) return;
  double share = 0;
  for (const LevelPart& part : level.terms)
    if (plainTerm(part.name) == term) share += part.percent;
  if (share >= kLeast) return;
  throw Error(
      fmt::format("level number {} of J = {} and parity {} is {} in the file, and the computed one is {} "
                  "({:.0f} %); number "
                  "the levels in a column index, or correct the term",
                  observed.index, halves(observed.twoJ), observed.odd ? '-' : '+', observed.term,
                  level.terms.front().name, level.terms.front().percent));
}

void addFit(const LevelFit& fit, const std::vector<FittedIon>& ions, Record& record) {
  Json covariance = Json::array();
  for (const auto& row : fit.covariance.rowwise())
    covariance.push_back(std::vector<double>(row.begin(), row.end()));
  const auto add = [&](const char* key, Json value) {
    record.quantities.push_back({key, "", std::move(value)});
  };
  const FitDeviations& d = fit.deviations;
  add("fitted_levels", d.fittedLevels);
  add("held_out_levels", d.heldOutLevels);
  add("rms_before", d.before);
  add("rms_after", d.after);
  add("held_out_rms_before", ofHeldOut(d, d.heldOutBefore));
  add("held_out_rms_after", ofHeldOut(d, d.heldOutAfter));
  add("covariance", std::move(covariance));
  using P = const FittedParameter&;
  record.tables.push_back(
      {"fitted_parameters",
       {columnOf(fit.parameters, {"parameter", ""}, [](P p) { return p.name; }),
        columnOf(fit.parameters, {"computed", "hartree"}, [](P p) { return p.computed; }),
        columnOf(fit.parameters, {"fitted", "hartree"}, [](P p) { return p.fitted; }),
        columnOf(fit.parameters, {"standard_error", "hartree"}, [](P p) { return p.error; })},
       Table::Layout::Rows,
       0});
  if (ions.size() > 1) addIons(fit, ions, record);
  struct Row {
    const std::string& ion;
    const ObservedLevel& level;
    double computed, fitted;
  };
  std::vector<Row> rows;
  for (std::size_t n = 0; n < ions.size(); ++n)
    for (std::size_t i = 0; i < ions[n].observed.size(); ++i)
      rows.push_back({ions[n].name, ions[n].observed[i], fit.ions[n].computedEnergies[i],
                      fit.ions[n].fittedEnergies[i]});
  using R = const Row&;
  Table compared{"compared_levels",
                 {columnOf(rows, {"J", "1"}, [](R r) { return 0.5 * r.level.twoJ; }),
                  columnOf(rows, {"parity", ""}, [](R r) { return std::string(r.level.odd ? "-" : "+"); }),
                  columnOf(rows, {"index", "1"}, [](R r) { return r.level.index; }),
                  columnOf(rows, {"weight", "1"}, [](R r) { return r.level.weight; }),
                  columnOf(rows, {"observed", "hartree"}, [](R r) { return r.level.energy; }),
                  columnOf(rows, {"computed", "hartree"}, [](R r) { return r.computed; }),
                  columnOf(rows, {"fitted", "hartree"}, [](R r) { return r.fitted; })},
                 Table::Layout::Columns,
                 0};
  if (ions.size() > 1)
    compared.columns.insert(compared.columns.begin(), columnOf(rows, {"ion", ""}, [](R r) { return r.ion; }));
  record.tables.push_back(std::move(compared));
}

std::string fitText(const LevelFit& fit, const std::vector<FittedIon>& ions) {
  std::size_t width = 9;
  for (const FittedParameter& p : fit.parameters) width = std::max(width, p.name.size());
  std::string text = fmt::format("\n  {:<{}}  {:>14}  {:>14}  {:>14}\n", "parameter", width, "computed",
                                 "fitted", "standard error");
  for (const FittedParameter& p : fit.parameters) {
    const double unit = p.isFactor ? 1 : kUnit;
    const int decimals = p.isFactor ? 4 : 1;
    text += fmt::format("  {:<{}}  {:>14.{}f}  {:>14.{}f}  {:>14}{}\n", p.name, width, unit * p.computed,
                        decimals, unit * p.fitted, decimals,
                        std::isfinite(p.error) ? fmt::format("{:.{}f}", unit * p.error, decimals) : "none",
                        p.isFactor ? "" : " cm^-1");
  }
  text += deviationText(fit.deviations, "");
  for (std::size_t i = 0; ions.size() > 1 && i < ions.size(); ++i)
    text += deviationText(fit.ions[i].deviations, ions[i].name + ": ");
  return text;
}

}  // namespace prophet
