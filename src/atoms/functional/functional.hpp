#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "atoms/functional/closed_forms.hpp"

namespace prophet {

/// A name of this program for a sum of functionals of libxc: "pbe" for "gga_x_pbe+gga_c_pbe".
struct FunctionalName {
  std::string name, parts;
};
/// All of them, in the order in which help shows them.
const std::vector<FunctionalName>& functionalNames();

/// Whether this program was built with libxc; without it every functional is an error.
bool hasFunctionals();

/// Values of a functional at points: the energy per volume f and its derivatives, hartree and bohr.
struct FunctionalValues {
  Eigen::VectorXd energy;        ///< f
  Eigen::VectorXd slope;         ///< df/dn
  Eigen::VectorXd slopeOfSigma;  ///< df/dsigma, sigma = |grad n|^2; zero for functionals of the density alone
};

class LibxcSum;  // libxc.cpp

/// An exchange-correlation functional of the density without spin polarisation: a local or semilocal energy
/// per volume f(n, sigma) and a share of the exact exchange. By libxc (S. Lehtola, C. Steigemann, M. J. T.
/// Oliveira, M. A. L. Marques, SoftwareX 7, 1 (2018)), but for the relativistic exchange "lda_x_rel"
/// (A. H. MacDonald and S. H. Vosko, J. Phys. C 12, 2977 (1979)), which takes the speed of light of the
/// calculation instead of a fixed one.
class Functional {
 public:
  /// \param name one of functionalNames(), or names of libxc joined by '+'; case does not matter
  /// \param speedOfLight atomic units; infinite: non-relativistic
  /// Throws Error for a name that libxc does not know, for kinds that need more than density, gradient and
  /// exact exchange (meta-GGA, range separation, non-local correlation), or without an energy or in fewer
  /// dimensions, for relativistic exchange without relativity, and where the program has no libxc.
  Functional(const std::string& name, double speedOfLight);

  const std::string& name() const { return name_; }
  /// Share of the exact exchange, 0 where there is none.
  double exactExchange() const;
  bool needsGradient() const;
  /// \param density electrons per cubic bohr, not below zero
  /// \param sigma squared gradient of the density; ignored unless needsGradient()
  FunctionalValues at(const Eigen::VectorXd& density, const Eigen::VectorXd& sigma) const;

 private:
  std::string name_;
  double speedOfLight_;
  bool relativisticExchange_ = false;
  std::shared_ptr<const LibxcSum> sum_;
};

/// The written-out form of a functional, whatever name it goes by; None where there is none.
ClosedForm closedFormOf(const std::string& name);

/// The electrons in a spherical density on a radial quadrature, as a functional needs them.
struct DensityOnGrid {
  Eigen::VectorXd r;       ///< bohr
  Eigen::VectorXd weight;  ///< of integrals over ln r
  Eigen::VectorXd value;  ///< D = r * (electrons in a shell dr), the density of electrons in ln r: 4 pi r^3 n
  Eigen::VectorXd slope;  ///< dD/d(ln r); may be empty where the functional needs no gradient
};

/// Exchange and correlation of a spherical density. Matrix elements of the potential between functions a and
/// b with radial parts scaled so that integral a b d(ln r) is their overlap are
///   integral [local a b + gradient d(a b)/d(ln r)] d(ln r).
struct RadialExchangeCorrelation {
  double energy = 0;     ///< hartree
  double potential = 0;  ///< its expectation value, sum of n_i <i|v|i>
  double virial = 0;  ///< derivative of the energy for n -> g^3 n(g r) at g = 1; `energy` for plain exchange
  Eigen::VectorXd local, gradient;  ///< at the points; `gradient` is empty without one
};
RadialExchangeCorrelation radialExchangeCorrelation(const Functional& functional,
                                                    const DensityOnGrid& density);

}  // namespace prophet
