#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/species.hpp"
#include "atoms/fits/level_fit.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// Levels of experiment of one atom or ion.
struct ObservedIon {
  std::optional<Species> ion;  ///< as the file names it; empty where it does not
  std::vector<ObservedLevel> levels;
};

/// Levels of experiment from a CSV file with the columns J ("3/2" or 1.5), parity ("+" or "-"), energy or
/// excitation_cm-1 (cm^-1), and perhaps configuration, term ("3P", for requireTerm), index (else the order of
/// energy among those of one J and parity), weight (0: held out of a fit) and ion ("Cr3+"; all ions have the
/// same number of electrons). Throws Error with file and line.
std::vector<ObservedIon> readObservedLevels(const std::string& path);

/// Whether the levels are those of one ion and each names its configuration, and none its number: they are
/// assigned to computed ones instead of counted.
bool namesConfigurations(const std::vector<ObservedIon>& ions);

/// "3P" of "3P", "3P*", "3Po", "a 3P" and "3P2"; empty where a text is no LS term.
std::string plainTerm(const std::string& text);

/// Throws Error where the term of a row is hardly any of its level: the levels are counted otherwise than the
/// file counts them.
void requireTerm(const ObservedLevel& observed, const Level& level);

/// Puts a fit into a record: parameters, deviations and covariance, and deviations of each ion where there
/// are several. `ions`: those that were fitted.
void addFit(const LevelFit& fit, const std::vector<FittedIon>& ions, Record& record);
/// The same for people.
std::string fitText(const LevelFit& fit, const std::vector<FittedIon>& ions);

}  // namespace prophet
