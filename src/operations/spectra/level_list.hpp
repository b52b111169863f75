#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/levels/levels.hpp"
#include "atoms/lines/lines.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// A level as every JSON document with levels has it; `hasError`: whether basis-set errors were computed.
/// `limit`: of ionisationLimit.
Json levelJson(const LevelSpace& space, const Level& level, bool hasError, std::optional<double> limit);

/// The excitation energy above which levels are unbound, hartree: NIST's ionisation energy above the lowest
/// level of the ion's ground configuration. Empty where that is not among the first `references`
/// configurations or has no ionisation energy in NIST.
std::optional<double> ionisationLimit(const LevelSpace& space, std::size_t references,
                                      const AtomProblem& problem, const std::vector<Level>& levels);
/// What people read of it below a list of levels, where some of those shown lie above it; else nothing.
std::string autoionisingText(const std::vector<Level>& levels, std::optional<double> limit);
/// "*" of a level above it, else a blank.
inline const char* markOf(const Level& level, std::optional<double> limit) {
  return limit && level.excitation > *limit ? "*" : " ";
}
/// Puts the ionisation limit into a record.
void addLimit(std::optional<double> limit, Record& record);
/// Puts what is known of the accuracy of hyperfine constants into a record; `shown`: into its report as well.
void addHyperfineAccuracy(Record& record, bool shown);

/// The table of lines. `inFile`: only what a file of many ions has, which names the levels elsewhere and has
/// 0 in the velocity gauge of magnetic multipoles. `isotopeShifts`: with the columns of addIsotopeColumns.
Table lineTable(const std::vector<RatedLine>& lines, const std::vector<Level>& levels, bool inFile = false,
                bool isotopeShifts = false);

/// The configuration that leads in a level, by its place in the space.
inline std::size_t leadingConfiguration(const Level& level) {
  return level.couplings.empty() ? 0 : static_cast<std::size_t>(level.couplings.front().configuration);
}

}  // namespace prophet
