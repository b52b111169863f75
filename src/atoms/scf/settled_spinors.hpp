#pragma once
#include <algorithm>

#include "atoms/scf/scf.hpp"

namespace prophet {

/// Lowers the thresholds to what spinors need whose levels or second-order energies are asked for: these are
/// of first order in the errors of the spinors, averages of second. `looser`: times as much is enough.
inline void settleSpinors(ScfOptions& scf, double looser = 1) {
  scf.thresholdLL = std::min(scf.thresholdLL, looser * 1e-9);
  scf.thresholdSL = std::min(scf.thresholdSL, looser * 1e-11);
  scf.thresholdSS = std::min(scf.thresholdSS, looser * 1e-13);
}

}  // namespace prophet
