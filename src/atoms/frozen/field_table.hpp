#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/frozen/exponent_stencil.hpp"

namespace prophet {

/// What an expansion of one symmetry's spinors in a basis costs (FrozenField).
struct BasisShortfall {
  double rise = 0;      ///< of the energy, hartree; what remains of lack minus prolapse
  double prolapse = 0;  ///< hartree, 0 or more; projected (docs/theory/dirac-hartree-fock.md, "Prolapse")
  double lack() const { return rise + prolapse; }
};

/// A shortfall and its derivatives with respect to ln zeta of each exponent, hartree.
struct ShortfallSlopes {
  double rise = 0, prolapse = 0;
  Eigen::VectorXd ofRise, ofProlapse;
};

/// What an expansion of one symmetry's spinors costs, measured by variation instead of projection (theory.md,
/// "Prolapse"). The small-component defect is how far their energy falls because the small component cannot
/// follow the large one: the sum of n_i (epsilon_i with the reference's small functions too - epsilon_i),
/// hartree, 0 or more but for rounding (energies are minima over the large and maxima over the small
/// components). Derivatives are with respect to ln zeta of each exponent.
struct DefectSlopes {
  double rise = 0, defect = 0;
  double weighted = 0;  ///< the rise with a weight for each spinor
  Eigen::VectorXd ofRise, ofDefect, ofWeighted;
};

/// Who measures bases of one atom's symmetries for a search.
class BasisTrials {
 public:
  virtual ~BasisTrials() = default;
  virtual int symmetries() const = 0;
  /// Occupied spinors of a symmetry.
  virtual int occupied(int symmetry) const = 0;
  /// What it costs to expand the spinors of one symmetry in these exponents (bohr^-2), relative to the
  /// reference. rise is infinite where the exponents do not carry the spinors (too few, out of range,
  /// near-dependent beyond repair). Thread-safe.
  virtual BasisShortfall shortfall(int symmetry, const std::vector<double>& exponents) const = 0;
  /// shortfall with its derivatives; empty where rise is infinite, or unless hasSlopes. Thread-safe.
  virtual std::optional<ShortfallSlopes> slopes(int symmetry, const std::vector<double>& exponents) const {
    static_cast<void>(symmetry), static_cast<void>(exponents);
    return std::nullopt;
  }
  virtual bool hasSlopes() const { return false; }
  double rise(int symmetry, const std::vector<double>& exponents) const {
    return shortfall(symmetry, exponents).rise;
  }
};

/// The frozen field of one symmetry (FrozenField) between Gaussians of tabulated exponents: matrix elements
/// between any others follow by interpolation in ln zeta, to 1e-13 or so of their size. A trial then costs no
/// function values on a grid and no products with the field there.
struct FieldTable {
  Symmetry symmetry;
  Nucleus nucleus;  ///< point, Gaussian or sphere: its attraction has closed forms and is not in the table
  double c = 0;     ///< speed of light
  double dependencyThreshold = 0;
  ExponentNodes nodes;
  /// nodes x nodes: the two-electron part of the Fock operator with the correction of open spinors, between
  /// normalised large functions (LL), small ones (SS), and large (rows) with small ones (LS).
  Eigen::MatrixXd LL, LS, SS;
  Eigen::VectorXd occupation, energies;  ///< of the occupied spinors; energies in the reference, hartree
  Eigen::VectorXd negativeEnergies;      ///< of the reference's negative-energy solutions
  Eigen::MatrixXd negativeLarge, negativeSmall;  ///< solutions x nodes: their overlaps with the functions
  /// The reference's small functions, orthonormal, for defects: the Fock matrix between them, and functions x
  /// nodes their overlaps with small functions and the potential between them and large and small ones. Empty
  /// where the table was made without.
  Eigen::MatrixXd smallFock, smallOverlap, smallToLarge, smallToSmall;

  int occupied() const { return static_cast<int>(occupation.size()); }
  /// Whether these exponents can be interpolated to.
  bool contains(const std::vector<double>& exponents) const;
  /// FrozenField::shortfall for exponents that the table contains. Thread-safe.
  BasisShortfall shortfall(const std::vector<double>& exponents) const;
  /// The same with its derivatives, for some three times its cost. Throws Error where the exponents do not
  /// carry the spinors.
  ShortfallSlopes shortfallWithSlopes(const std::vector<double>& exponents) const;
  /// FrozenField::defectSlopes for exponents that the table contains, if it was made for defects. Without
  /// `defect` that is left out, which is most of the work. Throws and is thread-safe likewise.
  DefectSlopes defectSlopes(const std::vector<double>& exponents, const Eigen::VectorXd& weights = {},
                            bool defect = true) const;
};

}  // namespace prophet
