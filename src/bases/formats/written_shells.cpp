#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bases/formats/format_parts.hpp"

namespace prophet::formats {
namespace {

/// "10s,6p" of a number for each l.
std::string sizes(const ElementBasis& basis, const std::function<std::size_t(int)>& count) {
  std::string text;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    if (basis.shells[l].empty()) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", count(l), letterOfL(l));
  }
  return text;
}

/// Functions of a shell as columns, primitives that are functions themselves too.
std::vector<std::vector<double>> columnsOf(const ContractedShell& shell) {
  if (!shell.functions.empty()) return shell.functions;
  const std::size_t n = shell.exponents.size();
  std::vector<std::vector<double>> unit(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) unit[i][i] = 1.0;
  return unit;
}

}  // namespace

std::vector<ContractedShell> writtenShells(const ElementBasis& basis) {
  std::vector<ContractedShell> shells;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    if (!basis.writeContracted) {
      if (!basis.shells[l].empty()) shells.push_back({l, basis.shells[l], {}});
      continue;
    }
    for (const ContractedShell& shell : basis.contracted)
      if (shell.l == l) shells.push_back(shell);
  }
  return shells;
}

ContractedShell joinedShell(const ElementBasis& basis, int l) {
  ContractedShell joined{l, basis.shells[l], {}};
  const auto written = writtenShells(basis);
  const bool plain = std::all_of(written.begin(), written.end(),
                                 [&](const ContractedShell& s) { return s.l != l || s.functions.empty(); });
  if (plain) return joined;
  for (const ContractedShell& shell : written) {
    if (shell.l != l) continue;
    for (const std::vector<double>& column : columnsOf(shell)) {
      std::vector<double>& whole = joined.functions.emplace_back(joined.exponents.size(), 0.0);
      for (std::size_t p = 0; p < column.size(); ++p) {
        const auto at = std::find(joined.exponents.begin(), joined.exponents.end(), shell.exponents[p]);
        whole[static_cast<std::size_t>(at - joined.exponents.begin())] += column[p];
      }
    }
  }
  return joined;
}

std::string primitiveSizes(const ElementBasis& basis) {
  return sizes(basis, [&](int l) { return basis.shells[l].size(); });
}

std::string functionSizes(const ElementBasis& basis) {
  return sizes(basis, [&](int l) {
    std::size_t count = 0;
    for (const ContractedShell& shell : writtenShells(basis))
      if (shell.l == l) count += shell.functions.empty() ? shell.exponents.size() : shell.functions.size();
    return count;
  });
}

}  // namespace prophet::formats
