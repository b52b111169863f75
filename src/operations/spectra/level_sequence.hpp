#pragma once
#include <string>
#include <vector>

#include "operations/spectra/level_fit_table.hpp"
#include "operations/spectra/level_spinors.hpp"

namespace prophet {

/// What a fit of parameters is asked for.
struct FitRequest {
  std::string fit;  ///< a file of readObservedLevels; empty: no fit
  std::vector<std::string> parameters{"scale(F,G,R)", "scale(zeta)"};
};

/// The settings of a request that has a fit.
template <class Options>
void addFitSettings(RequestTable<Options>& t) {
  t.add(
       "fit", &FitRequest::fit,
       "fit parameters to the levels of experiment in this CSV file (columns J, parity, energy in cm^-1, and "
       "perhaps index, weight, where 0 holds a level out, and ion, for several of an isoelectronic "
       "sequence; with a column configuration and none of indices levels are assigned instead of counted, "
       "and the fit is a calibration), and give the levels with them")
      .isFile(FileUse::Read);
  t.add("fit_parameters", &FitRequest::parameters,
        "parameters to fit: single ones such as 'F2(3d,3d)' or 'zeta(3d)'; 'scale(F,G)', one factor of all "
        "computed "
        "parameters of these kinds; of several ions 'slope(F,G)', its change with each unit of charge")
      .called("NAMES")
      .byDefault("scale(F,G,R) scale(zeta)")
      .onlyWith({"fit"});
}

/// A fit to levels of one atom, or of several ions of its isoelectronic sequence, each in the field of the
/// same configuration in the same setting.
struct SequenceFit {
  std::vector<LevelSpinors> others;  ///< fields of the other ions, which `ions` refers to
  std::vector<FittedIon> ions;       ///< the atom itself first
  LevelFit fit;

  /// For LevelOptions; empty where nothing was fitted.
  std::function<void(const LevelBlock&, Eigen::MatrixXd&)> correction() const {
    return ions.empty() ? nullptr : fit.ions.front().correction;
  }
};

/// Reads the levels of a file first, where there is a fit, then computes the field of the atom (`finer` as in
/// computeField) and those of the other ions, and fits. `atom` must stay. Throws SettingError where the file
/// is wrong, where its ions have not as many electrons as the atom, where the request says what holds for one
/// element alone, and for parameters and levels that do not fit together; Error where a field does not
/// converge.
SequenceFit computeFittedField(LevelSpinors& atom, const FitRequest& wanted, const AtomRequest& request,
                               const Execution& execution, bool finer);

/// Throws SettingError where the file gives a fitted level of the atom another term than it has
/// (requireTerm).
void requireTerms(const SequenceFit& sequence, const std::vector<Level>& levels);

/// Puts the warnings of the other ions' fields into a record.
void warnOfSequence(const SequenceFit& sequence, Record& record);

}  // namespace prophet
