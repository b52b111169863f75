#pragma once
#include <Eigen/Core>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/common/stopwatch.hpp"
#include "matter/powder/measured_pattern.hpp"
#include "matter/powder/powder_run.hpp"

namespace prophet {

enum class PatternAxis {
  Q,        ///< 1/angstrom
  TwoTheta  ///< degrees
};

enum class Polarisation {
  None,        ///< the measured intensities have been corrected
  Unpolarised  ///< of a tube, behind or before a monochromator
};

/// Parameters on which a pattern depends other than linearly, numbers of PatternParameters.
enum PatternParameter { kLattice, kB, kZero, kU, kV, kW, kPatternParameters };
using PatternParameters = Eigen::Matrix<double, kPatternParameters, 1>;

/// "lattice", "b", "zero", "u", "v", "w": their names in the order of PatternParameter.
const std::array<const char*, kPatternParameters>& patternParameterNames();

/// What the parameters are where nothing is known: no strain, motion, shift or width.
inline PatternParameters idealPattern() { return PatternParameters::Unit(kLattice); }

/// The largest strain that a fit may reach.
inline constexpr double kLargestStrain = 0.1;

/// What is known of a measurement and wanted of its fit.
struct PatternFitOptions {
  PatternAxis axis = PatternAxis::Q;
  double wavelength = 0;  ///< angstrom; needed for angles, polarisation and absorption
  Polarisation polarisation = Polarisation::None;
  double monochromator = 0;                  ///< its 2 theta, degrees; 0: none
  double absorption = 0;                     ///< mu R of a cylinder in the beam; 0: none
  int background = 3;                        ///< degree of the polynomial; -1: no background
  PatternParameters start = idealPattern();  ///< and the values of those that are not refined
  std::vector<PatternParameter> refined{};   ///< each once
  std::map<std::string, double> bFactors{};  ///< of kinds, angstrom^2, to which b is added
  Checkpoint checkpoint{};
};

/// The same q as momenta of a grid: q of x, 1/angstrom, without its zero.
Eigen::VectorXd momentaOfAxis(const Eigen::VectorXd& x, const PatternFitOptions& options);

/// An even grid of q for the sums of particles up to `diameter` (angstrom), that patterns at these q can be
/// interpolated whatever the parameters: steps of pi/(8 diameter). Throws Error where it is too long.
Eigen::VectorXd gridOfFit(const Eigen::VectorXd& q, double diameter);

/// Particles of one kind, or the mean of several.
struct PatternComponent {
  std::string name;               ///< of its file
  std::size_t atoms = 0;          ///< of a particle
  std::vector<FrameSums> frames;  ///< on the grid
};

/// A parameter with its error. Linear ones are called scale or scale(name), and background0, ...
struct FittedPatternParameter {
  std::string name, unit;
  double value = 0;
  double error = 0;  ///< standard error; not a number where there is none
  bool refined = false;
};

struct PatternFit {
  Eigen::VectorXd q;  ///< less the fitted zero
  Eigen::VectorXd computed, background;
  std::vector<FittedPatternParameter> parameters;  ///< the six, then scales, then background
  /// Names and correlations of the refined parameters that the pattern determines.
  std::vector<std::string> free;
  Eigen::MatrixXd correlation;
  std::vector<std::string> undetermined;  ///< refined, but without an effect of their own on the pattern
  std::vector<std::string> atLimit;       ///< refined, and at the end of their range
  Eigen::Index points = 0;
  Eigen::Index withoutWidth = 0;  ///< points where u, v and w give a negative H^2, which counts as 0
  double chiSquared = 0;          ///< reduced
  double rWeighted = 0, rExpected = 0, rWithoutBackground = 0;
  bool converged = false;
};

/// Fits sum_c scale_c I_c + background to a measured pattern by least squares with weights 1/sigma^2.
///
/// I_c is the intensity of a component with all distances times `lattice` and `b` added to the B factors of
/// all kinds, times the polarisation factor (1 + A cos^2 2theta)/(1 + A), A = cos^2 of the monochromator's 2
/// theta, and the absorption factor of a cylinder, at x - `zero`, convoluted with a Gaussian of full width H
/// at half maximum: H^2 = u tan^2 theta + v tan theta + w in degrees^2 of 2 theta (G. Caglioti, A. Paoletti,
/// F. P. Ricci, Nucl. Instrum. 3, 223 (1958)), or u q^2 + v q + w in 1/angstrom^2. Debye's formula has the
/// Lorentz factor in it. Scales are 0 or more, the background is a sum of Chebyshev polynomials over the
/// range of x; both follow linearly from the other parameters (G. H. Golub, V. Pereyra, SIAM J. Numer. Anal.
/// 10, 413 (1973)), which are found by Levenberg and Marquardt's method. Standard errors are those of the
/// covariance times the reduced chi-squared. R factors: R. A. Young (ed.), The Rietveld Method (1993),
/// chapter 1.
///
/// `grid`: the momenta of the components' sums, of gridOfFit. Throws Error for a pattern with fewer points
/// than parameters, without a wavelength where one is needed, for angles that are not between 0 and 180
/// degrees, and where no component scatters.
PatternFit fitPattern(const MeasuredPattern& measured, const Eigen::VectorXd& grid,
                      const std::vector<PatternComponent>& components, const PatternFitOptions& options);

}  // namespace prophet
