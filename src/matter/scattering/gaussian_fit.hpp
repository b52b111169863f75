#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/species.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// A usual form of fits to scattering factors: sum a_i exp(-b_i s^2) + c, s = sin(theta)/lambda.
struct FitForm {
  std::string name;  ///< "waasmaier-kirfel"
  int gaussians = 0;
  bool constant = false;    ///< whether there is a c
  double largestS = 0;      ///< 1/angstrom: the range is 0 to this
  std::string description;  ///< one line: what it is, and who used it
};

/// waasmaier-kirfel, cromer-mann, doyle-turner, peng.
const std::vector<FitForm>& fitForms();
/// The form of that name (upper and lower case are the same). Throws Error, which lists all.
const FitForm& fitFormNamed(const std::string& name);

/// A fit; units of a, c and errors are those of the factor (electrons or angstrom), b is in angstrom^2.
struct GaussianFit {
  std::vector<double> a, b;  ///< b ascending
  double c = 0;
  double largestError = 0;  ///< of the samples, and at which s
  double largestErrorAt = 0;
  double rmsError = 0;

  double at(double s) const;
};

/// Where a form's factors must be known for a fit: 301 values of s from 0 to the end of its range, denser
/// towards 0, 1/angstrom.
Eigen::VectorXd fitSamples(const FitForm& form);

/// Fits one of the forms to values `f` at `s`, 1/angstrom, so that the largest error becomes small.
///
/// For given b, which NLopt searches (SLSQP, from several starts of a fixed sequence), a and c follow from
/// linear least squares ("variable projection", G. Golub and V. Pereyra, SIAM J. Numer. Anal. 10, 413
/// (1973)). Neighbouring b differ by a factor of 1.5 or more, so that coefficients do not become huge and
/// cancel. The best fits are then refined with weights that grow where the error is large (C. Lawson, 1961).
/// Parameters are rounded to what is printed, nine digits; the errors are those of the rounded ones. The same
/// input gives the same fit. Throws Error for fewer samples than parameters, or values that are not finite
/// (the electron scattering factor of an ion at s = 0).
///
/// `factor`: where it is not empty, what is fitted, and what errors are of, is factor(s) times the sum.
GaussianFit fitGaussians(const FitForm& form, const Eigen::VectorXd& s, const Eigen::VectorXd& f,
                         const Eigen::VectorXd& factor = {});

/// Scattering factors of one atom or ion.
struct SpeciesFactors {
  Species species;
  std::string configuration, nucleus, basis;  ///< as reports name them
  Status status = Status::Failed;
  std::string reason;                      ///< what is wrong with them; empty if converged
  Eigen::VectorXd values;                  ///< one for each q; empty where there are none
  std::vector<std::string> spinorNames{};  ///< "2p1/2"; empty where they were not asked for
  Eigen::MatrixXd spinors{};               ///< (q, spinor): X-ray form factors of each spinor's electrons
  std::optional<GaussianFit> fit{};
};

/// Fits of several.
struct FitTable {
  std::string program;    ///< "cudaprophet 0.1.0"
  bool electron = false;  ///< f_e(q), angstrom, instead of f(q), electrons
  std::optional<FitForm> form{};
  std::vector<SpeciesFactors> species;
};

/// How fitted parameters are written.
enum class FitFormat {
  Text,   ///< a readable block for each species
  Csv,    ///< a line for each species: name, Z, charge, a1, b1, ..., c, errors
  Cif,    ///< a loop of _atom_type_scat_Cromer_Mann_*, which crystallographic programs read
  Dabax,  ///< as f0_WaasKirf.dat of the DABAX collection: "#S Z symbol" and a line a1 ... c b1 ...
};

/// The fits of a table, which must have a form; species without a fit are named in comments. Throws Error
/// for CIF and five Gaussians: CIF has names for four and a constant.
std::string fitsText(const FitTable& table, FitFormat format);

/// Whether CIF can hold it.
bool fitsCif(const FitForm& form);

}  // namespace prophet
