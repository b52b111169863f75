#pragma once
#include <vector>

#include "atoms/atom/species.hpp"

namespace prophet {

/// The ions for which the International Tables for Crystallography (vol. C, table 6.1.1.3) or Waasmaier and
/// Kirfel (1995) give X-ray form factors, by Z, then by charge. O2- is among them, which does not exist as a
/// free ion: its result is not bound.
std::vector<Species> usualIons();

}  // namespace prophet
