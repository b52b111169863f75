#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atom/symmetry.hpp"
#include "common/error.hpp"

namespace prophet {

/// Occupation of one symmetry: closed spinors, and at most one open spinor above them.
struct SymmetryOccupation {
  int closed = 0;            ///< closed spinors, each with `degeneracy` electrons
  bool open = false;         ///< whether one open spinor follows
  double openElectrons = 0;  ///< its average occupation <n>, 0 < <n> < g
};

/// An average of configurations over the symmetries s+, p-, p+, ... (one entry for each).
struct Configuration {
  std::vector<SymmetryOccupation> symmetries;
  /// Pair weights between open spinors, w_ab = <n_a n_b> (a != b) and w_aa = <n_a(n_a-1)> g_a/(g_a-1), nsym x
  /// nsym, zero where a symmetry has no open spinor.
  Eigen::MatrixXd openPairWeights;
  std::string description;  ///< "[Xe] 4f7 5d1 6s2", or how the user gave it

  double electrons() const;
  bool hasOpenShells() const;
  int occupiedSpinors(int symmetry) const {
    return symmetries[symmetry].closed + (symmetries[symmetry].open ? 1 : 0);
  }
  /// Electrons in spinor `number` (from 0) of a symmetry: g for closed ones, <n> for the open one.
  double occupation(int symmetry, int number) const;
  /// 1 - w_ab/(<n_a><n_b>): the factor by which the open shell b is felt less by the open shell a (physics:
  /// Q).
  double exchangeDefect(int a, int b) const;
};

/// One configuration of the open spinors: whole-number occupations, one for each open symmetry in order.
using OpenOccupations = std::vector<int>;

/// Averages a list of configurations, each weighted by its number of determinants prod binomial(g_a, n_a).
/// `closed` and `open` per symmetry; each row of `list` has one entry for each open symmetry (0 elsewhere is
/// not listed). Throws Error for occupations that do not fit, or differing electron numbers.
Configuration averageConfigurations(const std::vector<int>& closed, const std::vector<bool>& open,
                                    const std::vector<OpenOccupations>& list, const std::string& description);

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

/// Parses "[Xe] 4f7 5d1 6s2": noble-gas core in brackets, then shells nl^q; every partly filled shell is
/// averaged by itself, several as the product. Throws ConfigurationError with the column (from 1) of what it
/// does not understand, for shells twice, electrons that do not fit, or two open shells of one symmetry.
/// `symmetries`: at least this many entries are made (0: as many as the configuration needs).
Configuration parseConfiguration(const std::string& text, int symmetries = 0);

/// Ground configuration string of the neutral atom, Z = 1 .. 118.
const std::string& groundConfiguration(int z);

}  // namespace prophet
