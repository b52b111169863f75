#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cudaprophet/atom.hpp"
#include "cudaprophet/basis.hpp"

namespace cudaprophet {

/// Unbound: not all electrons of the atom are bound.
enum class Status { Converged, NotConverged, Unbound, Failed };

/// One part of an energy, each kind once.
struct EnergyPart {
  std::string id;              ///< "kinetic", "nuclear", "two_electron", "gaunt", "self_energy", ...
  double value = 0;            ///< hartree
  bool selfConsistent = true;  ///< otherwise in first order and not in `energy`
};

/// One occupied spinor.
struct Spinor {
  std::string label;  ///< "2p1/2"
  int n = 0, kappa = 0;
  double occupation = 0;
  double energy = 0;                 ///< hartree
  std::optional<double> meanRadius;  ///< mean of r, bohr
};

struct Warning {
  std::string id;    ///< stable
  std::string text;  ///< one sentence
};

/// A number that follows from the spinors (docs/reference/properties.md).
struct Property {
  std::string
      table;  ///< "nucleus", "expectation_values", "hyperfine", ...: the keys of docs/reference/json.md
  std::string label;  ///< of a spinor or shell, "2p3/2"; empty or "total" of the atom
  std::string key;    ///< "mean_density", "r^2", ...
  std::string unit;   ///< "hartree", "bohr^-3", ...
  double value = 0;
};

/// The result of a calculation.
struct Result {
  Status status = Status::Failed;
  std::string reason;                ///< why there is no reliable energy; empty if converged
  double energy = 0;                 ///< of the self-consistent field, hartree
  double energyWithCorrections = 0;  ///< energy plus the parts in first order
  std::vector<EnergyPart> parts;     ///< the self-consistent ones add up to `energy`
  std::vector<Spinor> spinors;
  std::vector<Property> properties;  ///< if Settings requests them and there are spinors
  double virialRatio = 0;            ///< minus mean potential over mean kinetic energy (c alpha.p)
  int iterations = 0;
  std::optional<double> estimatedError;  ///< of a limit, hartree
  std::optional<double> basisError;      ///< E(basis) - E(complete basis), hartree, known or estimated
  std::vector<Warning> warnings;
  std::vector<std::string> choices;  ///< what was chosen automatically, one sentence each
  std::string method;                ///< "grid", "limit", ...
  std::string device;                ///< "CPU", or the name of the GPU
  double seconds = 0;
};

/// Where calculations run. Automatic: many on a GPU if there is one and that is worth its start, one there if
/// it stores its integrals.
enum class Device { Automatic, Cpu, Gpu };

/// How a calculation is carried out.
struct Settings {
  std::optional<int> maxIterations;
  bool estimateError = true;          ///< of the basis set, if it is not known
  bool properties = false;            ///< also compute what follows from the spinors
  int threads = 1;                    ///< of the processor
  std::string collection;             ///< of the library, if no basis set is given
  std::filesystem::path basisSets{};  ///< folder of the library; empty: where cudaprophet is installed
  Device device = Device::Cpu;
  std::vector<int> devices{};  ///< numbers of GPUs; empty: all of a batch, the first one of one calculation
};

/// The energy of an atom in the library's basis set for it, or in a given one (a point nucleus where the atom
/// names no model). A field that does not converge is a Status; other failures throw Error.
CUDAPROPHET_API Result compute(const Atom& atom, const Settings& settings = {});
CUDAPROPHET_API Result compute(const Atom& atom, const BasisSet& basis, const Settings& settings = {});
/// The numerical (complete-basis) limit.
CUDAPROPHET_API Result limit(const Atom& atom, const Settings& settings = {});

}  // namespace cudaprophet
