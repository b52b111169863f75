#pragma once
#include <cstdlib>
#include <string>
#include <vector>

#include "core/common/host_device.hpp"

namespace prophet {

/// One relativistic symmetry: the spinors of one quantum number kappa (s+, p-, p+, d-, d+, ...).
struct Symmetry {
  int kappa = -1;

  /// Orbital angular momentum of the large component.
  PROPHET_HD constexpr int l() const { return kappa < 0 ? -kappa - 1 : kappa; }
  /// Orbital angular momentum of the small component.
  PROPHET_HD constexpr int lSmall() const { return kappa < 0 ? -kappa : kappa - 1; }
  /// Twice the total angular momentum, 2j.
  PROPHET_HD constexpr int twoJ() const { return 2 * (kappa < 0 ? -kappa : kappa) - 1; }
  /// Degeneracy g = 2j + 1: the electrons that a closed spinor holds.
  PROPHET_HD constexpr int degeneracy() const { return twoJ() + 1; }
  /// Position in the order s+, p-, p+, d-, d+, ... counted from 0.
  PROPHET_HD constexpr int index() const { return kappa < 0 ? -2 * kappa - 2 : 2 * kappa - 1; }
  /// The symmetry at position `index` (from 0) of that order.
  PROPHET_HD static constexpr Symmetry fromIndex(int index) {
    return Symmetry{index % 2 == 0 ? -(index / 2 + 1) : (index + 1) / 2};
  }
  PROPHET_HD constexpr bool operator==(const Symmetry& other) const { return kappa == other.kappa; }

  /// "s+", "p-", "p+", "d-", ...
  std::string label() const;
};

/// Letter of an orbital angular momentum: s p d f g h i k l m n ... (l = 0 .. 15).
char letterOfL(int l);
/// Inverse of letterOfL; -1 where the letter names no angular momentum.
int lOfLetter(char letter);
/// Degeneracy and label of the symmetry at a position of the order s+, p-, p+, ..., from 0.
int degeneracyOf(int symmetry);
std::string labelOf(int symmetry);
/// The first `count` symmetries.
std::vector<Symmetry> firstSymmetries(int count);
/// Spinor label such as "2p1/2" of the `number`-th spinor (from 1) of a symmetry.
std::string spinorLabel(Symmetry symmetry, int number);

}  // namespace prophet
