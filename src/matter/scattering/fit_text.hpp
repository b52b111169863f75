#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/species.hpp"
#include "atoms/calculation/result.hpp"
#include "matter/scattering/gaussian_fit.hpp"

namespace prophet {

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
