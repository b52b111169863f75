#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/properties/density.hpp"
#include "core/common/names.hpp"

namespace prophet {

/// Potential energies of an electron in an atom; the values are the names that users give.
enum class PotentialPart {
  Nuclear,              ///< "nuclear": attraction by the nucleus, and by a charged shell around the atom
  Coulomb,              ///< "coulomb": repulsion by the density of all electrons
  ExchangeCorrelation,  ///< "xc": of a density functional; of a hybrid what is local
  Effective,            ///< "effective": the sum of all three
};
/// Whether it contains exchange and correlation, the only part that differs between spins.
inline bool hasExchange(PotentialPart part) { return part >= PotentialPart::ExchangeCorrelation; }
template <>
const Names<PotentialPart>& namesOf();

/// Spherical density, its derivatives and the potentials that follow from it, at any radii (bohr, any order,
/// r >= 0), whatever the spinors are expanded in.
///
/// The Coulomb potential is integrated on panels of ln r in which r times the radial density is a Legendre
/// polynomial of degree 11: relative error 1e-10 or better. Derivatives are nine-point differences in ln r of
/// ln n, which is smooth: relative error 1e-9, and of the rounding 1e-13/r at small radii. The potential of a
/// functional with gradients, df/dn - div(2 df/dsigma grad n), needs one more of these.
class RadialFields {
 public:
  /// Throws Error if the result has no wavefunction.
  RadialFields(const AtomProblem& problem, const Result& result);

  /// The density, electrons/bohr^3, and d/dr, d^2/dr^2 of it.
  struct DensityAndSlopes {
    Eigen::VectorXd value, slope, curvature;
  };
  /// Slopes are 0 where the density is below 1e-200.
  DensityAndSlopes density(const Eigen::VectorXd& r) const;

  /// Why a potential is not defined, a sentence that says what to do; empty where it is. Those of exchange
  /// and correlation need a functional of the density and its gradient, and the sum of all one without exact
  /// exchange. A meta-GGA's is no function of r: it acts on the orbitals' derivatives too.
  std::string objection(PotentialPart part) const;
  bool has(PotentialPart part) const { return objection(part).empty(); }
  /// Whether exchange and correlation are those of spin densities and thus have two potentials.
  bool isPolarised() const { return functional_ && functional_->isPolarised(); }
  /// (n_up - n_down)/(n_up + n_down) of each spinor of the result; zeros unless isPolarised().
  const Eigen::VectorXd& spinShares() const { return spinShares_; }
  /// Hartree. 0 instead of exchange and correlation where, with gradients, the density (with spins: the
  /// spin's) is below 1e-14.
  /// \param spin of the electron that feels it: 1 up, -1 down, or a spinor's share; of the mean of both
  /// potentials plus `spin` times half their difference. Has no effect unless isPolarised().
  /// Throws Error unless has(part), and where there are two potentials and no spin.
  Eigen::VectorXd potential(PotentialPart part, const Eigen::VectorXd& r,
                            std::optional<double> spin = {}) const;

  /// A potential as it is named in files: "xc_potential", with spins "xc_potential_up" and "_down".
  struct NamedPotential {
    std::string name;
    Eigen::VectorXd values;
  };
  /// All that are defined.
  std::vector<NamedPotential> potentials(const Eigen::VectorXd& r) const;
  /// Which potentials of an atom with a functional are not defined, and why; empty where all are.
  std::string leftOut() const;

 private:
  Eigen::VectorXd coulomb(const Eigen::VectorXd& r) const;
  Eigen::MatrixXd densities(const Eigen::VectorXd& r) const;
  Eigen::MatrixXd exchangeCorrelation(const Eigen::VectorXd& r) const;
  Eigen::MatrixXd withGradient(const Eigen::VectorXd& r) const;
  void fillPanels();

  /// A panel of ln r: Legendre coefficients of the electrons in ln r, and what lies inside and outside.
  struct Panel {
    Eigen::VectorXd electrons, inverse;  ///< of D and D/r, D = r times the radial density
    double inside = 0, outside = 0;      ///< integral of D below, of D/r above the panel
  };

  AtomProblem problem_;
  std::shared_ptr<const Functional> functional_;  ///< nullptr: exact exchange
  Density density_;
  Eigen::VectorXd spinShares_;
  std::optional<Density> down_;  ///< of the electrons with spin down, if isPolarised()
  double smallest_, largest_;    ///< bohr, of the panels
  double start_ = 0, width_ = 0;
  std::vector<Panel> panels_;
  double innermost_ = 0, power_ = 3;  ///< electrons below the first panel, and the power of r of their number
};

}  // namespace prophet
