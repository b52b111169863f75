#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

namespace prophet {

/// What an expansion of one symmetry's spinors in a basis costs (FrozenField).
struct BasisShortfall {
  double rise = 0;      ///< of the energy, hartree; what remains of lack minus prolapse
  double prolapse = 0;  ///< hartree, 0 or more; projected (docs/theory.md, "Prolapse")
  double lack() const { return rise + prolapse; }
};

/// A shortfall and its derivatives with respect to ln zeta of each exponent, hartree.
struct ShortfallSlopes {
  double rise = 0, prolapse = 0;
  Eigen::VectorXd ofRise, ofProlapse;
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

}  // namespace prophet
