#pragma once
#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/configurations/level_count.hpp"
#include "atoms/configurations/level_space.hpp"
#include "atoms/levels/level_engine.hpp"
#include "atoms/levels/spinor_table.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

class AngularTables;
class KeptMatrices;

/// A part of a level: a term or a coupled state and its share.
struct LevelPart {
  std::string name;  ///< "3P", "2p1/2(1)1/2 2p3/2(1)3/2; 2"
  double percent = 0;
  int configuration = 0;
};

/// A parameter of multiplet theory, hartree.
struct SlaterParameter {
  std::string integral;  ///< "F", "G", "R"; "zeta" of the splitting, "zeta_radial" of the radial integral;
                         ///< "h" of one electron between two shells; "F_breit", "G_breit"
  std::string shells;    ///< "2p,3d"; of R "3d,3d,4s,4s": from the last two to the first two
  int k = 0;             ///< rank; 0 of h and zeta
  double value = 0;
};
/// "F2(3d,3d)", "zeta(3d)", "h(3d,4d)".
std::string nameOf(const SlaterParameter& parameter);
/// Whether it is an integral of the electrons' Coulomb repulsion: F, G or R.
bool isRepulsion(const SlaterParameter& parameter);

/// What the isotope shift of a level is made of, first derivatives of its energy at fixed wave function.
struct IsotopeShift {
  double normal = 0, specific = 0;  ///< by the inverse mass of the nucleus, hartree electron masses
  std::optional<double> field{};    ///< by its mean square radius, hartree/bohr^2; empty: a point nucleus
};

/// One level of an atom. Energies in hartree.
struct Level {
  int twoJ = 0;
  bool odd = false;
  int index = 0;          ///< from 1, among the levels of its J and parity
  double energy = 0;      ///< total
  double relative = 0;    ///< to the average over all states
  double excitation = 0;  ///< above the lowest level
  /// What the basis set makes the excitation too large by, to first order; 0 where it was not asked for.
  double excitationError = 0;
  std::string label;      ///< "3d6(5D) 4s1 6D"; of jj coupling where electrons are named by their j
  double percent = 0;     ///< share of the state that the label names
  int configuration = 0;  ///< with the largest share
  std::vector<LevelPart> terms, couplings;  ///< of LS and jj coupling, largest first
  /// Whether it has couplings and what is below, up to the mean square radius: not with
  /// LevelDetail::Configurations.
  bool hasProperties = true;
  double g = 0;                     ///< Lande factor g_J of the point magnetic moment (g_s = 2); 0 for J = 0
  double gAnomaly = 0;              ///< what the electron's anomalous moment adds to g_J
  double hyperfineA = 0;            ///< h^-1, MHz for mu_I/I = 1 nuclear magneton
  double hyperfineB = 0;            ///< h^-1, MHz for Q = 1 barn
  double meanSquareRadius = 0;      ///< of all electrons, bohr^2
  std::vector<double> derivatives;  ///< of the energy by LevelResult::parameters
  std::vector<double> slopes{};     ///< derivatives of the energy by LevelOptions::parameters
  double density = 0;  ///< of all electrons, mean over the nuclear charge, bohr^-3; 0: point nucleus
  double referencePercent = 100;  ///< share of the reference configurations
  /// The energy less that of the level of the reference configurations alone, in the same spinors, that it
  /// resembles most; nothing where they are less than half of it, and without excitations.
  std::optional<double> correlation{};
  /// The energy less that of the lowest level of its J and parity that the references alone have, in the same
  /// spinors; 0 without excitations.
  double aboveReferences = 0;
  std::optional<IsotopeShift> isotope{};  ///< where it was asked for
};

/// What the interaction of the open electrons is made of.
struct LevelHamiltonian {
  LevelField field;
  TwoElectronOperator electrons = TwoElectronOperator::Coulomb;
  bool breitFrequency = false;  ///< as in SpinorInteraction
};

/// The levels of one J and parity as vectors over coupled states.
struct LevelVectors {
  int twoJ = 0;
  bool odd = false;
  std::vector<std::string> states;  ///< names of the coupled states
  std::vector<int> configurations;  ///< of each of them
  /// In order of Level::index; moved() in other Hamiltonians (LevelParameters::changes).
  std::shared_ptr<const LevelStates> kept{};

  const Eigen::MatrixXd& vectors() const { return kept->vectors(); }
};

/// A Hamiltonian H + sum_p x_p O_p + sum_c x_c 1_c of which the parameters are known to some error.
struct LevelParameters {
  std::vector<const ElectronOperator*> operators;  ///< O_p
  Eigen::VectorXd x;                               ///< of the operators, then of all configurations
  Eigen::MatrixXd changes;                         ///< of x, for LevelStates::moved; no columns: without
  KeptMatrices* kept = nullptr;                    ///< those of the blocks; nullptr: none are
};

struct LevelResult {
  double average = 0;                 ///< mean over all states of the levels, hartree
  double states = 0;                  ///< of the levels
  std::vector<Level> levels;          ///< ascending in energy
  std::vector<LevelVectors> vectors;  ///< where asked for
  /// What `Level::derivatives` are with respect to, where asked for: those that some level depends on.
  std::vector<SlaterParameter> parameters;
  /// Mean over all states of the levels of sum_m <a+_am a_bm> between open spinors a and b: electrons on the
  /// diagonal. Where not all levels are wanted.
  Eigen::MatrixXd density;
};

/// Adds a number to labels that several levels of one J and parity share, in order of energy.
void numberRepeated(std::vector<Level>& levels);

/// What is said of levels beside their energies.
enum class LevelDetail {
  Full,
  /// Labels are the configurations, which several levels share; no parts, no properties.
  Configurations
};

struct LevelOptions {
  WantedLevels wanted{};
  LevelDetail detail = LevelDetail::Full;
  /// The field of the average in a nearly complete basis, for the errors of excitations; nullptr: without.
  const Result* finer = nullptr;
  bool propertiesOfFiner = false;  ///< whether radial integrals of properties are those of `finer`
  bool vectors = false;            ///< whether the result should have them
  bool isotopeShifts = false;      ///< whether levels should have Level::isotope
  /// Whether levels should have their derivatives by the parameters of multiplet theory, at fixed energies of
  /// the averages. Not for configurations that name electrons by their j.
  bool derivatives = false;
  /// What is added to the Hamiltonian between the coupled states of a block; may be empty.
  std::function<void(const LevelBlock&, Eigen::MatrixXd&)> correction{};
  const LevelParameters* parameters = nullptr;  ///< of the Hamiltonian; nullptr: none
  int threads = 1;                              ///< of which each solves for one J and parity at a time
  Checkpoint checkpoint{};
  /// Called as blocks are finished, with the number of levels that are there, from any thread; may be empty.
  std::function<void(std::size_t done, std::size_t total)> progress{};
  LevelEngine* engine = nullptr;     ///< that diagonalises; nullptr: the processor
  AngularTables* angular = nullptr;  ///< of spaces alike, where their blocks are kept; nullptr: none are
  Phases* phases = nullptr;          ///< counts times; may be nullptr
};

/// The levels of all states of a space, a configuration interaction in the spinors of its average: closed
/// shells as a potential, determinants of M = J, states of each J by coupling, dense symmetric eigenproblems;
/// Davidson's method where few levels of a large block are wanted.
/// `result`: an energy or limit of `space.average` with its radial functions. Source: docs/theory/levels.md.
/// Throws Error where the results have other spinors than the space, and as requireMemory.
LevelResult computeLevels(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                          const LevelOptions& options = {});

}  // namespace prophet
