#pragma once
#include <Eigen/Core>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "matter/pairs/pair_histogram.hpp"

namespace prophet {

/// Histograms of the frames of a trajectory, added up with what their normalisation needs.
class PairAverage {
 public:
  PairAverage() = default;
  /// One that was kept: the sum of its frames' histograms, and of 1/volume over them (1/angstrom^3).
  PairAverage(PairHistogram sum, std::vector<std::size_t> counts, double inverseVolumes, int frames)
      : sum_(std::move(sum)), counts_(std::move(counts)), inverseVolume_(inverseVolumes), frames_(frames) {}
  /// `volume` in angstrom^3: of the cell, or what the density of a particle is to refer to. Frames must have
  /// the same kinds in the same order and equally many atoms of each. Throws Error where they differ.
  void add(const PairHistogram& histogram, const std::vector<std::size_t>& counts, double volume);

  int frames() const { return frames_; }
  const PairHistogram& histogram() const { return sum_; }
  const std::vector<std::size_t>& counts() const { return counts_; }
  std::size_t atoms() const;
  /// Sum and mean of 1/volume, 1/angstrom^3.
  double inverseVolumes() const { return inverseVolume_; }
  double inverseVolume() const { return inverseVolume_ / frames_; }
  /// Atoms per angstrom^3.
  double density() const { return static_cast<double>(atoms()) * inverseVolume(); }
  /// Pairs of a bin in one frame, those of two kinds once; of the same kind twice, as neighbours count them.
  double orderedPairs(int a, int b, int bin) const;

 private:
  PairHistogram sum_;
  std::vector<std::size_t> counts_;
  double inverseVolume_ = 0;
  int frames_ = 0;
};

/// Pair distribution functions at the centres of the bins.
struct DistanceDistribution {
  Eigen::VectorXd r;           ///< angstrom
  Eigen::MatrixXd partial;     ///< (r, pairKind): g_ab(r) = n_ab(r)/(4 pi r^2 dr N_a N_b/V), shells exact
  Eigen::VectorXd total;       ///< the same of all atoms, or weighted
  Eigen::MatrixXd neighbours;  ///< (r, a * kinds + b): atoms b within the end of the bin around one a
};

/// `weights`: amplitude of each kind for the total, sum_ab c_a c_b Re(w_a w_b*) g_ab/|<w>|^2; empty: all 1.
/// Throws Error where their mean is 0.
DistanceDistribution pairDistribution(const PairAverage& average,
                                      const std::vector<std::complex<double>>& weights = {});

/// Reduced pair distribution function 4 pi r rho (g(r) - 1), angstrom^-2.
Eigen::VectorXd reducedDistribution(const DistanceDistribution& g, double density);

/// Static structure factors from pair distances, in the convention of Faber and Ziman (1965).
struct StructureFactor {
  Eigen::VectorXd q;        ///< 1/angstrom
  Eigen::MatrixXd partial;  ///< (q, pairKind): S_ab = 1 + rho int (g_ab - 1) W(r) sin(qr)/(qr) 4 pi r^2 dr
  Eigen::VectorXd total;    ///< sum_ab c_a c_b Re(w_a w_b*) S_ab/|<w>|^2, w at each q
};

/// S(q) from the distances up to the range R of the histogram; the pairs enter by their mean distances, the
/// uniform background exactly. `lorch`: with the window W = sin(pi r/R)/(pi r/R) (E. Lorch, J. Phys. C 2, 229
/// (1969)), which takes away most of the ripples of the end at R. Below firstMomentum it is none of the
/// atoms: what the number of atoms within R differs from the mean. `weights`: (q, kind), or empty for 1.
/// Throws Error for q that are not above 0, and where the mean of the weights is 0.
StructureFactor structureFactor(const PairAverage& average, const Eigen::VectorXd& q, bool lorch,
                                const Eigen::MatrixXcd& weights = {});

/// 1/angstrom: at smaller q the end of the distances at R (angstrom) decides S, not the atoms: 2 pi/R, or the
/// first wave of the box where that is larger.
double firstMomentum(const Structure& structure, double range);

/// The least that S can be at each q, where nothing is scattered: 1 - <|w|^2>/|<w>|^2, which is 0 for weights
/// that are alike. `weights` as in structureFactor.
Eigen::VectorXd leastFactor(const PairAverage& average, const Eigen::VectorXd& q,
                            const Eigen::MatrixXcd& weights);

/// Throws Error for a range that is no distance (angstrom), or within which a periodic structure has so many
/// pairs that counting them has no end: says how many.
void requireRange(const Structure& structure, double range);

/// The range where none is given: half of the box; without lattice all distances. Angstrom.
double usualRange(const Structure& structure);

/// The volume that g(r) refers to, angstrom^3: of the cell; without lattice that of the atoms at this density
/// (1/angstrom^3), or at 0 of the box around them, which for atoms in a plane is 0.001 angstrom thick.
double volumeOf(const Structure& structure, double density);

/// Why the density of a structure without lattice and a given density is arbitrary; empty where it is not.
std::string densityWarning(const Structure& structure, double density);

/// "A-B" of the numbers of two kinds.
std::string pairName(const std::vector<std::string>& kinds, int a, int b);

}  // namespace prophet
