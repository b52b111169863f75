#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "atom/nucleus.hpp"
#include "basis/well_tempered.hpp"
#include "breit/breit.hpp"
#include "input/diagnostics.hpp"
#include "input/job_types.hpp"
#include "qed/qed.hpp"
#include "scf/scf.hpp"

namespace prophet {

/// $newuoa
struct OptimiserOptions {
  double rhoBegin = 0.1, rhoEnd = 1e-4;      ///< rhoEnd 1e-3 with jobtype='chain'
  int printLevel = 0, maxEvaluations = 500;  ///< maxEvaluations 150 with jobtype='chain'
  int starts = 1;                            ///< searches side by side
  double spread = 0.2;            ///< of their starting points, in the logarithms of the parameters
  std::string method = "newuoa";  ///< or "bobyqa", "nelder-mead", "sbplx"
};

/// $chain
struct ChainRequest {
  ChainMethod method = ChainMethod::Ladders;
  double threshold = 5e-9;
  std::optional<double> limit;  ///< numerical energy, hartree; else it is computed
  int probes = 4;               ///< sizes tried at once
};

/// $contrl beyond the Dirac-Coulomb Hamiltonian.
struct BeyondCoulomb {
  TwoElectronOperator operation = TwoElectronOperator::Coulomb;
  bool breitSelfConsistent = false;  ///< else in first order on the Coulomb spinors
  bool breitFrequency = false;       ///< frequency-dependent, in first order
  QedOptions qed;
  bool qedSelfConsistent = false;  ///< else in first order
  bool breit() const { return operation != TwoElectronOperator::Coulomb; }
  bool any() const { return breit() || qed.any(); }
};

/// How the electrons were given: exactly one of the three forms is filled.
struct ConfigurationRequest {
  std::string text;               ///< config='...'; empty where the other forms are used
  bool groundState = false;       ///< no $seconfig at all: the neutral ground configuration
  std::vector<int> closed, open;  ///< nclose, nopen
  int freeElectrons = 0;          ///< freel
  bool autogen = false;
  std::vector<std::vector<double>> list;  ///< nconf lines
};

/// Where in the file the parts of a job stand, for mistakes that only other modules can find (see
/// jobError()).
struct JobPositions {
  Position charge, nucleus, basis, configuration;
};

/// A parsed and checked input file, every default filled in except those that need data of other modules
/// (library basis, nuclear default parameters, ground configuration), which the application resolves.
struct Job {
  std::string file, title;
  JobType type = JobType::Energy;
  double speedOfLight = 0;
  BeyondCoulomb beyondCoulomb;
  NucleusRequest nucleus;
  bool nuclearModelGiven = false;  ///< false: a library basis decides, else it is the default, point
  int symmetries = 0;              ///< nsym; 0 where a library basis or the configuration decides
  BasisType basisType = BasisType::Library;
  std::string libraryName;
  std::filesystem::path
      basisSets;  ///< folder of the library (not from the file); empty: where it is installed
  WellTemperedSpec wellTempered;
  std::vector<std::vector<double>> readInExponents;  ///< for each symmetry
  ConfigurationRequest configuration;
  ScfOptions scf;
  FockKind fock = FockKind::Automatic;
  OptimiserOptions optimiser;
  ChainRequest chain;
  JobPositions positions;
};

}  // namespace prophet
