#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/nuclear_moments.hpp"
#include "atoms/valence/valence_levels.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// The levels of an atom or ion with core-valence correlation.
struct CoreValenceResult {
  ResolvedJob job;
  std::string core;   ///< "[Ar] 3d10"
  int electrons = 0;  ///< above it
  int largestL = 0;   ///< of the valence electrons' spinors
  ValenceLevels levels;
  LevelSpace space;  ///< its configurations are those of the levels; nothing else is filled in
  std::string device;
  NuclearMoments moments;  ///< of the nucleus, as far as they are known
};
/// `multipoles`: of lines. `isotopeShifts`: whether levels have Level::isotope. Throws SettingError where the
/// electrons above closed shells are none or more than four, for other Hamiltonians than Dirac's, and for
/// atoms without a core.
CoreValenceResult computeCoreValence(const AtomRequest& request, const std::vector<Multipole>& multipoles,
                                     bool isotopeShifts, const Execution& execution);
/// Puts what was computed, but the levels, into a record: "Levels of ...", or of what `what` says.
void addCoreValence(const CoreValenceResult& result, const std::string& what, Record& record);
/// A level as JSON has it.
Json coreValenceJson(const CoreValenceResult& result, std::size_t level);

/// The operation of levels. Throws as computeCoreValence.
Record coreValenceLevels(const AtomRequest& request, const NuclearMoments& moments, bool isotopeShifts,
                         const Execution& execution);

/// Parameters of multiplet theory with the correlation of the core, and without it in the same spinors.
struct CoreValenceParameters {
  std::vector<SlaterParameter> with, without;
};
/// Puts what they are of into a record. Throws as computeCoreValence.
CoreValenceParameters coreValenceParameters(const AtomRequest& request, Record& record,
                                            const Execution& execution);

}  // namespace prophet
