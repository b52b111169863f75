#pragma once
#include <vector>

namespace prophet {

/// A sum over all L, of which the first terms are known.
struct WaveLimit {
  double value = 0;  ///< the known terms and what is estimated for the others
  double error = 0;  ///< of the estimate: the difference of two ways to make it
};

/// By increments a (L + 1/2)^-4 + b (L + 1/2)^-5, a and b from the last two; the error is the difference from
/// the same with the last three and another power. Of fewer than kLeastWaves terms, which may be far from the
/// power law, the value is the sum of the known ones, and the error the last of them. Source: W. Kutzelnigg
/// and J. D. Morgan III, J. Chem. Phys. 96, 4484 (1992).
WaveLimit extrapolatedWaves(const std::vector<double>& waves);
inline constexpr int kLeastWaves = 5;

/// The same for functions without end too. It uses increments of a mesh whose cells are kCoarserCells times
/// as wide: the error of the cusp at one radius is the third power of that width. The error of the limit
/// holds all that this changes.
WaveLimit extrapolatedWaves(const std::vector<double>& waves, const std::vector<double>& coarse);
inline constexpr double kCoarserCells = 1.5;

}  // namespace prophet
