#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/levels/levels.hpp"
#include "atoms/lines/lines.hpp"
#include "operations/catalogue/nuclear_moments.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// A level as every JSON document with levels has it; `hasError`: whether basis-set errors were computed.
/// `limit`: of ionisationLimit; `moments`: of the nucleus, with which the level has hyperfine constants of
/// it.
Json levelJson(const LevelSpace& space, const Level& level, bool hasError, std::optional<double> limit,
               const NuclearMoments& moments);

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
/// Puts the moments of the nucleus and what is known of the accuracy of hyperfine constants into a record;
/// the report has the accuracy where it has constants of the nucleus, or with `details` among its details.
void addHyperfine(const NuclearMoments& moments, bool details, Record& record);

/// What stands at the end of the heading and of a row of a list of levels: its constants of the nucleus.
std::string nucleusHeading(const NuclearMoments& nucleus);
std::string nucleusCells(const Level& level, const NuclearMoments& nucleus);

/// Adds the hyperfine constants of the nucleus to a table of levels, as far as it has moments. `levelOf`: the
/// Level of a row.
template <class Rows, class LevelOf>
void addNucleusColumns(const Rows& rows, const LevelOf& levelOf, const NuclearMoments& nucleus,
                       Table& table) {
  if (nucleus.moment)
    table.columns.push_back(columnOf(rows,
                                     {"A_nucleus_MHz", "MHz", "magnetic hyperfine constant of the nucleus"},
                                     [&](const auto& row) -> std::optional<double> {
                                       const Level& l = levelOf(row);
                                       return l.twoJ > 0 ? nucleus.magnetic(l.hyperfineA) : std::nullopt;
                                     }));
  if (nucleus.quadrupole)
    table.columns.push_back(columnOf(rows,
                                     {"B_nucleus_MHz", "MHz", "electric hyperfine constant of the nucleus"},
                                     [&](const auto& row) -> std::optional<double> {
                                       const Level& l = levelOf(row);
                                       return l.twoJ > 1 ? nucleus.electric(l.hyperfineB) : std::nullopt;
                                     }));
}

/// The table of lines. `inFile`: only what a file of many ions has, which names the levels elsewhere and has
/// 0 in the velocity gauge of magnetic multipoles. `isotopeShifts`: with the columns of addIsotopeColumns.
Table lineTable(const std::vector<RatedLine>& lines, const std::vector<Level>& levels, bool inFile = false,
                bool isotopeShifts = false);

/// The configuration that leads in a level, by its place in the space.
inline std::size_t leadingConfiguration(const Level& level) {
  return level.couplings.empty() ? 0 : static_cast<std::size_t>(level.couplings.front().configuration);
}

}  // namespace prophet
