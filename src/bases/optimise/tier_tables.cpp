#include "bases/optimise/tier_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"

namespace prophet {

std::vector<FunctionCount> parseFunctionCounts(const std::string& text) {
  constexpr int kMostL = 8;
  std::vector<FunctionCount> counts;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const auto count = parseDouble(text.substr(at, end - at));
    const int l = end < text.size() ? lOfLetter(text[end]) : -1;
    const bool ascends = counts.empty() || l > counts.back().l;
    if (!count || *count < 1 || l < 0 || l > kMostL || !ascends)
      throw Error(fmt::format("expected numbers of functions such as '2d1f', found '{}'", text));
    counts.push_back({l, static_cast<int>(*count)});
    at = end + 1;
  }
  return counts;
}

namespace {

constexpr int kMostTierFunctions = 200;
constexpr const char *kLack = "_lack",
                     *kEnergy = "_energy";  // behind the name of a tier: columns of energies

int whole(const std::string& text, int most) {
  const auto value = parseDouble(trimmed(text));
  if (!value || *value != static_cast<int>(*value) || *value < 1 || *value > most)
    throw Error(fmt::format("expected a whole number from 1 to {}, found '{}'", most, text));
  return static_cast<int>(*value);
}

class TierTable {
 public:
  explicit TierTable(const std::filesystem::path& file) : file_(file.string()), rows_(readCsv(file_)) {
    if (rows_.empty()) fail(1, "the table is empty");
    for (const std::string& field : rows_.front().fields) {
      const std::string head = trimmed(field);
      if (has(head)) fail(rows_.front().line, fmt::format("the column '{}' is there twice", head));
      heads_.push_back(head);
    }
    for (const std::string& head : heads_) requireMeaning(head);
    for (std::size_t i = 0; i < heads_.size(); ++i)
      if (isTier(heads_[i])) requireNumbers(i);
  }
  bool has(const std::string& head) const { return std::ranges::find(heads_, head) != heads_.end(); }

  /// The nuclear charge and energies are columns too, whose numbers would pass as those of functions.
  void requireTier(const std::string& name) const {
    std::vector<std::string> tiers;
    std::ranges::copy_if(heads_, std::back_inserter(tiers), isTier);
    if (std::ranges::find(tiers, name) != tiers.end()) return;
    const std::string near = nearestName(name, tiers);
    fail(rows_.front().line,
         fmt::format("there is no tier '{}'; {}available: {}", name,
                     near.empty() ? "" : fmt::format("did you mean '{}'? ", near), fmt::join(tiers, ", ")));
  }

  /// What `read` makes of a column's fields, by nuclear charge.
  template <typename Value>
  std::map<int, Value> column(const std::string& head, const std::function<Value(const std::string&)>& read,
                              bool emptyToo) const {
    const std::size_t charge = place("Z"), wanted = place(head);
    std::map<int, Value> all;
    for (auto row = rows_.begin() + 1; row != rows_.end(); ++row) {
      if (row->fields.size() != heads_.size())
        fail(row->line, fmt::format("expected {} fields, found {}", heads_.size(), row->fields.size()));
      const std::string text = trimmed(row->fields[wanted]);
      if (text.empty() && !emptyToo) continue;
      try {
        const int z = whole(row->fields[charge], kLastElement);
        if (!all.emplace(z, read(text)).second)
          throw Error(fmt::format("the nuclear charge {} appears twice", z));
      } catch (const Error& error) {
        fail(row->line, error.what());
      }
    }
    return all;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw Error(fmt::format("{}:{}: error: {}", file_, line, what));
  }
  static bool isTier(const std::string& head) { return head != "Z" && head.find('_') == std::string::npos; }
  /// A column with an underscore belongs to a tier that the table has: one that is misspelt would pass as one
  /// that is not there, and change what sets are made for.
  void requireMeaning(const std::string& head) const {
    const std::size_t underscore = head.rfind('_');
    if (underscore == std::string::npos) return;
    std::vector<std::string> known;
    for (const std::string& tier : heads_)
      if (isTier(tier))
        for (const char* what : {kLack, kEnergy}) known.push_back(tier + what);
    try {
      requireKnownName(head, known, "column", fmt::format("{}:{}: error", file_, rows_.front().line));
    } catch (const Error&) {
      if (!known.empty()) throw;
      fail(rows_.front().line, fmt::format("the column '{}' is of no tier of the table", head));
    }
  }
  /// A column without an underscore is a tier: what is none would pass unread.
  void requireNumbers(std::size_t column) const {
    for (auto row = rows_.begin() + 1; row != rows_.end(); ++row) {
      const std::string text = column < row->fields.size() ? trimmed(row->fields[column]) : "";
      if (text.empty() || isDigit(text[0])) continue;
      fail(row->line,
           fmt::format("the column '{}' is no tier: found '{}'; take columns that are none out of the "
                       "table",
                       heads_[column], text));
    }
  }
  std::size_t place(const std::string& head) const {
    if (!has(head))
      fail(rows_.front().line,
           fmt::format("there is no column '{}'; available: {}", head, fmt::join(heads_, ", ")));
    return static_cast<std::size_t>(std::ranges::find(heads_, head) - heads_.begin());
  }

  std::string file_;
  std::vector<CsvRow> rows_;
  std::vector<std::string> heads_;
};

/// Energies of a column, times `sign` more than zero; empty where the table has no such column.
std::map<int, double> energiesIn(const std::filesystem::path& file, const std::string& head, double sign) {
  const TierTable table(file);
  if (!table.has(head)) return {};
  return table.column<double>(
      head,
      [&](const std::string& text) {
        const auto value = parseDouble(text);
        if (!value || !(sign * *value > 0.0))
          throw Error(fmt::format("expected hartree {} 0, found '{}'", sign > 0 ? "above" : "below", text));
        return *value;
      },
      false);
}

}  // namespace

TierSizes readTierSizes(const std::filesystem::path& file, const std::string& tier) {
  const TierTable table(file);
  table.requireTier(tier);
  return table.column<std::vector<int>>(
      tier,
      [](const std::string& text) {
        std::vector<int> functions;
        for (const std::string& n : split(text, '/')) functions.push_back(whole(n, kMostTierFunctions));
        return functions;
      },
      false);
}

std::map<int, double> readTierLacks(const std::filesystem::path& file, const std::string& tier) {
  return energiesIn(file, tier + kLack, 1.0);
}

std::map<int, double> readTierEnergies(const std::filesystem::path& file, const std::string& tier) {
  return energiesIn(file, tier + kEnergy, -1.0);
}

std::map<int, std::vector<FunctionCount>> readCorrelatingCounts(const std::filesystem::path& file,
                                                                const std::string& tier) {
  const TierTable table(file);
  table.requireTier(tier);
  return table.column<std::vector<FunctionCount>>(tier, parseFunctionCounts, true);
}

std::filesystem::path tierSizesFile(const std::filesystem::path& basisSets) {
  return basisSetFolder(basisSets) / "sizes.csv";
}

std::filesystem::path correlatingCountsFile(const std::filesystem::path& basisSets) {
  return basisSetFolder(basisSets) / "correlating.csv";
}

std::filesystem::path coreCountsFile(const std::filesystem::path& basisSets) {
  return basisSetFolder(basisSets) / "core-valence.csv";
}

std::filesystem::path diffuseCountsFile(const std::filesystem::path& basisSets) {
  return basisSetFolder(basisSets) / "diffuse.csv";
}

}  // namespace prophet
