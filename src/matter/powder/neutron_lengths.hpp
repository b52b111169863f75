#pragma once
#include <optional>

namespace prophet {

/// Bound coherent scattering length of an element's natural mixture for neutrons, femtometre (V. F. Sears,
/// Neutron News 3 (3), 29 (1992)); empty where none is known.
std::optional<double> neutronLength(int z);

}  // namespace prophet
