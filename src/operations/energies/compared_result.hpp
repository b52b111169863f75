#pragma once
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace prophet {

/// Setting that says how an energy was found, not what it is.
inline constexpr const char* kMethod = "method";

/// A number and its estimated error, where that is known.
struct WithError {
  double value = 0;
  std::optional<double> error;
};

/// An occupied spinor of a result.
struct ComparedSpinor {
  double electrons = 0, energy = 0;
};

/// "3d5/2" -> "3d".
std::string shellOf(const std::string& label);

/// What a comparison needs of one result: a JSON file of a run (docs/reference/json.md) or a line of a batch
/// (docs/how-to/batches.md). Energies in hartree.
struct ComparedResult {
  std::string name;  ///< file, or id of the line
  double z = 0;
  int charge = 0;  ///< rounded; 0 for the neutral atom
  std::string configuration, status;
  std::string level;  ///< "3P, J = 0" where the energy is that of the lowest level; empty: of the average
  /// Electrons and energy (hartree) by spinor, "3d5/2"; empty where an old file does not say.
  std::map<std::string, ComparedSpinor> spinors;
  double energy = 0;  ///< with all corrections
  std::vector<std::pair<std::string, double>> parts;
  /// What else the energy depends on, by name, as the result states it: nucleus, Breit, QED, functional, ...
  std::vector<std::pair<std::string, std::string>> settings;
  /// Keywords of its input that are not at their default and change the energy of a state, "$levels
  /// virtuals": empty where the result has no input (lines of batches, old files).
  std::optional<std::map<std::string, std::string>> given;
  bool kohnSham = false;
  std::optional<double> error;  ///< of the basis set, or of the limit, where known
  /// At the nucleus, where the result has its properties: rho(0) and the mean density, electrons/bohr^3, and
  /// dE/d<r^2>, hartree/bohr^2.
  std::optional<WithError> density, meanDensity, energySlope;

  /// "Na", "Fe2+", "O-", "Z=12.5".
  std::string species() const;
};

/// The result that this JSON text holds. Throws Error, without the name, if it is none or has no energy.
ComparedResult comparedResult(const std::string& text, const std::string& name);

/// Throws Error for keys that JSON of an operation does not have: the document, the operation's name, "batch"
/// for a line of a batch, and where it stands.
using KeyCheck = std::function<void(const nlohmann::ordered_json&, const std::string& operation,
                                    const std::string& place)>;

/// The results of a file: one JSON document, or a line for each (`.jsonl`, or where the whole is no
/// document); of several lines of one id the last counts. Lines without an energy are left out and named in
/// `leftOut`. Throws Error, which names the file.
std::vector<ComparedResult> readResults(const std::string& path, std::vector<std::string>& leftOut,
                                        const KeyCheck& requireKnown);

/// A setting in which two results differ, with the value of each.
struct SettingDifference {
  std::string name, first, second;
};
std::vector<SettingDifference> differingSettings(const ComparedResult& first, const ComparedResult& second);

/// The electrons that two states differ in: " (3s)", " (2p -> 3p)"; one of the two spinors of a shell where
/// the other one keeps its electrons, " (2p3/2)", " (6p1/2 -> 6p3/2)". Empty where it is not known.
std::string movedElectrons(const ComparedResult& from, const ComparedResult& to);

}  // namespace prophet
