#include "bases/optimise/tier_sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "atoms/basis/library.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/number.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr int kMostTierFunctions = 200;

class SizeTable {
 public:
  explicit SizeTable(const std::filesystem::path& file) : file_(file.string()), rows_(readCsv(file_)) {
    if (rows_.empty()) fail(1, "the table is empty");
    for (const std::string& field : rows_.front().fields) heads_.push_back(trimmed(field));
  }
  TierSizes column(const std::string& tier) const;
  std::map<int, double> lacks(const std::string& tier) const;

 private:
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw Error(fmt::format("{}:{}: error: {}", file_, line, what));
  }
  std::size_t place(const std::string& head) const {
    const auto at = std::find(heads_.begin(), heads_.end(), head);
    if (at == heads_.end())
      fail(rows_.front().line,
           fmt::format("there is no column '{}'; there is: {}", head, fmt::join(heads_, ", ")));
    return static_cast<std::size_t>(at - heads_.begin());
  }
  const std::string& field(const CsvRow& row, std::size_t place) const {
    if (row.fields.size() != heads_.size())
      fail(row.line, fmt::format("expected {} fields, found {}", heads_.size(), row.fields.size()));
    return row.fields[place];
  }
  int whole(const std::string& text, int line, int most) const {
    const auto value = parseDouble(trimmed(text));
    if (!value || *value != static_cast<int>(*value) || *value < 1 || *value > most)
      fail(line, fmt::format("expected a whole number from 1 to {}, found '{}'", most, text));
    return static_cast<int>(*value);
  }

  std::string file_;
  std::vector<CsvRow> rows_;
  std::vector<std::string> heads_;
};

TierSizes SizeTable::column(const std::string& tier) const {
  const std::size_t charge = place("Z"), wanted = place(tier);
  TierSizes sizes;
  for (auto row = rows_.begin() + 1; row != rows_.end(); ++row) {
    const std::string& counts = field(*row, wanted);
    if (trimmed(counts).empty()) continue;
    std::vector<int> functions;
    for (const std::string& n : split(counts, '/'))
      functions.push_back(whole(n, row->line, kMostTierFunctions));
    const int z = whole(field(*row, charge), row->line, 118);
    if (!sizes.emplace(z, std::move(functions)).second)
      fail(row->line, fmt::format("the nuclear charge {} is there twice", z));
  }
  return sizes;
}

std::map<int, double> SizeTable::lacks(const std::string& tier) const {
  std::map<int, double> lacks;
  const std::string head = tier + "_lack";
  if (std::find(heads_.begin(), heads_.end(), head) == heads_.end()) return lacks;
  const std::size_t charge = place("Z"), wanted = place(head);
  for (auto row = rows_.begin() + 1; row != rows_.end(); ++row) {
    const std::string text = trimmed(field(*row, wanted));
    if (text.empty()) continue;
    const auto value = parseDouble(text);
    if (!value || !(*value > 0.0)) fail(row->line, fmt::format("expected hartree above 0, found '{}'", text));
    lacks[whole(field(*row, charge), row->line, 118)] = *value;
  }
  return lacks;
}

}  // namespace

std::map<int, double> readTierLacks(const std::filesystem::path& file, const std::string& tier) {
  return SizeTable(file).lacks(tier);
}

TierSizes readTierSizes(const std::filesystem::path& file, const std::string& tier) {
  return SizeTable(file).column(tier);
}

std::filesystem::path tierSizesFile(const std::filesystem::path& basisSets) {
  return basisSetFolder(basisSets) / "sizes.csv";
}

}  // namespace prophet
