#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/functional/closed_forms.hpp"

namespace prophet {

/// A name of this program for a sum of functionals of libxc: "pbe" for "gga_x_pbe+gga_c_pbe".
struct FunctionalName {
  std::string name, parts;
};
/// All of them, in the order in which help shows them.
const std::vector<FunctionalName>& functionalNames();
/// "lda, rlda, ..."
std::string namesOfFunctionals();

/// Whether this program was built with libxc; without it every functional is an error.
bool hasFunctionals();

/// Values of a functional at points: the energy per volume f and its derivatives, hartree and bohr.
struct FunctionalValues {
  Eigen::VectorXd energy;        ///< f
  Eigen::VectorXd slope;         ///< df/dn
  Eigen::VectorXd slopeOfSigma;  ///< df/dsigma, sigma = |grad n|^2; zero for functionals of the density alone
};

/// The same with all that a functional may take, a column for each point and a row for each spin: one of all
/// electrons, or two, up and down.
struct FunctionalPoints {
  Eigen::MatrixXd density;  ///< electrons per cubic bohr, not below zero
  /// Squared gradient of the density, or three rows with spin: up up, up down, down down; ignored unless
  /// Functional::needsGradient().
  Eigen::MatrixXd sigma;
  Eigen::MatrixXd kinetic;  ///< tau = 1/2 sum |grad psi|^2; ignored unless Functional::needsKinetic()
};
/// The energy per volume at each point and its derivatives with respect to what FunctionalPoints hold.
struct FunctionalSlopes {
  Eigen::VectorXd energy;
  Eigen::MatrixXd density, sigma, kinetic;
};

class LibxcSum;  // libxc_sum.hpp

/// An exchange-correlation functional: a local or semilocal energy per volume f(n, sigma, tau) and a share of
/// the exact exchange. By libxc (S. Lehtola, C. Steigemann, M. J. T. Oliveira, M. A. L. Marques, SoftwareX 7,
/// 1 (2018)), but for the relativistic exchange "lda_x_rel" (A. H. MacDonald and S. H. Vosko, J. Phys. C 12,
/// 2977 (1979)), which takes the speed of light of the calculation instead of a fixed one, and with spin is
/// (E[2 n_up] + E[2 n_down])/2.
class Functional {
 public:
  /// \param name one of functionalNames(), or names of libxc joined by '+'; case does not matter
  /// \param speedOfLight atomic units; infinite: non-relativistic
  /// Throws Error for a name that libxc does not know, for kinds that need more than density, gradient,
  /// kinetic-energy density and exact exchange (the Laplacian, range separation, non-local correlation), or
  /// without an energy or in fewer dimensions, for relativistic exchange without relativity, and where the
  /// program has no libxc.
  Functional(const std::string& name, double speedOfLight, SpinPolarisation spin = SpinPolarisation::None);

  const std::string& name() const { return name_; }
  /// Share of the exact exchange, 0 where there is none.
  double exactExchange() const;
  bool needsGradient() const;
  bool needsKinetic() const;  ///< whether it is a meta-GGA, which needs the gradient too
  bool isPolarised() const { return spin_ == SpinPolarisation::Polarised; }
  /// For a functional of the density of all electrons and its gradient.
  /// \param density electrons per cubic bohr, not below zero
  /// \param sigma squared gradient of the density; ignored unless needsGradient()
  FunctionalValues at(const Eigen::VectorXd& density, const Eigen::VectorXd& sigma) const;
  /// `points` have one row, or those of both spins if it isPolarised().
  FunctionalSlopes slopesAt(const FunctionalPoints& points) const;

 private:
  std::string name_;
  double speedOfLight_;
  SpinPolarisation spin_;
  bool relativisticExchange_ = false;
  std::shared_ptr<const LibxcSum> sum_;
};

/// The written-out form of a functional, whatever name it goes by; None where there is none.
ClosedForm closedFormOf(const std::string& name);

/// Throws Error unless the scalar-relativistic Hamiltonian of Koelling and Harmon can have it: its equation
/// needs one local potential for all electrons.
void requireScalarFunctional(const std::string& name, SpinPolarisation spin);

/// That of a Hamiltonian which has one. Throws Error as the constructor.
std::shared_ptr<const Functional> functionalOf(const Hamiltonian& hamiltonian);

/// Electrons in a spherical density at the points of a radial quadrature, as a functional needs them.
struct DensityParts {
  Eigen::VectorXd value;  ///< D = r * (electrons in a shell dr), the density of electrons in ln r: 4 pi r^3 n
  Eigen::VectorXd slope;  ///< dD/d(ln r); may be empty where the functional needs no gradient
  /// 4 pi r^3 tau, tau = 1/2 sum |grad psi|^2: of a component with radial part a as below and angular
  /// momentum l, ((a' - 3/2 a)^2 + l(l + 1) a^2)/(2 r^2) for each electron; may be empty without a meta-GGA
  Eigen::VectorXd kinetic;
};
struct DensityOnGrid {
  Eigen::VectorXd r;                      ///< bohr
  Eigen::VectorXd weight;                 ///< of integrals over ln r
  Eigen::VectorXd value, slope, kinetic;  ///< of all electrons, see DensityParts
  /// Electrons with spin down, no more than half of all; for functionals of both spins only.
  DensityParts down;
};

/// A local and semilocal potential. Its matrix elements between components a and b of the angular momentum l,
/// with radial parts scaled so that integral a b d(ln r) is their overlap, are
///   integral [local a b + gradient d(a b)/dx + kinetic ((a' - 3/2 a)(b' - 3/2 b) + l(l + 1) a b)] dx,
/// x = ln r, a' = da/dx. An empty vector is zero.
struct RadialPotential {
  Eigen::VectorXd local, gradient, kinetic;  ///< at the points
};
/// The same potential for one l, as integral [local a b + gradient d(a b)/dx + kinetic a' b'] dx.
RadialPotential expandedFor(int l, const RadialPotential& potential);

/// Exchange and correlation of a spherical density, with its potential as all electrons feel it: dE/dn, n the
/// density of all electrons.
struct RadialExchangeCorrelation : RadialPotential {
  double energy = 0;  ///< hartree
  /// Expectation value of the potential, sum of n_i <i|v_i|i>; v_i with the part of the spins.
  double potential = 0;
  double virial = 0;  ///< derivative of the energy for n -> g^3 n(g r) at g = 1; `energy` for plain exchange
  RadialPotential spin;  ///< dE/dm, m = n_up - n_down; empty without spin densities
};
RadialExchangeCorrelation radialExchangeCorrelation(const Functional& functional,
                                                    const DensityOnGrid& density);

}  // namespace prophet
