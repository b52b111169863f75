#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/species.hpp"
#include "atoms/calculation/result.hpp"
#include "matter/scattering/gaussian_fit.hpp"

namespace prophet {

enum class FactorKind {
  Xray,     ///< f(q), electrons
  Electron  ///< f_e(q), angstrom
};

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

/// Scattering factors of several at the same momenta.
struct FactorTable {
  std::string program;  ///< "cudaprophet 0.1.0"
  FactorKind kind = FactorKind::Xray;
  Eigen::VectorXd q;              ///< 1/angstrom
  std::optional<FitForm> form{};  ///< of the fits
  std::vector<SpeciesFactors> species;
};

/// Comma-separated values: comments that begin with # (units, configurations, what is not to be trusted), a
/// line q,NAME,..., and a line for each q with all digits. What has no values has a comment and no column;
/// spinors have columns "NAME 2p1/2" behind that of the whole.
std::string factorsCsv(const FactorTable& table);
/// The same with aligned columns and six decimals.
std::string factorsText(const FactorTable& table);
/// JSON (docs/form-factors.md), with fits; a value that is not finite is null.
std::string factorsJson(const FactorTable& table);

}  // namespace prophet
