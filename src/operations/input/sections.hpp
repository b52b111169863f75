#pragma once
#include <string>

#include "atoms/atom/hamiltonian.hpp"
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
  /// Adds an error at the first line of data behind a group if there are more than `used` lines.
  void rejectData(const NamelistGroup& group, std::size_t used, const std::string& expected);
};

/// $contrl, $scf, $newuoa, $chain, and whether the job uses what the file sets.
void readControl(JobReading& reading);
void readScf(JobReading& reading);
void readOptimiser(JobReading& reading);
void readChain(JobReading& reading);
void checkUse(JobReading& reading);
/// breit, qedvp, ... of $contrl; needs the nucleus.
void readHamiltonian(JobReading& reading);
/// $watson and $crystal; needs the Hamiltonian.
void readEmbedding(JobReading& reading);
/// $bas and $wtbs with the exponents behind $bas.
void readBasis(JobReading& reading);
/// $nuc; needs the basis type.
void readNucleus(JobReading& reading);
/// $seconfig with the lines behind it; needs the nucleus and the basis.
void readElectrons(JobReading& reading);

/// Meaning of the values of the keywords `breit`, `qedvp` and `qedse`; unknown values are not allowed here.
TwoElectronOperator operatorNamed(const std::string& breit);
QedOptions qedNamed(const std::string& polarisation, const std::string& selfEnergy);

}  // namespace prophet
