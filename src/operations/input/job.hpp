#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/scf/scf.hpp"
#include "operations/input/diagnostics.hpp"
#include "operations/input/keywords.hpp"

namespace prophet {

/// $newuoa
struct OptimiserOptions {
  double rhoBegin = 0.1, rhoEnd = 1e-4;
  int printLevel = 0, maxEvaluations = 500;
  int starts = 1;                 ///< searches side by side
  double spread = 0.2;            ///< of their starting points, in the logarithms of the parameters
  std::string method = "newuoa";  ///< or "bobyqa", "nelder-mead", "sbplx", "lbfgs", "slsqp"
  bool freeExponents = false;     ///< free='exponents': every exponent, not the ladders' parameters
  std::string shared = "l";       ///< or "j", "family"
  double gradient = 1e-6;         ///< largest derivative at the end (lbfgs, slsqp), hartree
  double leastRatio = 1.2, mostRatio = 30.0;  ///< of neighbouring exponents
  double prolapse = 0.0;  ///< most prolapse as a share of the error (lbfgs, slsqp); 0: unbounded
};

/// Those of a chain, which optimises many sets, each only to see whether it is good enough.
OptimiserOptions chainOptimiser();

/// $chain
struct ChainRequest {
  ChainMethod method = ChainMethod::Ladders;
  double threshold = 5e-9;
  std::optional<double> limit;  ///< numerical energy, hartree; else it is computed
  int probes = 4;               ///< sizes tried at once
};

/// $crystal: the charged shell that stands for the charges around a site.
struct CrystalRequest {
  std::string file;     ///< relative to the job's folder; empty: there is no $crystal
  std::string site;     ///< label, kind or element
  std::string charges;  ///< as `cudaprophet madelung --charges`; empty: as the file has them
  std::string block;    ///< of a CIF file with several structures
};

/// $levels: excitations into virtual shells.
struct VirtualRequest {
  std::string virtuals;  ///< "3s 3p 3d"; empty: no excitations
  std::string excited;   ///< "2s 2p"; empty: the valence shells
  int excitations = 2;   ///< electrons at most
  int roots = 0;         ///< levels of each J and parity; 0: as many as without excitations
  bool average = false;  ///< whether the field is that of the average over all states with excitations
};

/// $levels: the correlation of a closed core with the electrons above it.
struct CoreValenceRequest {
  bool coreValence = false;
  bool corePolarisation = false;
  int lowest = 4;                 ///< levels of each J and parity, where no configurations are named
  std::optional<int> spinors{};   ///< of each symmetry that the valence electrons have; empty: 12 or 10
  std::optional<int> largestL{};  ///< of them; empty: 4, with natural spinors alone of l = 4
  int largestInnerL = 6;          ///< of the spinors that the core is excited to
  bool allWaves = false;          ///< whether Sigma_1 is extrapolated to all l of these
  bool iteratedRings = true;      ///< whether excitations of the core act on each other, to all orders
  Eigen::VectorXd screening{};    ///< factors f_k of Coulomb lines in second order; empty: none
  /// They multiply Sigma_1, by symmetries: "s", "p1/2", and "p" for both.
  std::map<std::string, double> sigmaFactors{};
  bool fitSigma = false;  ///< whether these are fitted to levels of NIST of the core with one electron
  std::vector<std::string> inner;  ///< shells of the core that are not correlated
};

/// How the electrons were given: exactly one of the three forms is filled.
struct ConfigurationRequest {
  std::string text;               ///< config='...'; empty if the other forms are used
  bool groundState = false;       ///< takes the default configuration of the ion
  int charge = 0;                 ///< of that ion
  std::string remark{};           ///< charge_from_configuration, as IonConfiguration has it
  bool changed = false;           ///< whether `text` has holes and promotions that were asked for
  std::vector<int> closed, open;  ///< nclose, nopen
  int freeElectrons = 0;          ///< freel
  bool autogen = false;
  std::vector<std::vector<double>> list;  ///< nconf lines

  /// Other configurations of the same ion.
  ConfigurationRequest withText(std::string other) const {
    ConfigurationRequest request;
    request.text = std::move(other);
    request.remark = remark;
    request.changed = changed;
    return request;
  }
};

/// A parsed and checked input file, every default filled in except those that need data of other modules
/// (library basis, nuclear default parameters, default configuration), which the application resolves.
struct Job {
  std::string file, title;
  std::filesystem::path folder;  ///< where relative paths start: that of the input file, else the current one
  std::string text;              ///< of the input file, or of one that asks for the same
  JobType type = JobType::Energy;
  bool limitSpinors = false;  ///< of levels and Slater integrals: $levels spinors='limit'
  VirtualRequest virtuals;    ///< of levels
  CoreValenceRequest coreValence;
  Hamiltonian hamiltonian;  ///< its shell: $watson
  CrystalRequest crystal;
  NucleusRequest nucleus;
  bool nuclearModelGiven = false;  ///< false: a library basis decides, else it is defaultNuclearModel()
  int symmetries = 0;              ///< nsym; 0 if a library basis or the configuration decides
  BasisType basisType = BasisType::Library;
  std::string libraryName;  ///< a collection, or a path to a folder of .basis files (it has a '/')
  std::string basisFile;    ///< bastype='file'; relative to `folder`
  bool contracted = false;  ///< of that file: its contracted functions instead of their primitives
  std::filesystem::path
      basisSets;  ///< folder of the library (not from the file); empty: where it is installed
  WellTemperedSpec wellTempered;
  std::vector<std::vector<double>> readInExponents;  ///< for each symmetry
  ConfigurationRequest configuration;
  ScfOptions scf;
  bool dampingGiven = false;  ///< dfctr without ixtrp, which chooses damping
  LimitMethod limit;
  FockKind fock = FockKind::Automatic;
  MappingKind mapping = MappingKind::OnTheFly;
  OptimiserOptions optimiser;
  ChainRequest chain;

  /// Whether the field is that of the numerical limit.
  bool isLimit() const { return type == JobType::Limit || limitSpinors; }
  /// Whether it asks for one self-consistent field, and what follows from it.
  bool isField() const { return type != JobType::BasisOptimisation && type != JobType::Chain; }
};

/// The nucleus where neither the input nor a named set of the library says another one. One rule: point where
/// the input brings its own functions, as in Hennessey (2018); else, for sets of files too, Gaussian, what
/// most sets are made for.
constexpr NuclearModel defaultNuclearModel(BasisType basis, JobType type) {
  const bool ownFunctions = basis == BasisType::WellTempered || basis == BasisType::ReadIn;
  return ownFunctions && type != JobType::Chain ? NuclearModel::Point : NuclearModel::Gaussian;
}

}  // namespace prophet
