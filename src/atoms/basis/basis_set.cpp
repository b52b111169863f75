#include "atoms/basis/basis_set.hpp"

#include <algorithm>

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

}  // namespace prophet
