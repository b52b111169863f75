#include "basis/basis_set.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace prophet {

bool isUsableExponent(double zeta) { return zeta >= kSmallestExponent && zeta <= kLargestExponent; }

std::string expectedExponent() {
  return fmt::format("a number from {:.0e} to {:.0e}", kSmallestExponent, kLargestExponent);
}

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
