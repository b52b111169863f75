#include "atoms/basis/basis_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/error.hpp"

namespace prophet {

int BasisSet::functions() const {
  int sum = 0;
  for (const SymmetryBasis& s : symmetries) sum += s.functions();
  return sum;
}

bool BasisSet::contracted() const {
  return std::any_of(symmetries.begin(), symmetries.end(),
                     [](const SymmetryBasis& s) { return s.contracted(); });
}

int BasisSet::largestL() const {
  int largest = -1;
  for (const SymmetryBasis& s : symmetries) largest = std::max(largest, s.symmetry.l());
  return largest;
}

std::vector<Symmetry> symmetriesOf(const BasisSet& basis) {
  std::vector<Symmetry> list;
  for (const SymmetryBasis& s : basis.symmetries) list.push_back(s.symmetry);
  return list;
}

std::string expectedExponent() {
  return fmt::format("a number from {:.0e} to {:.0e}", kSmallestExponent, kLargestExponent);
}

std::vector<int> functionsNeeded(const Configuration& configuration) {
  std::vector<int> needed;
  for (int a = 0; a < configuration.occupiedSymmetries(); ++a)
    needed.push_back(configuration.symmetries[a].needed());
  return needed;
}

std::vector<int> functionsOf(const BasisSet& basis) {
  std::vector<int> functions;
  for (const SymmetryBasis& s : basis.symmetries) functions.push_back(s.functions());
  return functions;
}

std::optional<std::string> missingSymmetry(const std::string& what, const std::vector<int>& needed,
                                           int symmetries) {
  const int count = static_cast<int>(needed.size());
  if (count <= symmetries) return std::nullopt;
  if (symmetries == 0) return fmt::format("{} has electrons, but the basis has no functions", what);
  return fmt::format("{} occupies {}, but the basis ends at {}", what, labelOf(count - 1),
                     labelOf(symmetries - 1));
}

std::vector<std::string> missingFunctions(const std::string& what, const std::vector<int>& needed,
                                          const std::vector<int>& functions) {
  std::vector<std::string> sentences;
  for (std::size_t a = 0; a < functions.size() && a < needed.size(); ++a) {
    if (needed[a] <= functions[a]) continue;
    sentences.push_back(fmt::format("{} occupies {} spinors of {}, but the basis has {} function{} there",
                                    what, needed[a], labelOf(static_cast<int>(a)), functions[a],
                                    functions[a] == 1 ? "" : "s"));
  }
  return sentences;
}

void requireCovered(const BasisSet& basis, const Configuration& configuration) {
  const auto needed = functionsNeeded(configuration);
  const char* what = "the configuration";
  if (const auto missing = missingSymmetry(what, needed, static_cast<int>(basis.symmetries.size())))
    throw Error(*missing + "; add functions or lower the occupation");
  const auto missing = missingFunctions(what, needed, functionsOf(basis));
  if (!missing.empty()) throw Error(missing.front() + "; add functions");
}

}  // namespace prophet
