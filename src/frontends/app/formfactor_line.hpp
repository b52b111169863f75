#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/species.hpp"
#include "frontends/app/command_files.hpp"
#include "matter/scattering/factor_table.hpp"
#include "matter/scattering/fit_text.hpp"
#include "matter/scattering/form_factor.hpp"

namespace prophet {

/// The command line of `cudaprophet formfactor`.
struct FormfactorLine {
  std::string help;  ///< what --help prints; else empty
  std::vector<Species> species;
  Eigen::VectorXd q;  ///< 1/angstrom
  FactorKind kind = FactorKind::Xray;
  bool shells = false, limit = false;
  ChargedShell shell;  ///< around every species
  TransformMethod transform = TransformMethod::Automatic;
  NuclearModel nucleus = NuclearModel::Gaussian;
  std::string library;
  std::optional<FitForm> form;
  FitFormat format = FitFormat::Text;
  std::string csvFile, jsonFile, outFile;
  CommandFiles files;
  int threads = 1;
};

/// Reads the arguments after the command's name. Throws UsageError.
FormfactorLine parseFormfactorLine(const std::vector<std::string>& arguments);

/// Momenta of "0:25:0.05" (both ends, where the step divides the range) or "0,0.5,1", 1/angstrom. Throws
/// UsageError.
Eigen::VectorXd parseMomenta(const std::string& text);

}  // namespace prophet
