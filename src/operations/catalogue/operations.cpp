#include <fmt/format.h>

#include <algorithm>

#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/operation.hpp"

namespace prophet {
namespace {

std::vector<Operation>& list() {
  static std::vector<Operation> all = [] {
    std::vector<Operation> rows;
    rows.reserve(32);
    for (const auto& make : kOperations) rows.push_back(make());
    for (Operation& o : basisOperations()) rows.push_back(std::move(o));
    return rows;
  }();
  return all;
}

/// Where JSON has its columns.
std::string placeInJson(const Table& t) {
  switch (t.layout) {
    case Table::Layout::Rows:
      return fmt::format(", in JSON {}[]", t.key);
    case Table::Layout::Columns:
      return ", in JSON " + t.key;
    case Table::Layout::Top:
      return ", in JSON";
    case Table::Layout::Quantity:
      break;
  }
  return "";
}

}  // namespace

std::vector<Setting> Operation::allSettings() const {
  if (!keywords) return settings;
  const auto own = std::ranges::find_if(settings, [](const Setting& s) { return !s.inInput; });
  std::vector<Setting> all(settings.begin(), own);
  for (Setting& s : keywords()) all.push_back(std::move(s));
  all.insert(all.end(), own, settings.end());
  return all;
}

const Setting* Operation::setting(const std::string& its) const {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.name == its; });
  return found == settings.end() ? nullptr : &*found;
}

const std::vector<Operation>& operations() { return list(); }

const Operation* findOperation(const std::string& name) {
  for (const Operation& operation : list())
    if (operation.name == name || operation.words() == name) return &operation;
  return nullptr;
}

std::string explain(const Operation& operation) {
  std::string text = operation.name + ": " + operation.summary + "\n\n" + operation.description + "\n";
  for (const Setting& s : operation.allSettings()) {
    text += fmt::format("\n  {:<14} {}\n                 {}{}\n", s.name, s.documentation, expectedValue(s),
                        s.defaultText.empty() ? "" : "; default: " + s.defaultText);
  }
  for (const Table& t : operation.tables ? operation.tables() : std::vector<Table>()) {
    text +=
        fmt::format("\nColumns{}{}:\n", t.firstWith.empty() ? "" : " with " + t.firstWith, placeInJson(t));
    for (const Column& c : t.columns)
      text += fmt::format("  {:<14} {}{}\n", c.key, c.meaning,
                          c.unit.empty() || c.unit == "1" ? "" : " [" + c.unit + "]");
  }
  return text;
}

std::vector<CsvHeading> Operation::csvHeadings() const {
  std::vector<CsvHeading> headings;
  for (const Table& t : tables ? tables() : std::vector<Table>()) {
    if (!headings.empty() && t.firstWith.empty()) continue;  // CSV has one table
    headings.push_back({t.firstWith, {}});
    for (const Column& c : t.columns)
      for (Column& part : c.parts()) headings.back().columns.push_back(std::move(part.key));
  }
  return headings;
}

void addOperation(Operation operation) { list().push_back(std::move(operation)); }

}  // namespace prophet
