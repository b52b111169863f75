#include "operations/catalogue/known_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/operation.hpp"

namespace prophet {

/// Keys with those below them; lists are not told from what they hold.
struct KnownKeys::Tree {
  std::map<std::string, Tree, std::less<>> below;

  Tree& at(const std::vector<std::string>& path) {
    Tree* tree = this;
    for (const std::string& key : path)
      tree = &tree->below[key.ends_with("[]") ? key.substr(0, key.size() - 2) : key];
    return *tree;
  }
  /// What stands below a key of a document; nullptr where it is not known.
  const Tree* find(const std::string& key) const;
  void require(const Json& json, const std::string& place) const;
};

namespace {

/// src/data/json-meanings.csv, put here in pieces by the build.
constexpr std::string_view kPieces[] = {
#include "operations/catalogue/json_meanings.inc"
};

struct MeaningRow {
  std::vector<std::string> outputs;  ///< "levels|lines"; "": all
  std::string key;

  bool isOf(const std::string& output) const {
    return std::ranges::any_of(outputs, [&](const std::string& name) {
      return name.empty() || name == output || name.starts_with(output + " ");
    });
  }
};

std::vector<MeaningRow> meaningRows() {
  std::string text;
  for (const std::string_view piece : kPieces) text += piece;
  std::vector<MeaningRow> all;
  for (const CsvRow& row : parseCsv(text)) all.push_back({split(row.fields.at(0), '|'), row.fields.at(1)});
  return all;
}

/// Names of columns that stand for others: of pairs of kinds (g_A-B) and of species.
std::string patternOf(std::string column) {
  if (column == "SPECIES") return "*";
  if (const std::size_t at = column.find("A-B"); at != std::string::npos) column.replace(at, 3, "*");
  return column;
}

/// Whether a name fits into a pattern, in which a star stands for any letters.
bool fits(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  const std::string_view behind = pattern.substr(star + 1);
  return name.size() > star + behind.size() && name.starts_with(pattern.substr(0, star)) &&
         name.ends_with(behind);
}

[[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& known,
                         const std::string& what, const std::string& place) {
  const std::string near = nearestName(name, known);
  throw Error(
      fmt::format("{}: unknown {} '{}'; {}", place, what, name,
                  near.empty() ? "take it out, or correct it" : fmt::format("did you mean '{}'?", near)));
}

}  // namespace

const KnownKeys::Tree* KnownKeys::Tree::find(const std::string& key) const {
  if (const auto exact = below.find(key); exact != below.end()) return &exact->second;
  for (const auto& [pattern, tree] : below)
    if (fits(key, pattern)) return &tree;
  return nullptr;
}

void KnownKeys::Tree::require(const Json& json, const std::string& place) const {
  if (below.empty()) return;
  if (json.is_array()) {
    for (const Json& one : json)
      if (one.is_structured()) require(one, place);
    return;
  }
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    const Tree* const tree = find(key);
    if (!tree) {
      std::vector<std::string> known;
      for (const auto& [name, ignored] : below)
        if (!json.contains(name)) known.push_back(name);
      refuse(key, known, "key", place);
    }
    if (value.is_structured()) tree->require(value, place + ": " + key);
  }
}

KnownKeys::KnownKeys(const std::string& operation) {
  const Operation* o = findOperation(operation);
  const std::string output = o ? o->words() : operation;
  auto tree = std::make_unique<Tree>();
  for (const MeaningRow& row : meaningRows())
    if (row.isOf(output)) tree->at(split(row.key, '.'));
  for (const Table& t : o && o->tables ? o->tables() : std::vector<Table>()) {
    if (t.layout == Table::Layout::Quantity) continue;
    Tree& place = t.layout == Table::Layout::Top ? *tree : tree->at({t.key});
    for (const Column& c : t.columns) place.below[patternOf(c.key)];
  }
  tree_ = std::move(tree);
}

KnownKeys::~KnownKeys() = default;
KnownKeys::KnownKeys(KnownKeys&&) noexcept = default;

void KnownKeys::require(const Json& json, const std::string& place) const { tree_->require(json, place); }

void requireKnownColumns(const std::vector<std::string>& names, const std::string& operation,
                         const std::string& place) {
  const Operation* o = findOperation(operation);
  if (!o) return;
  std::vector<std::string> known;
  for (const Table& t : o->tables ? o->tables() : std::vector<Table>())
    for (const Column& c : t.columns)
      for (const Column& part : c.parts()) known.push_back(patternOf(part.key));
  for (const std::string& name : names) {
    if (std::ranges::any_of(known, [&](const std::string& k) { return fits(name, k); })) continue;
    std::erase_if(known, [&](const std::string& k) { return std::ranges::find(names, k) != names.end(); });
    refuse(name, known, "column", place);
  }
}

}  // namespace prophet
