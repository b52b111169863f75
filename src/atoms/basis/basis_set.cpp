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

}  // namespace prophet
