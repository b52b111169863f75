#include "basis/basis_set.hpp"

#include <algorithm>

namespace prophet {

int BasisSet::functions() const {
  int sum = 0;
  for (const SymmetryBasis& s : symmetries) sum += s.size();
  return sum;
}

int BasisSet::largestL() const {
  int largest = -1;
  for (const SymmetryBasis& s : symmetries) largest = std::max(largest, s.symmetry.l());
  return largest;
}

}  // namespace prophet
