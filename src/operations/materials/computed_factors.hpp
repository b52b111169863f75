#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <functional>
#include <string>

#include "atoms/atom/species.hpp"
#include "matter/powder/amplitudes.hpp"

namespace prophet {

/// An X-ray form factor of this program, sampled finely enough to be interpolated.
struct ComputedFactor {
  std::string provenance;   ///< program, configuration, basis, nucleus
  std::string warning;      ///< why it is not to be trusted; empty where it is
  Eigen::VectorXd samples;  ///< f at 0, kFactorStep, 2 kFactorStep, ... up to kFactorEnd, electrons

  /// f(q), electrons, by polynomials of sixth degree through neighbouring samples (to about 1e-8 electrons).
  /// Throws Error for q beyond kFactorEnd.
  Eigen::VectorXd at(const Eigen::VectorXd& q) const;
};

inline constexpr double kFactorStep = 0.05, kFactorEnd = 60;  // 1/angstrom

/// The form factor of an atom or ion in the basis that the program chooses for it, from a file of the cache
/// folder (which is written where it is missing, damaged, or of another version of the program or of the
/// basis sets; links are not followed), or computed anew where `cache` is empty. A cache that cannot be
/// written is no error. Throws Error where the calculation fails.
ComputedFactor computedFactor(const Species& species, const std::filesystem::path& basisSets,
                              const std::filesystem::path& cache);

/// The same, for AmplitudeOptions.
std::function<AtomAmplitude(const Species&, const Eigen::VectorXd&)> computedAmplitudes(
    const std::filesystem::path& basisSets, const std::filesystem::path& cache);

}  // namespace prophet
