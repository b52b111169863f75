#pragma once
#include <string>
#include <vector>

#include "atoms/levels/level_fit.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// Levels of experiment from a CSV file with the columns J ("3/2" or 1.5), parity ("+" or "-"), energy or
/// excitation_cm-1 (cm^-1), and perhaps index (else the order of energy among those of one J and parity) and
/// weight (0: held out of a fit). Throws Error with file and line.
std::vector<ObservedLevel> readObservedLevels(const std::string& path);

/// Puts a fit into a record: parameters, deviations and covariance.
void addFit(const LevelFit& fit, const std::vector<ObservedLevel>& observed, Record& record);
/// The same for people.
std::string fitText(const LevelFit& fit);

}  // namespace prophet
