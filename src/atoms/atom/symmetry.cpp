#include "atoms/atom/symmetry.hpp"

#include <string_view>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Spectroscopic letters; j is left out by convention.
constexpr std::string_view kLetters = "spdfghiklmnoqrtuv";

}  // namespace

char letterOfL(int l) {
  if (l < 0 || l >= static_cast<int>(kLetters.size())) throw Error("no letter for this angular momentum");
  return kLetters[l];
}

int lOfLetter(char letter) {
  const std::size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

std::string Symmetry::label() const { return std::string(1, letterOfL(l())) + (kappa < 0 ? '+' : '-'); }

int degeneracyOf(int symmetry) { return Symmetry::fromIndex(symmetry).degeneracy(); }
std::string labelOf(int symmetry) { return Symmetry::fromIndex(symmetry).label(); }

std::vector<Symmetry> firstSymmetries(int count) {
  std::vector<Symmetry> list;
  list.reserve(count);
  for (int i = 0; i < count; ++i) list.push_back(Symmetry::fromIndex(i));
  return list;
}

std::string spinorLabel(Symmetry symmetry, int number) {
  return std::to_string(symmetry.l() + number) + letterOfL(symmetry.l()) + std::to_string(symmetry.twoJ()) +
         "/2";
}

}  // namespace prophet
