#pragma once
#include <optional>
#include <vector>

namespace prophet {

/// Measured root-mean-square charge radius of a nucleus in its ground state, fm. Source: I. Angeli,
/// K. P. Marinova, At. Data Nucl. Data Tables 99, 69 (2013), 908 isotopes. Empty where the table has none.
std::optional<double> measuredRms(int z, int massNumber);

/// Mass numbers of the isotopes of an element that have one, ascending.
std::vector<int> isotopesWithMeasuredRms(int z);

}  // namespace prophet
