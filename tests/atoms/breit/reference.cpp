#include "reference.hpp"

#include <cmath>

#include "core/common/csv.hpp"
#include "test_paths.hpp"

namespace prophet::test {
namespace {

struct Range {
  int first = 0, last = -1;
};

Range parseRange(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {};
  return {std::stoi(text.substr(0, colon)), std::stoi(text.substr(colon + 1))};
}

/// Closed-form ladders zeta_k = alpha beta^(k-1) (1 + gamma (k/M)^delta), M the last s index.
BasisSet closedForm(const std::vector<std::string>& field) {
  const double alpha = std::stod(field[1]), beta = std::stod(field[2]), delta = std::stod(field[3]),
               gamma = std::stod(field[4]);
  const int top = parseRange(field[5]).last;
  BasisSet basis;
  for (int l = 0; l < 4; ++l) {
    const Range range = parseRange(field[5 + static_cast<std::size_t>(l)]);
    std::vector<double> exponents;
    for (int k = range.first; k <= range.last; ++k)
      exponents.push_back(alpha * std::pow(beta, k - 1) *
                          (1.0 + gamma * std::pow(static_cast<double>(k) / top, delta)));
    if (exponents.empty()) break;
    if (l > 0) basis.symmetries.push_back({Symmetry{l}, exponents});
    basis.symmetries.push_back({Symmetry{-l - 1}, exponents});
  }
  basis.description = "closed-form exponents";
  return basis;
}

}  // namespace

std::vector<BreitReference> readBreitReferences() {
  const std::vector<CsvRow> table =
      readCsv(std::string(PROPHET_SOURCE_DIR) + "/tests/atoms/breit/breit_energies.csv");
  std::vector<BreitReference> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    const std::vector<std::string>& field = table[i].fields;
    rows.push_back(
        {field[0], std::stod(field[9]), std::stod(field[10]), std::stod(field[11]), closedForm(field)});
  }
  return rows;
}

BasisSet evenTempered(int symmetries, double first, double ratio, int count) {
  BasisSet basis;
  for (const Symmetry s : firstSymmetries(symmetries)) {
    std::vector<double> exponents;
    for (int k = 0; k < count; ++k) exponents.push_back(first * std::pow(ratio, k));
    basis.symmetries.push_back({s, exponents});
  }
  basis.description = "even-tempered";
  return basis;
}

}  // namespace prophet::test
