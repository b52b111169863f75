#pragma once
#include <Eigen/Core>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "matter/pairs/debye_sums.hpp"
#include "matter/pairs/pair_engine.hpp"
#include "matter/powder/amplitudes.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {

/// Intensity of a powder of particles, by the formula of Debye (Ann. Phys. 351, 809 (1915)):
///
///   I(q) = sum_a N_a |f_a|^2 + 2 sum_{a <= b} Re(f_a f_b*) exp(-(B_a + B_b) s^2) P_ab(q),  s = q/(4 pi)
///
/// with the sums over pairs P of `sums`. Motion blurs the interference of different atoms, not what an atom
/// scatters itself. Units: squares of those of the amplitudes, for one particle.
///
/// \param amplitudes (q, kind)
/// \param bFactors   of each kind, angstrom^2; empty: 0
Eigen::VectorXd intensityOf(const Eigen::MatrixXd& sums, const std::vector<std::size_t>& counts,
                            const Eigen::VectorXd& q, const Eigen::MatrixXcd& amplitudes,
                            const std::vector<double>& bFactors = {});

/// A bound of the intensity's error from bounds of the sums: 2 sum |f_a f_b| bound_ab.
Eigen::VectorXd intensityBound(const Eigen::MatrixXd& bounds, const Eigen::MatrixXcd& amplitudes);

/// Scattering angles 2 theta in degrees for a wavelength in angstrom; not a number where q > 4 pi/wavelength.
Eigen::VectorXd twoTheta(const Eigen::VectorXd& q, double wavelength);

enum class PowderMethod {
  Histogram,  ///< distances once into fine bins, then all q
  Direct      ///< every pair and q
};

inline constexpr double kLargestBFactor = 1e4;  // angstrom^2

struct PowderOptions {
  Eigen::VectorXd q;  ///< 1/angstrom
  PowderMethod method = PowderMethod::Histogram;
  bool doublePrecision = false;
  double tolerance = 1e-6;  ///< of the histogram's error, as a part of I(0)
  double binWidth = 0;      ///< angstrom; 0: by tolerance
  int mostBins = 50000;     ///< that tolerance may lead to
  double exactBelow = 0;    ///< angstrom: closer pairs are summed one by one, not by the histogram
  AmplitudeOptions amplitudes{};
  std::map<std::string, double> bFactors{};  ///< of kinds, angstrom^2
  std::function<void(double done, double total)> progress{};
  /// Where several processes share the work: gives all of them the number that the first one has.
  std::function<double(double)> firsts{};
  bool wholeSums =
      true;  ///< false: this process gets a part of the sums only, of which no pattern can be made
};

/// A pattern with all that one needs to know about it.
struct PowderPattern {
  Eigen::VectorXd q, intensity;  ///< per particle, mean over frames
  std::size_t atoms = 0;         ///< of the first frame
  int frames = 0;
  std::vector<std::string> kinds;
  std::vector<std::size_t> counts;
  double errorBound = 0;  ///< of the histogram, largest over q, as a part of I(0); 0 for direct sums
  bool doublePrecision = false;
  double binWidth = 0, exactBelow = 0;  ///< of the last frame; exactBelow ends at a bin
  double pairs = 0, seconds = 0;
  std::string device, title;
  std::vector<std::string> provenance, warnings;
};

/// The sums over the pairs of one frame, and what its atoms scatter.
struct FrameSums {
  std::vector<std::string> kinds;
  std::vector<std::size_t> counts;
  Eigen::MatrixXd sums;         ///< (q, pairKind)
  Eigen::MatrixXcd amplitudes;  ///< (q, kind)
};

/// Gives `take` the sums of each frame. The pattern that it returns says all but intensities. Throws and
/// warns as powderPattern.
PowderPattern powderSums(Frames& frames, const PowderOptions& options, PairEngine& engine,
                         const std::function<void(const FrameSums&)>& take);

/// The B factors of kinds, as intensityOf takes them; 0 for those that the table lacks.
std::vector<double> bFactorsOf(const std::vector<std::string>& kinds,
                               const std::map<std::string, double>& table);

/// Sums over all frames. The atoms of a frame are one particle, whatever its lattice; a warning says so where
/// there is one. Where bins cannot hold the tolerance, the closest pairs are summed one by one; where those
/// are too many, a warning has the error that is reached. Phases that single precision does not hold are
/// summed in double precision. Intensities are never negative: those that errors have put below 0 are 0, and
/// a warning says by how much. Throws Error for a file without atoms, b-factors that are negative or of kinds
/// that no frame has, a histogram that has lost pairs, and as the functions that it calls.
PowderPattern powderPattern(Frames& frames, const PowderOptions& options, PairEngine& engine);

}  // namespace prophet
