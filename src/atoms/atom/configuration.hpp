#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "core/common/error.hpp"

namespace prophet {

/// One occupied spinor of a symmetry.
struct SpinorOccupation {
  int number = 0;        ///< its place among all spinors of the symmetry, by nodes: 0 for 1s, 2p, 3d, ...
  double electrons = 0;  ///< degeneracy g if closed, the average <n>, 0 < <n> < g, if open
  bool open = false;
};

/// The occupied spinors of one symmetry, ascending in number; places in between may be empty (Li 1s2 3s1) and
/// open spinors may lie below closed ones (Ne 1s1 2s2 2p6).
struct SymmetryOccupation {
  std::vector<SpinorOccupation> spinors;

  /// `closed` spinors from the bottom with `degeneracy` electrons each, and an open one above them unless
  /// `openElectrons` is 0.
  static SymmetryOccupation aufbau(int degeneracy, int closed, double openElectrons = 0.0);

  int occupied() const { return static_cast<int>(spinors.size()); }
  /// Spinors that a basis must have: the highest occupied one and all below it.
  int needed() const { return spinors.empty() ? 0 : spinors.back().number + 1; }
  /// Whether a place below the highest occupied one is empty.
  bool hasEmptyPlaces() const { return needed() > occupied(); }
  int closed() const;
  bool open() const { return closed() < occupied(); }
  /// Positions of the open spinors in `spinors`.
  std::vector<int> openPositions() const;
  double openElectrons() const;
  /// Whether there are no empty places and at most one open spinor, which is the highest.
  bool isAufbau() const;
};

/// An open spinor: spinors[position] of symmetry number `symmetry`.
struct OpenSpinor {
  int symmetry = 0, position = 0;
};

/// An average of configurations over the symmetries s+, p-, p+, ... (one entry for each).
struct Configuration {
  std::vector<SymmetryOccupation> symmetries;
  /// Pair weights between open spinors, w_ab = <n_a n_b> (a != b) and w_aa = <n_a(n_a-1)> g_a/(g_a-1); rows
  /// and columns in the order of openSpinors().
  Eigen::MatrixXd openPairWeights;
  std::string description;  ///< "[Xe] 4f7 5d1 6s2", or how the user gave it

  double electrons() const;
  bool hasOpenShells() const;
  /// Whether every symmetry has its closed spinors at the bottom and at most one open spinor above them, as
  /// ground configurations have; the others are holes and excited states.
  bool isAufbau() const;
  /// All open spinors, by symmetry, then by number.
  std::vector<OpenSpinor> openSpinors() const;
  /// Place of the first open spinor of a symmetry in openSpinors(); -1 if it has none.
  int firstOpen(int symmetry) const;
  /// The entry of a symmetry, an empty one beyond the last.
  const SymmetryOccupation& occupationOf(int symmetry) const;
  int occupiedSpinors(int symmetry) const { return occupationOf(symmetry).occupied(); }
  /// Number of symmetries up to the last with electrons.
  int occupiedSymmetries() const;
  /// Electrons in the occupied spinor at `position` (from 0) of a symmetry; 0 beyond the last.
  double occupation(int symmetry, int position) const;
  /// 1 - w_ab/(<n_a><n_b>) between open spinors (rows and columns as openPairWeights): the share of its
  /// interaction with b that an open spinor a does not feel, because their electrons are correlated by the
  /// average (FockBuilder's Q).
  Eigen::MatrixXd openReduction() const;
};

/// Whether the two spinors of every shell nl, j = l - 1/2 and l + 1/2, are occupied alike: each in proportion
/// to 2j + 1, and open ones with the same pair weights, as averages over whole shells are. Only such a
/// configuration has a meaning without spin-orbit coupling.
bool treatsBothJAlike(const Configuration& configuration);

/// One configuration of the open spinors: whole-number occupations, one for each open symmetry in order.
using OpenOccupations = std::vector<int>;

/// Averages a list of configurations, each weighted by its number of determinants prod binomial(g_a, n_a).
/// `closed` and `open` per symmetry; each row of `list` has one entry for each open symmetry (0 elsewhere is
/// not listed). Throws Error for occupations that do not fit, or differing electron numbers.
Configuration averageConfigurations(const std::vector<int>& closed, const std::vector<bool>& open,
                                    const std::vector<OpenOccupations>& list, const std::string& description);

/// A configuration of an average over several, and its share; shares add up to one.
struct ConfigurationShare {
  double share = 0;
  Configuration configuration;
};

/// The average over several averages of configurations, of equal numbers of electrons or not: a spinor is
/// closed where it is in all of them. The description is left empty.
Configuration averageConfigurations(const std::vector<ConfigurationShare>& parts);

/// All distributions of `electrons` over the open spinors (the `autogen` of the input language).
std::vector<OpenOccupations> allDistributions(const std::vector<bool>& open, int electrons);

/// What is wrong in a configuration string, and where.
class ConfigurationError : public Error {
 public:
  ConfigurationError(const std::string& text, int errorColumn, const std::string& what)
      : Error("configuration '" + text + "', column " + std::to_string(errorColumn) + ": " + what),
        column(errorColumn),
        reason(what) {}
  int column;          ///< in the string, from 1
  std::string reason;  ///< the message without string and column
};

/// Parses "[Xe] 4f7 5d1 6s2": noble-gas core in brackets, then shells nl^q in any order, with holes and empty
/// shells anywhere ("1s1 2s2 2p6", "1s2 3s1"). Every partly filled shell is averaged by itself, several as
/// the product. Throws ConfigurationError with the column (from 1) of what it does not understand, for shells
/// twice and electrons that do not fit.
/// `symmetries`: at least this many entries are made (0: as many as the configuration needs).
Configuration parseConfiguration(const std::string& text, int symmetries = 0);

/// Ground configuration string of the neutral atom, Z = 1 .. 118.
const std::string& groundConfiguration(int z);

/// For each open spinor (as Configuration::openSpinors has them) the share of its electrons whose spin is not
/// paired, (n_up - n_down)/(n_up + n_down), by Hund's first rule: N electrons in an open shell nl that has
/// room for M have n_up - n_down = min(N, M - N), spread evenly over its spinors. Both j of a shell are one
/// where both are open.
Eigen::VectorXd openSpinShares(const Configuration& configuration);

}  // namespace prophet
