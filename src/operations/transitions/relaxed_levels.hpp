#pragma once
#include <string>
#include <vector>

#include "atoms/lines/relaxed_lines.hpp"
#include "operations/spectra/level_spinors.hpp"

namespace prophet {

/// Which configurations share spinors.
enum class Relaxed {
  None,           ///< all of them
  Parity,         ///< those of one parity
  Configurations  ///< none: each has its own
};
template <>
const Names<Relaxed>& namesOf();

/// The levels of groups of configurations, each in the spinors of its own average.
struct RelaxedJob {
  std::vector<LevelSpinors> groups;
  std::vector<LevelResult> own;          ///< levels of each group
  std::vector<std::vector<int>> places;  ///< of these in the list of all
  /// Ascending in energy, numbered through; configurations are those of the space of all. No vectors.
  LevelResult all;
};

/// Computes the fields and levels of all groups. `whole`: levelJob() of the request, whose Hamiltonian it
/// fills; `options`: the engine, and what levels should have. Throws SettingError for requests that have no
/// groups, Error as computeField and computeLevels.
RelaxedJob relaxedLevels(const AtomRequest& request, LevelSpinors& whole, Relaxed relaxed,
                         const Execution& execution, const LevelOptions& options = {});
/// Their lines.
LineList relaxedLines(const LevelSpinors& whole, const RelaxedJob& job, const LineOptions& options);
/// Puts the groups into a record, with their warnings.
void addGroups(const RelaxedJob& job, Record& record);

}  // namespace prophet
