#pragma once
#include <vector>

#include "atoms/qed/qed.hpp"

namespace prophet::test {

/// First-order shifts of one electron in the field of a nucleus, by splines, hartree.
struct IonShifts {
  double energy = 0;                ///< without rest mass
  std::vector<double> corrections;  ///< in the order of qedOperators
};

/// Of the state `number` (from 1) of a symmetry; c = constants::kSpeedOfLight.
IonShifts ionShifts(const Nucleus& nucleus, Symmetry symmetry, int number, const QedOptions& options);

/// (alpha/pi) (Z alpha)^4 c^2/n^3, the unit of F(Z alpha).
double shiftUnit(double charge, int n);

}  // namespace prophet::test
