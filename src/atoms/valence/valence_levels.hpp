#pragma once
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "atoms/correlation/correlation_engine.hpp"
#include "atoms/levels/levels.hpp"
#include "atoms/levels/spinor_table.hpp"
#include "atoms/lines/lines.hpp"
#include "atoms/valence/valence_parameters.hpp"

namespace prophet {

/// What Sigma_1 of one symmetry is multiplied by.
struct SigmaFactor {
  Symmetry type;
  double factor = 1;
  /// The factor is that which gives one electron's lowest level this energy, hartree.
  std::optional<double> fitted{};
};

/// What the levels of a few electrons above a closed core are computed of.
struct ValenceRequest {
  int electrons = 2;  ///< 1 to kMostValenceElectrons
  ValenceSpinorRequest spinors;
  LevelField field;  ///< beside the repulsion of the electrons
  /// The configurations whose levels are wanted, "[Ne] 3s2"; empty: the lowest levels.
  std::vector<LevelSpace::Part> configurations{};
  std::string core;                    ///< what names of configurations begin with, "[Ne]"
  double ionCharge = 1;                ///< that the outermost electron sees
  int roots = 4;                       ///< of each J and parity at least
  bool iteratedRings = true;           ///< Sigma with the core's response to all orders (CoreResponse)
  bool allWaves = false;               ///< Sigma_1 extrapolated in l (selfEnergy)
  std::vector<SigmaFactor> factors{};  ///< 1 of symmetries that are not among them
  bool corePolarisation = false;       ///< whether properties and lines have the core's response
  bool structuralRadiation = false;    ///< and structural radiation and normalisation beside it
  /// Factor of the specific mass shift's operator beside the repulsion; the field must have it too
  /// (perturbedSpace).
  double recoil = 0;
  std::vector<Multipole> multipoles{};  ///< of the lines between the levels: electric ones and M1
};

/// A level beside what it is without the correlation of the core with the valence electrons.
struct ValenceLevel {
  double valence = 0;  ///< excitation energy by the configuration interaction alone, hartree
  double shift = 0;    ///< of the level's energy by Sigma_1 and Sigma_2, hartree
  /// Parts of the level's energy of more than two electrons, hartree: the expectation value of Sigma_3, which
  /// the energy lacks; what configurations that were left out give in second order, and all beyond
  /// distributions over a few spinors, which the energy has.
  double threeElectrons = 0, rest = 0, excitations = 0;
  double error = 0;  ///< of the excitation energy, hartree; nine of ten levels of experiment are within it
};

struct ValenceLevels {
  std::vector<LevelSpace::Part> configurations;  ///< of Level::configuration
  std::vector<Level> levels;                     ///< ascending; `energy` with that of the core
  std::vector<ValenceLevel> details;             ///< of each
  /// At long wavelengths, by upper and lower level; the core's response is that to light of their frequency.
  LineList lines;
  /// To light of lines above this frequency the core responds as to light of it, hartree.
  double largestFrequency = std::numeric_limits<double>::infinity();
  /// What it takes to remove one electron of the lowest level, hartree: higher levels are above the
  /// ionisation limit.
  double removal = 0;
  double smallestExcitation = 0;       ///< of the core, hartree
  int spinors = 0;                     ///< of the valence electrons
  std::vector<SigmaFactor> factors{};  ///< those of the request, with what was fitted
};

/// Levels by configuration interaction among the valence electrons with Sigma_1 and Sigma_2 of second order.
/// `coreEnergy`: of the closed core, hartree. Source: V. A. Dzuba, V. V. Flambaum and M. G. Kozlov, Phys.
/// Rev. A 54 (1996) 3948; docs/theory/core-valence.md. Throws Error as valenceSpace, where Davidson's
/// method fails, and NotConvergedError where no factor gives a fitted energy.
ValenceLevels valenceLevels(const OrbitalSpace& orbitals, const Configuration& core, double coreEnergy,
                            const ValenceRequest& request, CorrelationEngine& engine, ThreadPool& pool,
                            const Checkpoint& checkpoint = {});

/// Parameters of multiplet theory of the electrons above a core, with Sigma_1 and Sigma_2 and without, in the
/// same spinors.
struct ValenceIntegrals {
  std::vector<SlaterParameter> with, without;
  double smallestExcitation = 0;  ///< of the core, hartree
};
/// The integrals serve the request's configurations; as many eigenvectors as these need are enough, as Sigma
/// does not depend on how many there are. Throws Error as valenceSpace.
ValenceIntegrals valenceIntegrals(const OrbitalSpace& orbitals, const Configuration& core,
                                  const ValenceRequest& request, CorrelationEngine& engine, ThreadPool& pool,
                                  const Checkpoint& checkpoint = {});

}  // namespace prophet
