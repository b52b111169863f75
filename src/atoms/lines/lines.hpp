#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "atoms/levels/levels.hpp"

namespace prophet {

/// The multipole of a photon, of which E1 is {1, false} and M2 is {2, true}.
struct Multipole {
  int rank = 1;
  bool magnetic = false;

  /// "E1".
  std::string name() const;
  /// Whether levels of these 2J and parities may have a line of it.
  bool connects(int twoJ, bool odd, int otherTwoJ, bool otherOdd) const;
  bool operator==(const Multipole&) const = default;
};
/// The reverse of its name; ranks 1 to 3. Throws Error.
Multipole multipoleNamed(const std::string& name);

/// A line between two levels.
struct Line {
  int upper = 0, lower = 0;  ///< places in LevelResult::levels
  Multipole multipole;
  double energy = 0;  ///< hartree, positive
  /// S in e^2 a0^(2k) of electric multipoles, in the length (Babushkin) and velocity (Coulomb) gauges; in
  /// (mu_B a0^(k-1))^2 of magnetic ones, whose two numbers are equal.
  double strength = 0, velocityStrength = 0;
  bool observed = false;   ///< whether the energy is that of experiment
  double energyError = 0;  ///< of calibrated levels, one standard deviation, hartree
  /// Root mean square of what log10(S) changes by in the vectors of LevelStates::moved; 0: there are none.
  double spread = 0;
  double gfError = 0;  ///< of log10(gf), of calibrated levels, one standard deviation
};

/// What follows from a line strength S (Line::strength) at the energy of the line.
struct LineRates {
  double gf = 0;    ///< weighted oscillator strength, of absorption and of emission
  double rate = 0;  ///< A, spontaneous emission, 1/s
};
LineRates ratesOf(const Line& line, double strength, int upperTwoJ, double speedOfLight);

/// A line with all that follows from it.
struct RatedLine {
  Line line;
  LineRates length, velocity;  ///< of either gauge
  double branching = 0;        ///< share of the line in all rates from its upper level, length gauge
};
struct RatedLines {
  std::vector<RatedLine> lines;
  std::vector<double>
      decayRates;  ///< of each level, by these lines, those left out and others, 1/s: inverse lifetimes
};

/// A list of lines above a cut, and what the cut leaves out.
struct LineList {
  std::vector<Line> lines;
  std::vector<double> leftOut;  ///< of each level the rates of lines from it below the cut, length gauge, 1/s
  /// gf in the length gauge and velocity over length of each E1 line with a hundredth or more of the largest
  /// gf of E1 lines before it, whether above the cut or not.
  std::vector<std::pair<double, double>> gauges{};
  double largestGf = 0;  ///< of E1 lines

  /// Keeps a line, or adds its rate to what is left out; whether it is kept. `upperTwoJ`: of its upper level.
  bool add(const Line& line, int upperTwoJ, double leastGf, double speedOfLight);
  /// Adds another list of the same levels.
  void add(const LineList& other);
  /// Adds its gauges alone.
  void addGauges(const LineList& other);
  /// The middle of velocity over length among E1 lines with a hundredth of the largest gf or more, whatever
  /// the cut; nothing where there are none.
  std::optional<double> gaugeRatio() const;
  /// By upper, then lower level.
  void sort();
};

struct LineOptions {
  std::vector<Multipole> multipoles{{1, false}, {1, true}, {2, false}, {2, true}};
  double leastGf = 0;  ///< lines with a smaller gf of the length gauge are left out, hartree energies
  /// What interpolation in omega^2 may miss, of the largest reduced element between spinors.
  double interpolation = 3e-15;
  int threads = 1;
  Checkpoint checkpoint{};
  LevelEngine* engine = nullptr;     ///< that multiplies; nullptr: the processor
  AngularTables* angular = nullptr;  ///< of spaces alike, which keep coefficients; nullptr: none are kept
  Phases* phases = nullptr;          ///< counts times; may be nullptr
};

/// How many lines there are between the wanted levels of a space, before any cut.
double countLines(const LevelSpace& space, const std::vector<Multipole>& multipoles,
                  const WantedLevels& wanted = {});

/// All lines between levels, which must have their vectors (LevelOptions::vectors), ordered by upper and
/// lower level: the multipole operators with all retardation, exactly for each energy by interpolation in
/// omega^2 between Chebyshev points. Source: I. P. Grant, J. Phys. B 7 (1974) 1458; docs/theory/lines.md.
/// Throws Error for spinors that are not of the space.
LineList computeLines(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                      const LevelResult& levels, const LineOptions& options = {});

/// `speedOfLight` in atomic units; `others`: rates of other decays of each level, 1/s, or empty.
RatedLines rated(const LineList& list, const std::vector<Level>& levels, double speedOfLight,
                 const std::vector<double>& others = {});

}  // namespace prophet
