#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"

namespace prophet {

/// A complete-basis energy that the program need not compute again.
struct KnownLimit {
  AtomProblem problem;
  double energy = 0, estimatedError = 0;  ///< hartree
};

/// The limits shipped with the program, limits.csv beside the collections of basis sets: neutral ground
/// configurations, H to Og, Gaussian and point nuclei, Dirac-Coulomb (made by studies/limits-table).
class KnownLimits {
 public:
  /// \param basisSets folder of the collections; empty: where they are installed. A folder without limits.csv
  /// knows none. Throws Error with file and line if the file is damaged.
  explicit KnownLimits(const std::filesystem::path& basisSets = {});

  /// The limit of this very problem: same configuration, nuclear model with its parameters (1e-10 relative),
  /// speed of light, Dirac-Coulomb Hamiltonian.
  std::optional<KnownLimit> of(const AtomProblem& problem) const;
  const std::vector<KnownLimit>& all() const { return limits_; }

 private:
  std::vector<KnownLimit> limits_;
};

}  // namespace prophet
