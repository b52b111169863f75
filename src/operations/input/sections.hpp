#pragma once
#include <string>

#include "operations/input/diagnostics.hpp"
#include "operations/input/job.hpp"
#include "operations/input/namelist.hpp"
#include "operations/input/settings.hpp"

namespace prophet {

/// What the sections of a file are read from, and the job they are read into.
struct JobReading {
  const NamelistFile& file;
  const Settings& settings;
  Job& job;
  Diagnostics& diagnostics;
  bool jobTypeKnown = true;    ///< false if jobtype is damaged
  bool basisTypeKnown = true;  ///< false if bastype is damaged
  /// Functions of each symmetry, if the file gives them and they are valid.
  std::vector<int> functions{};

  /// Position for a message about a keyword: its name, else its group, else the end of the file.
  Position place(const std::string& group, const std::string& keyword = "") const;
  /// Adds an error at a keyword (see place).
  void fail(const std::string& group, const std::string& keyword, const std::string& message);
  /// Whether a keyword without default is set; adds an error if it is not (unless its group was damaged
  /// anyway).
  bool require(const std::string& group, const std::string& keyword);
  /// If the keyword is set, adds an error that it is not used, with the reason ("by bastype='rdin'").
  void reject(const std::string& group, const std::string& keyword, const std::string& reason);
};

/// Adds an error at the first line of data behind a group if there are more than `used` lines.
void refuseData(const NamelistGroup& group, std::size_t used, const std::string& expected,
                Diagnostics& diagnostics);

/// What the keywords of a section say together, where their values are in the job already: what follows from
/// several of them, and errors for what does not go together.
void applyLevels(JobReading& reading);
void applyBasis(JobReading& reading);      ///< $bas and $wtbs with the exponents behind $bas
void applyNucleus(JobReading& reading);    ///< needs the basis type
void applyElectrons(JobReading& reading);  ///< $seconfig with the lines behind it; needs nucleus and basis
void applyScf(JobReading& reading);
void applyHamiltonian(JobReading& reading);  ///< needs the nucleus
void applyEmbedding(JobReading& reading);    ///< $watson and $crystal; needs the Hamiltonian
void applyOptimiser(JobReading& reading);
void applyChain(JobReading& reading);
/// Whether the job uses what the file sets.
void checkUse(JobReading& reading);

}  // namespace prophet
