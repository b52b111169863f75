#pragma once
#include <string>
#include <vector>

#include "operations/catalogue/level_fit_table.hpp"
#include "operations/catalogue/level_spinors.hpp"

namespace prophet {

/// A fit to levels of one atom, or of several ions of its isoelectronic sequence, each in the field of the
/// same configuration in the same setting.
struct SequenceFit {
  std::vector<LevelSpinors> others;  ///< fields of the other ions, which `ions` refers to
  std::vector<FittedIon> ions;       ///< the atom itself first
  LevelFit fit;
};

/// The levels of a file. Throws SettingError where it is wrong, where its ions have not as many electrons as
/// the atom, or where the request says what holds for one element alone.
std::vector<ObservedIon> observedSequence(const std::string& path, const AtomRequest& request,
                                          const LevelSpinors& atom);

/// Computes the fields of the other ions and fits. `atom`, with its field, must stay. Throws SettingError for
/// parameters and levels that do not fit together; Error where a field does not converge.
SequenceFit fitSequence(const std::vector<ObservedIon>& observed, const std::vector<std::string>& parameters,
                        const AtomRequest& request, const LevelSpinors& atom, const Execution& execution);

/// Puts the warnings of the other ions' fields into a record.
void warnOfSequence(const SequenceFit& sequence, Record& record);

}  // namespace prophet
