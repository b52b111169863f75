#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/fits/calibration.hpp"
#include "atoms/lines/lines.hpp"
#include "operations/record/record.hpp"
#include "operations/spectra/level_sequence.hpp"

namespace prophet {

/// Where averages of configurations and factors of parameters come from.
enum class Calibrate {
  None,  ///< as computed
  Nist,  ///< fitted to the levels of NIST that the program has; by the rule where there are none
  Rule   ///< averages of configurations in spinors of their own, shifts and factors of their kind
};
template <>
const Names<Calibrate>& namesOf();

struct CalibrateRequest {
  std::optional<Calibrate> calibrate;  ///< empty: as withUsualCalibration has it
  std::vector<std::string> classes{"scale(F,G,R)", "scale(zeta)"};
  std::string heldOut;   ///< "blocks", or configurations between '|'; empty: no levels
  bool isUsual = false;  ///< whether the program has chosen it
};

/// When the program calibrates by itself; docs/how-to/levels.md says the same.
inline constexpr const char* kUsualCalibration =
    "rule, where two or more of the configurations have an open d or f shell, all open shells are among "
    "(n-2)f, (n-1)d, ns and np of one n, and the ion is Ca or heavier of charge 0 to 3; none otherwise, "
    "and with relaxed, fit and virtuals";

/// The settings of a request that may be calibrated.
template <class Options>
void addCalibrateSettings(RequestTable<Options>& t) {
  t.add("calibrate", &CalibrateRequest::calibrate, wordsOf<Calibrate>(),
        "averages of the configurations and factors of their parameters: 'nist' fits them to the levels that "
        "NIST has of the ion, 'rule' takes averages from spinors of each configuration and factors from "
        "other ions; each level then has an error")
      .byDefault(kUsualCalibration)
      .often()
      .notWith({"fit"})
      .heading = "Method";
  t.add("calibrate_classes", &CalibrateRequest::classes,
        "of the calibration: classes of parameters with one factor each, of Fin (F within a shell), F, G, R, "
        "zeta or one rank as F2")
      .called("NAMES")
      .byDefault("scale(F,G,R) scale(zeta)")
      .onlyWith({"calibrate"});
  t.add("held_out", &CalibrateRequest::heldOut,
        "of the calibration: leave out of the fit, and compare with it, 'blocks' (the levels of every third "
        "J and parity) or all but the lowest level of configurations such as '4f1 5d1 | 5d2'")
      .called("LEVELS")
      .onlyWith({"calibrate"});
}

/// The calibration of an ion's field, and what was taken for which configuration.
struct CalibratedField {
  std::string source;  ///< "nist", "rule" or "fit", of a file
  Calibration calibration;
  int ground = -1;                   ///< NIST's ground configuration in the space; -1: not there
  std::vector<std::string> sources;  ///< of each configuration: "nist" or "rule"
  double averageScatter = 0;         ///< of averages by the rule, hartree
  bool raised = false;               ///< whether configurations were raised above the ground configuration
  bool isUsual = false;              ///< CalibrateRequest::isUsual
};

/// Whether the file of a fit has levels that are assigned rather than counted (namesConfigurations), so that
/// the fit is a calibration. Throws SettingError where the file is wrong.
bool isCalibration(const FitRequest& fit);

/// The request with a calibration where it says none: by the rule where several configurations of an open d
/// or f shell compete (kUsualCalibration), none elsewhere and where the spinors or parameters are chosen
/// otherwise (`isFree` false).
CalibrateRequest withUsualCalibration(CalibrateRequest wanted, const LevelSpinors& atom, bool isFree);

/// Whether NIST has levels of the atom's configurations, which a calibration by `nist` is fitted to.
bool hasObservedLevels(const LevelSpinors& atom);

/// What a calibration computes with.
struct CalibrationTools {
  LevelEngine* engine = nullptr;     ///< CalibrationRequest::engine
  AngularTables* angular = nullptr;  ///< CalibrationRequest::angular
  int threads = 0;           ///< of the fit, fields being on one thread each; 0: those of the execution
  Phases* phases = nullptr;  ///< CalibrationRequest::phases
};

/// Calibrates the field of an atom (computeField) as the request says, or with the levels of `fit`, a file of
/// isCalibration; empty where it says 'none', and of closed shells, which have a single level. `request`:
/// that of the atom, for the fields of its single configurations. Throws SettingError where the atom has
/// nothing to be calibrated. Where the program has chosen the calibration and the field of a configuration
/// does not converge, the atom gets a warning of that, and none.
std::optional<CalibratedField> calibrateField(LevelSpinors& atom, const CalibrateRequest& wanted,
                                              const FitRequest& fit, const AtomRequest& request,
                                              const Execution& execution, const CalibrationTools& tools);

/// computeLevels with a calibration, whose lowest level is of NIST's ground configuration. `options` get the
/// correction and the slopes of the calibration.
LevelResult calibratedLevels(const LevelSpinors& atom, std::optional<CalibratedField>& calibrated,
                             LevelOptions options);

/// Each level has the energy of the one of NIST that it was assigned to, hartree; not a number where there
/// is none.
std::vector<double> assignedEnergies(const CalibratedField& calibrated, const std::vector<Level>& levels);

/// What the energies of lines may be wrong by, from the levels' slopes, and what log10(gf) may be
/// (docs/theory/lines.md).
void addLineErrors(const std::optional<CalibratedField>& calibrated, const std::vector<Level>& levels,
                   LineList& lines, int threads);

/// Puts the calibration into a record: quantities `calibration` and `fit`.
void addCalibration(const std::optional<CalibratedField>& calibrated, const LevelSpace& space,
                    Record& record);

}  // namespace prophet
