#include <fmt/format.h>

#include <algorithm>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"

namespace prophet {
namespace {

/// Adds the functions of a shell to the columns of a matrix over `exponents`, which hold all of the shell's.
void addFunctions(const ContractedShell& shell, const std::vector<double>& exponents,
                  Eigen::MatrixXd& columns) {
  const auto rowOf = [&](std::size_t primitive) {
    const auto at = std::lower_bound(exponents.begin(), exponents.end(), shell.exponents[primitive]);
    return static_cast<Eigen::Index>(at - exponents.begin());
  };
  const std::size_t count = shell.functions.empty() ? shell.exponents.size() : shell.functions.size();
  Eigen::Index column = columns.cols();
  columns.conservativeResize(Eigen::NoChange, column + static_cast<Eigen::Index>(count));
  for (std::size_t f = 0; f < count; ++f, ++column) {
    columns.col(column).setZero();
    if (shell.functions.empty()) {
      columns(rowOf(f), column) = 1.0;
      continue;
    }
    for (std::size_t p = 0; p < shell.exponents.size(); ++p)
      columns(rowOf(p), column) += shell.functions[f][p];
  }
}

/// Whether every function is a primitive and every primitive a function.
bool isUncontracted(const Eigen::MatrixXd& columns) {
  return columns.rows() == columns.cols() && ((columns.array() != 0.0).colwise().count() == 1).all() &&
         ((columns.array() != 0.0).rowwise().count() == 1).all();
}

SymmetryBasis blockOf(const ElementBasis& basis, int l, const std::string& file) {
  const std::vector<double>& descending = basis.shells[static_cast<std::size_t>(l)];
  SymmetryBasis block{Symmetry{-l - 1}, {descending.rbegin(), descending.rend()}};
  Eigen::MatrixXd columns(block.size(), 0);
  for (const ContractedShell& shell : basis.contracted)
    if (shell.l == l) addFunctions(shell, block.exponents, columns);
  if (columns.cols() > 0 && !((columns.array() != 0.0).colwise().any()).all())
    formats::fail(file, std::max(1, basis.line),
                  fmt::format("a contracted function {} of {} has no coefficient but zeros", letterOfL(l),
                              symbolOf(basis.z)));
  if (!isUncontracted(columns)) block.contraction = std::move(columns);
  return block;
}

}  // namespace

BasisSet contractedSetOf(const ElementBasis& basis, const std::string& file) {
  if (basis.contracted.empty()) return basisSetOf(basis);
  BasisSet set;
  set.description = basis.name;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    SymmetryBasis block = blockOf(basis, l, file);
    if (l > 0) {
      set.symmetries.push_back(block);
      set.symmetries.back().symmetry = Symmetry{l};
    }
    set.symmetries.push_back(std::move(block));
  }
  return set;
}

}  // namespace prophet
